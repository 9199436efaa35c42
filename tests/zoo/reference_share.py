#!/usr/bin/env python3
"""How much of a model's time its nodes spend in reference kernels.

    ./dev zoo references [--set small|main|all] [--models a,b]
    python tests/zoo/reference_share.py [--zoo FOLDER] [--variants] [--runs 5] [--json OUT]

Runs are profiled on one thread; nodes that hold subgraphs count through the nodes inside, and views, which hand memory on, as no
reference. Passes where the share is below 1 %.
"""
import collections
import importlib
import json
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import zoo  # noqa: E402

ALLOWED = 0.01
VIEWS = ("Flatten", "Identity", "Reshape", "Squeeze", "Unsqueeze")
HOLDERS = ("If", "Loop", "Scan", "SequenceMap")


def profile(module, path, feeds, runs):
    """The node events of `runs` runs, but for the first."""
    options = module.SessionOptions()
    options.intra_op_num_threads = 1
    with tempfile.TemporaryDirectory() as folder:
        options.enable_profiling, options.profile_file_prefix = True, os.path.join(folder, "p")
        session = module.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        wanted = {i.name for i in session.get_inputs()}
        for _ in range(runs + 1):
            session.run(None, {k: v for k, v in feeds.items() if k in wanted})
        with open(session.end_profiling(), encoding="utf-8") as f:
            events = json.load(f)
    starts = sorted(e["ts"] for e in events if e["name"] == "model_run")
    return [e for e in events if e.get("cat") == "Node" and "kernel" in e.get("args", {}) and e["ts"] >= starts[1]]


def main():
    ap = zoo.arguments(__doc__)
    ap.add_argument("--variants", action="store_true", help="every variant of the inputs, not only the first")
    ap.add_argument("--runs", type=int, default=5)
    ap.add_argument("--module", default="sardonyx")
    a = ap.parse_args()
    if zoo.skipped():
        return 0
    module = importlib.import_module(a.module)
    models, missing = zoo.fetch(a.zoo, a.set, a.models.split(",") if a.models else None)
    rows = []
    for name in models:
        for variant in zoo.tools().VARIANTS[name] if a.variants else zoo.tools().VARIANTS[name][:1]:
            events = profile(module, zoo.model_path(a.zoo, name), zoo.tools().make_inputs(name, variant), a.runs)
            plain, all_time = collections.Counter(), 0
            for e in events:
                if e["args"]["op_name"] in HOLDERS:
                    continue
                all_time += e["dur"]
                if e["args"]["kernel"] == "reference" and e["args"]["op_name"] not in VIEWS:
                    plain[e["args"]["op_name"]] += e["dur"]
            share = sum(plain.values()) / max(all_time, 1)
            rows.append({"model": name, "variant": variant, "share": share, "operators": dict(plain.most_common()), "passed": share < ALLOWED})
            worst = ", ".join(f"{op} {us / max(all_time, 1):.2%}" for op, us in plain.most_common(3))
            print(f"{name}/{variant}: {share:.2%} of {all_time / a.runs / 1000:.2f} ms{' (' + worst + ')' if worst else ''}", flush=True)
    if a.json:
        with open(a.json, "w", encoding="utf-8") as f:
            json.dump(rows, f, indent=1)
    failed = sum(not r["passed"] for r in rows)
    print(f"{len(rows) - failed} passed, {failed} failed" + (f", {len(missing)} skipped" if missing else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
