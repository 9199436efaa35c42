"""A model from an exporter, with inputs and what the source framework itself answers for them, and its form on the disk.

NAME.onnx beside NAME.npz; in the archive `in/K/INPUT` are the inputs of run K and `out/K/J` its outputs, in the model's order. Text is
kept as numpy's unicode arrays, a sequence of maps to floats as the matrix of its values in the order of the sorted keys.
"""
import dataclasses
import os

import numpy as np


@dataclasses.dataclass
class Case:
    name: str
    model: bytes
    runs: list  # (inputs by name, wanted outputs in order)


def plain(value):
    """What an archive can hold: text without objects, a matrix for a sequence of maps."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        value = np.array([[row[key] for key in sorted(row)] for row in value], np.float32)
    array = np.asarray(value)
    return array.astype(str) if array.dtype.kind == "O" else array


def write(folder, case):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, case.name + ".onnx"), "wb") as f:
        f.write(case.model)
    arrays = {}
    for k, (inputs, wanted) in enumerate(case.runs):
        arrays.update({f"in/{k}/{name}": plain(value) for name, value in inputs.items()})
        arrays.update({f"out/{k}/{j}": plain(value) for j, value in enumerate(wanted)})
    np.savez_compressed(os.path.join(folder, case.name + ".npz"), **arrays)


def read(folder, name):
    with open(os.path.join(folder, name + ".onnx"), "rb") as f:
        model = f.read()
    runs = {}
    with np.load(os.path.join(folder, name + ".npz")) as archive:
        for key in archive.files:
            side, k, rest = key.split("/", 2)
            inputs, wanted = runs.setdefault(int(k), ({}, {}))
            if side == "in":
                value = archive[key]
                inputs[rest] = value.astype(object) if value.dtype.kind == "U" else value
            else:
                wanted[int(rest)] = archive[key]
    return Case(name, model, [(inputs, [wanted[j] for j in sorted(wanted)]) for _, (inputs, wanted) in sorted(runs.items())])


def names(folder):
    return sorted(f[:-5] for f in os.listdir(folder) if f.endswith(".onnx")) if os.path.isdir(folder) else []
