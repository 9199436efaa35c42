#!/usr/bin/env python3
"""Write the ONNX standard's own test cases, as the pinned onnx package has them, into a folder.

    python tests/onnx_backend/make_cases.py DEST [--group GROUP ...]

DEST/<group>/<case>/model.onnx, tol ("rtol atol"), test_data_set_<i>/input_<j>.pb and output_<j>.pb. input_<j> belongs to the
j-th graph input; it is a TensorProto, SequenceProto or OptionalProto, as the model declares. Also DEST/ops_by_case.tsv and
DEST/ops_ranking.tsv: which operators each case needs, and how many cases need each operator.
Groups: node, simple, pytorch-converted, pytorch-operator, light (whole networks).
"""
import argparse
import collections
import os
import shutil
import sys
import warnings

import numpy as np
import onnx
from onnx import numpy_helper

ONNX = "1.23.2"
RTOL, ATOL = 1e-3, 1e-7  # what the standard's runner takes where a case names nothing
LOOSER = {"densenet121": 2e-3}
DATA = os.path.join(os.path.dirname(onnx.__file__), "backend", "test", "data")
GROUPS = ("node", "simple", "pytorch-converted", "pytorch-operator", "light")


def proto_of(value, info):
    if isinstance(value, onnx.TensorProto):
        copy = onnx.TensorProto()
        copy.CopyFrom(value)
        copy.name = info.name
        return copy
    kind = info.type.WhichOneof("value")
    if kind == "sequence_type":
        return numpy_helper.from_list(value, info.name)
    if kind == "optional_type":
        return numpy_helper.from_optional(value, info.name)
    if kind == "map_type":
        return numpy_helper.from_dict(value, info.name)
    return numpy_helper.from_array(np.asarray(value), info.name)


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)


def write_case(folder, model, rtol, atol, data_sets):
    """data_sets: lists of (file stem, proto)."""
    write(os.path.join(folder, "model.onnx"), model)
    write(os.path.join(folder, "tol"), f"{rtol} {atol}\n".encode())
    for i, files in enumerate(data_sets):
        for stem, proto in files:
            write(os.path.join(folder, f"test_data_set_{i}", stem + ".pb"), proto.SerializeToString())


def node_cases(dest):
    from onnx.backend.test.case.node import collect_testcases

    for case in collect_testcases(None):
        graph = case.model.graph
        sets = [[(f"{kind}_{j}", proto_of(value, info))
                 for kind, values, infos in (("input", inputs, graph.input), ("output", outputs, graph.output))
                 for j, (value, info) in enumerate(zip(values, infos, strict=False))] for inputs, outputs in case.data_sets]
        write_case(os.path.join(dest, "node", case.name), case.model.SerializeToString(), case.rtol, case.atol, sets)


def stored_cases(dest, group):
    for case in sorted(os.listdir(os.path.join(DATA, group))):
        source, folder = os.path.join(DATA, group, case), os.path.join(dest, group, case)
        if os.path.exists(os.path.join(source, "model.onnx")):
            shutil.copytree(source, folder, dirs_exist_ok=True)
            write(os.path.join(folder, "tol"), f"{RTOL} {ATOL}\n".encode())


def light_cases(dest):
    """The networks come without inputs: the standard's runner counts up from 0 to 1."""
    for name in sorted(f[len("light_"):-len(".onnx")] for f in os.listdir(os.path.join(DATA, "light")) if f.endswith(".onnx")):
        stem = os.path.join(DATA, "light", "light_" + name)
        with open(stem + ".onnx", "rb") as f:
            model = f.read()
        graph = onnx.load_from_string(model).graph
        weights = {t.name for t in graph.initializer}
        files = []
        for info in (i for i in graph.input if i.name not in weights):
            shape = [d.dim_value or 1 for d in info.type.tensor_type.shape.dim]
            count = int(np.prod(shape))
            values = (np.arange(count) / count).astype(np.float32).reshape(shape)
            files.append((f"input_{len(files)}", numpy_helper.from_array(values, info.name)))
        with open(stem + "_output_0.pb", "rb") as f:
            files.append(("output_0", onnx.TensorProto.FromString(f.read())))
        write_case(os.path.join(dest, "light", "test_" + name), model, LOOSER.get(name, RTOL), ATOL, [files])


def graph_operators(nodes):
    for n in nodes:
        yield f"{n.domain or 'ai.onnx'}:{n.op_type}"
        for a in n.attribute:
            for g in [a.g, *a.graphs] if a.type in (a.GRAPH, a.GRAPHS) else []:
                yield from graph_operators(g.node)


def operators_of(model):
    """Operators of the graph, its subgraphs and its model-local functions (whose own names are left out)."""
    local = {f"{f.domain or 'ai.onnx'}:{f.name}" for f in model.functions}
    found = set(graph_operators(model.graph.node))
    for f in model.functions:
        found |= set(graph_operators(f.node))
    return sorted(found - local)


def write_tables(dest):
    count, alone = collections.Counter(), collections.Counter()
    with open(os.path.join(dest, "ops_by_case.tsv"), "w", encoding="utf-8") as f:
        f.write("case\topset\toperators\n")
        for group in GROUPS:
            root = os.path.join(dest, group)
            for case in sorted(os.listdir(root)) if os.path.isdir(root) else []:
                model = onnx.load(os.path.join(root, case, "model.onnx"))
                found = operators_of(model)
                count.update(found)
                alone.update(found if len(found) == 1 else [])
                opsets = ",".join(f"{o.domain or 'ai.onnx'}:{o.version}" for o in model.opset_import)
                f.write(f"{group}/{case}\t{opsets}\t{' '.join(found)}\n")
    with open(os.path.join(dest, "ops_ranking.tsv"), "w", encoding="utf-8") as f:
        f.write("operator\tcases\tcases that need nothing else\n")
        f.writelines(f"{op}\t{n}\t{alone[op]}\n" for op, n in sorted(count.items(), key=lambda item: (-item[1], item[0])))


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("dest")
    ap.add_argument("--group", nargs="+", choices=GROUPS, default=GROUPS)
    a = ap.parse_args()
    if onnx.__version__ != ONNX:
        sys.exit(f"onnx is {onnx.__version__}, the cases are those of {ONNX}")
    warnings.filterwarnings("ignore")
    for group in a.group:
        if group == "node":
            node_cases(a.dest)
        elif group == "light":
            light_cases(a.dest)
        else:
            stored_cases(a.dest, group)
        print(f"{group}: {len(os.listdir(os.path.join(a.dest, group)))} cases", flush=True)
    write_tables(a.dest)


if __name__ == "__main__":
    main()
