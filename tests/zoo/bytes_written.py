#!/usr/bin/env python3
"""Bytes that the nodes of a model write in one run, beside onnxruntime's, from the profiles of both.

    ./dev zoo bytes [--set small|main|all] [--models a,b] [--zoo FOLDER] [--ops MODEL]

Counted, on both sides alike, is `output_size` of every node event of one run at the default level of optimization with one thread:
  - all outputs of the nodes, those of the graph too (the last write of a result is one that either engine must do);
  - not what no bytes are written for: Reshape, Flatten, Squeeze, Unsqueeze, Identity and BitCast, wherever they stand;
  - not what If, Loop, Scan and SequenceMap give: the nodes inside, counted each time they run, have written it;
  - in full where a node works in place, and for what a kernel keeps for itself nothing.
`between` leaves the graph's outputs out: both totals less the bytes of the results. Printed are both for each model and their geometric means.
--ops shows where the bytes of one model come from. Passes where the mean of `between` is at most 0.8 and none is above 1.05.
"""
import collections
import importlib
import json
import math
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import zoo  # noqa: E402

WRITES_NOTHING = {"Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity", "BitCast"}
HAS_BODY = {"If", "Loop", "Scan", "SequenceMap"}
MOST_MEAN, MOST_ONE = 0.8, 1.05


def written(module, path, feeds, folder):
    """(bytes by operator, bytes of the results)."""
    import numpy as np

    options = module.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    options.enable_profiling = True
    options.profile_file_prefix = os.path.join(folder, module.__name__)
    session = module.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    results = session.run(None, feeds)
    with open(session.end_profiling(), encoding="utf-8") as f:
        events = json.load(f)
    count = collections.Counter()
    for event in events:
        if event.get("cat") != "Node" or not event["name"].endswith("_kernel_time"):
            continue
        args = event["args"]
        if args["op_name"] not in WRITES_NOTHING | HAS_BODY:
            count[args["op_name"]] += int(args["output_size"] or 0)
    return count, sum(r.nbytes for r in results if isinstance(r, np.ndarray) and r.dtype != object)


def work(a):
    import sardonyx

    sardonyx.set_default_logger_severity(4)
    feeds = zoo.tools().make_inputs(a.model, zoo.tools().VARIANTS[a.model][0])
    path = zoo.model_path(a.zoo, a.model)
    with tempfile.TemporaryDirectory() as folder:
        sides = [written(importlib.import_module(m), path, feeds, folder) for m in ("sardonyx", "onnxruntime")]
    print(json.dumps({"sides": sides}))


def geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else 1.0


def main():
    ap = zoo.arguments(__doc__)
    ap.add_argument("--ops", metavar="MODEL", help="this model's bytes by operator")
    ap.add_argument("--model", help="(of the child)")
    a = ap.parse_args()
    if a.model:
        return work(a)
    if zoo.skipped():
        return 0
    names = [a.ops] if a.ops else a.models.split(",") if a.models else None
    models, missing = zoo.fetch(a.zoo, a.set, names)
    whole, between, failed = [], [], 0
    print(f"{'model':26} {'ours MB':>9} {'theirs MB':>9} {'ratio':>6} {'between':>8}")
    for model in models:
        child = [sys.executable, os.path.abspath(__file__), "--model", model, "--zoo", a.zoo]
        done = subprocess.run(child, capture_output=True, text=True, check=False)
        if done.returncode:
            failed += 1
            print(f"FAILED {model}: {done.stderr.strip()[-300:]}")
            continue
        (ours, results), (theirs, _) = json.loads(done.stdout.splitlines()[-1])["sides"]
        us, them = sum(ours.values()), sum(theirs.values())
        inner = (us - results) / (them - results) if us > results and them > results else 1.0
        whole.append(us / them)
        between.append(inner)
        failed += inner > MOST_ONE
        print(f"{model:26} {us / 1e6:9.2f} {them / 1e6:9.2f} {us / them:6.2f} {inner:8.2f}{'  ABOVE' if inner > MOST_ONE else ''}", flush=True)
        if a.ops:
            for title, side in (("ours", ours), ("theirs", theirs)):
                print(f"  {title}: " + ", ".join(f"{op} {size / 1e6:.2f}" for op, size in collections.Counter(side).most_common(14)))
    mean = geometric_mean(between)
    print(f"geometric mean: {geometric_mean(whole):.3f}, between {mean:.3f} (at most {MOST_MEAN} is wanted, and {MOST_ONE} of each)")
    failed += bool(between) and not names and mean > MOST_MEAN
    print(f"{len(between)} measured; {len(models) + (not names) - failed} passed, {failed} failed" + (f", {len(missing)} skipped" if missing else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
