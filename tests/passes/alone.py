#!/usr/bin/env python3
"""Every pass alone, and all together, over whole models: values as without any, to the pass's stated exactness.

    python tests/passes/alone.py [--groups standard,cases,zoo] [--filter REGEX] [--standard DIR] [--zoo DIR]

standard  the ONNX standard's own cases
cases     models on which engines were publicly wrong (../shared/cases), beside the values that they expect
zoo       whole models; what a pass rounds there may move an output by zoo.limit of the model (zoo.LENGTH_ONLY: its length)
A pass that keeps bits keeps them, but for the payload of NaNs; one that rounds may move an output by TOLERANCE of its largest magnitude, one over
codes a code by one. Models
that a pass does not touch are not run again. Skipped, loudly, is what is missing.
"""
import argparse
import glob
import importlib.util
import json
import os
import re
import subprocess
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), folder) for folder in ("onnx_backend", "zoo")]
os.environ["SARDONYX_PASSES_VERIFIED"] = "1"
TOLERANCE = {"float64": 1e-9, "float32": 1e-4, "float16": 1e-2, "bfloat16": 5e-2}
ALL = "all passes"


def session(engine, model, only):
    """With one pass alone, with all, or (None) without any."""
    options = engine.SessionOptions()
    options.log_severity_level, options.intra_op_num_threads = 4, 1
    levels = engine.GraphOptimizationLevel
    options.graph_optimization_level = levels.ORT_DISABLE_ALL if only is None else levels.ORT_ENABLE_ALL
    if only not in (None, ALL):
        others = [one["pass"] for one in engine.passes() if one["pass"] != only]
        options.add_session_config_entry("optimization.disable_specified_optimizers", ";".join(others))
    return engine.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def same_bits(a, b):
    if a.dtype == object or a.size == 0:
        return np.array_equal(a, b)
    same = a.reshape(-1).view(np.uint8).reshape(a.size, -1) == b.reshape(-1).view(np.uint8).reshape(b.size, -1)
    same = same.all(axis=1)
    if a.dtype.kind == "f" or a.dtype.name == "bfloat16":
        same |= (np.isnan(a.astype(np.float64)) & np.isnan(b.astype(np.float64))).reshape(-1)
    return bool(same.all())


def difference(found, wanted, exactness, limit):
    """What is wrong, or ''."""
    if isinstance(wanted, dict):
        return "" if list(found) == list(wanted) and not any(difference(found[k], wanted[k], exactness, limit) for k in wanted) else "another map"
    if isinstance(wanted, (list, tuple)):
        if len(found) != len(wanted):
            return f"{len(found)} values, {len(wanted)} wanted"
        return next((text for f, w in zip(found, wanted) if (text := difference(f, w, exactness, limit))), "")
    if found is None or wanted is None:
        return "" if found is wanted else "a value and none"
    found, wanted = np.asarray(found), np.asarray(wanted)
    if (found.dtype, found.shape) != (wanted.dtype, wanted.shape):
        return f"{found.dtype}{list(found.shape)}, {wanted.dtype}{list(wanted.shape)} wanted"
    if same_bits(found, wanted):
        return ""
    if exactness == "codes" and wanted.dtype.name in ("int8", "uint8"):
        return "" if np.max(np.abs(found.astype(int) - wanted.astype(int))) <= 1 else "codes differ by more than one"
    if exactness == "bits" or wanted.dtype.name not in TOLERANCE:
        return "other bits"
    a, b = found.astype(np.float64), wanted.astype(np.float64)
    finite = np.isfinite(b)
    if not np.array_equal(a[~finite], b[~finite], equal_nan=True):
        return "other NaNs or infinities"
    off = float(np.max(np.abs(a[finite] - b[finite]), initial=0)) / max(float(np.max(np.abs(b[finite]), initial=0)), 1e-30)
    return "" if off <= max(limit, TOLERANCE[wanted.dtype.name]) else f"{off:.1e} off"


def check(engine, model, feeds, limit=0.0, wanted=None, looser=None):
    """Yields (pass, what is wrong or '') of each pass that rewrites something. `wanted`: what the plain run must give too; `looser`: what is wrong
    with (found, plain), of a model whose outputs have other shapes once anything is rounded."""
    plain = session(engine, model, None).run(None, feeds)
    if wanted is not None and (wrong := difference(plain, wanted, "rounding", limit)):
        yield "no passes", wrong
    for one in [*engine.passes(), {"pass": ALL, "exactness": "codes"}]:
        try:
            ready = session(engine, model, one["pass"])
            if not engine.explain(ready)["rewrites"]:
                continue
            found = ready.run(None, feeds)
            exact = looser is None or one["exactness"] == "bits"
            yield one["pass"], difference(found, plain, one["exactness"], limit) if exact else looser(found, plain)
        except Exception as e:
            yield one["pass"], f"{type(e).__name__}: {e}"


def standard_jobs(a):
    import onnx
    import worker

    for model in sorted(glob.glob(os.path.join(a.standard, "*", "*", "model.onnx"))):
        name = "/".join(model.split(os.sep)[-3:-1])
        folders = sorted(glob.glob(os.path.join(os.path.dirname(model), "test_data_set_*")))[:1]
        if not re.search(a.filter, name) or not folders:
            continue
        graph = onnx.load(model).graph
        weights = {t.name for t in graph.initializer}
        infos = [i for i in graph.input if i.name not in weights] if len(glob.glob(os.path.join(folders[0], "input_*"))) != len(graph.input) else graph.input
        paths = {infos[i].name: (os.path.join(folders[0], f"input_{i}.pb"), infos[i]) for i in range(len(infos))}
        yield name, model, lambda paths=paths: ({k: worker.load(*v) for k, v in paths.items() if os.path.exists(v[0])}, 0.0, None, None)


def case_jobs(a):
    folder = os.path.join(os.environ.get("SARDONYX_SHARED", os.path.join(os.path.dirname(ROOT), "shared")), "cases")
    sys.path.insert(0, folder)
    for path in sorted(glob.glob(os.path.join(folder, "case[0-9]*.py"))):
        name = os.path.basename(path)[:-3]
        spec = importlib.util.spec_from_file_location(name, path)
        case = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(case)
        wanted = case.expected()
        if re.search(a.filter, name) and not isinstance(wanted, str) and not hasattr(case, "files"):
            yield name, case.build().SerializeToString(), lambda case=case, wanted=wanted: (case.inputs(), 0.0, wanted, None)


def zoo_jobs(a):
    import zoo

    if not zoo.available():
        return
    inputs = zoo.tools()
    for path in sorted(glob.glob(os.path.join(a.zoo, "*.onnx"))):
        name = os.path.basename(path)[:-5]
        if re.search(a.filter, name) and name in inputs.VARIANTS:
            looser = None
            if name in zoo.LENGTH_ONLY:
                looser = lambda found, plain, name=name: zoo.compare(name, found, plain, [""] * len(plain))[1]  # noqa: E731
            yield name, path, lambda name=name, looser=looser: (inputs.make_inputs(name, next(iter(inputs.VARIANTS[name]))), zoo.limit(name), None, looser)


GROUPS = {"standard": standard_jobs, "cases": case_jobs, "zoo": zoo_jobs}


def work(a):
    """The child: runs the jobs of one group from --first on; one JSON line a result."""
    import sardonyx as engine

    engine.set_default_logger_severity(4)
    for number, (name, model, inputs) in enumerate(GROUPS[a.groups](a)):
        if number < a.first:
            continue
        print(json.dumps({"at": number, "name": name}), flush=True)
        try:
            feeds, limit, wanted, looser = inputs()
            for which, wrong in check(engine, model, feeds, limit, wanted, looser):
                print(json.dumps({"name": name, "pass": which, "wrong": wrong[:300]}), flush=True)
        except Exception as e:  # the model as it is: other tests look at that
            print(json.dumps({"name": name, "not_run": f"{type(e).__name__}: {e}"[:200]}), flush=True)


def results(a, group):
    """What the children say; one that dies is its model's failure, and the next goes on behind it."""
    first = 0
    while True:
        command = [sys.executable, os.path.abspath(__file__), "--worker", "--groups", group, "--first", str(first)]
        command += ["--filter", a.filter, "--standard", a.standard, "--zoo", a.zoo]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        name = None
        for line in child.stdout:
            said = json.loads(line)
            first, name = said.get("at", first), said["name"]
            yield said
        if child.wait() == 0:
            return
        yield {"name": name or group, "pass": "a pass", "wrong": f"the process died ({child.returncode})"}
        if name is None:
            return
        first += 1


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--groups", default="standard,cases,zoo")
    ap.add_argument("--filter", default="")
    ap.add_argument("--standard", default=os.path.join(ROOT, ".cache", "onnx_backend"))
    ap.add_argument("--zoo", default=os.path.join(ROOT, ".cache", "zoo"))
    ap.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    ap.add_argument("--first", type=int, default=0, help=argparse.SUPPRESS)
    a = ap.parse_args()
    if a.worker:
        return work(a)
    failed = passed = 0
    for group in a.groups.split(","):
        models, refused, rewritten = 0, [], 0
        for said in results(a, group):
            models += "at" in said
            if "not_run" in said:
                refused.append(f"{said['name']} ({said['not_run']})")
            if "pass" not in said:
                continue
            rewritten += 1
            failed, passed = failed + bool(said["wrong"]), passed + (not said["wrong"])
            if said["wrong"]:
                print(f"FAILED {group} {said['name']}, {said['pass']}: {said['wrong']}", flush=True)
        print(f"{group}: {models} models, {rewritten} times a pass rewrote one; {len(refused)} do not run" if models else f"SKIPPED: no models for {group}")
        for text in refused[:5] if a.filter else []:
            print(f"  {text}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
