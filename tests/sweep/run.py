#!/usr/bin/env python3
"""Seeded sweep over the operators of the standard: random shapes, types and attributes, against numpy or onnx.reference.

    python tests/sweep/run.py [--cases 8] [--seed N] [--operator NAME ...] [--case I] [--jobs 2]

Each case is a function of seed, operator and number, and runs alone with --seed, --operator and --case. The values come from
functions written from the standard's text, in double, rounded once; onnx.reference only where the module says so.
"""
import argparse
import collections
import json
import os
import subprocess
import sys
import time
import warnings

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import draw as drawing  # noqa: E402
import families  # noqa: E402, F401
from case import check, model_of  # noqa: E402
from registry import GENERATORS  # noqa: E402

CHANCE = {  # whose result the standard leaves to chance, or that are no function of their inputs
    "": {"Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"},
    "ai.onnx.preview.training": {"Gradient"},
}


def name_of(operator):
    return f"{operator[0]}:{operator[1]}" if operator[0] else operator[1]


def run_case(module, seed, operator, number):
    """("pass" | "fail" | "error" | "broken", text, the case, its model)"""
    draw = drawing.make(seed, operator, number)
    try:
        with np.errstate(all="ignore"):
            case = GENERATORS[operator](draw)
            model, feed = model_of(operator, case, draw)
    except Exception as e:  # the sweep's own fault, but it must not end the others
        return "broken", f"{type(e).__name__}: {e} (at {e.__traceback__.tb_next and e.__traceback__.tb_next.tb_lineno})", None, None
    try:
        outputs = module.InferenceSession(model).run(None, feed)
    except Exception as e:
        return "error", f"{type(e).__name__}: {e}", case, model
    wrong = check(outputs, case)
    return ("fail", wrong, case, model) if wrong else ("pass", "", case, model)


def work(options):
    """A worker: reads `operator<tab>begin<tab>end` lines, answers a JSON line before and after what does not pass."""
    import sardonyx

    sardonyx.set_default_logger_severity(4)
    operators = {name_of(o): o for o in GENERATORS}
    for line in sys.stdin:
        name, begin, end = line.rstrip("\n").split("\t")
        began = time.monotonic()
        passed = 0
        for number in range(int(begin), int(end)):
            with open(options.progress, "w", encoding="utf-8") as f:
                f.write(str(number))
            status, text, *_ = run_case(sardonyx, options.seed, operators[name], number)
            passed += status == "pass"
            if status != "pass":
                print(json.dumps({"operator": name, "case": number, "status": status, "text": text[:600]}), flush=True)
        print(json.dumps({"operator": name, "done": passed, "seconds": time.monotonic() - began}), flush=True)


class Worker:
    """One process; a case that kills it is its own failure, and the next process goes on behind it."""

    def __init__(self, options, index):
        self.options, self.index, self.process = options, index, None
        self.progress = os.path.join(options.folder, f"progress_{index}")

    def ask(self, name, begin, end):
        results, passed = [], 0
        while begin < end:
            if self.process is None:
                command = [sys.executable, os.path.abspath(__file__), "--worker", "--seed", str(self.options.seed), "--progress", self.progress]
                self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            self.process.stdin.write(f"{name}\t{begin}\t{end}\n")
            self.process.stdin.flush()
            for line in self.process.stdout:
                answer = json.loads(line)
                if "done" in answer:
                    return results, end - begin - sum(r["case"] >= begin for r in results) + passed, answer["seconds"]
                results.append(answer)
            code = self.process.wait()
            self.process = None
            with open(self.progress, encoding="utf-8") as f:
                at = int(f.read() or begin)
            results.append({"operator": name, "case": at, "status": "crash", "text": f"the process ended with {code}"})
            passed += at - begin - sum(begin <= r["case"] < at for r in results)
            begin = at + 1
        return results, passed, 0


def show_case(options):
    import sardonyx

    sardonyx.set_default_logger_severity(4)
    operator = next(o for o in GENERATORS if name_of(o) == options.operator[0])
    status, text, case, model = run_case(sardonyx, options.seed, operator, options.case)
    print(f"seed {options.seed}, operator {name_of(operator)}, case {options.case}: {status} {text}")
    if case:
        print("attributes", case.attributes, "\nulps", case.ulps)
        for kind, values in (("input", case.inputs), ("expected", case.expected)):
            for i, value in enumerate(values):
                shown = f"{value.dtype}{list(value.shape)}" if isinstance(value, np.ndarray) else type(value).__name__
                print(f"{kind} {i}: {shown}\n{getattr(value, 'value', value)!r}")
    if options.save and model:
        with open(options.save, "wb") as f:
            f.write(model)
    return 0 if status == "pass" else 1


def main():
    warnings.filterwarnings("ignore")
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--cases", type=int, default=8, help="cases an operator")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--operator", nargs="+", help="only these, as Add or ai.onnx.ml:Scaler")
    ap.add_argument("--case", type=int, help="show this case of the one operator")
    ap.add_argument("--save", help="with --case: write its model here")
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--rows", type=int, default=60, help="failures that are printed")
    ap.add_argument("--json", help="write every failure here")
    ap.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    ap.add_argument("--progress", help=argparse.SUPPRESS)
    options = ap.parse_args()
    if options.worker:
        return work(options)
    if options.case is not None:
        return show_case(options)
    return sweep_all(options)


def sweep_all(options):
    import concurrent.futures
    import queue
    import tempfile

    names = sorted(name_of(o) for o in GENERATORS)
    if options.operator:
        names = [n for n in names if n in options.operator]
    print(f"seed {options.seed}, {len(names)} operators, {options.cases} cases each")
    missing = missing_operators() if not options.operator else []
    for name in missing:
        print(f"MISSING {name}: has no generator")
    passed, failures, seconds = 0, [], {}
    with tempfile.TemporaryDirectory() as options.folder:
        idle = queue.Queue()
        for i in range(options.jobs):
            idle.put(Worker(options, i))

        def one(name):
            worker = idle.get()
            try:
                return name, worker.ask(name, 0, options.cases)
            finally:
                idle.put(worker)

        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for name, (bad, good, took) in pool.map(one, names):
                failures += bad
                passed += good
                seconds[name] = took
        while not idle.empty():
            worker = idle.get()
            if worker.process:
                worker.process.stdin.close()
                worker.process.wait()
    by_operator = collections.defaultdict(list)
    for failure in failures:
        by_operator[failure["operator"]].append(failure)
    for name, bad in list(by_operator.items())[:options.rows]:
        first = bad[0]
        print(f"FAILED {name}: {len(bad)} of {options.cases}; --seed {options.seed} --operator {name} --case {first['case']}: {first['status']}: {first['text'][:300]}")
    slowest = sorted(seconds.items(), key=lambda i: -i[1])[:5]
    print("slowest: " + ", ".join(f"{n} {s:.1f} s" for n, s in slowest))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as f:
            json.dump(failures, f, indent=1)
    print(f"{passed} passed, {len(failures) + len(missing)} failed")
    return 1 if failures or missing else 0


def missing_operators():
    import onnx

    wanted = {(s.domain, s.name) for s in onnx.defs.get_all_schemas_with_history()
              if s.domain in ("", "ai.onnx.ml", "ai.onnx.preview", "ai.onnx.preview.training")}
    wanted = {o for o in wanted if o[1] not in CHANCE.get(o[0], ())}
    newest = {(s.domain, s.name) for s in onnx.defs.get_all_schemas()}
    return sorted(name_of(o) for o in (wanted & newest) - GENERATORS.keys())


if __name__ == "__main__":
    sys.exit(main())
