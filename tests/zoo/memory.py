#!/usr/bin/env python3
"""What a first run of each zoo model needs in memory, against what the plan foresaw before it.

    python tests/zoo/memory.py --zoo FOLDER [--models a,b] [--json OUT] [--tool build/dev/bin/memory_tool]

FOLDER holds a folder a model, as make_reference.py writes them: model.onnx, and a folder an input variant. `grown` is
the growth of the process's peak of resident memory (VmHWM) from just before the first run. A model with symbolic inputs
may never need more than foreseen and at most 1.15 times less; one with fixed inputs must be within 5 % and 4 MB.
"""
import argparse
import json
import pathlib
import subprocess
import sys

MB = 1 << 20


def is_symbolic(model):
    import onnx

    graph = onnx.load(model, load_external_data=False).graph
    weights = {tensor.name for tensor in graph.initializer}
    return any(not dim.HasField("dim_value") for value in graph.input if value.name not in weights
               for dim in value.type.tensor_type.shape.dim)


def verdict(symbolic, foreseen, grown):
    if foreseen is None:
        return "open"  # sizes that only the run finds out
    if symbolic:
        return "holds" if grown <= foreseen <= 1.15 * grown else "low" if grown > foreseen else "high"
    return "holds" if abs(foreseen - grown) <= 0.05 * grown + 4 * MB else "off"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zoo", required=True)
    parser.add_argument("--models", default="")
    parser.add_argument("--tool", default=str(pathlib.Path(__file__).parents[2] / "build/dev/bin/memory_tool"))
    parser.add_argument("--json")
    arguments = parser.parse_args()
    rows = []
    for folder in sorted(pathlib.Path(arguments.zoo).iterdir()):
        model = folder / "model.onnx"
        if not model.exists() or (arguments.models and folder.name not in arguments.models.split(",")):
            continue
        symbolic = is_symbolic(model)
        for variant in sorted(path for path in folder.iterdir() if path.is_dir()):
            done = subprocess.run([arguments.tool, str(model), str(variant)], capture_output=True, text=True, timeout=600)
            if done.returncode != 0:
                print(f"{folder.name}/{variant.name:<12} error {done.stderr.strip()[:120]}")
                continue
            row = json.loads(done.stdout)
            row |= {"name": f"{folder.name}/{variant.name}", "symbolic": symbolic}
            row["verdict"] = verdict(symbolic, row["foreseen"], row["grown"])
            rows.append(row)
            foreseen = "-" if row["foreseen"] is None else f"{row['foreseen'] / MB:.1f}"
            print(f"{row['name']:<36} {'symbolic' if symbolic else 'static':<9} foreseen {foreseen:>7} MB"
                  f"  grown {row['grown'] / MB:7.1f} MB  {row['verdict']}", flush=True)
    counts = {key: sum(row["verdict"] == key for row in rows) for key in ("holds", "low", "high", "off", "open")}
    print(", ".join(f"{count} {key}" for key, count in counts.items()))
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(rows, indent=1))
    return 0 if counts["holds"] == len(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
