"""Products: MatMul, Gemm, Einsum, convolutions, pools, Det."""
import itertools
import math

import numpy as np
from case import Case
from draw import f32, is_integer, limits, wide
from families.convert import matmul_shapes, scales
from registry import sweep


def sum_error(terms):
    """In steps of the type at the size of the sum of magnitudes: blocks add pairwise, so the root of the count bounds it."""
    return 2 + math.sqrt(max(1, terms))


@sweep("MatMul")
def matmul(draw):
    dtype = draw.float_type() if draw.chance(0.7) else draw.dtype("T")
    a, b = matmul_shapes(draw)
    a, b = draw.plain(dtype, a), draw.plain(dtype, b)
    if is_integer(dtype):
        wider = np.int64 if dtype.kind == "i" else np.uint64
        return Case([a, b], [np.asarray(np.matmul(a.astype(wider), b.astype(wider))).astype(dtype)])
    return Case([a, b], [np.matmul(wide(a), wide(b))], ulps=sum_error(a.shape[-1]), scale=np.matmul(np.abs(wide(a)), np.abs(wide(b))), types=[dtype])


@sweep("Gemm")
def gemm(draw):
    dtype = draw.float_type() if draw.chance(0.7) else draw.dtype("T")
    m, k, n = (draw.choice([0, 1, 2, 3, 5, 8, 16, 17, 33, 40]) for _ in range(3))
    ta, tb = draw.choice([None, 0, 1]), draw.choice([None, 0, 1])
    whole = is_integer(dtype)
    given = {key: float(draw.integer(0, 3)) if whole else draw.real(-2, 2) for key in draw.some(["alpha", "beta"])}
    alpha, beta = (f32(given.get(key, 1.0)) for key in ("alpha", "beta"))
    a, b = draw.plain(dtype, (k, m) if ta else (m, k)), draw.plain(dtype, (n, k) if tb else (k, n))
    c = draw.plain(dtype, draw.choice([(), (1,), (n,), (m, n), (1, n), (m, 1)])) if draw.chance(0.7) else None
    if whole:
        wider = np.int64 if dtype.kind == "i" else np.uint64
        p, q = (t.astype(wider) for t in (a.T if ta else a, b.T if tb else b))
        y = wider(alpha) * (p @ q) + (0 if c is None else wider(beta) * c.astype(wider))
        return Case([a, b, c], [np.broadcast_to(y, (m, n)).astype(dtype)], {**given, "transA": ta, "transB": tb})
    p, q = wide(a.T if ta else a), wide(b.T if tb else b)
    y = alpha * (p @ q) + (0 if c is None else beta * wide(c))
    size = abs(alpha) * (np.abs(p) @ np.abs(q)) + (0 if c is None else abs(beta) * np.abs(wide(c)))
    return Case([a, b, c], [y], {**given, "transA": ta, "transB": tb}, ulps=sum_error(k), scale=size, types=[dtype])


@sweep("Einsum")
def einsum(draw):
    dtype = draw.float_type() if draw.chance() else draw.dtype("T", without=("bool", "complex64", "complex128", "string"))
    letters = "ijkLm"
    sizes = {letter: draw.integer(1, 4) for letter in letters}
    terms, dots = [], draw.chance(0.3)
    tail = draw.shape(0, 2, zero=0, count=12) if dots else ()
    arrays = []
    for _ in range(draw.integer(1, 3)):
        part = [draw.choice(letters) for _ in range(draw.integer(0 if dots else 1, 3))]
        own = dots and draw.chance(0.8)
        extra = tail[draw.integer(0, len(tail)):] if own else ()
        at = draw.integer(0, len(part))
        terms.append("".join(part[:at]) + ("..." if own else "") + "".join(part[at:]))
        shape = [sizes[p] for p in part]
        shape[at:at] = [1 if draw.chance(0.2) else d for d in extra]
        arrays.append(draw.plain(dtype, shape, -2, 2))
    used = sorted(set("".join(terms)) - {"."})
    has_dots = any("..." in t for t in terms)
    equation = ",".join(terms)
    if draw.chance(0.8):
        kept = draw.some(used)
        draw.rng.shuffle(kept)
        equation += "->" + ("..." if has_dots else "") + "".join(kept)
    if draw.chance(0.3):
        equation = equation.replace(",", " , ")
    wider = np.float64 if not is_integer(dtype) else np.int64 if dtype.kind == "i" else np.uint64
    y = np.einsum(equation.replace(" ", ""), *(a.astype(wider) for a in arrays))
    if is_integer(dtype):
        return Case(arrays, [np.asarray(y).astype(dtype)], {"equation": equation})
    size = np.einsum(equation.replace(" ", ""), *(np.abs(a.astype(wider)) for a in arrays))
    return Case(arrays, [np.asarray(y)], {"equation": equation}, ulps=sum_error(64) + len(arrays), scale=size, types=[dtype])


@sweep("Det")
def det(draw):
    dtype = draw.float_type()
    n = draw.integer(1, 5)
    x = draw.plain(dtype, (*draw.shape(0, 2, zero=0.05, count=30), n, n))
    return Case([x], [np.linalg.det(wide(x)) if x.size else np.zeros(x.shape[:-2])], ulps=32 * n, scale=float(4**n * math.factorial(n)), types=[dtype])


class Window:
    """Kernel, strides, dilations and pads of a convolution or pool, with what auto_pad makes of them."""

    def __init__(self, draw, rank, with_auto=True, smallest=1):
        self.kernel = [draw.integer(1, 4) for _ in range(rank)]
        self.strides = [draw.integer(1, 3) for _ in range(rank)]
        self.dilations = [draw.choice([1, 1, 2, 3]) for _ in range(rank)]
        self.reach = [d * (k - 1) + 1 for d, k in zip(self.dilations, self.kernel)]
        self.pads = [0] * (2 * rank)
        self.auto = draw.choice([None, "NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"]) if with_auto and draw.chance() else None
        self.spatial = [draw.integer(1, 9) for _ in range(rank)]
        if self.auto in (None, "NOTSET"):
            self.pads = [draw.integer(0, min(2, k - 1)) for k in self.kernel * 2]
        self.spatial = [max(s, r - self.pads[i] - self.pads[i + rank] if self.auto not in ("SAME_UPPER", "SAME_LOWER") else 1)
                        for i, (s, r) in enumerate(zip(self.spatial, self.reach))]
        if self.auto in ("SAME_UPPER", "SAME_LOWER"):
            for i, size in enumerate(self.spatial):
                total = max(0, (-(-size // self.strides[i]) - 1) * self.strides[i] + self.reach[i] - size)
                less = total // 2
                self.pads[i], self.pads[i + rank] = (less, total - less) if self.auto == "SAME_UPPER" else (total - less, less)

    def attributes(self, draw, kernel=True):
        given = {"auto_pad": self.auto}
        if kernel:
            given["kernel_shape"] = self.kernel
        if any(s != 1 for s in self.strides) or draw.chance(0.3):
            given["strides"] = self.strides
        if any(d != 1 for d in self.dilations) or draw.chance(0.3):
            given["dilations"] = self.dilations
        if self.auto in (None, "NOTSET") and (any(self.pads) or draw.chance(0.3)):
            given["pads"] = self.pads
        return given

    def sizes(self, ceil=False):
        ceil = ceil and self.auto != "VALID"  # the text's ceil of VALID is a floor: ceil((size - reach + 1) / stride)
        rank, out = len(self.kernel), []
        for i, size in enumerate(self.spatial):
            room = size + self.pads[i] + self.pads[i + rank] - self.reach[i]
            n = (-(-room // self.strides[i]) if ceil else room // self.strides[i]) + 1
            if ceil and (n - 1) * self.strides[i] >= size + self.pads[i]:
                n -= 1  # a window that would begin behind the data is left out
            out.append(n)
        return out

    def taps(self, at):
        """The places of x under the window at `at`, None for padding, in the kernel's order."""
        for k in itertools.product(*map(range, self.kernel)):
            place = [a * s - p + d * t for a, s, p, d, t in zip(at, self.strides, self.pads, self.dilations, k)]
            inside = all(0 <= v < size for v, size in zip(place, self.spatial))
            yield k, tuple(place), inside


def padded(x, window, value=0):
    rank = len(window.kernel)
    return np.pad(x, [(0, 0)] * (x.ndim - rank) + [(window.pads[i], window.pads[i + rank]) for i in range(rank)], constant_values=value)


def convolve(x, w, window, group):
    """x (n, c, ...), w (m, c / group, ...), of doubles or int64."""
    n, m, rank = x.shape[0], w.shape[0], len(window.kernel)
    xp = padded(x, window)
    out = window.sizes()
    y = np.zeros((n, m, *out), x.dtype)
    cg, mg = x.shape[1] // group, m // group
    for k in itertools.product(*map(range, window.kernel)):
        cut = tuple(slice(d * t, d * t + (o - 1) * s + 1, s) for d, t, o, s in zip(window.dilations, k, out, window.strides))
        part = xp[(slice(None), slice(None), *cut)]
        for g in range(group):
            y[:, g * mg:(g + 1) * mg] += np.einsum("nc...,mc->nm...", part[:, g * cg:(g + 1) * cg], w[(slice(g * mg, (g + 1) * mg), slice(None), *k)])
    assert rank == x.ndim - 2
    return y


def channels(draw):
    group = draw.choice([1, 1, 1, 2, 3])
    if draw.chance(0.15):  # depthwise
        group = draw.integer(1, 9)
        return group, group, group * draw.integer(1, 2)
    return group, group * draw.integer(1, 5), group * draw.integer(1, 9)


@sweep("Conv")
def conv(draw):
    dtype = draw.float_type()
    rank = draw.choice([1, 2, 2, 2, 3])
    window, (group, c, m) = Window(draw, rank), channels(draw)
    n = 0 if draw.chance(0.03) else draw.integer(1, 3)
    x, w = draw.plain(dtype, (n, c, *window.spatial)), draw.plain(dtype, (m, c // group, *window.kernel))
    b = draw.plain(dtype, (m,)) if draw.chance() else None
    shift = 0 if b is None else wide(b).reshape(-1, *[1] * rank)
    y = convolve(wide(x), wide(w), window, group) + shift
    size = convolve(np.abs(wide(x)), np.abs(wide(w)), window, group) + np.abs(shift)
    attributes = {**window.attributes(draw, draw.chance()), "group": group if group > 1 or draw.chance(0.3) else None}
    return Case([x, w, b], [y], attributes, ulps=sum_error(c // group * math.prod(window.kernel)) + 2, scale=size, types=[dtype])


@sweep("ConvInteger", "QLinearConv")
def conv_integer(draw, name):
    rank = draw.choice([1, 2, 2, 3])
    window, (group, c, m) = Window(draw, rank), channels(draw)
    tx, tw, ty = (np.dtype(draw.choice([np.int8, np.uint8])) for _ in range(3))
    if name == "ConvInteger":
        tx, tw = draw.dtype("T1"), draw.dtype("T2")
    x, w = draw.tensor(tx, (draw.integer(1, 2), c, *window.spatial), -128, 255), draw.tensor(tw, (m, c // group, *window.kernel), -128, 255)
    zx = draw.plain(tx, (), -9, 9)
    zw = draw.plain(tw, draw.choice([(), (m,)]), -9, 9)
    given = (True, True) if name == "QLinearConv" else (draw.chance(0.7), draw.chance(0.7))
    p = x.astype(np.int64) - (int(zx) if given[0] else 0)
    q = w.astype(np.int64) - (zw.astype(np.int64).reshape(-1, *[1] * (w.ndim - 1)) if given[1] else 0)
    y = convolve(p, q, window, group)
    attributes = {**window.attributes(draw, draw.chance()), "group": group if group > 1 or draw.chance(0.3) else None}
    if name == "ConvInteger":
        return Case([x, w, zx if given[0] else None, zw if given[1] else None], [y.astype(np.int32)], attributes)
    sx, sy = scales(draw, np.float32, ()), scales(draw, np.float32, ())
    sw = scales(draw, np.float32, zw.shape)
    zy = draw.plain(ty, (), -9, 9)
    b = draw.plain(np.int32, (m,), -200, 200) if draw.chance() else None
    if b is not None:
        y = y + b.reshape(-1, *[1] * rank)
    factor = float(sx) * sw.astype(np.float64) / float(sy)
    exact = y * (factor.reshape(-1, *[1] * rank) if sw.ndim else factor)
    out = np.clip(np.rint(exact) + int(zy), *limits(ty)).astype(ty)
    return Case([x, sx, zx, w, sw, zw, sy, zy, b], [out], attributes)


@sweep("ConvTranspose")
def conv_transpose(draw):
    dtype = draw.float_type()
    rank = draw.choice([1, 2, 2, 3])
    group = draw.choice([1, 1, 2, 3])
    cin, cout = draw.integer(1, 4), draw.integer(1, 4)
    kernel, strides, dilations = ([draw.integer(1, 3) for _ in range(rank)] for _ in range(3))
    spatial = [draw.integer(1, 5) for _ in range(rank)]
    extra = [draw.integer(0, max(0, max(s, d) - 1)) if draw.chance(0.3) else 0 for s, d in zip(strides, dilations)]
    way = draw.choice(["pads", "pads", "SAME_UPPER", "SAME_LOWER", "VALID", "output_shape"])
    full = [s * (n - 1) + e + d * (k - 1) + 1 for s, n, e, d, k in zip(strides, spatial, extra, dilations, kernel)]
    pads = [0] * (2 * rank)
    attributes = {}
    if way == "pads":
        for i in range(rank):
            pads[i] = draw.integer(0, min(2, full[i] - 1))
            pads[i + rank] = draw.integer(0, min(2, full[i] - 1 - pads[i]))
        attributes["pads"] = pads if any(pads) or draw.chance(0.3) else None
    else:
        if way == "output_shape":
            want = [draw.integer(max(1, f - 3), f) for f in full]
            attributes["output_shape"] = want
            upper = draw.choice([None, "SAME_UPPER", "SAME_LOWER"])
            attributes["auto_pad"] = upper
        else:
            attributes["auto_pad"] = way
            upper = way
            want = [n * s for n, s in zip(spatial, strides)] if way != "VALID" else full
        for i in range(rank):
            total = full[i] - want[i]
            if total < 0:
                return conv_transpose(draw)
            # The standard: SAME_UPPER puts the smaller half first; anything else the larger one.
            pads[i] = total // 2 if upper == "SAME_UPPER" else total - total // 2
            pads[i + rank] = total - pads[i]
    x = draw.plain(dtype, (draw.integer(1, 2), cin * group, *spatial))
    w = draw.plain(dtype, (cin * group, cout, *kernel))
    b = draw.plain(dtype, (cout * group,)) if draw.chance() else None

    def compute(v, u):
        y = np.zeros((v.shape[0], cout * group, *full))
        for k in itertools.product(*map(range, kernel)):
            cut = tuple(slice(d * t, d * t + (n - 1) * s + 1, s) for d, t, n, s in zip(dilations, k, spatial, strides))
            for g in range(group):
                part = np.einsum("nc...,cm->nm...", v[:, g * cin:(g + 1) * cin], u[(slice(g * cin, (g + 1) * cin), slice(None), *k)])
                y[(slice(None), slice(g * cout, (g + 1) * cout), *cut)] += part
        return y[(slice(None), slice(None), *(slice(pads[i], full[i] - pads[i + rank]) for i in range(rank)))]

    shift = 0 if b is None else wide(b).reshape(-1, *[1] * rank)
    for name, value in (("kernel_shape", kernel), ("strides", strides), ("dilations", dilations), ("output_padding", extra), ("group", group)):
        if (any(v != (0 if name == "output_padding" else 1) for v in (value if isinstance(value, list) else [value])) and name != "kernel_shape") or draw.chance(0.3):
            attributes[name] = value
    y = compute(wide(x), wide(w)) + shift
    size = compute(np.abs(wide(x)), np.abs(wide(w))) + np.abs(shift)
    return Case([x, w, b], [y], attributes, ulps=sum_error(cin * math.prod(kernel)) + 2, scale=size, types=[dtype])
