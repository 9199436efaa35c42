"""Rotary embedding and grouped keys in front of attention: Llama and its like by torch's exporters, GPT-J, partly turned heads."""
import numpy as np

from forms_attention import B, C, D, H, LEAST, PAST, S, heads, hidden, merged, one, projected
from sheet import Sheet

FEW = 2  # heads of keys


def tables(s, x, neighbours=False):
    """cos and sin [1, sequence, D] as the models compute them in the run."""
    frequencies = s.weight((10000.0 ** (-np.arange(D // 2) / (D // 2)))[None, None])
    positions = s.op("Cast", s.op("Range", s.weight(np.array(0)), s.dim(x, 1), s.weight(np.array(1))), to=1)
    angles = s.op("Mul", s.unsqueeze(positions, 0, 2), frequencies)
    if neighbours:
        angles = s.reshape(s.op("Concat", s.unsqueeze(angles, 3), s.unsqueeze(angles, 3), axis=3), 1, -1, D)
    else:
        angles = s.op("Concat", angles, angles, axis=-1)
    return s.op("Cos", angles), s.op("Sin", angles)


def rotated(s, x, cos, sin, form, size=D):
    """x [.., size]"""
    half = size // 2
    if form == "neighbours":
        end = s.weight(np.array([2**63 - 1]))
        odd, even = (s.op("Slice", x, s.ints(i), end, s.ints(3), s.ints(2)) for i in (1, 0))
        both = s.op("Concat", s.unsqueeze(s.op("Neg", odd), 4), s.unsqueeze(even, 4), axis=-1)
        turned = s.op("Reshape", both, s.op("Shape", x))
    elif form == "split":
        first, second = s.split(x, 2, 3, half)
        turned = s.op("Concat", s.op("Neg", second), first, axis=3)
    else:
        first, second = s.slice(x, 0, half, 3), s.slice(x, half, 2**63 - 1, 3)
        turned = s.op("Concat", s.op("Neg", second), first, axis=-1)
    return s.op("Add", s.op("Mul", x, cos), s.op("Mul", turned, sin))


def repeated(s, x, form):
    """torch's repeat_kv."""
    if form is None:
        return x
    batch, length = s.dim(x, 0), s.dim(x, 2)
    wide = s.op("Expand", s.unsqueeze(x, 2), s.dims(batch, FEW, H // FEW, length, D))
    return s.op("Reshape", wide, s.dims(batch, H, length, D))


def llama(turning="slice", repeat=True, past=False):
    s = Sheet(14)
    x = hidden(s)
    few = FEW if repeat else H
    cos, sin = (s.unsqueeze(t, 1) for t in tables(s, x))
    q = heads(s, s.linear(x, C, C, bias=False), 0, 2, 1, 3)
    k, v = (heads(s, s.linear(x, C, few * D, bias=False), 0, 2, 1, 3, size=few) for _ in range(2))
    q, k = rotated(s, q, cos, sin, turning), rotated(s, k, cos, sin, turning)
    present = []
    if past:
        earlier = [s.floats(n, ["batch", few, "past", D], batch=B, past=PAST) for n in ("past_k", "past_v")]
        k, v = s.op("Concat", earlier[0], k, axis=2), s.op("Concat", earlier[1], v, axis=2)
        present = [k, v]
    k, v = (repeated(s, t, repeat or None) for t in (k, v))
    scores = s.op("Mul", s.op("MatMul", q, s.transpose(k, 0, 1, 3, 2)), D**-0.5)
    ones = s.op("Expand", s.weight([1.0]), s.dims(s.dim(x, 1), s.dim(k, 2)))
    upper = s.op("Trilu", s.op("Mul", ones, LEAST), s.op("Add", s.op("Sub", s.dim(k, 2), s.dim(x, 1)), s.weight(np.array(1))), upper=1)
    scores = s.op("Add", scores, s.unsqueeze(upper, 0, 1))
    merged(s, s.op("MatMul", s.op("Softmax", scores, axis=-1), v), x)
    for value in present:
        s.output(value, 4)
    return s


def gpt_j():
    """Neighbours turn, before the heads are brought in front."""
    s = Sheet(14)
    x = hidden(s)
    cos, sin = (s.unsqueeze(t, 2) for t in tables(s, x, neighbours=True))
    q, k = (s.transpose(rotated(s, heads(s, projected(s, x)), cos, sin, "neighbours"), 0, 2, 1, 3) for _ in range(2))
    v = heads(s, projected(s, x), 0, 2, 1, 3)
    scores = s.op("Div", s.op("MatMul", q, s.transpose(k, 0, 1, 3, 2)), D**0.5)
    return merged(s, s.op("MatMul", s.op("Softmax", scores, axis=-1), v), x)


def rotary(count=2, **more):
    return {**one("Neg", "Slice", "Expand"), "MatMul": 3, "RotateHalf": count, **more}


FORMS = {
    "llama": (llama, rotary(Expand=1)),
    "llama_split": (lambda: llama("split"), rotary(Expand=1, Split=0)),
    "llama_one_to_one": (lambda: llama(repeat=False), rotary(Expand=1)),
    "llama_past": (lambda: llama(past=True), rotary(Expand=1, Transpose=2)),
    "gpt_j": (gpt_j, rotary(MatMul=0)),
}
