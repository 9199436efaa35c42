#!/usr/bin/env python3
"""Write the zoo's inputs and onnxruntime's outputs as files, for `sardonyx compare` and for looking at.

    python tests/zoo/make_reference.py ZOO DEST [--set small|main|all] [--models a,b]

DEST/<model>/model.onnx (a link), tol ("rtol atol"), and <variant>/input_<i>.pb, output_<i>.pb in the order of the model's inputs and
outputs. tol: atol is the model's limit times the largest magnitude of its outputs. Also ZOO/ops_by_model.tsv: the operators of
each model, with their opset and number of nodes.
"""
import argparse
import collections
import os
import sys

import numpy as np
import onnx
from onnx import numpy_helper

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "onnx_backend"))
import zoo  # noqa: E402
from make_cases import graph_operators  # noqa: E402


def map_of(value):
    """A map of one element a key (what ZipMap makes): its values are one tensor each."""
    texts = all(isinstance(k, str) for k in value)
    proto = onnx.MapProto(key_type=onnx.TensorProto.STRING if texts else onnx.TensorProto.INT64)
    if texts:
        proto.string_keys.extend(k.encode() for k in value)
    else:
        proto.keys.extend(value)
    proto.values.CopyFrom(numpy_helper.from_list([np.float32(v) for v in value.values()]))
    return proto


def proto_of(value, name):
    if isinstance(value, list) and value and isinstance(value[0], dict):
        proto = onnx.SequenceProto(name=name, elem_type=onnx.SequenceProto.MAP)
        proto.map_values.extend(map_of(v) for v in value)
        return proto
    if isinstance(value, list):
        return numpy_helper.from_list(value, name)
    value = np.asarray(value)
    if value.dtype.kind in "OUS":
        return onnx.helper.make_tensor(name, onnx.TensorProto.STRING, value.shape, [str(v).encode() for v in value.flat])
    return numpy_helper.from_array(value, name)


def magnitude(value):
    if isinstance(value, list):
        return max(map(magnitude, value), default=0.0)
    if isinstance(value, dict):
        return max(map(magnitude, value.values()), default=0.0)
    value = np.asarray(value)
    return float(np.max(np.abs(value[np.isfinite(value)]), initial=0)) if value.dtype.kind == "f" else 0.0


def write_variant(session, folder, feeds):
    os.makedirs(folder, exist_ok=True)
    outputs = session.run(None, feeds)
    pairs = [("input", i, v.name, feeds[v.name]) for i, v in enumerate(session.get_inputs())]
    pairs += [("output", i, v.name, o) for i, (v, o) in enumerate(zip(session.get_outputs(), outputs, strict=True))]
    for kind, i, name, value in pairs:
        with open(os.path.join(folder, f"{kind}_{i}.pb"), "wb") as f:
            f.write(proto_of(value, name).SerializeToString())
    return max(map(magnitude, outputs))


def write_model(path, folder, name, inputs):
    os.makedirs(folder, exist_ok=True)
    link = os.path.join(folder, "model.onnx")
    if not os.path.lexists(link):
        os.symlink(os.path.abspath(path), link)
    session = zoo.reference_session(path, threads=2)
    largest = max(write_variant(session, os.path.join(folder, v), inputs.make_inputs(name, v)) for v in inputs.VARIANTS[name])
    with open(os.path.join(folder, "tol"), "w", encoding="utf-8") as f:
        f.write(f"{zoo.limit(name):g} {zoo.limit(name) * largest:g}\n")


def operator_row(name, path):
    model = onnx.load(path, load_external_data=False)
    bodies = [n for f in model.functions for n in f.node]
    count = collections.Counter(graph_operators([*model.graph.node, *bodies]))
    opsets = ",".join(f"{o.domain or 'ai.onnx'}:{o.version}" for o in model.opset_import)
    return f"{name}\t{opsets}\t" + " ".join(f"{op}={n}" for op, n in sorted(count.items())) + "\n", count


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("zoo")
    ap.add_argument("dest")
    ap.add_argument("--set", choices=("small", "main", "all"), default="small")
    ap.add_argument("--models")
    a = ap.parse_args()
    if not zoo.available():
        print(f"SKIPPED: the model zoo is not in {zoo.SHARED}")
        return 0
    inputs = zoo.tools()
    models, missing = zoo.fetch(a.zoo, a.set, a.models.split(",") if a.models else None)
    rows = [operator_row(n, zoo.model_path(a.zoo, n)) for n in models]
    with open(os.path.join(a.zoo, "ops_by_model.tsv"), "w", encoding="utf-8") as f:
        f.write("model\topset\toperator=nodes\n")
        f.writelines(text for text, _ in rows)
    need = collections.Counter(op for _, count in rows for op in count)
    with open(os.path.join(a.zoo, "ops_ranking.tsv"), "w", encoding="utf-8") as f:
        f.write("operator\tmodels\n")
        f.writelines(f"{op}\t{n}\n" for op, n in sorted(need.items(), key=lambda i: (-i[1], i[0])))
    for name in models:
        try:
            write_model(zoo.model_path(a.zoo, name), os.path.join(a.dest, name), name, inputs)
            print(name, flush=True)
        except Exception as e:
            print(f"{name} FAILED: {type(e).__name__}: {e}", flush=True)
    for name in missing:
        print(f"MISSING {name}: could not be fetched or generated")
    return 0


if __name__ == "__main__":
    sys.exit(main())
