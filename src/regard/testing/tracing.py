"""What every part must do under torch.compile, torch.export and ONNX.

Apart from the others, since shape checks stop tracing: run these where they are off.
"""

import warnings
from typing import Any

import torch

from regard.masks import causal, padding
from regard.testing.case import close, numbers
from regard.testing.looks import KEY, LookCase
from regard.testing.normalisers import NormaliserCase
from regard.testing.scores import ScoreCase

PADDING = padding([KEY, KEY - 2], KEY)


def _compiled(part: Any) -> Any:
    torch._dynamo.reset()
    return torch.compile(part, fullgraph=True, backend="aot_eager")


def a_score_compiles_whole(case: ScoreCase) -> None:
    """torch.compile(fullgraph=True) gives the same scores."""
    score, inputs = case.part(torch.float32), case.inputs(torch.float32)
    close(_compiled(score)(*inputs), score(*inputs))


def a_normaliser_compiles_whole(case: NormaliserCase) -> None:
    """torch.compile(fullgraph=True) gives the same weights."""
    normaliser, scores = case.part(torch.float32), numbers(2, 5, 5, dtype=torch.float32)
    close(_compiled(normaliser)(scores, causal(5)), normaliser(scores, causal(5)))


def a_look_compiles_whole(case: LookCase) -> None:
    """torch.compile(fullgraph=True) gives the same context, weights, scores and gradients."""
    look, gradients = case.part(torch.float32), []
    for run in (look, _compiled(look)):
        inputs = [one.requires_grad_() for one in case.inputs(torch.float32)]
        seen = run(*inputs, PADDING)
        seen.context.square().sum().backward()
        found = (torch.zeros_like(one) if one.grad is None else one.grad for one in inputs)
        gradients.append((seen.context, seen.weights, seen.scores, *found))
    for eager, traced in zip(*gradients, strict=True):
        close(eager, traced)


def a_look_exports(case: LookCase) -> None:
    """torch.export gives the same context and weights."""
    look, inputs = case.part(torch.float32), (*case.inputs(torch.float32), PADDING)
    exported, expected = torch.export.export(look, inputs).module()(*inputs), look(*inputs)
    close(exported.context, expected.context)
    close(exported.weights, expected.weights)


def a_look_runs_in_onnx(case: LookCase) -> None:
    """Onnxruntime gives the same context and weights."""
    import onnxruntime

    look, inputs = case.part(torch.float32), (*case.inputs(torch.float32), PADDING)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter's own
        program = torch.onnx.export(look, inputs, dynamo=True, verbose=False)
    assert program is not None
    session = onnxruntime.InferenceSession(program.model_proto.SerializeToString())
    arrays = dict(zip(("query", "key", "value", "mask"), inputs, strict=True))
    names = [entry.name for entry in session.get_inputs()]  # mask_orig where it also goes out
    given = {name: arrays[name.removesuffix("_orig")].numpy() for name in names}
    context, weights, *_ = session.run(None, given)
    expected = look(*inputs)
    close(torch.from_numpy(context), expected.context.detach(), 1e-4)
    close(torch.from_numpy(weights), expected.weights.detach(), 1e-4)


ScoreCase.traced = (a_score_compiles_whole,)
NormaliserCase.traced = (a_normaliser_compiles_whole,)
LookCase.traced = (a_look_compiles_whole, a_look_exports, a_look_runs_in_onnx)
