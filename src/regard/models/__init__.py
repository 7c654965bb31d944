"""Whole models, each a visible recombination of the parts."""

from regard.models.adaptive import AdaptiveComputation, Pondered
from regard.models.captioner import Captioner
from regard.models.cells import Cell, Elman, Gated, LongShort, Machine
from regard.models.controllers import Controller, Deep, FeedForward, Recurrent
from regard.models.decoding import Decoder, LookThenStep, Maxout, Stepper
from regard.models.dmn import DMN, DMNPlus, DynamicMemory, StoryAnswerer
from regard.models.encoding import BidirectionalEncoder, Encoded, LastStateEncoder
from regard.models.episodes import Answer, Choice, GatedUpdate, RectifiedUpdate, Utterance
from regard.models.facts import Read, Reader, SentenceBySentence, WordByWord
from regard.models.images import AnyGrid, ConvolutionalGrid, FeatureGrid
from regard.models.luong import Luong, StepThenLook
from regard.models.memn2n import (
    Added,
    Adjacent,
    LayerWise,
    LeakySoftmax,
    MemN2N,
    OneEmpty,
    Projected,
    Rectified,
)
from regard.models.memory_language import MemoryLanguageModel
from regard.models.ntm import NTM, PlainLSTM
from regard.models.rnnsearch import LocationAware, RNNSearch, Seq2Seq
from regard.models.scopes import Around, Scope
from regard.models.searching import Marks, Written, beam, greedy, sample
from regard.models.sentences import (
    BagOfWords,
    LearnedPositionEncoding,
    PositionEncoding,
    ReleasedPositionEncoding,
)
from regard.models.stories import Stories
from regard.models.transformer import Transformer
from regard.models.translating import CommonEncoder, EncoderDecoder, Translator

__all__ = [
    "DMN",
    "NTM",
    "AdaptiveComputation",
    "Added",
    "Adjacent",
    "Answer",
    "AnyGrid",
    "Around",
    "BagOfWords",
    "BidirectionalEncoder",
    "Captioner",
    "Cell",
    "Choice",
    "CommonEncoder",
    "Controller",
    "ConvolutionalGrid",
    "DMNPlus",
    "Decoder",
    "Deep",
    "DynamicMemory",
    "Elman",
    "Encoded",
    "EncoderDecoder",
    "FeatureGrid",
    "FeedForward",
    "Gated",
    "GatedUpdate",
    "LastStateEncoder",
    "LayerWise",
    "LeakySoftmax",
    "LearnedPositionEncoding",
    "LocationAware",
    "LongShort",
    "LookThenStep",
    "Luong",
    "Machine",
    "Marks",
    "Maxout",
    "MemN2N",
    "MemoryLanguageModel",
    "OneEmpty",
    "PlainLSTM",
    "Pondered",
    "PositionEncoding",
    "Projected",
    "RNNSearch",
    "Read",
    "Reader",
    "Rectified",
    "RectifiedUpdate",
    "Recurrent",
    "ReleasedPositionEncoding",
    "Scope",
    "SentenceBySentence",
    "Seq2Seq",
    "StepThenLook",
    "Stepper",
    "Stories",
    "StoryAnswerer",
    "Transformer",
    "Translator",
    "Utterance",
    "WordByWord",
    "Written",
    "beam",
    "greedy",
    "sample",
]
