"""Whole models, each a visible recombination of the parts."""

from regard.models.adaptive import AdaptiveComputation, Pondered
from regard.models.captioner import Captioner
from regard.models.cells import Cell, Elman, Gated, LongShort, Machine
from regard.models.decoding import Decoder, LookThenStep, Maxout, Stepper
from regard.models.encoding import BidirectionalEncoder, Encoded, LastStateEncoder
from regard.models.images import ConvolutionalGrid, FeatureGrid
from regard.models.luong import Luong, StepThenLook
from regard.models.ntm import NTM, Controller, FeedForward, PlainLSTM, Recurrent
from regard.models.rnnsearch import RNNSearch, Seq2Seq
from regard.models.scopes import Around, Scope
from regard.models.searching import Marks, Written, beam, greedy, sample
from regard.models.transformer import Transformer
from regard.models.translating import CommonEncoder, EncoderDecoder, Translator

__all__ = [
    "NTM",
    "AdaptiveComputation",
    "Around",
    "BidirectionalEncoder",
    "Captioner",
    "Cell",
    "CommonEncoder",
    "Controller",
    "ConvolutionalGrid",
    "Decoder",
    "Elman",
    "Encoded",
    "EncoderDecoder",
    "FeatureGrid",
    "FeedForward",
    "Gated",
    "LastStateEncoder",
    "LongShort",
    "LookThenStep",
    "Luong",
    "Machine",
    "Marks",
    "Maxout",
    "PlainLSTM",
    "Pondered",
    "RNNSearch",
    "Recurrent",
    "Scope",
    "Seq2Seq",
    "StepThenLook",
    "Stepper",
    "Transformer",
    "Translator",
    "Written",
    "beam",
    "greedy",
    "sample",
]
