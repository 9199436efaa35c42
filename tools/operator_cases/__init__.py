"""Operators as models have them, one call each, for tools/bench_operators.py. A family's file has a list CASES."""
import numpy as np

RANDOM = np.random.default_rng(0)


def normal(*shape, dtype=np.float32):
    return RANDOM.standard_normal(shape).astype(dtype)


def uniform(*shape, low=0.0, high=1.0, dtype=np.float32):
    return RANDOM.uniform(low, high, shape).astype(dtype)


def integers(high, *shape, dtype=np.int64):
    return RANDOM.integers(0, high, shape).astype(dtype)


def ints(*values):
    return np.array(values, np.int64)


class Case:
    """A node with its inputs: arrays, None for an input left out, Constant for one that the model itself has."""

    def __init__(self, name, op, inputs, attributes=None, outputs=1, opset=22, domain=""):
        self.name, self.op, self.inputs, self.attributes = name, op, inputs, attributes or {}
        self.outputs, self.opset, self.domain = outputs, opset, domain


class Constant:
    def __init__(self, value):
        self.value = np.asarray(value)
