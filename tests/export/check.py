"""Checks exported models beside their originals; one JSON line a job on stdout. Started by run.py."""
import importlib
import json
import os
import re
import sys

import numpy as np
import onnx
import onnxruntime
import sardonyx

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "onnx_backend"))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "zoo"))
import worker as cases  # noqa: E402  (the one of onnx_backend)

RANDOM = {"RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike", "Multinomial", "Bernoulli", "Dropout"}


class Wrong(Exception):
    pass


def opsets(model):
    return {o.domain or "ai.onnx": o.version for o in model.opset_import} or {"ai.onnx": 1}


def check_form(job, original, exported):
    """The opsets are the model's own, and so are the operators."""
    before, after = opsets(original), opsets(exported)
    changed = {d: (before[d], after[d]) for d in before.keys() & after.keys() if before[d] != after[d]}
    if job.get("least"):
        if after["ai.onnx"] < job["least"]:
            raise Wrong(f"it is at opset {after['ai.onnx']}")
        return
    if changed:
        raise Wrong(f"opsets changed: {changed}")
    if job.get("part"):
        return
    if inputs_of(original) != inputs_of(exported):
        raise Wrong("other inputs")
    if [o.name for o in original.graph.output] != [o.name for o in exported.graph.output]:
        raise Wrong("other outputs")
    if sorted(f.name for f in exported.functions) != sorted(f.name for f in original.functions if is_called(original, f)):
        raise Wrong("other functions")
    nodes = [strip(n) for n in original.graph.node if n.op_type != "Constant"]
    made = [strip(n) for n in exported.graph.node if n.op_type != "Constant"]
    for number, (was, is_now) in enumerate(zip(nodes, made)):
        if was != is_now:
            raise Wrong(f"node {number} was {was.op_type} {was.name} and is {str(is_now)[:300]}")
    if len(nodes) != len(made):
        raise Wrong(f"{len(nodes)} nodes became {len(made)}")


def inputs_of(model):
    """Before IR version 4 every weight is among the inputs too."""
    weights = {t.name for t in model.graph.initializer} if model.ir_version < 4 else set()
    return [i.name for i in model.graph.input if i.name not in weights]


def is_called(model, function):
    calls = [*model.graph.node, *(n for f in model.functions for n in f.node)]
    return any(n.op_type == function.name and n.domain == function.domain for n in calls)


def strip(node):
    """Without what may differ: subgraphs, which are compared by what they compute."""
    copy = onnx.NodeProto()
    copy.CopyFrom(node)
    for attribute in copy.attribute:
        attribute.ClearField("g")
        attribute.ClearField("graphs")
        for tensor in [attribute.t, *attribute.tensors]:
            if tensor.data_location == onnx.TensorProto.EXTERNAL:
                tensor.Clear()
    return copy


def is_random(model):
    names = set()

    def visit(nodes):
        for n in nodes:
            names.add(n.op_type)
            for a in n.attribute:
                visit(a.g.node)
                for g in a.graphs:
                    visit(g.node)

    visit(model.graph.node)
    for f in model.functions:
        visit(f.node)
    return bool(names & RANDOM)


def same_bits(a, b):
    if isinstance(a, dict):
        return isinstance(b, dict) and list(a) == list(b) and all(same_bits(a[k], b[k]) for k in a)
    if isinstance(a, (list, tuple)):
        return isinstance(b, (list, tuple)) and len(a) == len(b) and all(map(same_bits, a, b))
    if a is None or b is None:
        return a is b
    a, b = np.asarray(a), np.asarray(b)
    return a.dtype == b.dtype and a.shape == b.shape and (a.tolist() == b.tolist() if a.dtype == object else a.tobytes() == b.tobytes())


def session(module, path):
    options = module.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    if module is onnxruntime:
        options.graph_optimization_level = module.GraphOptimizationLevel.ORT_DISABLE_ALL
    return module.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def attempt(module, path, feeds):
    """(loaded, outputs by feed or None, the error)."""
    try:
        ready = session(module, path)
    except Exception as error:  # noqa: BLE001
        return False, None, str(error)
    try:
        return True, [ready.run(None, f) for f in feeds], ""
    except Exception as error:  # noqa: BLE001
        return True, None, str(error)


def feeds_of(job, original):
    if "zoo" in job:
        import zoo

        inputs = zoo.tools()
        variants = list(inputs.VARIANTS.get(job["zoo"], []))[:1]
        return [inputs.make_inputs(job["zoo"], v) for v in variants]
    feeds = []
    for folder in job.get("data", []):
        infos = [i for i in original.graph.input if i.name in inputs_of(original)]
        feed = {}
        for name in os.listdir(folder):
            kind, i = re.fullmatch(r"(input|output)_(\d+)\.pb", name).groups()
            if kind == "input":
                feed[infos[int(i)].name] = cases.load(os.path.join(folder, name), infos[int(i)])
        feeds.append(feed)
    return feeds


def passes_checker(path):
    try:
        onnx.checker.check_model(path)
    except Exception as error:  # noqa: BLE001
        return False, str(error)
    return True, ""


def check_job(job):
    original = onnx.load(job["model"])
    exported = onnx.load(job["out"])
    check_form(job, original, exported)
    took, _ = passes_checker(job["model"])
    takes, why = passes_checker(job["out"])
    if (took or job.get("part")) and not takes:
        raise Wrong(f"onnx.checker: {why}")
    if job.get("same_node"):
        return "the same node"
    if job.get("part"):
        loaded, _, why = attempt(onnxruntime, job["out"], [])
        if not loaded and attempt(onnxruntime, job["model"], [])[0]:
            raise Wrong(f"onnxruntime: {why}")
        loaded, _, why = attempt(sardonyx, job["out"], [])
        if not loaded:
            raise Wrong(f"sardonyx: {why}")
        return "loaded"
    feeds, draws = feeds_of(job, original), is_random(original)
    loaded, wanted, why = attempt(sardonyx, job["model"], feeds)
    loads, found, why = attempt(sardonyx, job["out"], feeds)
    if loaded and not loads or wanted is not None and found is None:
        raise Wrong(f"sardonyx: {why}")
    if wanted is not None and not draws and not all(map(same_bits, wanted, found)):
        raise Wrong("sardonyx gives other bits")
    note = "same bits" if wanted is not None and not draws else "loaded" if loaded else "not loaded before"
    ort_loaded, wanted, _ = attempt(onnxruntime, job["model"], feeds)
    loads, found, why = attempt(onnxruntime, job["out"], feeds)
    if job.get("least") and "NOT_IMPLEMENTED" in why:
        return note + ", not in onnxruntime at that opset"
    if ort_loaded and not loads or wanted is not None and found is None:
        raise Wrong(f"onnxruntime: {why}")
    if wanted is not None and not draws:
        rtol, atol = limits(job)
        for before, after in zip(wanted, found, strict=True):
            for a, b in zip(after, before, strict=True):
                if wrong := cases.difference(finite(a, job), finite(b, job), rtol, atol):
                    raise Wrong(f"onnxruntime's output {wrong}")
        note += ", same values in onnxruntime"
    return note


def limits(job):
    """Of onnxruntime, which has other kernels for some operators at other opsets."""
    return cases.tolerance(job["model"]) if job.get("least") else (1e-5, 1e-6)


def finite(value, job):
    """Attention 25 of onnxruntime masks with minus infinity, Attention 24 with the lowest finite number."""
    if "attention" not in job["model"] or not job.get("least") or value is None:
        return value
    return np.where(np.isneginf(value), np.finfo(value.dtype).min, value).astype(value.dtype)


def main():
    importlib.invalidate_caches()
    with open(sys.argv[1], encoding="utf-8") as f:
        for line in f:
            job, wrong, note = json.loads(line), "", ""
            try:
                note = check_job(job)
            except Wrong as error:
                wrong = str(error)
            print(json.dumps({"name": job["name"], "wrong": wrong[:600], "note": note}), flush=True)


if __name__ == "__main__":
    main()
