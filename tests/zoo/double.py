#!/usr/bin/env python3
"""Decide between Sardonyx and onnxruntime by a run in double precision, where they differ more than rounding explains.

    python tests/zoo/double.py --models a,b [--zoo FOLDER] [--disturbed 3]

Every float tensor of the model becomes double and onnx.reference runs it, with the operators of double_ops.py; steps that round to
integers stay as they are stated. Further runs disturb what these steps round by an ulp of float32, seeded: how far they end from
the first is the model's own noise, which no float32 engine can undercut for sure. Printed are the distances from the first
run, of an output's largest magnitude, the worst output. An engine within three times the noise is right.
"""
import importlib
import os
import sys

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper
from onnx.reference import ReferenceEvaluator

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import double_ops  # noqa: E402
import zoo  # noqa: E402

FLOATS = (TensorProto.FLOAT, TensorProto.FLOAT16)


def widened(tensor):
    if tensor.data_type not in FLOATS:
        return tensor
    return numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float64), tensor.name)


def widen(graph):
    """The graph's float tensors become double."""
    for i, tensor in enumerate(graph.initializer):
        if tensor.data_type in FLOATS:
            graph.initializer[i].CopyFrom(widened(tensor))
    for info in (*graph.input, *graph.output, *graph.value_info):
        if info.type.tensor_type.elem_type in FLOATS:
            info.type.tensor_type.elem_type = TensorProto.DOUBLE
    for node in graph.node:
        for a in node.attribute:
            if a.type == onnx.AttributeProto.TENSOR:
                a.t.CopyFrom(widened(a.t))
            elif a.type == onnx.AttributeProto.GRAPH:
                widen(a.g)
            elif a.name == "to" and node.op_type == "Cast" and a.i in FLOATS:
                a.i = TensorProto.DOUBLE


def distances(found, wanted):
    """The worst output's distance of its largest magnitude, and that output's place."""
    worst = (0.0, 0)
    for i, (f, w) in enumerate(zip(found, wanted)):
        f, w = np.asarray(f, np.float64), np.asarray(w, np.float64)
        if w.size and f.shape == w.shape:
            worst = max(worst, (float(np.max(np.abs(f - w)) / max(np.max(np.abs(w)), 1e-30)), i))
    return worst


def decide(name, variant, path, disturbed, engine):
    feeds = zoo.tools().make_inputs(name, variant)
    model = onnx.load(path)
    widen(model.graph)
    runner = ReferenceEvaluator(model, new_ops=double_ops.OPERATORS)
    wide = {k: v.astype(np.float64) if v.dtype in (np.float32, np.float16) else v for k, v in feeds.items()}
    double_ops.rounding.values = double_ops.rounding.ties = 0
    double_ops.rounding.rng = None
    wanted = runner.run(None, wide)
    values, ties = double_ops.rounding.values, double_ops.rounding.ties
    noise = []
    for seed in range(disturbed):
        double_ops.rounding.rng = np.random.default_rng(seed)
        noise.append(distances(runner.run(None, wide), wanted)[0])
    session = engine.InferenceSession(path, providers=["CPUExecutionProvider"])
    names = [o.name for o in session.get_outputs()]
    ours, theirs = distances(session.run(None, feeds), wanted), distances(zoo.reference_session(path).run(None, feeds), wanted)
    right = ours[0] <= max(zoo.TOLERANCE, 3 * max(noise, default=0.0))
    print(f"{name}/{variant}: Sardonyx {ours[0]:.2e} ({names[ours[1]]}), onnxruntime {theirs[0]:.2e} ({names[theirs[1]]}); noise "
          f"{', '.join(f'{n:.2e}' for n in noise)}; {ties} of {values} rounded values near a tie: {'right' if right else 'WRONG'}", flush=True)
    return right


def main():
    ap = zoo.arguments(__doc__)
    ap.add_argument("--disturbed", type=int, default=3, help="further runs for the noise")
    ap.add_argument("--module", default="sardonyx")
    a = ap.parse_args()
    if zoo.skipped():
        return 0
    models, missing = zoo.fetch(a.zoo, a.set, (a.models or "ddddocr_old_int8,gen_llama_int4").split(","))
    engine = importlib.import_module(a.module)
    results = [decide(m, v, zoo.model_path(a.zoo, m), a.disturbed, engine) for m in models for v in zoo.tools().VARIANTS[m]]
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed" + (f", {len(missing)} skipped" if missing else ""))
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
