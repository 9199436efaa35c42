"""Run conformance cases through a Python module with onnxruntime's interface; one JSON line a case on stdout.

    python worker.py LIST --module sardonyx        LIST: lines of MODEL<tab>DIR<tab>DIR...
"""
import argparse
import importlib
import json
import os
import re

import numpy as np
import onnx
from onnx import numpy_helper

BFLOAT16_RTOL = 2**-6  # the standard's runner: two steps of bfloat16


def load(path, info):
    with open(path, "rb") as f:
        data = f.read()
    kind = info.type.WhichOneof("value")
    if kind == "sequence_type":
        return numpy_helper.to_list(onnx.SequenceProto.FromString(data))
    if kind == "optional_type":
        return numpy_helper.to_optional(onnx.OptionalProto.FromString(data))
    if kind == "map_type":
        return numpy_helper.to_dict(onnx.MapProto.FromString(data))
    value = numpy_helper.to_array(onnx.TensorProto.FromString(data))
    return value.astype(object) if value.dtype.kind in "US" else value


def tolerance(model_path):
    with open(os.path.join(os.path.dirname(model_path), "tol"), encoding="utf-8") as f:
        return tuple(map(float, f.read().split()[:2]))


def text_of(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def difference(found, wanted, rtol, atol):
    """What is wrong with found, or None."""
    if wanted is None or found is None:
        return None if wanted is found else f"is {type(found).__name__}, {type(wanted).__name__} wanted"
    if isinstance(wanted, dict):
        if found.keys() != wanted.keys():
            return f"has keys {sorted(found)}, {sorted(wanted)} wanted"
        pairs = [(found[k], wanted[k]) for k in wanted]
        return next((d for d in (difference(*p, rtol, atol) for p in pairs) if d), None)
    if isinstance(wanted, (list, tuple)):
        if not isinstance(found, (list, tuple)) or len(found) != len(wanted):
            return f"is not a sequence of {len(wanted)}"
        return next((d for d in (difference(f, w, rtol, atol) for f, w in zip(found, wanted, strict=True)) if d), None)
    found, wanted = np.asarray(found), np.asarray(wanted)
    if found.shape != wanted.shape:
        return f"has shape {list(found.shape)}, {list(wanted.shape)} wanted"
    if wanted.dtype == object or wanted.dtype.kind in "US":
        bad = [i for i, (f, w) in enumerate(zip(found.flat, wanted.flat, strict=True)) if text_of(f) != text_of(w)]
        return f"differs at {len(bad)} of {wanted.size} strings" if bad else None
    if found.dtype == np.uint8 and wanted.dtype.itemsize == 1 and wanted.dtype.kind not in "biu":
        found = found.view(wanted.dtype)  # onnxruntime's interface gives 8-bit floats as bytes
    if found.dtype != wanted.dtype:
        return f"has type {found.dtype}, {wanted.dtype} wanted"
    if wanted.dtype.name == "bfloat16":
        rtol = max(rtol, BFLOAT16_RTOL)
    if wanted.dtype.kind not in "biufc":  # types of ml_dtypes
        found, wanted = found.astype(np.float32), wanted.astype(np.float32)
    close = np.isclose(found, wanted, rtol=rtol, atol=atol, equal_nan=True) if wanted.dtype.kind != "b" else found == wanted
    if np.all(close):
        return None
    i = tuple(map(int, np.argwhere(~close)[0]))
    return f"differs at {np.count_nonzero(~close)} of {wanted.size} elements, first at {list(i)}: {found[i]}, {wanted[i]} wanted"


def run_case(module, model_path, folders):
    graph = onnx.load(model_path).graph
    rtol, atol = tolerance(model_path)
    session = module.InferenceSession(model_path, providers=["CPUExecutionProvider"])
    infos = {"input": {i: v for i, v in enumerate(graph.input)}, "output": {i: v for i, v in enumerate(graph.output)}}
    fed = {i.name for i in session.get_inputs()}
    free = [v for v in graph.input if v.name in fed]
    if len(free) != len(graph.input):
        infos["input"] = dict(enumerate(free))  # weights that are also inputs are not in the data
    for folder in folders:
        values = {"input": {}, "output": {}}
        for name in os.listdir(folder):
            kind, i = re.fullmatch(r"(input|output)_(\d+)\.pb", name).groups()
            values[kind][int(i)] = load(os.path.join(folder, name), infos[kind][int(i)])
        outputs = session.run(None, {infos["input"][i].name: v for i, v in values["input"].items()})
        for i, wanted in sorted(values["output"].items()):
            wrong = difference(outputs[i], wanted, rtol, atol)
            if wrong:
                return "fail", f"output {infos['output'][i].name} {wrong}"
    return "pass", ""


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("list")
    ap.add_argument("--module", default="sardonyx")
    a = ap.parse_args()
    module = importlib.import_module(a.module)
    if hasattr(module, "set_default_logger_severity"):
        module.set_default_logger_severity(4)
    with open(a.list, encoding="utf-8") as f:
        for line in f:
            model, *folders = line.rstrip("\n").split("\t")
            try:
                status, message = run_case(module, model, folders)
            except Exception as e:  # whatever an engine raises is a result
                status, message = "error", f"{type(e).__name__}: {e}"
            print(json.dumps({"model": model, "status": status, "message": message}), flush=True)


if __name__ == "__main__":
    main()
