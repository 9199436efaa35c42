"""Transformers of Hugging Face's library with random weights, and blocks of a diffusion model, through torch's two exporters.

Each is a model as transformer_zoo.py makes it; what is wanted is the model's own answer.
"""
import io

import torch
from torch.export import Dim

import transformer_zoo as zoo
from torch_models import arrays, without_traces


def answers(case, half=False):
    module, runs = case.module, []
    with torch.no_grad():
        for given in case.runs:
            given = [g.half() if half and g.is_floating_point() else g for g in given]
            runs.append((dict(zip(case.names, (g.numpy() for g in given))), arrays(module(*given))))
    return runs


def first_of(case, half):
    return tuple(g.half() if half and g.is_floating_point() else g for g in case.runs[0])


def scripted(build, opset=17, half=False):
    """Tracing and TorchScript."""

    def make():
        case, out = build(), io.BytesIO()
        if half:
            case.module.half()
        axes = {name: {d: text for d, text in enumerate(dims) if text} for name, dims in case.dims.items()}
        torch.onnx.export(case.module, first_of(case, half), out, input_names=case.names, dynamic_axes=axes, opset_version=opset, dynamo=False)
        return out.getvalue(), answers(case, half)

    return make


def dynamo(build, opset=None, half=False):
    """torch.export and onnxscript."""

    def make():
        case, out = build(), io.BytesIO()
        if half:
            case.module.half()
        shapes = tuple({d: Dim.DYNAMIC for d, text in enumerate(case.dims[name]) if text} for name in case.names)
        program = torch.onnx.export(case.module, first_of(case, half), None, input_names=case.names, dynamic_shapes=(shapes,), opset_version=opset,
                                    dynamo=True, verbose=False)
        program.save(out)
        return without_traces(out.getvalue()), answers(case, half)

    return make


MODELS = {
    "torchscript_bert": scripted(lambda: zoo.bert("eager"), 14),
    "torchscript_bert_sdpa": scripted(lambda: zoo.bert("sdpa")),
    "torchscript_bert_half": scripted(lambda: zoo.bert("sdpa"), half=True),
    "torchscript_distilbert": scripted(lambda: zoo.distilbert("sdpa")),
    "torchscript_t5": scripted(lambda: zoo.t5("eager")),
    "torchscript_bart": scripted(lambda: zoo.bart("eager")),
    "torchscript_vit": scripted(lambda: zoo.vit("sdpa")),
    "torchscript_clip": scripted(lambda: zoo.clip("eager")),
    "torchscript_diffusion": scripted(zoo.diffusion),
    "torchscript_diffusion_half": scripted(zoo.diffusion, half=True),
    "dynamo_bert": dynamo(lambda: zoo.bert("sdpa")),
    "dynamo_roberta": dynamo(lambda: zoo.roberta("eager")),
    "dynamo_gpt2": dynamo(lambda: zoo.gpt2("sdpa")),
    "dynamo_llama": dynamo(lambda: zoo.llama("sdpa")),
    "dynamo_llama_half": dynamo(lambda: zoo.llama("sdpa"), half=True),
    "dynamo_llama_23": dynamo(lambda: zoo.llama("sdpa"), 23),
    "dynamo_mistral": dynamo(lambda: zoo.mistral("eager")),
    "dynamo_phi": dynamo(lambda: zoo.phi("sdpa")),
    "dynamo_gemma": dynamo(lambda: zoo.gemma("sdpa")),
    "dynamo_gemma2": dynamo(lambda: zoo.gemma2("eager")),
    "dynamo_whisper": dynamo(lambda: zoo.whisper("sdpa")),
    "dynamo_clip": dynamo(lambda: zoo.clip("sdpa")),
    "dynamo_swin": dynamo(lambda: zoo.swin("eager")),
    "dynamo_diffusion": dynamo(zoo.diffusion),
}
NOT_CHECKED_IN = ("torchscript_bart", "torchscript_bert", "torchscript_clip", "torchscript_diffusion", "torchscript_vit", "dynamo_gemma", "dynamo_roberta")
