"""Functions in onnxscript. What is wanted is numpy's answer to the same formula, written beside each."""
import numpy as np
import onnxscript
from onnxscript import FLOAT, INT64
from onnxscript import opset20 as op


def normal(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


@onnxscript.script()
def hard_mix(x: FLOAT["n", 6], weight: FLOAT[6, 4]) -> FLOAT["n", 4]:
    y = op.MatMul(x, weight)
    return op.Where(y > 0.0, y * 2.0, op.Sin(y))


def hard_mix_wanted(x, weight):
    y = x.astype(np.float64) @ weight
    return np.where(y > 0, y * 2, np.sin(y))


@onnxscript.script(default_opset=op)
def newton(x: FLOAT["n"], steps: INT64) -> FLOAT["n"]:
    root = x
    for _ in range(steps):
        root = (root + x / root) / 2.0
    return root


def newton_wanted(x, steps):
    root = x.astype(np.float64)
    for _ in range(int(steps)):
        root = (root + x / root) / 2
    return root


@onnxscript.script()
def collatz(n: INT64) -> INT64:
    count = op.Constant(value_int=0)
    value = n
    going = value > 1
    while going:
        if op.Mod(value, 2) == 0:
            value = value / 2
        else:
            value = value * 3 + 1
        count = count + 1
        going = value > 1
    return count


def collatz_wanted(n):
    value, count = int(n), 0
    while value > 1:
        value, count = (value // 2 if value % 2 == 0 else value * 3 + 1), count + 1
    return np.int64(count)


@onnxscript.script()
def softer(x):
    top = op.ReduceMax(x, keepdims=1)
    e = op.Exp(x - top)
    return e / op.ReduceSum(e, keepdims=1)


@onnxscript.script()
def attend(q: FLOAT["n", 4], k: FLOAT["m", 4], v: FLOAT["m", 3]) -> FLOAT["n", 3]:
    scores = op.MatMul(q, op.Transpose(k, perm=[1, 0])) * 0.5
    return op.MatMul(op.Softmax(scores, axis=-1), v) + softer(op.ReduceSum(q))


def attend_wanted(q, k, v):
    scores = q.astype(np.float64) @ k.T.astype(np.float64) * 0.5
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v + 1


@onnxscript.script()
def slices(x: FLOAT["a", "b"]) -> FLOAT["c", "d"]:
    part = x[1:-1, ::2]
    return op.Concat(part, part[::-1, :], axis=0)


def slices_wanted(x):
    part = x[1:-1, ::2]
    return np.concatenate([part, part[::-1]])


def from_script(function, wanted, *inputs):
    def make():
        model = function.to_model_proto()
        names = [i.name for i in model.graph.input]
        runs = []
        for given in inputs:
            answer = np.asarray(wanted(*given))
            runs.append((dict(zip(names, given)), [answer.astype(np.float32) if answer.dtype == np.float64 else answer]))
        return model.SerializeToString(), runs

    return make


MODELS = {
    "script_mix": from_script(hard_mix, hard_mix_wanted, (normal(0, 3, 6), normal(1, 6, 4)), (normal(2, 1, 6), normal(1, 6, 4))),
    "script_newton": from_script(newton, newton_wanted, (np.abs(normal(0, 5)) + 1, np.int64(7)), (np.abs(normal(1, 3)) + 1, np.int64(0))),
    "script_collatz": from_script(collatz, collatz_wanted, (np.int64(27),), (np.int64(1),)),
    "script_attend": from_script(attend, attend_wanted, (normal(0, 2, 4), normal(1, 5, 4), normal(2, 5, 3))),
    "script_slices": from_script(slices, slices_wanted, (normal(0, 5, 7),), (normal(1, 3, 2),)),
}
