"""Pools, their inverses, and what samples regions."""
import math

import numpy as np
from case import Case
from draw import wide
from families.linalg import Window
from registry import sweep


def pool_attributes(draw, window, names):
    given = window.attributes(draw)
    return {k: v for k, v in given.items() if k in names}


@sweep("MaxPool", "AveragePool", "LpPool")
def pool(draw, name):
    dtype = draw.float_type() if name != "MaxPool" or draw.chance() else draw.dtype("T")
    window = Window(draw, draw.choice([1, 2, 2, 3]))
    ceil = draw.choice([None, 0, 1])
    if window.auto in ("SAME_UPPER", "SAME_LOWER"):
        ceil = None
    x = draw.plain(dtype, (draw.integer(1, 2), draw.integer(1, 5), *window.spatial), -9, 9)
    out = window.sizes(bool(ceil))
    attributes = {**window.attributes(draw), "ceil_mode": ceil}
    count_pad, p, order = draw.choice([None, 0, 1]), draw.choice([None, 1, 2, 3]), draw.choice([None, 0, 1])
    v = wide(x)
    y = np.zeros((*x.shape[:2], *out))
    where = np.zeros((*x.shape[:2], *out), np.int64)
    rank = len(out)
    for at in np.ndindex(*out):
        taps = list(window.taps(at))
        inside = [place for _, place, ok in taps if ok]
        if not inside and name == "MaxPool":
            return pool(draw, name)
        values = np.stack([v[(..., *place)] for place in inside], -1) if inside else np.zeros((*x.shape[:2], 1))
        if name == "MaxPool":
            best = np.argmax(values, -1)
            y[(..., *at)] = np.take_along_axis(values, best[..., None], -1)[..., 0]
            order_of = window.spatial if order != 1 else window.spatial
            flat = [np.ravel_multi_index(place, order_of, order="F" if order == 1 else "C") for place in inside]
            where[(..., *at)] = np.array(flat)[best]
        elif name == "AveragePool":
            # With the padding counted, so much of the window as lies in the padded input.
            counted = len(inside)
            if count_pad:
                counted = sum(all(0 <= a * s + d * t < n + window.pads[i] + window.pads[i + rank] for i, (a, s, d, t, n) in enumerate(zip(at, window.strides, window.dilations, k, window.spatial))) for k, _, _ in taps)
            if counted == 0:
                return pool(draw, name)
            y[(..., *at)] = np.sum(values, -1) / counted
        else:
            power = 2 if p is None else p
            y[(..., *at)] = np.sum(np.abs(values) ** power, -1) ** (1 / power)
    if name == "MaxPool":
        planes = np.arange(math.prod(x.shape[:2])).reshape(*x.shape[:2], *[1] * rank) * math.prod(window.spatial)
        want = draw.chance(0.4)
        return Case([x], [y.astype(dtype), (where + planes) if want else None], {**attributes, "storage_order": order if want else None})
    attributes["count_include_pad" if name == "AveragePool" else "p"] = count_pad if name == "AveragePool" else p
    return Case([x], [y], attributes, ulps=12, scale=4.0 if name == "AveragePool" else None, types=[dtype])


@sweep("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool")
def global_pool(draw, name):
    dtype = draw.float_type()
    x = draw.plain(dtype, (draw.integer(0 if draw.chance(0.05) else 1, 3), draw.integer(1, 9), *draw.shape(1, 3, zero=0)))
    axes, v = tuple(range(2, x.ndim)), wide(x)
    p = draw.choice([None, 1, 2, 3]) if name == "GlobalLpPool" else None
    power = 2 if p is None else p
    if name == "GlobalMaxPool":
        return Case([x], [np.max(v, axes, keepdims=True)], types=[dtype])
    y = np.mean(v, axes, keepdims=True) if name == "GlobalAveragePool" else np.sum(np.abs(v) ** power, axes, keepdims=True) ** (1 / power)
    size = np.mean(np.abs(v), axes, keepdims=True) if name == "GlobalAveragePool" else None
    return Case([x], [y], {"p": p}, ulps=8 + math.sqrt(x.size), scale=size, types=[dtype])


@sweep("MaxUnpool")
def max_unpool(draw):
    dtype = draw.float_type("T1")
    rank = draw.choice([1, 2, 3])
    kernel, strides = ([draw.integer(1, 3) for _ in range(rank)] for _ in range(2))
    spatial = [draw.integer(1, 4) for _ in range(rank)]
    pads = [0] * 2 * rank
    natural = [(n - 1) * s + k for n, s, k in zip(spatial, strides, kernel)]
    n, c = draw.integer(1, 2), draw.integer(1, 3)
    x = draw.plain(dtype, (n, c, *spatial))
    size = math.prod(natural)
    places = [draw.rng.permutation(size)[: math.prod(spatial)] + plane * size for plane in range(n * c)]
    if size < math.prod(spatial):
        return max_unpool(draw)
    i = np.array(places, np.int64).reshape(x.shape)
    flat = np.zeros(n * c * size, dtype)
    flat[i.reshape(-1)] = x.reshape(-1)
    y = flat.reshape(n, c, *natural)
    given = None
    if draw.chance(0.4):
        larger = [d + draw.integer(0, 2) for d in natural]
        given = np.array([n, c, *larger], np.int64)
        # Indices count in the tensor without the larger shape: the values go to the same coordinates.
        out = np.zeros((n, c, *larger), dtype)
        out[(slice(None), slice(None), *(slice(0, d) for d in natural))] = y
        y = out
    return Case([x, i, given], [y], {"kernel_shape": kernel, "strides": strides if any(s != 1 for s in strides) or draw.chance() else None, "pads": pads if draw.chance(0.3) else None}, bits=True)


@sweep("Col2Im")
def col2im(draw):
    dtype = draw.float_type() if draw.chance(0.8) else np.dtype(np.int32)
    window = Window(draw, draw.choice([1, 2, 2, 3]), with_auto=False)
    out = window.sizes()
    n, c = draw.integer(1, 2), draw.integer(1, 3)
    kernel = math.prod(window.kernel)
    x = draw.plain(dtype, (n, c * kernel, math.prod(out)))
    v = wide(x).reshape(n, c, kernel, *out)
    y = np.zeros((n, c, *window.spatial), v.dtype)
    for at in np.ndindex(*out):
        for k, (_, place, inside) in enumerate(window.taps(at)):
            if inside:
                y[(..., *place)] += v[(slice(None), slice(None), k, *at)]
    attributes = {k: v for k, v in window.attributes(draw).items() if k in ("strides", "dilations", "pads")}
    inputs = [x, np.array(window.spatial, np.int64), np.array(window.kernel, np.int64)]
    return Case(inputs, [y], attributes, ulps=kernel + 2, scale=16.0, types=[dtype])


@sweep("MaxRoiPool")
def max_roi_pool(draw):
    dtype = draw.float_type()
    n, c, h, w = draw.integer(1, 2), draw.integer(1, 3), draw.integer(2, 8), draw.integer(2, 8)
    ph, pw = draw.integer(1, 4), draw.integer(1, 4)
    scale = draw.choice([None, 0.5, 0.25])
    s = scale or 1.0
    x = draw.plain(dtype, (n, c, h, w))
    rois = []
    for _ in range(draw.integer(1, 4)):
        x1, x2 = sorted(draw.integer(0, w - 1) for _ in range(2))
        y1, y2 = sorted(draw.integer(0, h - 1) for _ in range(2))
        rois.append([draw.integer(0, n - 1), *(v / s for v in (x1, y1, x2, y2))])
    v = wide(x)
    y = np.zeros((len(rois), c, ph, pw))
    for r, (b, *corners) in enumerate(rois):
        x1, y1, x2, y2 = (math.floor(e * s + 0.5) for e in corners)
        rh, rw = max(y2 - y1 + 1, 1), max(x2 - x1 + 1, 1)
        for i in range(ph):
            for j in range(pw):
                top, bottom = (min(max(e + y1, 0), h) for e in (i * rh // ph, -(-(i + 1) * rh // ph)))
                left, right = (min(max(e + x1, 0), w) for e in (j * rw // pw, -(-(j + 1) * rw // pw)))
                part = v[int(b), :, top:bottom, left:right]
                y[r, :, i, j] = part.max((1, 2)) if part.size else 0
    return Case([x, np.array(rois).astype(dtype)], [y], {"pooled_shape": [ph, pw], "spatial_scale": scale}, types=[dtype])


def bilinear(plane, y, x):
    """Corners, weights and the sum; samples beyond one pixel outside are 0, as RoiAlign says."""
    h, w = plane.shape[-2:]
    if y < -1 or y > h or x < -1 or x > w:
        return None
    y, x = max(y, 0), max(x, 0)
    y0, x0 = int(y), int(x)
    if y0 >= h - 1:
        y0 = y1 = h - 1
        y = float(y0)
    else:
        y1 = y0 + 1
    if x0 >= w - 1:
        x0 = x1 = w - 1
        x = float(x0)
    else:
        x1 = x0 + 1
    ly, lx = y - y0, x - x0
    return [(1 - ly) * (1 - lx) * plane[:, y0, x0], (1 - ly) * lx * plane[:, y0, x1], ly * (1 - lx) * plane[:, y1, x0], ly * lx * plane[:, y1, x1]]


@sweep("RoiAlign")
def roi_align(draw):
    dtype = draw.float_type("T1")
    n, c, h, w = draw.integer(1, 2), draw.integer(1, 3), draw.integer(2, 8), draw.integer(2, 8)
    ph, pw, ratio = draw.integer(1, 3), draw.integer(1, 3), draw.choice([0, 1, 2, 3])
    scale = draw.choice([None, 0.5, 1.0])
    mode, transform = draw.choice([None, "avg", "max"]), draw.choice([None, "half_pixel", "output_half_pixel"])
    s, half = (scale or 1.0), transform != "output_half_pixel"
    x = draw.plain(dtype, (n, c, h, w))
    count = draw.integer(1, 4)
    quarter = draw.rng.integers(-4, 40, (count, 4)) / 4
    rois = np.concatenate([np.minimum(quarter[:, :2], quarter[:, 2:]), np.maximum(quarter[:, :2], quarter[:, 2:]) + 0.5], -1)
    batch = draw.rng.integers(0, n, count).astype(np.int64)
    v = wide(x)
    y = np.zeros((count, c, ph, pw))
    for r in range(count):
        x1, y1, x2, y2 = rois[r] * s - (0.5 if half else 0)
        rh, rw = y2 - y1, x2 - x1
        if not half:
            rh, rw = max(rh, 1.0), max(rw, 1.0)
        bh, bw = rh / ph, rw / pw
        gh, gw = (ratio, ratio) if ratio else (math.ceil(bh), math.ceil(bw))
        for i in range(ph):
            for j in range(pw):
                total, best = np.zeros(c), np.full(c, -np.inf)
                for a in range(gh):
                    for b in range(gw):
                        parts = bilinear(v[batch[r]], y1 + i * bh + (a + 0.5) * bh / gh, x1 + j * bw + (b + 0.5) * bw / gw)
                        parts = [np.zeros(c)] * 4 if parts is None else parts
                        total += sum(parts)
                        best = np.maximum(best, np.max(parts, 0))
                y[r, :, i, j] = best if mode == "max" else total / max(gh * gw, 1)
    attributes = {"output_height": ph, "output_width": pw, "sampling_ratio": ratio, "spatial_scale": scale, "mode": mode, "coordinate_transformation_mode": transform}
    return Case([x, rois.astype(dtype), batch], [y], attributes, ulps=32 if dtype.itemsize > 2 else 64, scale=4.0, types=[dtype])


def deform_values(x, offset, weight, bias, mask, window, group, offset_group):
    n, c = x.shape[:2]
    m, kernel = weight.shape[0], window.kernel
    out = window.sizes()
    y = np.zeros((n, m, *out))
    size = np.zeros_like(y)
    taps = math.prod(kernel)
    off = offset.reshape(n, offset_group, taps, 2, *out)
    gates = None if mask is None else mask.reshape(n, offset_group, taps, *out)
    for b in range(n):
        for ch in range(c):
            og = ch // (c // offset_group)
            for t, k in enumerate(np.ndindex(*kernel)):
                for at in np.ndindex(*out):
                    place = [a * s - p + d * e + off[(b, og, t, i, *at)] for i, (a, s, p, d, e) in enumerate(zip(at, window.strides, window.pads, window.dilations, k))]
                    if any(v <= -1 or v >= limit for v, limit in zip(place, window.spatial)):
                        continue
                    value = 0.0
                    for corner in np.ndindex(*[2] * len(place)):
                        where = [math.floor(v) + e for v, e in zip(place, corner)]
                        if all(0 <= q < limit for q, limit in zip(where, window.spatial)):
                            factor = math.prod(1 - abs(v - q) for v, q in zip(place, where))
                            value += factor * x[(b, ch, *where)]
                    if gates is not None:
                        value *= gates[(b, og, t, *at)]
                    cg, mg = c // group, m // group
                    g = ch // cg
                    for o in range(g * mg, (g + 1) * mg):
                        y[(b, o, *at)] += weight[(o, ch % cg, *k)] * value
                        size[(b, o, *at)] += abs(weight[(o, ch % cg, *k)] * value)
    if bias is not None:
        y += bias.reshape(-1, *[1] * len(out))
    return y, size + 4


@sweep("DeformConv")
def deform_conv(draw):
    dtype = draw.float_type()
    window = Window(draw, 2, with_auto=False)
    window.kernel = [min(k, 2) for k in window.kernel]
    window.reach = [d * (k - 1) + 1 for d, k in zip(window.dilations, window.kernel)]
    window.spatial = [min(max(s, r), 6) if r <= 6 else r for s, r in zip(window.spatial, window.reach)]
    group, offset_group = draw.choice([1, 1, 2]), draw.choice([1, 1, 2])
    c, m = 2 * draw.integer(1, 2), group * draw.integer(1, 2)
    n, out, taps = draw.integer(1, 2), window.sizes(), math.prod(window.kernel)
    x, w = draw.plain(dtype, (n, c, *window.spatial)), draw.plain(dtype, (m, c // group, *window.kernel))
    offset = (np.rint(draw.rng.uniform(-8, 8, (n, offset_group * taps * 2, *out))) / 4).astype(dtype)
    b = draw.plain(dtype, (m,)) if draw.chance() else None
    mask = draw.plain(dtype, (n, offset_group * taps, *out), 0, 1) if draw.chance() else None
    y, size = deform_values(wide(x), wide(offset), wide(w), None if b is None else wide(b), None if mask is None else wide(mask), window, group, offset_group)
    attributes = {k: v for k, v in window.attributes(draw).items() if k != "auto_pad"}
    return Case([x, w, offset, b, mask], [y], {**attributes, "group": group, "offset_group": offset_group}, ulps=16, scale=size, types=[dtype])


