"""Reductions, softmax, normalizations, cumulative sums, losses."""
import math

import numpy as np
from case import Case
from draw import f32, is_float, is_integer, wide
from registry import sweep


def log_sum_exp(x, axes):
    if x.size == 0:
        return np.log(np.sum(np.exp(x), axes, keepdims=True))
    top = np.max(x, axes, keepdims=True) if x.size else 0.0
    top = np.where(np.isfinite(top), top, 0)
    return np.log(np.sum(np.exp(x - top), axes, keepdims=True)) + top


def count_of(x, axes):
    return math.prod(x.shape[a] for a in axes) if axes else 1


# Of a double and a tuple of axes, dimensions kept. Integers are reduced in the same way and wrap.
REDUCTIONS = {
    "ReduceSum": lambda x, axes: np.sum(x, axes, keepdims=True),
    "ReduceMean": lambda x, axes: np.sum(x, axes, keepdims=True) / np.float64(count_of(x, axes)),
    "ReduceProd": lambda x, axes: np.prod(x, axes, keepdims=True),
    "ReduceL1": lambda x, axes: np.sum(np.abs(x), axes, keepdims=True),
    "ReduceL2": lambda x, axes: np.sqrt(np.sum(x * x, axes, keepdims=True)),
    "ReduceSumSquare": lambda x, axes: np.sum(x * x, axes, keepdims=True),
    "ReduceLogSum": lambda x, axes: np.log(np.sum(x, axes, keepdims=True)),
    "ReduceLogSumExp": log_sum_exp,
    "ReduceMax": lambda x, axes: np.max(x, axes, keepdims=True),
    "ReduceMin": lambda x, axes: np.min(x, axes, keepdims=True),
}


def lowest(dtype, name):
    """What an empty maximum or minimum is: the standard's smallest and largest of the type."""
    sign = -1 if name == "ReduceMax" else 1
    if dtype == np.bool_:
        return sign > 0
    if is_float(dtype):
        return sign * np.inf
    info = np.iinfo(dtype)
    return info.min if sign < 0 else info.max


@sweep(*REDUCTIONS)
def reduction(draw, name):
    dtype = draw.float_type() if draw.chance() else draw.dtype("T")
    x = draw.tensor(dtype, draw.shape(0, 5), 0.1 if name == "ReduceLogSum" else -3, 3, special=name in ("ReduceMax", "ReduceMin"))
    if is_integer(dtype) and name not in ("ReduceMax", "ReduceMin", "ReduceSum", "ReduceProd", "ReduceL1", "ReduceSumSquare"):
        x = np.abs(wide(x).astype(np.int64)).clip(1, 9).astype(dtype)
    noop = draw.choice([None, 0, 1])
    keep = draw.choice([None, 0, 1])
    axes = draw.choice([None, draw.some(range(x.ndim))])
    given = None if axes is None else np.array([a - x.ndim * draw.chance() for a in axes], np.int64)
    if not axes:
        if noop == 1:
            # The standard: all of the reduction but the combining; the operators' own maps stay.
            axes = ()
        else:
            axes = tuple(range(x.ndim))
    axes = tuple(axes)
    if name == "ReduceMean" and count_of(x, axes) == 0:
        return reduction(draw, name)  # of nothing: undefined, the text says
    v = wide(x)
    if name in ("ReduceMax", "ReduceMin") and count_of(x, axes) == 0:
        y = np.full([1 if a in axes else d for a, d in enumerate(x.shape)], lowest(dtype, name))
    elif dtype == np.bool_:
        y = (np.any if name == "ReduceMax" else np.all)(x, axis=axes, keepdims=True)
    else:
        if is_integer(dtype) and name in ("ReduceSum", "ReduceProd", "ReduceL1", "ReduceSumSquare", "ReduceMax", "ReduceMin"):
            v = v.astype(np.int64 if dtype.kind == "i" else np.uint64)
        elif is_integer(dtype):
            v = v.astype(np.float64)
        y = REDUCTIONS[name](v, axes) if axes or name not in ("ReduceSum", "ReduceMean", "ReduceProd", "ReduceMax", "ReduceMin") else v
    if keep == 0:
        y = np.asarray(y).reshape([d for a, d in enumerate(x.shape) if a not in axes])
    if is_integer(dtype):
        y = np.trunc(y) if np.asarray(y).dtype.kind == "f" else y
        if np.asarray(y).dtype.kind == "f" and not np.all(np.isfinite(y)):
            return reduction(draw, name)  # NaN and infinity as integers: Cast's sweep
        return Case([x, given], [np.asarray(y).astype(dtype)], {"keepdims": keep, "noop_with_empty_axes": noop})
    size = None
    if name in ("ReduceSum", "ReduceMean"):
        size = REDUCTIONS["ReduceL1"](v, axes) / (count_of(x, axes) if name == "ReduceMean" else 1)
        size = size.reshape(np.asarray(y).shape)
    if name in ("ReduceLogSum", "ReduceLogSumExp"):
        size = np.maximum(1, np.abs(y))
    exact = name in ("ReduceMax", "ReduceMin")
    return Case([x, given], [y], {"keepdims": keep, "noop_with_empty_axes": noop}, ulps=0 if exact else 4 + 0.5 * math.sqrt(max(1, count_of(x, axes))) * (2 if name == "ReduceProd" else 1), scale=size, types=[dtype])


def softmax(x, axis):
    e = np.exp(x - np.max(x, axis, keepdims=True)) if x.size else x
    return e / np.sum(e, axis, keepdims=True)


@sweep("Softmax", "LogSoftmax", "Hardmax")
def softmax_family(draw, name):
    dtype = draw.float_type()
    x = draw.plain(dtype, draw.shape(1, 4), -8, 8)
    axis = draw.choice([None, draw.axis(x.ndim)])
    at = -1 if axis is None else axis
    v = wide(x)
    if name == "Hardmax":
        v = np.rint(v / 2)
        x = v.astype(dtype)
        y = np.zeros(x.shape)
        if x.size:
            np.put_along_axis(y, np.expand_dims(np.argmax(v, at), at), 1, at)
        return Case([x], [y.astype(dtype)], {"axis": axis})
    y = softmax(v, at)
    if name == "LogSoftmax":
        y = v - log_sum_exp(v, (at,)) if x.size else v
        return Case([x], [y], {"axis": axis}, ulps=6, scale=np.maximum(8, np.abs(y)), types=[dtype])
    return Case([x], [y], {"axis": axis}, ulps=16, types=[dtype])  # the argument's rounding: 16 * 2^-24 of it


@sweep("CumSum", "CumProd")
def cumulative(draw, name):
    constraint = "T" if "T" in draw.types else next(iter(draw.types))
    dtype = draw.dtype(constraint)
    x = draw.plain(dtype, draw.shape(1, 4), -2, 2)
    axis = draw.axis(x.ndim)
    flags = {k: draw.integer(0, 1) for k in draw.some(["exclusive", "reverse"])}
    v = wide(x)
    if is_integer(dtype):
        v = v.astype(np.int64 if dtype.kind == "i" else np.uint64)
    v = np.flip(v, axis) if flags.get("reverse") else v
    if flags.get("exclusive") and x.shape[axis]:
        first = np.full_like(np.take(v, [0], axis), 0 if name == "CumSum" else 1)
        v = np.concatenate([first, np.take(v, range(x.shape[axis] - 1), axis)], axis)
    y = (np.cumsum if name == "CumSum" else np.cumprod)(v, axis)
    size = np.cumsum(np.abs(v), axis) if name == "CumSum" else None
    y, size = (np.flip(t, axis) if flags.get("reverse") and t is not None else t for t in (y, size))
    at = np.array(axis, draw.dtype("T2"))
    if is_integer(dtype):
        return Case([x, at], [y.astype(dtype)], flags)
    return Case([x, at], [y], flags, ulps=4 + x.shape[axis] / 2, scale=size, types=[dtype])


@sweep("LpNormalization")
def lp_normalization(draw):
    dtype = draw.float_type()
    x = draw.plain(dtype, draw.shape(1, 4))
    axis, p = draw.choice([None, draw.axis(x.ndim)]), draw.choice([None, 1, 2])
    v, at = wide(x), -1 if axis is None else axis
    if x.size and draw.chance(0.3):  # a row of zeros stays zeros
        v = v * (np.indices(v.shape)[at] < 0)
        x = v.astype(dtype)
    norm = np.sum(np.abs(v), at, keepdims=True) if p == 1 else np.sqrt(np.sum(v * v, at, keepdims=True))
    return Case([x], [np.where(norm == 0, 0, v / np.where(norm == 0, 1, norm))], {"axis": axis, "p": p}, ulps=16, types=[dtype])


@sweep("MeanVarianceNormalization")
def mean_variance(draw):
    dtype = draw.float_type()
    axes = draw.choice([None, True])
    x = draw.plain(dtype, draw.shape(4, 4, zero=0.0) if axes is None else draw.shape(1, 5, zero=0.0))
    axes = None if axes is None else tuple(draw.some(range(x.ndim), low=1))
    v, over = wide(x), axes or (0, 2, 3)
    mean = np.mean(v, over, keepdims=True)
    y = (v - mean) / (np.sqrt(np.mean(v * v, over, keepdims=True) - mean * mean) + 1e-9)
    if np.any(np.mean((v - mean) ** 2, over) < 0.05):
        return mean_variance(draw)  # nothing but rounding is left of such a row
    given = None if axes is None else tuple(a - x.ndim * draw.chance() for a in axes)
    return Case([x], [y], {"axes": given}, ulps=64, scale=(1 + np.abs(y)) * (1 + mean * mean / np.mean((v - mean) ** 2, over, keepdims=True)), types=[dtype])


def normalized(v, axes, epsilon):
    mean = np.mean(v, axes, keepdims=True)
    variance = np.mean((v - mean) ** 2, axes, keepdims=True)
    return (v - mean) / np.sqrt(variance + epsilon), mean, 1 / np.sqrt(variance + epsilon)


@sweep("LayerNormalization", "RMSNormalization")
def layer_norm(draw, name):
    dtype = draw.float_type()
    x = draw.plain(dtype, draw.shape(1, 4, zero=0.02))
    axis = draw.choice([None, draw.axis(x.ndim)])
    at = (-1 if axis is None else axis) % x.ndim
    if 0 in x.shape[at:]:
        return layer_norm(draw, name)
    epsilon = draw.choice([None, draw.real(0.001, 0.1)])
    eps = f32(1e-5 if epsilon is None else epsilon)
    v, over = wide(x), tuple(range(at, x.ndim))
    rest = x.shape[at:]
    shape = tuple(1 if draw.chance(0.1) else d for d in rest)
    shape = shape[draw.integer(0, len(shape)):] if draw.chance(0.2) else shape
    scale = draw.plain(dtype, shape)
    attributes = {"axis": axis, "epsilon": epsilon, "stash_type": draw.choice([None, 1]) if dtype != np.float64 else None}
    if name == "RMSNormalization":
        y = v / np.sqrt(np.mean(v * v, over, keepdims=True) + eps) * wide(scale)
        return Case([x, scale], [y], attributes, ulps=16, scale=np.abs(wide(scale)), types=[dtype])
    bias = draw.plain(dtype, rest) if draw.chance() else None
    y, mean, inverse = normalized(v, over, eps)
    y = y * wide(scale) + (0 if bias is None else wide(bias))
    size = np.abs(wide(scale)) * inverse * 4 + 4
    wanted = [True, draw.chance(0.3), draw.chance(0.3)]
    stash = np.float32  # `stash_type` 1, the default, is the type of mean and deviation
    outputs = [o if w else None for o, w in zip((y, mean, inverse), wanted)]
    return Case([x, scale, bias], outputs, attributes, ulps=16, scale=(size, np.abs(mean) + 4, inverse * (1 + 16 * inverse**2)), types=[dtype, stash, stash])


@sweep("GroupNormalization", "InstanceNormalization", "BatchNormalization")
def channel_norm(draw, name):
    dtype = draw.float_type()
    group = draw.integer(1, 3)
    channels = group * draw.integer(1, 3) if name == "GroupNormalization" else draw.integer(1, 6)
    batch = draw.integer(1, 3)
    x = draw.plain(dtype, (batch, channels, *draw.shape(1, 3, zero=0.0, count=300)))
    epsilon = draw.choice([None, draw.real(0.001, 0.1)])
    eps = f32(1e-5 if epsilon is None else epsilon)
    scale, bias = draw.plain(dtype, (channels,)), draw.plain(dtype, (channels,))
    v, column = wide(x), (-1, *[1] * (x.ndim - 2))
    gain, shift = (wide(t).reshape(column) for t in (scale, bias))
    if name == "GroupNormalization":
        y, _, inverse = normalized(v.reshape(batch, group, -1), (2,), eps)
        y = y.reshape(x.shape) * gain + shift
        size = (np.abs(gain) * np.max(inverse) + 1) * 8
        return Case([x, scale, bias], [y], {"num_groups": group, "epsilon": epsilon}, ulps=16, scale=size, types=[dtype])
    if name == "InstanceNormalization":
        y, _, inverse = normalized(v, tuple(range(2, x.ndim)), eps)
        return Case([x, scale, bias], [y * gain + shift], {"epsilon": epsilon}, ulps=16, scale=(np.abs(gain) * inverse + 1) * 8, types=[dtype])
    mean, variance = draw.plain(dtype, (channels,)), draw.plain(dtype, (channels,), 0.1, 3)
    if not draw.chance(0.3):
        root = 1 / np.sqrt(wide(variance) + eps).reshape(column)
        y = (v - wide(mean).reshape(column)) * root * gain + shift
        return Case([x, scale, bias, mean, variance], [y], {"epsilon": epsilon}, ulps=8, scale=8 * root * np.abs(gain) + 4, types=[dtype])
    momentum = draw.choice([None, draw.real(0, 1)])
    m = f32(0.9 if momentum is None else momentum)
    over = (0, *range(2, x.ndim))
    y, now, inverse = normalized(v, over, eps)
    spread = np.var(v, over)
    outputs = [y * gain + shift, wide(mean) * m + now.reshape(-1) * (1 - m), wide(variance) * m + spread * (1 - m)]
    attributes = {"epsilon": epsilon, "momentum": momentum, "training_mode": 1}
    return Case([x, scale, bias, mean, variance], outputs, attributes, ulps=16, scale=((np.abs(gain) * inverse + 1) * 8, 8.0, 16.0), types=[dtype] * 3)


@sweep("LRN")
def lrn(draw):
    dtype = draw.float_type()
    x = draw.plain(dtype, draw.shape(3, 5, zero=0.02))
    size = draw.choice([1, 2, 3, 4, 5, 7])
    given = {k: v for k, v in (("alpha", draw.real(0, 2)), ("beta", draw.real(0, 1.5)), ("bias", draw.real(0.5, 2))) if draw.chance(0.7)}
    v = wide(x)
    square = np.zeros_like(v)
    for c in range(x.shape[1]):
        low, high = max(0, c - (size - 1) // 2), min(x.shape[1] - 1, c + -(-(size - 1) // 2))
        square[:, c] = np.sum(v[:, low:high + 1] ** 2, 1)
    y = v / (given.get("bias", 1.0) + f32(given.get("alpha", 0.0001)) / size * square) ** f32(given.get("beta", 0.75))
    return Case([x], [y], {"size": size, **given}, ulps=12, types=[dtype])


@sweep("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss")
def loss(draw, name):
    dtype = draw.float_type()
    classes, batch = draw.integer(1, 6), draw.integer(1, 4)
    rest = draw.shape(0, 2, zero=0.0, count=40)
    x = draw.plain(dtype, (batch, classes, *rest), -3, 3)
    labels = draw.rng.integers(0, classes, (batch, *rest)).astype(draw.dtype("Tind"))
    weights = draw.plain(dtype, (classes,), 0.1, 2) if draw.chance() else None
    ignore = draw.choice([None, draw.integer(0, classes - 1), -1, 100])
    if ignore in (-1, 100):
        labels = np.where(draw.rng.random(labels.shape) < 0.3, np.asarray(ignore, labels.dtype), labels)
    how = draw.choice([None, "none", "sum", "mean"])
    v = wide(x)
    logs = v - log_sum_exp(v, (1,)) if name == "SoftmaxCrossEntropyLoss" else v
    used = labels != ignore if ignore is not None else np.ones(labels.shape, bool)
    safe = np.where(used, labels, 0).astype(np.int64)
    weight = (np.ones(classes) if weights is None else wide(weights))[safe] * used
    each = -np.take_along_axis(logs, np.expand_dims(safe, 1), 1).squeeze(1) * weight
    each = np.where(used, each, 0)
    if how in (None, "mean") and np.sum(weight) == 0:
        return loss(draw, name)  # 0 / 0
    y = each if how == "none" else np.sum(each) if how == "sum" else np.sum(each) / np.sum(weight)
    outputs = [np.asarray(y)]
    if name == "SoftmaxCrossEntropyLoss":
        outputs.append(logs if draw.chance() else None)
    return Case([x, labels, weights], outputs, {"ignore_index": ignore, "reduction": how}, ulps=16 + labels.size, scale=8.0, types=[dtype, dtype])
