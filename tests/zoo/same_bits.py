#!/usr/bin/env python3
"""Same bits: every zoo model gives the same bits with 1, 2, 3 and 8 threads, and a row alone as in a batch of 2, 3 and 8.

    python tests/zoo/same_bits.py [--set small|main|all] [--models a,b] [--checks threads,batch] [--json OUT]

The batch is checked where a model's inputs have one; a model with DynamicQuantizeLinear is left out, because the scale is of the
whole tensor. Each model runs in its own process. Skipped, loudly, without ../shared.
"""
import argparse
import importlib
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import zoo  # noqa: E402

THREADS = (1, 2, 3, 8)
BATCHES = (2, 3, 8)
OTHER_AXES = {"silero_vad": {"state": 1}}  # where an anonymous dimension is the batch too
NO_BATCH = {
    "aecmos": "the state has a batch of 1",
    "nmr_painn_gnn": "the first dimensions count atoms and edges of one graph",
}


def flat(value, path=""):
    """(path, array) of every tensor in an output."""
    if isinstance(value, dict):
        yield path + ".keys", np.array(sorted(value), dtype=object if any(isinstance(k, str) for k in value) else None)
        for key in sorted(value):
            yield from flat(value[key], f"{path}[{key}]")
    elif isinstance(value, (list, tuple)):
        for i, element in enumerate(value):
            yield from flat(element, f"{path}[{i}]")
    else:
        yield path, np.asarray(value)


def difference(found, wanted):
    """'' when the bits are the same, else how they differ."""
    if found.shape != wanted.shape or found.dtype != wanted.dtype:
        return f"{found.dtype}{list(found.shape)}, {wanted.dtype}{list(wanted.shape)} wanted"
    if found.dtype == object:
        return "" if (found == wanted).all() else "other strings"
    found, wanted = np.ascontiguousarray(found), np.ascontiguousarray(wanted)
    if found.tobytes() == wanted.tobytes():
        return ""
    size = found.dtype.itemsize
    bytes_differ = found.reshape(-1).view(np.uint8).reshape(-1, size) != wanted.reshape(-1).view(np.uint8).reshape(-1, size)
    largest = np.nanmax(np.abs(found.astype(np.float64) - wanted.astype(np.float64))) if found.dtype.kind in "fiu" else 0
    return f"{int(bytes_differ.any(axis=1).sum())} of {found.size} elements, by up to {largest:.1e}"


def first_difference(names, found, wanted):
    for name, f, w in zip(names, found, wanted, strict=True):
        pairs = zip(flat(f, name), flat(w, name), strict=True)
        for (path, a), (_, b) in pairs:
            text = difference(a, b)
            if text:
                return f"{path}: {text}"
    return ""


def batch_axes(model, session, feeds):
    """{input: axis of the batch}, or why there is none."""
    if model in NO_BATCH:
        return NO_BATCH[model]
    inputs = [i for i in session.get_inputs() if i.name in feeds]
    firsts = [i.shape[0] for i in inputs if i.shape and not isinstance(i.shape[0], int)]
    if not firsts:
        return "no input has a symbolic first dimension"
    axes = {i.name: list(i.shape).index(firsts[0]) for i in inputs if firsts[0] in i.shape}
    axes.update(OTHER_AXES.get(model, {}))
    if firsts[0] is None:
        axes = {name: axis if name in OTHER_AXES.get(model, {}) else 0 for name, axis in axes.items()}
    return axes


def rows_of(feeds, axes, count):
    """Rows that differ: those of the inputs, then the same rolled along their last axis."""
    there = min(feeds[n].shape[a] for n, a in axes.items())
    rows = []
    for k in range(count):
        shift = k // there
        row = dict(feeds)
        for name, axis in axes.items():
            taken = np.take(feeds[name], [k % there], axis=axis)
            row[name] = np.roll(taken, shift, axis=-1) if taken.ndim > 1 else taken
        rows.append(row)
    return rows


def joined(rows, axes):
    return {n: np.concatenate([r[n] for r in rows], axis=axes[n]) if n in axes else v for n, v in rows[0].items()}


def row_of(array, row, batch, alone):
    """The row's part of an output, its axis found by comparing shapes."""
    if array.shape == alone.shape:
        return array
    grown = [i for i, (a, b) in enumerate(zip(array.shape, alone.shape, strict=False)) if a != b]
    if array.ndim != alone.ndim or len(grown) != 1 or array.shape[grown[0]] != batch * alone.shape[grown[0]]:
        return None
    size = alone.shape[grown[0]]
    return np.take(array, range(row * size, (row + 1) * size), axis=grown[0])


def row_difference(names, found, row, batch, alone):
    for name, f, w in zip(names, found, alone, strict=True):
        if isinstance(w, (list, tuple)):  # a sequence of one element a row
            size = len(w)
            text = first_difference([name], [list(f)[row * size:(row + 1) * size]], [list(w)])
        else:
            part = row_of(np.asarray(f), row, batch, np.asarray(w))
            if part is None:
                return f"{name}: shape {list(np.shape(f))} in the batch, {list(np.shape(w))} alone"
            text = difference(part, np.asarray(w))
            text = text and f"{name}: {text}"
        if text:
            return text
    return ""


def operators(path):
    import onnx

    def of(graph):
        for node in graph.node:
            yield node.op_type
            for attribute in node.attribute:
                yield from of(attribute.g)
                for inner in attribute.graphs:
                    yield from of(inner)

    model = onnx.load(path, load_external_data=False)
    return {*of(model.graph), *(n.op_type for f in model.functions for n in f.node)}


class Checker:
    def __init__(self, options):
        self.engine = importlib.import_module(options.module)
        self.model = options.models
        self.path = zoo.model_path(options.zoo, self.model)

    def session(self, threads):
        options = self.engine.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        return self.engine.InferenceSession(self.path, options, providers=["CPUExecutionProvider"])

    def threads(self, variants):
        wanted = None
        for count in THREADS:
            session = self.session(count)
            names = [o.name for o in session.get_outputs()]
            found = {v: session.run(None, feeds) for v, feeds in variants.items()}
            wanted = wanted or found
            for variant in variants:
                text = first_difference(names, found[variant], wanted[variant])
                if text:
                    return "differs", f"{variant}, {count} threads against 1: {text}"
        return "same", ""

    def batch(self, variants):
        if "DynamicQuantizeLinear" in operators(self.path):
            return "exempt", "DynamicQuantizeLinear takes one scale for the whole batch"
        session = self.session(1)
        names = [o.name for o in session.get_outputs()]
        for variant, feeds in variants.items():
            axes = batch_axes(self.model, session, feeds)
            if isinstance(axes, str):
                return "none", axes
            rows = rows_of(feeds, axes, max(BATCHES))
            alone = [session.run(None, row) for row in rows]
            for batch in BATCHES:
                try:
                    found = session.run(None, joined(rows[:batch], axes))
                except Exception as e:
                    return "refused", f"{variant}, batch of {batch}: {str(e).splitlines()[0]}"
                for row in range(batch):
                    text = row_difference(names, found, row, batch, alone[row])
                    if text:
                        return "differs", f"{variant}, row {row} in a batch of {batch} against alone: {text}"
        return "same", ""


def work(options):
    """The child: prints one JSON line a check."""
    inputs = zoo.tools()
    variants = {v: inputs.make_inputs(options.models, v) for v in inputs.VARIANTS[options.models]}
    checker = Checker(options)
    for check in options.checks.split(","):
        try:
            status, message = getattr(checker, check)(variants)
        except Exception as e:
            status, message = "error", f"{type(e).__name__}: {e}"
        print("RESULT " + json.dumps({"check": check, "status": status, "message": message}), flush=True)


def check_model(options, model):
    env = dict(os.environ)
    paths = [os.path.join(zoo.ROOT, "build", "dev", "python"), os.environ.get("PYTHONPATH", "")]
    env["PYTHONPATH"] = os.pathsep.join(p for p in paths if p)
    command = [sys.executable, os.path.abspath(__file__), "--worker", "--models", model, "--zoo", options.zoo, "--module", options.module,
               "--checks", options.checks]
    try:
        child = subprocess.run(command, capture_output=True, text=True, errors="replace", env=env, timeout=options.timeout, check=False)
        out, ended = child.stdout, ("crash", f"exit status {child.returncode}: " + (child.stderr.strip().splitlines() or [""])[-1])
    except subprocess.TimeoutExpired as e:
        out, ended = (e.stdout or b"").decode(errors="replace"), ("timeout", f"no answer in {options.timeout} s")
    rows = [json.loads(line[len("RESULT "):]) for line in out.splitlines() if line.startswith("RESULT ")]
    rows = {row["check"]: row for row in rows}
    return [rows.get(c) or {"check": c, "status": ended[0], "message": ended[1]} for c in options.checks.split(",")]


def main():
    ap = zoo.arguments(__doc__)
    ap.add_argument("--module", default="sardonyx")
    ap.add_argument("--checks", default="threads,batch")
    ap.add_argument("--timeout", type=float, default=900, help="seconds a model")
    ap.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    a = ap.parse_args()
    if zoo.skipped():
        return 0
    if a.worker:
        return work(a)
    models, missing = zoo.fetch(a.zoo, a.set, a.models.split(",") if a.models else None)
    results = {}
    for model in models:
        for row in check_model(a, model):
            results[f"{model}/{row['check']}"] = row
            print(f"{model + '/' + row['check']:34} {row['status']:8} {row['message'][:160]}", flush=True)
    for model in missing:
        print(f"{model:34} missing")
    if a.json:
        with open(a.json, "w", encoding="utf-8") as f:
            json.dump(results, f, indent=1)
    count = {s: sum(r["status"] in names for r in results.values()) for s, names in (("passed", ("same",)), ("skipped", ("exempt", "none")))}
    failed = len(results) - count["passed"] - count["skipped"]
    print(f"{count['passed']} passed, {failed} failed, {count['skipped'] + len(missing)} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    import numpy as np

    sys.exit(main())
