#!/usr/bin/env python3
"""How much of the zoo has symbolic shapes after import: over the tensors of every model with dynamic inputs.

    ./dev zoo shapes [--set small|main|all] [--models a,b] [--lost N]
    python tests/zoo/symbolic_share.py [--zoo FOLDER] [--cli SARDONYX] [--json OUT]

For each model, and for all:
  strict  every dimension is a number or an expression of the symbols of the inputs (an unnamed dimension of an input counts as one)
  data    some have besides symbols of sizes that only data decide, such as NonZero's: known once the operator has run
  lost    the rank is unknown, or a symbol stands where something was not followed
A symbol belongs to data where the operator of the first value with it either finds out a size by looking at its data (NonZero,
NonMaxSuppression, ...), or is given a size (Range, Reshape, Loop, ...) and that one follows from what is in the model's inputs:
there is a way back to an input that no Shape or Size cuts. Where no operator is found a symbol counts as lost.

Passes where the share of strict and data together is at least --least.
"""
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import zoo  # noqa: E402

SIZED_BY_DATA = {"NonZero", "NonMaxSuppression", "Unique", "Compress", "StringNormalizer", "StringSplit", "Tokenizer"}
# Inputs that give sizes.
SIZED_BY_INPUTS = {
    "Range": (0, 1, 2), "Reshape": (1,), "Expand": (1,), "ConstantOfShape": (0,), "Tile": (1,), "Slice": (1, 2, 3, 4), "Pad": (1, 3),
    "Resize": (2, 3), "Upsample": (1,), "OneHot": (1,), "TopK": (1,), "Split": (1,), "Loop": (0, 1), "CenterCropPad": (1,),
    "AffineGrid": (1,), "BlackmanWindow": (0,), "HannWindow": (0,), "HammingWindow": (0,), "MaxUnpool": (2,), "Col2Im": (1, 2),
}
MEASURES = {"Shape", "Size"}
UNNAMED = re.compile(r"\?\d*")


class Model:
    """Which node makes a value, in all graphs of the file."""

    def __init__(self, path):
        import onnx

        self.producer, self.constants = {}, set()
        model = onnx.load(path, load_external_data=False)
        self.add(model.graph)
        for function in model.functions:
            self.add(function)

    def add(self, graph):
        self.constants.update(i.name for i in getattr(graph, "initializer", ()))
        for node in graph.node:
            self.producer.update((name, node) for name in node.output if name)
            for attribute in node.attribute:
                for inner in (attribute.g, *attribute.graphs):
                    self.add(inner)

    def follows_data(self, name):
        """Whether a value is of what is in the inputs, and not of their shapes alone."""
        todo, seen = [name], set()
        while todo:
            name = todo.pop()
            if not name or name in seen or name in self.constants:
                continue
            seen.add(name)
            node = self.producer.get(name)
            if node is None:
                return True
            if node.op_type not in MEASURES:
                todo += node.input
        return False

    def sized_by_data(self, value):
        node = self.producer.get(value)
        if node is None:
            return False
        if node.op_type in SIZED_BY_DATA:
            return True
        positions = SIZED_BY_INPUTS.get(node.op_type, ())
        return any(self.follows_data(node.input[i]) for i in positions if i < len(node.input))


def inspect(cli, path):
    child = subprocess.run([cli, "inspect", path, "--json"], capture_output=True, text=True, check=False)
    if child.returncode != 0:
        raise RuntimeError((child.stderr.strip().splitlines() or ["inspect failed"])[-1])
    return json.loads(child.stdout)


def symbols_of(value):
    return {s for dim in value["shape"] or () if isinstance(dim, str) for s in UNNAMED.findall(dim)}


def sort_values(path, seen):
    """{"strict": [...], "data": [...], "lost": [...]} of an inspected model."""
    model = Model(path)
    inputs = {i["name"] for i in seen["inputs"]}
    tensors = [v for v in seen["values"] if v["kind"] == "tensor"]
    known = {s for v in tensors if v["name"] in inputs and "graph" not in v for s in symbols_of(v)}
    of_data = {}
    for value in tensors:
        for symbol in symbols_of(value) - known:
            of_data.setdefault(symbol, model.sized_by_data(value["name"]))
    kinds = {"strict": [], "data": [], "lost": []}
    for value in tensors:
        symbols = symbols_of(value) - known
        if value["shape"] is None or not all(of_data[s] for s in symbols):
            kinds["lost"].append(value)
        else:
            kinds["data" if symbols else "strict"].append(value)
    return kinds


def is_dynamic(seen):
    return any(not isinstance(dim, int) for i in seen["inputs"] for dim in (i["shape"] if i["shape"] is not None else [None]))


def line(name, counts):
    total = max(sum(counts.values()), 1)
    shares = 100 * counts["strict"] / total, 100 * (counts["strict"] + counts["data"]) / total
    return f"{name:26} {total:6} values {counts['strict']:6} strict {counts['data']:6} data {counts['lost']:5} lost " \
           f"{shares[0]:6.1f} % strict {shares[1]:6.1f} % symbolic"


def main():
    ap = zoo.arguments(__doc__)
    ap.add_argument("--cli", default=os.path.join(zoo.ROOT, "build", "dev", "bin", "sardonyx"))
    ap.add_argument("--lost", type=int, default=0, help="list so many lost values a model")
    ap.add_argument("--least", type=float, default=90, help="wanted share in percent, sizes that data decide counted as symbols")
    a = ap.parse_args()
    if zoo.skipped():
        return 0
    models, missing = zoo.fetch(a.zoo, a.set, a.models.split(",") if a.models else None)
    results, broken = {}, 0
    for name in models:
        path = zoo.model_path(a.zoo, name)
        try:
            seen = inspect(a.cli, path)
        except RuntimeError as e:
            print(f"{name:26} {e}")
            broken += 1
            continue
        if not is_dynamic(seen):
            continue
        kinds = sort_values(path, seen)
        results[name] = {kind: len(values) for kind, values in kinds.items()}
        print(line(name, results[name]), flush=True)
        for value in kinds["lost"][:a.lost]:
            print(f"    {value['name']}: {value['shape']}" + (f" in {value['graph']}" if "graph" in value else ""))
    for name in missing:
        print(f"{name:26} missing")
    total = {kind: sum(counts[kind] for counts in results.values()) for kind in ("strict", "data", "lost")}
    print(line(f"all {len(results)}", total))
    if a.json:
        with open(a.json, "w", encoding="utf-8") as f:
            json.dump({"models": results, "all": total}, f, indent=1)
    count = sum(total.values())
    enough = count == 0 or 100 * (total["strict"] + total["data"]) >= a.least * count
    failed = broken + (not enough)
    print(f"{int(enough)} passed, {failed} failed, {len(missing)} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
