#!/usr/bin/env python3
"""Models that are saved after optimization, and single nodes of them, in onnxruntime.

    python tests/export/saved.py [--quick] [--zoo DIR] [--filter REGEX] [--parts N] [--most-mb N]

Every model of the zoo is saved after Basic and after Extended (SessionOptions.optimized_model_filepath), and N nodes of each of the two, fused
ones and rare operators first, are exported as models of their own. What is checked of each: it is at the opset of the original, or the
lowest one above it, which is printed; onnx.checker takes it where it takes the original; onnxruntime loads it, without optimizing it again,
and gives what it gives for the original (a node: what it gives for it inside the whole); Sardonyx gives what it gave when it saved it.
--quick takes the small models of tests/data/exporters instead, and those of the zoo below 0.7 MB. Skipped, loudly, is what is missing or larger.
"""
import argparse
import collections
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), folder) for folder in ("zoo", "exporters")]
LEVELS = {"basic": "ORT_ENABLE_BASIC", "extended": "ORT_ENABLE_EXTENDED"}
TOOL = os.path.join(ROOT, "build", "dev", "bin", "export_tool")
PART_TOLERANCE = {"float16": 5e-3, "float32": 1e-4, "float64": 1e-9}


class Wrong(Exception):
    pass


def session(module, model, **options):
    made = module.SessionOptions()
    made.intra_op_num_threads, made.log_severity_level = 1, 4
    for name, value in options.items():
        setattr(made, name, value)
    return module.InferenceSession(model, made, providers=["CPUExecutionProvider"])


def plain(module, model):
    return session(module, model, graph_optimization_level=module.GraphOptimizationLevel.ORT_DISABLE_ALL)


def opsets(model):
    return {o.domain or "ai.onnx": o.version for o in model.opset_import}


def check_form(before, after, original, saved):
    """What opsets changed; raises what is wrong. No `original`: the checker is not asked."""
    import onnx

    old, new = opsets(before), opsets(after)
    changed = {d: (old[d], new[d]) for d in old.keys() & new.keys() if old[d] != new[d]}
    if any(b < a for a, b in changed.values()):
        raise Wrong(f"opsets went down: {changed}")
    try:
        if original is None or onnx.checker.check_model(original):
            return changed
    except Exception:
        return changed
    try:
        onnx.checker.check_model(saved)
    except Exception as e:
        raise Wrong(f"onnx.checker: {e}") from e
    return changed


def has_shapes(model):
    """The checker wants one of every input and output; a single node may have some whose rank nobody knows."""
    values = (*model.graph.input, *model.graph.output)
    return all(not v.type.HasField("tensor_type") or v.type.tensor_type.HasField("shape") for v in values)


def numeric(value):
    import numpy as np

    return isinstance(value, np.ndarray) and value.dtype.kind == "f"


def compare_parts(found, wanted, names):
    import zoo

    for f, w, name in zip(found, wanted, names, strict=True):
        error, text = zoo.distance(f, w, name)
        if error > (PART_TOLERANCE.get(w.dtype.name, 1e-4) if numeric(w) else 0):
            raise Wrong(text)


def pick_nodes(model, count):
    """Nodes of the main graph that can be told by name: of functions and foreign domains first, then rare ones, each operator once."""
    names = collections.Counter(n.name or n.output[0] for n in model.graph.node)
    kinds = collections.Counter((n.domain, n.op_type) for n in model.graph.node)
    # "x#2" beside "x": saving made the name unique, the graph's nodes share it.
    told = {name for name, count in names.items() if count == 1 and name.rpartition("#")[0] not in names}
    nodes = [n for n in model.graph.node if n.op_type != "Constant" and (n.name or n.output[0]) in told]
    nodes.sort(key=lambda n: (not n.domain, kinds[n.domain, n.op_type]))
    picked = {}
    for n in nodes:
        picked.setdefault((n.domain, n.op_type), n)
    return list(picked.values())[:count]


def check_parts(job, level, saved, feeds, engines, folder):
    """Yields (name, what is wrong or '') of single nodes."""
    import onnx

    model, original = onnx.load(saved), onnx.load(job["model"], load_external_data=False)
    picked = pick_nodes(model, job["parts"])
    lines = [(job["model"], os.path.join(folder, f"{level}{i}.onnx"), "0", n.name or n.output[0]) for i, n in enumerate(picked)]
    with open(os.path.join(folder, "jobs"), "w", encoding="utf-8") as f:
        f.writelines("\t".join(line) + "\n" for line in lines)
    done = subprocess.run([TOOL, f.name, level], capture_output=True, text=True, check=False)
    answers = dict(line.split("\t", 1) for line in done.stdout.splitlines())
    parts = {path: onnx.load(path) for _, path, _, _ in lines if answers.get(path, "").isdigit()}
    known = {i.name for i in model.graph.input} | {o.name for o in model.graph.output}
    made = {name for n in model.graph.node for name in n.output}
    asked = sorted({v.name for p in parts.values() for v in (*p.graph.input, *p.graph.output)} & made - known)
    model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in asked)
    whole = plain(engines[0], model.SerializeToString())
    values = dict(feeds, **dict(zip([o.name for o in whole.get_outputs()], whole.run(None, feeds), strict=True)))
    for (_, path, _, _), n in zip(lines, picked, strict=True):
        name = f"{level} {n.domain + ':' if n.domain else ''}{n.op_type} {n.name or n.output[0]}"
        try:
            if path not in parts:
                raise Wrong(answers.get(path, f"export_tool died: {done.stderr[-200:]}"))
            check_form(original, parts[path], job["model"] if has_shapes(parts[path]) else None, path)
            for engine in engines:
                made = plain(engine, path)
                outputs = [o.name for o in made.get_outputs()]
                found = made.run(None, {i.name: values[i.name] for i in made.get_inputs()})
                compare_parts(found, [values[o] for o in outputs], [f"{engine.__name__}'s {o}" for o in outputs])
            yield name, ""
        except Exception as e:
            yield name, f"{type(e).__name__}: {e}"


def feeds_of(job):
    if job["source"] == "zoo":
        import zoo

        inputs = zoo.tools()
        return inputs.make_inputs(job["name"], next(iter(inputs.VARIANTS[job["name"]])))
    import case

    return case.read(os.path.dirname(job["model"]), job["name"]).runs[0][0]


def compare_whole(job, found, wanted, names, who):
    import zoo

    _, wrong = zoo.compare(job["name"], found, wanted, names)
    if wrong:
        raise Wrong(f"{who}: {wrong}")


def check_level(job, level, saved, feeds, wanted, engines):
    import onnx

    theirs, ours = engines
    kind = getattr(ours.GraphOptimizationLevel, LEVELS[level])
    ready = session(ours, job["model"], graph_optimization_level=kind, optimized_model_filepath=saved)
    own = ready.run(None, feeds)
    changed = check_form(onnx.load(job["model"], load_external_data=False), onnx.load(saved, load_external_data=False), job["model"], saved)
    if wanted is None:
        return f"opsets {changed}" if changed else ""
    ready = plain(theirs, saved)
    names = [o.name for o in ready.get_outputs()]
    compare_whole(job, ready.run(None, feeds), wanted, names, "onnxruntime")
    del ready
    compare_whole(job, plain(ours, saved).run(None, feeds), own, names, "sardonyx")
    return f"opsets {changed}" if changed else ""


def work(job):
    """The child: one JSON line a result."""
    import onnxruntime as theirs
    import sardonyx as ours

    theirs.set_default_logger_severity(4)
    ours.set_default_logger_severity(4)
    feeds, wanted = feeds_of(job), None
    say = lambda name, wrong, note="": print(json.dumps({"name": name, "wrong": wrong[:500], "note": note}), flush=True)  # noqa: E731
    try:
        ready = plain(theirs, job["model"])
        wanted = ready.run(None, feeds)
        del ready
    except Exception as e:
        say("original", "", f"onnxruntime does not run the original: {str(e)[:100]}")
    for level in LEVELS:
        with tempfile.TemporaryDirectory() as folder:
            saved = os.path.join(folder, "saved.onnx")
            try:
                say(level, "", check_level(job, level, saved, feeds, wanted, (theirs, ours)))
            except Exception as e:
                say(level, f"{type(e).__name__}: {e}")
                continue
            if wanted is None or not job["parts"]:
                continue
            try:
                for name, wrong in check_parts(job, level, saved, feeds, (theirs, ours), folder):
                    say(name, wrong)
            except Exception as e:
                say(f"{level} parts", f"{type(e).__name__}: {e}")


def jobs_of(a):
    """(jobs, names of what is left out)."""
    jobs, out = [], []
    sources = [("zoo", a.zoo, a.most_mb)]
    if a.quick:
        sources = [("exporters", os.path.join(ROOT, "tests", "data", "exporters"), 1), ("zoo", a.zoo, 0.7)]
    for source, folder, most in sources:
        paths = sorted(glob.glob(os.path.join(folder, "*.onnx")))
        if not paths:
            print(f"SKIPPED: there are no models in {folder}")
        for number, path in enumerate(paths):
            name = os.path.basename(path)[:-5]
            if not re.search(a.filter, name) or (a.quick and source == "exporters" and number % 9 and a.filter == ""):
                continue
            if os.path.getsize(path) > most * 1e6:
                out.append(name)
                continue
            jobs.append({"name": name, "model": path, "source": source, "parts": 1 if a.quick else a.parts})
    return jobs, out


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--quick", action="store_true")
    ap.add_argument("--zoo", default=os.path.join(ROOT, ".cache", "zoo"))
    ap.add_argument("--filter", default="")
    ap.add_argument("--parts", type=int, default=4, help="nodes of each saved model")
    ap.add_argument("--most-mb", type=float, default=1e6, help="larger models are left out")
    ap.add_argument("--worker", help=argparse.SUPPRESS)
    a = ap.parse_args()
    if a.worker:
        return work(json.loads(a.worker))
    try:
        import onnxruntime  # noqa: F401
        import sardonyx  # noqa: F401
    except ImportError as error:
        print(f"SKIPPED: saved models are checked with {error.name}\n0 passed, 0 failed, 1 skipped")
        return 0
    jobs, out = jobs_of(a)
    if out:
        print(f"SKIPPED: larger than asked for: {', '.join(out)}")
    whole = parts = failed = 0
    for job in jobs:
        ended = subprocess.run([sys.executable, os.path.abspath(__file__), "--worker", json.dumps(job)], capture_output=True, text=True, check=False)
        said = [json.loads(line) for line in ended.stdout.splitlines() if line.startswith("{")]
        if ended.returncode:
            said.append({"name": "died", "wrong": f"the process ended with {ended.returncode}: {ended.stderr[-300:]}", "note": ""})
        for one in said:
            if one["wrong"]:
                print(f"FAILED {job['name']} {one['name']}: {one['wrong']}", flush=True)
            elif one["note"] and not a.quick:
                print(f"{job['name']} {one['name']}: {one['note']}", flush=True)
            failed += bool(one["wrong"])
            whole += one["name"] in LEVELS and not one["wrong"]
            parts += " " in one["name"] and not one["wrong"]
    print(f"{whole} saved models and {parts} single nodes of them")
    print(f"{whole + parts} passed, {failed} failed" + (f", {len(out)} skipped" if out else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
