"""Whole models, each a visible recombination of the parts."""

from regard.models.captioner import Captioner
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
    "Around",
    "BidirectionalEncoder",
    "Captioner",
    "CommonEncoder",
    "Controller",
    "ConvolutionalGrid",
    "Decoder",
    "Encoded",
    "EncoderDecoder",
    "FeatureGrid",
    "FeedForward",
    "LastStateEncoder",
    "LookThenStep",
    "Luong",
    "Marks",
    "Maxout",
    "PlainLSTM",
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
