"""Gather, scatter and what finds positions."""
import numpy as np
from case import UNCHECKED, Case
from draw import is_float, wide
from families.shape import any_tensor, moved
from registry import sweep


@sweep("Gather")
def gather(draw):
    x = any_tensor(draw, shape=draw.shape(1, 4, zero=0.0))
    axis = draw.choice([None, draw.axis(x.ndim)])
    i = draw.indices(x.shape[axis or 0], draw.shape(0, 3, count=40), dtype=draw.dtype("Tind"))
    return moved([x, i], np.take(x, i, axis or 0), {"axis": axis})


@sweep("GatherElements")
def gather_elements(draw):
    x = any_tensor(draw, shape=draw.shape(1, 4, zero=0.0))
    axis = draw.choice([None, draw.axis(x.ndim)])
    shape = [draw.integer(0 if draw.chance(0.1) else 1, d) for d in x.shape]
    shape[axis or 0] = draw.dim()
    i = draw.indices(x.shape[axis or 0], shape, dtype=draw.dtype("Tind"))
    part = x[tuple(slice(None) if k == (axis or 0) % x.ndim else slice(0, d) for k, d in enumerate(shape))]
    return moved([x, i], np.take_along_axis(part, i.astype(np.int64), axis or 0), {"axis": axis})


@sweep("GatherND")
def gather_nd(draw):
    x = any_tensor(draw, shape=draw.shape(1, 5, zero=0.0, count=2000))
    batch = draw.integer(0, min(2, x.ndim - 1))
    depth = draw.integer(1, x.ndim - batch)
    middle = draw.shape(0, 2, count=12)
    i = np.stack([draw.indices(x.shape[batch + k], (*x.shape[:batch], *middle)) for k in range(depth)], -1)
    y = np.empty((*x.shape[:batch], *middle, *x.shape[batch + depth:]), x.dtype)
    for at in np.ndindex(*x.shape[:batch], *middle):
        y[at] = x[(*at[:batch], *i[at])]
    return moved([x, i], y, {"batch_dims": batch if batch or draw.chance() else None})


def reduced(reduction, old, new, dtype):
    if reduction in (None, "none"):
        return new
    if dtype == np.bool_:
        return {"add": old | new, "mul": old & new, "min": old & new, "max": old | new}[reduction]
    return {"add": old + new, "mul": old * new, "min": np.minimum(old, new), "max": np.maximum(old, new)}[reduction]


def scatter_types(draw):
    reduction = draw.choice([None, "none", "add", "mul", "min", "max"])
    without = () if reduction in (None, "none") else ("string", "bool", "complex64", "complex128")
    return reduction, draw.dtype("T", without)


def closeness(dtype, reduction):
    return {"ulps": 8, "scale": 16.0, "types": [dtype]} if is_float(dtype) and reduction in ("add", "mul") else {"types": [dtype], "bits": reduction in (None, "none")}


@sweep("ScatterElements", "Scatter")
def scatter_elements(draw, name):
    if name == "Scatter":
        reduction, dtype = None, draw.dtype("T")
    else:
        reduction, dtype = scatter_types(draw)
    x = draw.plain(dtype, draw.shape(1, 4, zero=0.0, count=1000), -2, 2)
    axis = draw.choice([None, draw.axis(x.ndim)])
    at = (axis or 0) % x.ndim
    shape = [draw.integer(0 if draw.chance(0.1) else 1, d) for d in x.shape]
    unique = reduction in (None, "none")
    index = draw.dtype("Tind")
    if unique:
        order = np.argsort(draw.rng.random(shape[:at] + [x.shape[at]] + shape[at + 1:]), at)
        i = np.take(order, range(shape[at]), at)
    else:
        i = draw.indices(x.shape[at], shape, negative=False)
    if draw.chance():
        i = i - x.shape[at]
    updates = draw.plain(dtype, shape, -2, 2)
    y = wide(x).copy()
    for place in np.ndindex(*shape):
        to = list(place)
        to[at] = i[place]
        to = tuple(to)
        y[to] = reduced(reduction, y[to], wide(updates)[place], dtype)
    return Case([x, i.astype(index), updates], [y], {"axis": axis, "reduction": reduction}, opset=10 if name == "Scatter" else 0, **closeness(dtype, reduction))


@sweep("ScatterND")
def scatter_nd(draw):
    reduction, dtype = scatter_types(draw)
    x = draw.plain(dtype, draw.shape(1, 4, zero=0.0, count=1000), -2, 2)
    depth = draw.integer(1, x.ndim)
    count = int(np.prod(x.shape[:depth]))
    batch = draw.shape(0, 2, count=8)
    n = int(np.prod(batch))
    if reduction in (None, "none"):
        if n > count:
            batch, n = (count,), count
        flat = draw.rng.permutation(count)[:n]
    else:
        flat = draw.rng.integers(0, count, n)
    i = np.stack(np.unravel_index(flat, x.shape[:depth]), -1).reshape(*batch, depth).astype(np.int64)
    if draw.chance():
        i = i - np.array(x.shape[:depth])
    updates = draw.plain(dtype, (*batch, *x.shape[depth:]), -2, 2)
    y = wide(x).copy()
    for place in np.ndindex(*batch):
        to = tuple(i[place])
        y[to] = reduced(reduction, y[to], wide(updates)[place], dtype)
    return Case([x, i, updates], [y], {"reduction": reduction}, **closeness(dtype, reduction))


@sweep("TensorScatter")
def tensor_scatter(draw):
    rank = draw.integer(3, 5)
    axis = draw.integer(1, rank - 1)
    shape = [draw.integer(1, 4) for _ in range(rank)]
    shape[axis] = draw.integer(1, 9)
    x = any_tensor(draw, shape=shape)
    mode = draw.choice([None, "linear", "circular"])
    part = list(shape)
    part[axis] = draw.integer(1, shape[axis])
    update = draw.tensor(x.dtype, part)
    last = shape[axis] - (0 if mode == "circular" else part[axis])
    starts = draw.rng.integers(0, max(last, 1), shape[0]) if last else np.zeros(shape[0], np.int64)
    y = x.copy()
    given = None if draw.chance(0.2) else starts.astype(np.int64)
    for b in range(shape[0]):
        for s in range(part[axis]):
            to = ((0 if given is None else starts[b]) + s) % shape[axis]
            out = np.moveaxis(y[b], axis - 1, 0)
            out[to] = np.moveaxis(update[b], axis - 1, 0)[s]
    asked = axis - rank * draw.chance()
    return moved([x, update, given], y, {"mode": mode, "axis": None if asked == -2 else asked})


@sweep("OneHot")
def one_hot(draw):
    t1, t2, t3 = draw.dtype("T1"), draw.dtype("T2"), draw.dtype("T3")
    depth = draw.integer(1, 6)
    i = np.rint(wide(draw.plain(t1, draw.shape(0, 3, count=200), -depth - 2, depth + 1))).astype(t1)
    axis = draw.choice([None, draw.integer(-i.ndim - 1, i.ndim)])
    values = draw.tensor(t3, (2,))
    at = (-1 if axis is None else axis) % (i.ndim + 1)
    k = wide(i).astype(np.int64) if t1 != np.uint64 else i.astype(np.int64)
    k = np.where((k >= -depth) & (k < 0), k + depth, k)
    hot = np.expand_dims(k, at) == np.arange(depth).reshape([-1 if d == at else 1 for d in range(i.ndim + 1)])
    how = draw.choice([(), (1,)])
    return moved([i, np.full(how, depth).astype(t2), values], np.where(hot, values[1], values[0]).astype(t3), {"axis": axis})


@sweep("NonZero")
def non_zero(draw):
    x = any_tensor(draw, shape=draw.shape(0, 4))
    x = np.where(draw.rng.random(x.shape) < 0.5, np.zeros((), x.dtype) if x.dtype != object else "", x)
    nonzero = x != "" if x.dtype == object else x != np.zeros((), x.dtype)
    y = np.array(np.nonzero(np.atleast_1d(nonzero)), np.int64)
    return moved([x], y[:0] if x.ndim == 0 else y)  # of a scalar: (0, count), as the standard says


@sweep("Compress")
def compress(draw):
    x = any_tensor(draw, shape=draw.shape(1, 4, zero=0.03))
    axis = draw.choice([None, draw.axis(x.ndim)])
    length = x.size if axis is None else x.shape[axis]
    condition = draw.tensor(bool, (draw.integer(0, length),))
    picked = np.flatnonzero(condition)
    return moved([x, condition], np.take(x.reshape(-1) if axis is None else x, picked, 0 if axis is None else axis), {"axis": axis})


@sweep("Unique")
def unique(draw):
    dtype = draw.dtype("X" if "X" in draw.types else "T", without=("complex64", "complex128"))
    x = draw.plain(dtype, draw.shape(1, 3, zero=0.0, count=200), 0, 4)
    if is_float(dtype):
        x = np.rint(wide(x)).astype(dtype)
    axis = draw.choice([None, draw.axis(x.ndim)])
    is_sorted = draw.choice([None, 0, 1])
    rows = [np.asarray(r) for r in (x.reshape(-1) if axis is None else np.moveaxis(x, axis, 0))]
    keys = [tuple(wide(r).reshape(-1).tolist()) if dtype != object else tuple(r.reshape(-1).tolist()) for r in rows]
    first = {}
    for k, key in enumerate(keys):
        first.setdefault(key, k)
    order = list(first) if is_sorted == 0 else sorted(first, key=lambda key: [v.encode() if isinstance(v, str) else v for v in key])
    at = [first[key] for key in order]
    inverse = [order.index(key) for key in keys]
    y = np.take(x.reshape(-1) if axis is None else x, at, 0 if axis is None else axis)
    outputs = [y, np.array(at, np.int64), np.array(inverse, np.int64), np.array([keys.count(k) for k in order], np.int64)]
    wanted = [True] + [draw.chance() for _ in range(3)]
    return Case([x], [o if w else None for o, w in zip(outputs, wanted)], {"axis": axis, "sorted": is_sorted}, bits=True)


@sweep("TopK")
def top_k(draw):
    dtype = draw.dtype("T")
    x = draw.plain(dtype, draw.shape(1, 4), -9, 9)
    axis = draw.choice([None, draw.axis(x.ndim)])
    at = -1 if axis is None else axis
    k = draw.integer(0, x.shape[at])
    largest, is_sorted = draw.choice([None, 0, 1]), draw.choice([None, 0, 1])
    v = wide(x) if is_float(dtype) else x.astype(object)
    order = np.argsort(-v if largest in (None, 1) else v, at, kind="stable") if x.size else np.zeros(x.shape, np.int64)
    i = np.take(order, range(k), at).astype(np.int64)
    y = np.take_along_axis(x, i, at)
    attributes = {"axis": axis, "largest": largest, "sorted": is_sorted}
    inputs = [x, np.array([k], np.int64)]
    if is_sorted != 0:
        return moved(inputs, [y, i], attributes)

    def same_set(outputs):
        found, places = outputs
        if found.shape != y.shape or places.shape != i.shape:
            return f"has shape {found.shape}, {y.shape} wanted"
        if not np.array_equal(np.take_along_axis(x, places, at), found):
            return "the indices are not those of the values"
        return None if np.array_equal(np.sort(wide(found), at), np.sort(wide(y), at)) else f"are not the values wanted: {found}, {y}"

    return Case(inputs, [UNCHECKED, UNCHECKED], attributes, rest=same_set)


@sweep("ArgMax", "ArgMin")
def arg_extreme(draw, name):
    dtype = draw.dtype("T")
    x = draw.plain(dtype, draw.shape(1, 4, zero=0.02), -5, 5)
    if is_float(dtype):
        x = np.rint(wide(x)).astype(dtype)
    axis = draw.choice([None, draw.axis(x.ndim)])
    at = axis or 0
    if x.shape[at] == 0:
        x = draw.plain(dtype, [d or 1 for d in x.shape], -5, 5)
    keep, last = draw.choice([None, 0, 1]), draw.choice([None, 0, 1])
    v = wide(x)
    pick = np.argmax if name == "ArgMax" else np.argmin
    y = x.shape[at] - 1 - pick(np.flip(v, at), at) if last else pick(v, at)
    y = np.expand_dims(y, at) if keep != 0 else y
    return moved([x], np.asarray(y, np.int64), {"axis": axis, "keepdims": keep, "select_last_index": last})


@sweep("NonMaxSuppression")
def non_max_suppression(draw):
    batches, classes, count = draw.integer(1, 2), draw.integer(1, 3), draw.integer(1, 12)
    center = draw.choice([None, 0, 1])
    if center:
        boxes = np.concatenate([draw.plain(np.float32, (batches, count, 2), 0, 4), draw.plain(np.float32, (batches, count, 2), 0.5, 3)], -1)
    else:
        boxes = draw.plain(np.float32, (batches, count, 4), 0, 4)
    scores = draw.plain(np.float32, (batches, classes, count), 0, 1)
    most = draw.choice([None, draw.integer(0, 5)])
    overlap, least = draw.choice([None, draw.real(0, 1)]), draw.choice([None, draw.real(0, 1)])
    selected = []
    for b in range(batches):
        if center:
            x, y, w, h = boxes[b].astype(np.float64).T
            corners = np.stack([y - h / 2, x - w / 2, y + h / 2, x + w / 2], -1)
        else:
            p = boxes[b].astype(np.float64)
            corners = np.concatenate([np.minimum(p[:, :2], p[:, 2:]), np.maximum(p[:, :2], p[:, 2:])], -1)

        def iou(i, j, corners=corners):
            low, high = np.maximum(corners[i, :2], corners[j, :2]), np.minimum(corners[i, 2:], corners[j, 2:])
            both = np.prod(np.maximum(0, high - low))
            areas = [np.prod(corners[k, 2:] - corners[k, :2]) for k in (i, j)]
            return both / (sum(areas) - both) if sum(areas) > both else 0

        for c in range(classes):
            kept = []
            for i in np.argsort(-scores[b, c], kind="stable"):
                if len(kept) >= (most or 0):
                    break
                if least is not None and not scores[b, c, i] > np.float32(least):
                    continue
                if all(iou(i, j) <= (overlap or 0) for j in kept):
                    kept.append(int(i))
            selected += [[b, c, i] for i in kept]
    scalar = draw.choice([(), (1,)])
    inputs = [boxes, scores] + [None if v is None else np.full(scalar, v, t) for v, t in ((most, np.int64), (overlap, np.float32), (least, np.float32))]
    return moved(inputs, np.array(selected, np.int64).reshape(-1, 3), {"center_point_box": center})
