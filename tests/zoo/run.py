#!/usr/bin/env python3
"""Run whole models through Sardonyx's Python module beside onnxruntime, and compare with the list of those that must agree.

    python tests/zoo/run.py [--set small|main|all] [--models a,b] [--json OUT] [--update]

Each model runs in its own process; every input variant is one result, named model/variant. Skipped, loudly, without ../shared.
"""
import argparse
import importlib
import json
import os
import pickle
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, HERE)
import expected_list  # noqa: E402
import zoo  # noqa: E402

EXPECTED = os.path.join(HERE, "expected_pass.txt")


def timed(session, feeds, runs):
    outputs, best = None, float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        outputs = session.run(None, feeds)
        best = min(best, time.perf_counter() - start)
    return outputs, best * 1e3


def wanted_outputs(path, model, variant, feeds, runs):
    """onnxruntime's outputs and milliseconds, kept beside the model."""
    import onnxruntime

    kept = os.path.join(os.path.dirname(path), "reference", f"{model}-{variant}-{onnxruntime.__version__}.pickle")
    if os.path.exists(kept) and os.path.getmtime(kept) > os.path.getmtime(path):
        with open(kept, "rb") as f:
            return pickle.load(f)
    result = timed(zoo.reference_session(path), feeds, runs)
    os.makedirs(os.path.dirname(kept), exist_ok=True)
    with open(kept, "wb") as f:
        pickle.dump(result, f)
    return result


def work(options):
    """The child: prints one JSON line a variant."""
    inputs = zoo.tools()
    model = options.models
    path = zoo.model_path(options.zoo, model)
    feeds = {v: inputs.make_inputs(model, v) for v in inputs.VARIANTS[model]}
    wanted = {v: wanted_outputs(path, model, v, f, options.runs) for v, f in feeds.items()}
    engine = importlib.import_module(options.module)
    session_options = engine.SessionOptions()
    session_options.intra_op_num_threads = 1
    session, load_ms, broken = None, 0.0, None
    try:
        start = time.perf_counter()
        session = engine.InferenceSession(path, session_options, providers=["CPUExecutionProvider"])
        load_ms = (time.perf_counter() - start) * 1e3
    except Exception as e:
        broken = f"{type(e).__name__}: {e}"
    for variant, feed in feeds.items():
        row = {"variant": variant, "status": "error", "message": broken, "load_ms": load_ms, "reference_ms": wanted[variant][1]}
        if session:
            try:
                found, row["ms"] = timed(session, feed, options.runs)
                names = [o.name for o in session.get_outputs()]
                row["distance"], row["message"] = zoo.compare(model, found, wanted[variant][0], names)
                row["status"] = "fail" if row["message"] else "pass"
            except Exception as e:
                row["message"] = f"{type(e).__name__}: {e}"
        print("RESULT " + json.dumps(row), flush=True)


def run_model(options, model, variants):
    # Weights that passes make cannot be read but through their recipe, and each pass is verified.
    env = {"SARDONYX_PASSES_VERIFIED": "1"} | os.environ
    paths = [os.path.join(zoo.ROOT, "build", "dev", "python"), os.environ.get("PYTHONPATH", "")]
    env["PYTHONPATH"] = os.pathsep.join(p for p in paths if p)
    command = [sys.executable, os.path.join(HERE, "run.py"), "--worker", "--models", model, "--zoo", options.zoo,
               "--module", options.module, "--runs", str(options.runs)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", env=env)
    try:
        out, err = child.communicate(timeout=options.timeout)
        ended = ("crash", f"exit status {child.returncode}: " + (err.strip().splitlines() or [""])[-1])
    except subprocess.TimeoutExpired:
        child.kill()
        out, _ = child.communicate()
        ended = ("timeout", f"no answer in {options.timeout} s")
    rows = {}
    for line in out.splitlines():
        if line.startswith("RESULT "):
            row = json.loads(line[len("RESULT "):])
            rows[row["variant"]] = row
    return {v: rows.get(v) or {"variant": v, "status": ended[0], "message": ended[1]} for v in variants}


def show(name, row):
    number = lambda key, form: format(row[key], form) if row.get(key) is not None else "-"  # noqa: E731
    print(f"{name:34} {row['status']:8} {number('distance', '.1e'):>8} {number('ms', '.2f'):>9} {number('reference_ms', '.2f'):>9} "
          f"{number('load_ms', '.0f'):>7}  {(row.get('message') or '').splitlines()[0][:110] if row.get('message') else ''}", flush=True)


def main():
    ap = zoo.arguments(__doc__)
    ap.add_argument("--module", default="sardonyx")
    ap.add_argument("--timeout", type=float, default=180, help="seconds a model")
    ap.add_argument("--runs", type=int, default=1, help="runs a variant; the fastest counts")
    ap.add_argument("--expected", default=EXPECTED)
    ap.add_argument("--update", action="store_true", help="rewrite the list of those that must agree")
    ap.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    a = ap.parse_args()
    if zoo.skipped():
        return 0
    if a.worker:
        return work(a)
    models, missing = zoo.fetch(a.zoo, a.set, a.models.split(",") if a.models else None)
    variants = zoo.tools().VARIANTS
    print(f"{'model/variant':34} {'status':8} {'distance':>8} {'ms':>9} {'ort ms':>9} {'load ms':>7}")
    results = {}
    for model in models:
        for variant, row in run_model(a, model, variants[model]).items():
            results[f"{model}/{variant}"] = row
            show(f"{model}/{variant}", row)
    for name in (f"{m}/{v}" for m in missing for v in variants[m]):
        results[name] = {"status": "missing", "message": "could not be fetched or generated"}
        show(name, results[name])
    passed = sum(r["status"] == "pass" for r in results.values())
    print(f"{passed} of {len(results)} agree with onnxruntime\n")
    if a.json:
        with open(a.json, "w", encoding="utf-8") as f:
            json.dump(results, f, indent=1)
    return expected_list.settle(a.expected, "Zoo models and input variants that agree with onnxruntime; see run.py.",
                                {n: r["status"] == "pass" for n, r in results.items()}, a.update)


if __name__ == "__main__":
    sys.exit(main())
