"""Operators that move elements, and those that speak of shapes: every type, the same bits."""
import math

import numpy as np
from case import UNCHECKED, Case, element_type
from draw import DTYPES
from registry import sweep


def any_tensor(draw, constraint="T", low=0, high=4, shape=None):
    return draw.tensor(draw.dtype(constraint), draw.shape(low, high) if shape is None else shape, -99, 99)


def moved(inputs, outputs, attributes=None, **more):
    outputs = outputs if isinstance(outputs, list) else [outputs]
    outputs = [np.array(y, object) if isinstance(y, str) else np.asarray(y) for y in outputs]
    return Case(inputs, outputs, attributes or {}, bits=True, **more)


def int64(values):
    return np.array(values, np.int64).reshape(-1)


@sweep("Reshape")
def reshape(draw):
    x = any_tensor(draw)
    allow_zero = draw.choice([None, 0, 1])
    factors = [d for d in x.shape]
    target = []
    for d in factors:  # merges and splits of the dimensions
        way = draw.integer(0, 2)
        if way == 0 and target:
            target[-1] *= d
        elif way == 1 and d % 2 == 0 and d:
            target += [2, d // 2]
        else:
            target.append(d)
    if draw.chance(0.3):
        target.insert(draw.integer(0, len(target)), 1)
    if 0 in target and not allow_zero:
        if any(d == 0 and (i >= x.ndim or x.shape[i] != 0) for i, d in enumerate(target)):
            allow_zero = 1
    asked = list(target)
    if x.size and target and draw.chance():
        asked[draw.integer(0, len(target) - 1)] = -1
    for i, d in enumerate(asked):
        if not allow_zero and d != 0 and i < x.ndim and d == x.shape[i] and draw.chance(0.3):
            asked[i] = 0
    return moved([x, int64(asked)], x.reshape(target), {"allowzero": allow_zero})


@sweep("Flatten")
def flatten(draw):
    x = any_tensor(draw)
    axis = draw.integer(-x.ndim, x.ndim)
    given = None if axis == 1 or (x.ndim > 0 and draw.chance(0.2)) else axis
    axis = 1 if given is None else axis
    at = axis + x.ndim if axis < 0 else axis
    if at > x.ndim:
        given, at = 0, 0
    return moved([x], x.reshape(math.prod(x.shape[:at]), math.prod(x.shape[at:])), {"axis": given})


@sweep("Squeeze")
def squeeze(draw):
    shape = [1 if draw.chance() else d for d in draw.shape()]
    x = any_tensor(draw, shape=shape)
    ones = [i for i, d in enumerate(shape) if d == 1]
    if draw.chance(0.3):
        return moved([x], x.squeeze())
    axes = [i - x.ndim * draw.chance() for i in draw.some(ones)]
    draw.rng.shuffle(axes)
    return moved([x, int64(axes)], x.squeeze(tuple(axes)) if axes else x)


@sweep("Unsqueeze")
def unsqueeze(draw):
    x = any_tensor(draw)
    rank = x.ndim + draw.integer(0, 3)
    axes = sorted(draw.rng.permutation(rank)[: rank - x.ndim].tolist())
    y = x
    for a in axes:
        y = np.expand_dims(y, a)
    axes = [a - rank * draw.chance() for a in axes]
    draw.rng.shuffle(axes)
    return moved([x, int64(axes)], y)


@sweep("Transpose")
def transpose(draw):
    x = any_tensor(draw, high=6)
    perm = None if draw.chance(0.2) else draw.rng.permutation(x.ndim).tolist()
    return moved([x], x.transpose(perm), {"perm": None if perm is None else tuple(perm)})


@sweep("Expand")
def expand(draw):
    a, b = draw.broadcast()
    x = any_tensor(draw, shape=a)
    return moved([x, int64(b)], np.broadcast_to(x, np.broadcast_shapes(a, b)))


@sweep("Tile")
def tile(draw):
    x = any_tensor(draw)
    repeats = [draw.integer(0 if draw.chance(0.1) else 1, 3) for _ in x.shape]
    return moved([x, int64(repeats)], np.tile(x, repeats) if x.ndim else x)


@sweep("Concat")
def concat(draw):
    shape, dtype = list(draw.shape(1, 5)), draw.dtype("T")
    axis = draw.axis(len(shape))
    xs = []
    for _ in range(draw.integer(1, 5)):
        shape[axis] = draw.dim(0.1) if draw.chance() else shape[axis]
        xs.append(draw.tensor(dtype, shape, -99, 99))
    return moved(xs, np.concatenate(xs, axis), {"axis": axis})


@sweep("Split")
def split(draw):
    shape = list(draw.shape(1, 4))
    axis = draw.axis(len(shape))
    x = any_tensor(draw, shape=shape)
    given = None if axis == 0 else axis
    if draw.chance():
        n = draw.integer(1, 5)
        chunk = -(-shape[axis] // n)
        if chunk == 0 and shape[axis] == 0 or chunk * (n - 1) < shape[axis]:
            parts = [chunk] * (n - 1) + [shape[axis] - chunk * (n - 1)]
            return moved([x], np.split(x, np.cumsum(parts)[:-1], axis), {"axis": given, "num_outputs": n})
    cuts = sorted(draw.integer(0, shape[axis]) for _ in range(draw.integer(0, 4)))
    parts = np.diff([0, *cuts, shape[axis]])
    return moved([x, int64(parts)], np.split(x, cuts, axis), {"axis": given})


def slice_bounds(start, end, step, dim):
    """The standard: negative ones count from the end, then clamp to what the step's direction allows."""
    start, end = (v + dim if v < 0 else v for v in (start, end))
    if step > 0:
        return range(min(max(start, 0), dim), min(max(end, 0), dim), step)
    return range(min(max(start, 0), dim - 1), min(max(end, -1), dim - 1), step)


@sweep("Slice")
def slice_(draw):
    x = any_tensor(draw, low=1, high=5)
    index = draw.dtype("Tind")
    far = 2**31 - 1 if index == np.int32 else 2**63 - 1
    axes = draw.rng.permutation(x.ndim)[: draw.integer(0, x.ndim)].tolist()
    with_axes = draw.chance(0.8)
    if not with_axes:
        axes = list(range(len(axes)))
    starts, ends, steps = [], [], []
    with_steps = draw.chance(0.7)
    y = x
    for a in axes:
        step = draw.choice([1, 1, 2, 3, -1, -2, 7, far, -far]) if with_steps else 1
        start, end = (draw.choice([draw.integer(-8, 8), draw.integer(-8, 8), far, -far]) for _ in range(2))
        y = np.take(y, list(slice_bounds(start, end, step, x.shape[a])), a) if x.shape[a] else y
        starts.append(start), ends.append(end), steps.append(step)
    asked = np.array([a - x.ndim * draw.chance() for a in axes], index) if with_axes else None
    return moved([x, np.array(starts, index), np.array(ends, index), asked, np.array(steps, index) if with_steps else None], y)


@sweep("Pad")
def pad(draw):
    dtype = draw.dtype("T", without=("float8e8m0",))  # has no zero to pad with
    mode = draw.choice([None, "constant", "reflect", "edge", "wrap"])
    constant = mode in (None, "constant")
    x = draw.tensor(dtype, draw.shape(0 if constant else 1, 4, zero=0.05 if constant else 0, count=600), -99, 99)
    axes = draw.rng.permutation(x.ndim)[: draw.integer(0, x.ndim)].tolist() if draw.chance() else None
    places = list(range(x.ndim)) if axes is None else axes
    pads = np.zeros((2, len(places)), np.int64)
    for k, a in enumerate(places):
        d = x.shape[a]
        low, high = -(d // 2), 4
        if mode in ("reflect", "edge", "wrap"):
            low = 0
        if mode in ("reflect", "wrap"):
            high = min(high, d - (mode == "reflect"))
        pads[:, k] = [draw.integer(low, high), draw.integer(low, high)]
    fill = draw.tensor(dtype, (), -9, 9) if constant and draw.chance() else None
    y = x
    index = [slice(None)] * x.ndim
    widths = [(0, 0)] * x.ndim
    for k, a in enumerate(places):
        before, after = pads[:, k].tolist()
        index[a] = slice(max(0, -before), x.shape[a] - max(0, -after))
        widths[a] = (max(0, before), max(0, after))
    y = x[(*index, ...)]
    if constant:
        value = fill if fill is not None else np.array("" if dtype == object else 0).astype(dtype)
        out = np.empty([d + sum(w) for d, w in zip(y.shape, widths)], dtype)
        out[...] = value
        out[tuple(slice(w[0], w[0] + d) for d, w in zip(y.shape, widths))] = y
        y = out
    else:
        y = np.pad(y, widths, mode)
    given = None if axes is None else np.array([a - x.ndim * draw.chance() for a in axes], draw.dtype("Tind"))
    return moved([x, pads.reshape(-1), fill, given], y, {"mode": mode})


@sweep("Shape")
def shape_(draw):
    x = any_tensor(draw)
    ends = {k: draw.integer(-6, 6) for k in draw.some(["start", "end"])}
    start, end = ends.get("start", 0), ends.get("end", x.ndim)
    start, end = (min(max(v + x.ndim if v < 0 else v, 0), x.ndim) for v in (start, end))
    return moved([x], int64(x.shape[start:end]), ends)


@sweep("Size")
def size(draw):
    x = any_tensor(draw)
    return moved([x], np.array(x.size, np.int64))


@sweep("ConstantOfShape")
def constant_of_shape(draw):
    shape = draw.shape()
    if draw.chance(0.2):
        return moved([int64(shape)], np.zeros(shape, np.float32))
    value = draw.tensor(draw.dtype("T2", without=("string",)), (1,), -99, 99)
    return moved([int64(shape)], np.broadcast_to(value[0] if not shape else value, shape), {"value": value})


@sweep("Constant")
def constant(draw):
    kind = draw.choice(["value", "value_float", "value_floats", "value_int", "value_ints", "value_string", "value_strings"])
    if kind == "value":
        value = any_tensor(draw)
        return moved([], value, {kind: value})
    count = draw.integer(1, 5)
    values = {"float": [draw.real(-9, 9) for _ in range(count)], "int": draw.rng.integers(-99, 99, count).tolist(), "string": [draw.choice(["a", "ß", " "]) for _ in range(count)]}
    element = kind.removeprefix("value_").rstrip("s")
    given = values[element] if kind.endswith("s") else values[element][0]
    dtype = {"float": np.float32, "int": np.int64, "string": object}[element]
    return moved([], np.array(given, dtype), {kind: given})


@sweep("EyeLike")
def eye_like(draw):
    x = any_tensor(draw, "T1", shape=draw.shape(2, 2))
    name = draw.type_name("T2")
    k = draw.choice([None, draw.integer(-4, 4)])
    given = element_type(DTYPES[name]) if draw.chance(0.7) else None
    dtype = x.dtype if given is None else DTYPES[name]
    return moved([x], np.eye(*x.shape, k=k or 0, dtype=np.float32).astype(dtype), {"k": k, "dtype": given})


@sweep("Trilu")
def trilu(draw):
    x = any_tensor(draw, shape=draw.shape(2, 4))
    k = draw.choice([None, draw.integer(-6, 6)])
    upper = draw.choice([None, 0, 1])
    rows, columns = np.indices(x.shape[-2:])
    keep = columns >= rows + (k or 0) if upper in (None, 1) else columns <= rows + (k or 0)
    return moved([x, None if k is None else np.array(k, np.int64)], np.where(keep, x, "" if x.dtype == object else np.zeros((), x.dtype)).astype(x.dtype), {"upper": upper})


@sweep("DepthToSpace", "SpaceToDepth")
def blocks(draw, name):
    block = draw.integer(1, 3)
    n, c, h, w = (draw.integer(0 if draw.chance(0.05) else 1, 4) for _ in range(4))
    mode = draw.choice([None, "DCR", "CRD"])
    if name == "DepthToSpace":
        x = any_tensor(draw, shape=(n, c * block * block, h, w))
        if mode == "CRD":
            y = x.reshape(n, c, block, block, h, w).transpose(0, 1, 4, 2, 5, 3)
        else:
            y = x.reshape(n, block, block, c, h, w).transpose(0, 3, 4, 1, 5, 2)
        y = y.reshape(n, c, h * block, w * block)
    else:
        x = any_tensor(draw, shape=(n, c, h * block, w * block))
        y = x.reshape(n, c, h, block, w, block)
        y = y.transpose(0, 1, 3, 5, 2, 4) if mode == "CRD" else y.transpose(0, 3, 5, 1, 2, 4)
        y = y.reshape(n, c * block * block, h, w)
    return moved([x], y, {"blocksize": block, "mode": mode})


@sweep("ReverseSequence")
def reverse_sequence(draw):
    x = any_tensor(draw, shape=draw.shape(2, 4, zero=0.02))
    batch = draw.integer(0, 1)
    lens = draw.rng.integers(1 if x.shape[1 - batch] else 0, x.shape[1 - batch], x.shape[batch], endpoint=True).astype(np.int64)
    y = x.copy()
    for b, length in enumerate(lens):
        at = (b, slice(0, length)) if batch == 0 else (slice(0, length), b)
        y[at] = x[at][::-1]
    given = {} if batch == 1 and draw.chance() else {"batch_axis": batch, "time_axis": 1 - batch}
    return moved([x, lens], y, given)


@sweep("CenterCropPad")
def center_crop_pad(draw):
    x = any_tensor(draw)
    axes = draw.rng.permutation(x.ndim)[: draw.integer(0, x.ndim)].tolist() if draw.chance() else None
    places = list(range(x.ndim)) if axes is None else axes
    sizes = [draw.integer(0, 9) for _ in places]
    y = x
    for a, want in zip(places, sizes):
        have = y.shape[a]
        if want < have:
            begin = (have - want) // 2
            y = np.take(y, range(begin, begin + want), a)
        else:
            before = (want - have) // 2
            out = np.empty([want if i == a else d for i, d in enumerate(y.shape)], y.dtype)
            out[...] = np.array("" if y.dtype == object else 0).astype(y.dtype)
            out[tuple(slice(before, before + have) if i == a else slice(None) for i in range(y.ndim))] = y
            y = out
    given = None if axes is None else tuple(a - x.ndim * draw.chance() for a in axes)
    return moved([x, np.array(sizes, draw.dtype("Tind"))], y, {"axes": given})


def bits_of(dtype):
    small = {"int4": 4, "uint4": 4, "float4_e2m1fn": 4, "int2": 2, "uint2": 2}
    return small.get(dtype.name, 8 * dtype.itemsize)


@sweep("BitCast")
def bit_cast(draw):
    x = any_tensor(draw, "T1")
    width = bits_of(x.dtype)
    same = [n for n in (t[7:-1] for t in draw.types["T2"]) if bits_of(np.dtype(DTYPES[n])) == width]
    to = np.dtype(DTYPES[draw.choice(same)])
    if to == np.bool_ and x.dtype != np.bool_:
        to = x.dtype
    bits = np.ascontiguousarray(x)
    if width < 8:
        bits = bits.view(np.uint8) & (1 << width) - 1
    if to.name in ("int4", "int2"):
        half = 8 if to.name == "int4" else 2
        y = ((bits.astype(np.int16) ^ half) - half).astype(to)
    else:
        y = bits.view(to)
    y = y.reshape(x.shape)

    def same_bits(outputs):
        found = outputs[0]
        if found.shape != y.shape or found.dtype != y.dtype:
            return f"is {found.dtype}{found.shape}, {y.dtype}{y.shape} wanted"
        if to.kind == "V" and "int" in to.name:
            return None if np.array_equal(found, y) else f"{found}, {y} wanted"
        return None if found.tobytes() == y.tobytes() else f"bits differ: {found}, {y} wanted"

    return Case([x], [UNCHECKED], {"to": element_type(to)}, rest=same_bits)


@sweep("Range")
def range_(draw):
    dtype = draw.dtype("T")
    whole = dtype.kind in "iu"
    start, limit = draw.integer(-20, 20), draw.integer(-20, 20)
    delta = draw.choice([-3, -2, -1, 1, 2, 3]) if whole else draw.choice([-2.5, -1, -0.25, 0.5, 1, 3])
    if draw.chance(0.8):
        delta = abs(delta) if limit > start else -abs(delta)
    if dtype.kind == "u":
        start, limit, delta = abs(start), abs(limit), abs(delta)
    count = max(0, math.ceil((limit - start) / delta))
    y = start + delta * np.arange(count)
    scalars = [np.array(v).astype(dtype) for v in (start, limit, delta)]
    return Case(scalars, [np.asarray(y).astype(dtype)], types=[dtype])


@sweep("AffineGrid")
def affine_grid(draw):
    dtype = draw.float_type("T1")
    two = draw.chance()
    n, c = draw.integer(1, 3), draw.integer(1, 3)
    dims = [draw.integer(2, 5) for _ in range(2 if two else 3)]
    theta = draw.plain(dtype, (n, len(dims), len(dims) + 1), -2, 2)
    align = draw.choice([None, 0, 1])
    lines = [np.linspace(-1, 1, d) if align else (2 * np.arange(d) + 1) / d - 1 for d in dims]
    mesh = np.meshgrid(*lines, indexing="ij")  # rows first; x is the last dimension
    points = np.stack([*mesh[::-1], np.ones_like(mesh[0])], -1)
    y = np.einsum("nij,...j->n...i", theta.astype(np.float64), points)
    return Case([theta, int64([n, c, *dims])], [y], {"align_corners": align}, ulps=8, scale=8.0, types=[dtype])
