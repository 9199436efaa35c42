#!/usr/bin/env python3
"""Run the ONNX standard's own cases and compare with the list of those that must pass (expected_pass.txt).

    python tests/onnx_backend/run.py [--engine cli|python] [--filter REGEX] [--json OUT] [--update]

The command-line tool is asked `sardonyx compare --list FILE --json` (FILE: lines of MODEL<tab>DIR...; answer: one JSON object
with model, status and message a line). A batch that dies or hangs costs the case it died in, and no other.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.dirname(HERE))
import expected_list  # noqa: E402

NOT_ASKED = os.path.join(HERE, "not_asked.tsv")
EXPECTED = os.path.join(HERE, "expected_pass.txt")
WORST = ("pass", "unsupported", "fail", "error", "timeout", "crash")


def find_cases(root, groups, pattern):
    cases = {}
    for group in groups:
        folder = os.path.join(root, group)
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            case = os.path.join(folder, name)
            if re.search(pattern, f"{group}/{name}"):
                cases[f"{group}/{name}"] = sorted(os.path.join(case, d) for d in os.listdir(case) if d.startswith("test_data_set_"))
    return cases


def json_objects(text):
    """Accepts one object a line, or an array of them."""
    try:
        whole = json.loads(text)
        items = whole if isinstance(whole, list) else [whole]
    except ValueError:
        items = []
        for line in text.splitlines():
            try:
                items.append(json.loads(line))
            except ValueError:
                continue
    return [i for i in items if isinstance(i, dict) and "status" in i]


class Runner:
    def __init__(self, options, cases):
        self.options, self.cases, self.root = options, cases, options.cases
        self.env = dict(os.environ)
        paths = [os.path.join(ROOT, "build", "dev", "python"), os.environ.get("PYTHONPATH", "")]
        self.env["PYTHONPATH"] = os.pathsep.join(p for p in paths if p)

    def command(self, list_file):
        if self.options.engine == "python":
            return [sys.executable, os.path.join(HERE, "worker.py"), list_file, "--module", self.options.module]
        return [self.options.cli, "compare", "--list", list_file, "--json"]

    def attempt(self, names):
        """Runs the cases in one process. Returns ({case: (status, message)} of those answered, why it ended early or None)."""
        models = {os.path.join(self.root, n, "model.onnx"): n for n in names}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "list")
            with open(path, "w", encoding="utf-8") as f:
                for model, name in models.items():
                    f.write("\t".join((model, *self.cases[name])) + "\n")
            with open(os.path.join(folder, "out"), "w+", encoding="utf-8") as out, open(os.path.join(folder, "err"), "w+", encoding="utf-8", errors="replace") as err:
                try:
                    code = subprocess.run(self.command(path), stdout=out, stderr=err, env=self.env,
                                          timeout=self.options.timeout + 0.5 * len(names)).returncode
                    ended = None if code in (0, 1) else f"crash: exit status {code}"
                except subprocess.TimeoutExpired:
                    ended = "timeout: no answer in time"
                out.seek(0)
                err.seek(0)
                text, last = out.read(), (err.read().strip().splitlines() or [""])[-1]
        found = {}
        for item in json_objects(text):
            name = models.get(item.get("model", ""))
            if name:
                answer = (item["status"], item.get("message") or "")
                found[name] = max(found.get(name, answer), answer, key=lambda a: WORST.index(a[0]) if a[0] in WORST else 3)
        return found, f"{ended or 'crash: no answer'} {last}".strip()

    def batch(self, names):
        results, rest, deaths = {}, list(names), 0
        while rest:
            group = rest if deaths < 3 else rest[:1]
            found, reason = self.attempt(group)
            results.update(found)
            missing = [n for n in group if n not in found]
            if missing:
                deaths += 1
                suspect = missing[0]
                if len(group) > 1:  # alone, to be sure that it is to blame
                    found, reason = self.attempt([suspect])
                results[suspect] = found.get(suspect) or tuple(reason.split(": ", 1))
            rest = [n for n in rest if n not in results]
        return results

    def run(self):
        names, size = list(self.cases), self.options.batch
        heavy = [[n] for n in names if n.startswith("light/")]
        light = [n for n in names if not n.startswith("light/")]
        batches = heavy + [light[i:i + size] for i in range(0, len(light), size)]
        results = {}
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for done in pool.map(self.batch, batches):
                results.update(done)
                print(f"\r{len(results)} of {len(names)}", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        return results


def leave_out(results):
    """The cases of not_asked.tsv: whether they pass is chance, or no aim."""
    with open(NOT_ASKED, encoding="utf-8") as f:
        reasons = dict(line.rstrip("\n").split("\t") for line in f if not line.startswith("#"))
    for name in results.keys() & reasons.keys():
        results[name] = ("not asked", reasons[name])


def shape_of_message(text):
    text = re.sub(r"'[^']*'|\"[^\"]*\"|\S*/\S+", "_", (text.strip().splitlines() or [""])[0])
    text = re.sub(r"\S+ \((\w+)\):", r"\1:", text)
    return re.sub(r"[-+]?\b\d[\d.]*(e[-+]?\d+)?\b|\bnan\b|\binf\b", "N", text)[:160]


def operators_by_case(root):
    path = os.path.join(root, "ops_by_case.tsv")
    with open(path, encoding="utf-8") as f:
        return {row[0]: row[2].split() for row in (line.rstrip("\n").split("\t") for line in f)}


def summarize(results, operators):
    counts = collections.Counter(status for status, _ in results.values())
    print(f"{len(results)} cases: " + ", ".join(f"{n} {s}" for s, n in sorted(counts.items(), key=lambda i: -i[1])))
    total, failed, alone, why = collections.Counter(), collections.Counter(), collections.Counter(), collections.defaultdict(collections.Counter)
    messages = collections.defaultdict(list)
    for name, (status, message) in results.items():
        needed = operators.get(name, [])
        total.update(needed)
        if status in ("pass", "not asked"):
            continue
        text = f"{status}: {shape_of_message(message)}"
        messages[text].append(name)
        failed.update(needed)
        for op in needed:
            why[op][text] += 1
            alone[op] += len(needed) == 1
    table = [{"operator": op, "cases": total[op], "not_passing": n, "not_passing_alone": alone[op], "why": why[op].most_common(3)}
             for op, n in sorted(failed.items(), key=lambda i: (-alone[i[0]], -i[1], i[0]))]
    groups = [{"message": text, "cases": names} for text, names in sorted(messages.items(), key=lambda i: -len(i[1]))]
    return dict(counts), table, groups


def show(table, groups, limit):
    if not groups:
        return
    print("\nnot passing, by message:")
    for g in groups[:limit]:
        print(f"  {len(g['cases']):5} {g['message']}   ({', '.join(g['cases'][:2])})")
    print("\nnot passing, by operator (alone: cases that need no other operator):")
    print(f"  {'operator':40} {'cases':>6} {'bad':>6} {'alone':>6}  most common reason")
    for row in table[:limit]:
        print(f"  {row['operator']:40} {row['cases']:6} {row['not_passing']:6} {row['not_passing_alone']:6}  {row['why'][0][0][:90]}")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--cases", default=os.path.join(ROOT, ".cache", "onnx_backend"), help="where make_cases.py wrote (written if missing)")
    ap.add_argument("--engine", choices=("cli", "python"), default="cli")
    ap.add_argument("--cli", default=os.path.join(ROOT, "build", "dev", "bin", "sardonyx"))
    ap.add_argument("--module", default="sardonyx", help="Python module for --engine python")
    ap.add_argument("--group", nargs="+", default=["node", "simple", "pytorch-converted", "pytorch-operator", "light"])
    ap.add_argument("--filter", default="", help="regular expression over group/case")
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--batch", type=int, default=100, help="cases in one process")
    ap.add_argument("--timeout", type=float, default=60, help="seconds for one process, plus half a second a case")
    ap.add_argument("--json", help="write every result here")
    ap.add_argument("--rows", type=int, default=40, help="lines of each summary")
    ap.add_argument("--expected", default=EXPECTED)
    ap.add_argument("--update", action="store_true", help="rewrite the list of those that must pass")
    a = ap.parse_args()
    if a.engine == "cli" and not os.access(a.cli, os.X_OK):
        sys.exit(f"{a.cli} is not there: build it first, or name it with --cli")
    a.cases = os.path.abspath(a.cases)
    if not os.path.exists(os.path.join(a.cases, "ops_by_case.tsv")):
        subprocess.run([sys.executable, os.path.join(HERE, "make_cases.py"), a.cases], check=True)
    cases = find_cases(a.cases, a.group, a.filter)
    if not cases:
        sys.exit(f"no case in {a.cases} matches {a.filter!r}")
    results = Runner(a, cases).run()
    leave_out(results)
    counts, table, groups = summarize(results, operators_by_case(a.cases))
    show(table, groups, a.rows)
    if a.json:
        with open(a.json, "w", encoding="utf-8") as f:
            json.dump({"counts": counts, "cases": {n: {"status": s, "message": m} for n, (s, m) in sorted(results.items())},
                       "operators": table, "messages": groups}, f, indent=1)
    print()
    return expected_list.settle(a.expected, "Cases of the ONNX standard that pass; see run.py.", {n: s == "pass" for n, (s, _) in results.items() if s != "not asked"}, a.update)


if __name__ == "__main__":
    sys.exit(main())
