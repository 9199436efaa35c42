#!/usr/bin/env python3
"""Export models through the engine and check that what comes out is the same model.

    python tests/export/run.py [--groups cases,opsets,later,zoo,parts] [--filter REGEX] [--cases DIR] [--zoo DIR] [--list]

cases   the ONNX standard's own cases, whole
opsets  one node of every version of every operator: it comes out at its own opset, as it was
later   cases of old opsets, written at later ones
zoo     whole models, and
parts   single nodes of them as models of their own
What is checked: the opset is the model's own, or the one asked for; onnx.checker takes what it took before; Sardonyx gives the same bits; onnxruntime
loads what it loaded before and gives the same values. Skipped, loudly, where packages or models are missing.
"""
import argparse
import collections
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PARTS = 200


def export(tool, jobs, folder):
    """jobs: (model, out, least opset, node names). Returns {out: opset of ai.onnx, or the error's text}."""
    path = os.path.join(folder, "jobs")
    with open(path, "w", encoding="utf-8") as f:
        for model, out, least, nodes in jobs:
            f.write("\t".join((model, out, str(least), *nodes)) + "\n")
    done = subprocess.run([tool, path], capture_output=True, text=True, check=False)
    answers = dict(line.split("\t", 1) for line in done.stdout.splitlines())
    if done.returncode:
        missing = next((out for _, out, _, _ in jobs if out not in answers), None)
        answers[missing] = f"error: the exporter died: {done.stderr[-300:]}"
    return {out: int(a) if a.isdigit() else a for out, a in answers.items()}


def check(jobs, folder):
    """Runs check.py on the jobs, again after each that it dies of. Yields (name, what is wrong or '', note)."""
    rest = list(jobs)
    while rest:
        path = os.path.join(folder, "checks")
        with open(path, "w", encoding="utf-8") as f:
            f.writelines(json.dumps(job) + "\n" for job in rest)
        worker = subprocess.Popen([sys.executable, os.path.join(HERE, "check.py"), path], stdout=subprocess.PIPE, text=True)
        for line in worker.stdout:
            if line.startswith("{"):
                answer = json.loads(line)
                yield answer["name"], answer["wrong"], answer["note"]
                rest = [job for job in rest if job["name"] != answer["name"]]
        if worker.wait() and rest:
            yield rest[0]["name"], f"the process died with {worker.returncode}", ""
            rest = rest[1:]


def case_jobs(options, folder):
    jobs = []
    for model in sorted(glob.glob(os.path.join(options.cases, "*", "*", "model.onnx"))):
        name = "/".join(model.split(os.sep)[-3:-1])
        sets = sorted(glob.glob(os.path.join(os.path.dirname(model), "test_data_set_*")))
        jobs.append({"name": name, "model": model, "out": os.path.join(folder, name.replace("/", "-") + ".onnx"), "nodes": [], "data": sets[:1]})
    return jobs


def zoo_jobs(options, folder):
    return [{"name": os.path.basename(path)[:-5], "model": path, "out": os.path.join(folder, os.path.basename(path)), "nodes": [],
             "zoo": os.path.basename(path)[:-5]} for path in sorted(glob.glob(os.path.join(options.zoo, "*.onnx")))]


def part_jobs(options, folder):
    """One node each of a few kinds of every model, the rarest kinds first."""
    import onnx

    found = []
    for path in sorted(glob.glob(os.path.join(options.zoo, "*.onnx"))):
        model = onnx.load(path, load_external_data=False)
        names = collections.Counter(n.name or n.output[0] for n in model.graph.node)
        for n in model.graph.node:
            if n.op_type != "Constant" and names[n.name or n.output[0]] == 1:
                found.append((path, n.domain, n.op_type, n.name or n.output[0]))
    count = collections.Counter((domain, op) for _, domain, op, _ in found)
    random.Random(4).shuffle(found)
    taken = collections.Counter()
    picked = []
    for path, domain, op, name in sorted(found, key=lambda n: count[n[1], n[2]]):
        if taken[domain, op] < 4 and taken[path, op] < 1:
            taken[domain, op] += 1
            taken[path, op] += 1
            picked.append((path, op, name))
    picked = sorted(picked[:PARTS])
    return [{"name": f"{os.path.basename(p)[:-5]}:{op}:{n}", "model": p, "out": os.path.join(folder, f"part{i}.onnx"), "nodes": [n], "part": True}
            for i, (p, op, n) in enumerate(picked)]


def opset_jobs(_options, folder):
    import operator_versions

    return [{"name": name, "model": path, "out": path + ".out", "nodes": [], "same_node": True} for name, path in operator_versions.write_all(folder)]


def later_jobs(options, folder):
    """Models of old opsets at every later one at which an operator of theirs has another form."""
    import onnx

    jobs = []
    forms = collections.defaultdict(set)
    for schema in onnx.defs.get_all_schemas_with_history():
        if not schema.domain:
            forms[schema.name].add(schema.since_version)
    for job in case_jobs(options, folder):
        if job["name"].startswith("light/"):
            continue
        model = onnx.load(job["model"])
        own = next((o.version for o in model.opset_import if not o.domain), 1)
        for opset in sorted({v for n in model.graph.node for v in forms[n.op_type] if v > own}):
            jobs.append({**job, "name": f"{job['name']}@{opset}", "least": opset, "out": f"{job['out']}.{opset}"})
    return jobs


GROUPS = {"cases": case_jobs, "opsets": opset_jobs, "later": later_jobs, "zoo": zoo_jobs, "parts": part_jobs}


def run_group(group, options):
    with tempfile.TemporaryDirectory() as folder:
        jobs = [job for job in GROUPS[group](options, folder) if re.search(options.filter, job["name"])]
        jobs.sort(key=lambda job: job["model"])
        answers = export(options.tool, [(job["model"], job["out"], job.get("least", 0), job["nodes"]) for job in jobs], folder)
        failed, refused, notes = {}, [], collections.Counter()
        ready = []
        for job in jobs:
            job["opset"] = answers.get(job["out"], "error: no answer")
            if isinstance(job["opset"], str):
                if job.get("same_node"):  # a made-up node that the shape rule does not take says nothing of the exporter
                    refused.append((job["name"], job["opset"]))
                else:
                    failed[job["name"]] = job["opset"]
            else:
                ready.append(job)
        for name, wrong, note in check(ready, folder):
            notes[note] += 1
            if wrong:
                failed[name] = wrong
    for name, wrong in sorted(failed.items()):
        print(f"{group} {name}: {wrong}")
    if options.list:
        for name, why in refused:
            print(f"{group} {name} is not imported: {why}")
    kinds = ", ".join(f"{n} {k}" for k, n in sorted(notes.items()) if k)
    print(f"{group}: {len(ready)} of {len(jobs)} exported and checked, {len(refused)} not imported, {len(failed)} wrong ({kinds})")
    return len(failed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--groups", default="cases,opsets,later,zoo,parts")
    parser.add_argument("--filter", default="")
    parser.add_argument("--tool", default=os.path.join(ROOT, "build", "dev", "bin", "export_tool"))
    parser.add_argument("--cases", default=os.path.join(ROOT, ".cache", "onnx_backend"))
    parser.add_argument("--zoo", default=os.path.join(ROOT, ".cache", "zoo"))
    parser.add_argument("--list", action="store_true", help="name the made-up nodes that are not imported too")
    options = parser.parse_args()
    sys.path.insert(0, HERE)
    try:
        import onnx  # noqa: F401
        import onnxruntime  # noqa: F401
        import sardonyx  # noqa: F401
    except ImportError as error:
        print(f"SKIPPED: the export checks need {error.name}")
        return 0
    bad = 0
    for group in options.groups.split(","):
        folder = {"cases": options.cases, "later": options.cases, "zoo": options.zoo, "parts": options.zoo}.get(group)
        if folder and not os.path.isdir(folder):
            print(f"SKIPPED: {group}: there is no {folder}")
            continue
        bad += run_group(group, options)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
