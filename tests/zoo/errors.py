#!/usr/bin/env python3
"""Errors against a run in double precision, Sardonyx's beside onnxruntime's, for every model.

    python tests/zoo/errors.py [--models a,b] [--zoo FOLDER] [--variants] [--json FILE]

The double run is onnx.reference's over the widened model (see double.py); errors are of an output's largest magnitude, the worst
output's. Sardonyx may be twice as far as onnxruntime, or 1e-5.
"""
import importlib
import json
import os
import sys
import time

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import double  # noqa: E402
import double_ops  # noqa: E402
import zoo  # noqa: E402

FACTOR, SMALL = 2.0, 1e-5
MODELS = (
    "gen_bert_base,gen_vit_s16,gen_gpt2_kv,gen_llama_opset23,gen_llama_int4,gen_whisper_tiny_enc,minilm_l3,minilm_l6_int8,magika,nmr_painn_gnn,"
    "gen_sk_text,gen_resnet50,gen_resnet50_fp16,gen_convnext_tiny,gen_unet_seg,gen_frcnn_lite,ppocrv4_det,ppocrv4_rec,ddddocr_common,ddddocr_det,"
    "nudenet_320n,doc_orientation,ppocr_cls,light_densenet121,light_shufflenet,basic_pitch,dnsmos,aecmos,eeg_seizure_bilstm"
)


def engines(module, path, feeds):
    session = module.InferenceSession(path, providers=["CPUExecutionProvider"])
    wanted = {i.name for i in session.get_inputs()}
    feeds = {k: v for k, v in feeds.items() if k in wanted}
    return session.run(None, feeds), zoo.reference_session(path).run(None, feeds), [o.name for o in session.get_outputs()]


def numbers(outputs):
    """The outputs that have an error: arrays of numbers."""
    return [np.asarray(o) if np.asarray(o).dtype.kind in "fiub" else np.zeros(0) for o in outputs]


def measure(name, variant, path, module):
    feeds = zoo.tools().make_inputs(name, variant)
    ours, theirs, names = engines(module, path, feeds)
    model = onnx.load(path)
    double.widen(model.graph)
    double_ops.rounding.rng = None
    wide = {k: v.astype(np.float64) if v.dtype in (np.float32, np.float16) else v for k, v in feeds.items()}
    wanted = numbers(ReferenceEvaluator(model, new_ops=double_ops.OPERATORS).run(None, wide))
    shapes = [f"{n} has shape {list(o.shape)}, {list(w.shape)} wanted" for n, o, w in zip(names, numbers(ours), wanted) if o.shape != w.shape]
    if shapes:
        raise ValueError(shapes[0])
    error, place = double.distances(numbers(ours), wanted)
    return {"sardonyx": error, "onnxruntime": double.distances(numbers(theirs), wanted)[0], "output": names[place]}


def main():
    ap = zoo.arguments(__doc__)
    ap.add_argument("--variants", action="store_true", help="every variant of the inputs, not only the first")
    ap.add_argument("--module", default="sardonyx")
    a = ap.parse_args()
    if zoo.skipped():
        return 0
    module = importlib.import_module(a.module)
    models, missing = zoo.fetch(a.zoo, a.set, (a.models or MODELS).split(","))
    rows, counts = [], {"passed": 0, "failed": 0, "skipped": len(missing)}
    for name in models:
        for variant in zoo.tools().VARIANTS[name] if a.variants else zoo.tools().VARIANTS[name][:1]:
            row, start = {"model": name, "variant": variant}, time.perf_counter()
            try:
                row |= measure(name, variant, zoo.model_path(a.zoo, name), module)
            except (NotImplementedError, TypeError, ValueError, RuntimeError) as e:  # what the double run cannot do
                row["skipped"] = f"{type(e).__name__}: {e}"[:200]
                counts["skipped"] += 1
                print(f"{name}/{variant}: SKIPPED, no double run: {row['skipped']}", flush=True)
            else:
                row["passed"] = row["sardonyx"] <= max(FACTOR * row["onnxruntime"], SMALL)
                counts["passed" if row["passed"] else "failed"] += 1
                print(f"{name}/{variant}: Sardonyx {row['sardonyx']:.2e}, onnxruntime {row['onnxruntime']:.2e} ({row['output']}), "
                      f"{time.perf_counter() - start:.0f} s: {'within' if row['passed'] else 'ABOVE'}", flush=True)
            rows.append(row)
    if a.json:
        with open(a.json, "w", encoding="utf-8") as f:
            json.dump(rows, f, indent=1)
    print(", ".join(f"{n} {what}" for what, n in counts.items() if n or what != "skipped"))
    return 0 if counts["failed"] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
