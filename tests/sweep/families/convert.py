"""Cast in all its pairs, and quantization."""
import math

import ml_dtypes
import numpy as np
from case import Case, element_type
from draw import DTYPES, f32, is_float, is_integer, limits, wide
from registry import sweep

EIGHT = {"float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz"}


def saturated(v, dtype, saturate):
    """Doubles to a float type, to nearest even; 8-bit floats saturate or not by the standard's table."""
    info = ml_dtypes.finfo(dtype)
    largest = float(info.max)
    name = np.dtype(dtype).name
    y = np.asarray(v).astype(dtype)
    if name == "float4_e2m1fn":
        return np.where(np.isnan(v), largest, np.clip(v, -largest, largest)).astype(dtype)
    if not name.startswith("float8") or "e8m0" in name:
        return y
    wide_y = y.astype(np.float64)
    over = ~np.isnan(v) & (np.isinf(wide_y) | np.isnan(wide_y))
    if saturate:
        return np.where(over, np.copysign(largest, v), v).astype(dtype)
    beyond = np.inf if name == "float8_e5m2" else np.nan
    return np.where(over, np.copysign(beyond, v), v).astype(dtype)


def integer_of(v, dtype):
    """Toward zero to int64, the ends saturate, NaN is 0; then the low bits. uint64 keeps what it can hold above that."""
    least, most = limits(np.int64)
    most = limits(np.uint64)[1] if np.dtype(dtype) == np.uint64 else most
    flat = [0 if math.isnan(e) else max(least, min(most, int(e))) if math.isfinite(e) else (most if e > 0 else least) for e in np.asarray(v).reshape(-1).tolist()]
    return wrapped(np.array(flat, object).reshape(np.shape(v)), dtype)


def wrapped(v, dtype):
    least, most = limits(dtype)
    span = most - least + 1
    flat = [(int(e) - least) % span + least for e in np.asarray(v, object).reshape(-1)]
    if np.dtype(dtype).kind == "V":
        return np.array(flat, np.int64).astype(dtype).reshape(np.shape(v))
    return np.array(flat, object).astype(dtype).reshape(np.shape(v))


def cast(x, dtype, saturate):
    dtype = np.dtype(dtype)
    if dtype == x.dtype:
        return x  # no conversion, so that an infinity stays one
    if dtype == np.bool_:
        return np.asarray(wide(x) != 0)
    if is_integer(dtype):
        return integer_of(wide(x), dtype) if is_float(x.dtype) else wrapped(x.astype(np.int64 if x.dtype != np.uint64 else np.uint64), dtype)
    v = x.astype(np.int64).astype(object) if is_integer(x.dtype) and x.dtype != np.uint64 else x
    if x.dtype.kind in "iu" and dtype in (np.float32, np.float64, np.float16):
        return x.astype(dtype)
    return saturated(np.asarray(v).astype(np.float64), dtype, saturate)


def number_pair(draw, source, target):
    """What both can hold without a question: complex and strings have their own cases; e8m0 has no sign and no zero."""
    without = ("string", "complex64", "complex128", "float8e8m0")
    x_type, to = draw.dtype(source, without), draw.dtype(target, without)
    shape = draw.shape(0, 3)
    if is_float(x_type):
        x = draw.tensor(x_type, shape, *draw.choice([(-9, 9), (-500, 500), (-70000, 70000)]))
        if draw.chance(0.3) and x_type.itemsize > 1:  # halves: ties to even
            x = (np.rint(wide(draw.plain(x_type, shape, -40, 40))) / 2).astype(x_type)
    else:
        x = draw.tensor(x_type, shape, -300, 300)
    return x, to


@sweep("Cast", "CastLike")
def cast_(draw, name):
    saturate = draw.choice([None, 0, 1])
    x, to = number_pair(draw, "T1", "T2")
    if to.name not in ("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz"):
        saturate = None
    if x.dtype == np.float64 and is_float(to) and to.itemsize < 4:
        x = x.astype(np.float32).astype(np.float64)  # once or twice rounded: not what is asked here
    y = cast(x, to, saturate in (None, 1))
    if is_integer(x.dtype) and is_float(to) and to.itemsize < 4 and np.any(np.abs(x.astype(np.float64)) > 2**24):
        return cast_(draw, name)
    if to.name == "float4_e2m1fn" and is_float(x.dtype) and np.any(np.isnan(wide(x))):
        return cast_(draw, name)  # has no NaN: left open
    attributes = {"saturate": saturate}
    if name == "Cast":
        return Case([x], [y], {"to": element_type(to), **attributes}, bits=True)
    return Case([x, np.zeros((draw.integer(0, 2),), to)], [y], attributes, bits=True)


def quantized(v, dtype, saturate=True):
    """Integers round to nearest even and saturate; float types round as Cast does."""
    if is_integer(dtype):
        least, most = limits(dtype)
        return np.clip(np.rint(v), least, most)
    return saturated(v, dtype, saturate).astype(np.float64)


def spread(parameter, shape, axis, block):
    """A scale per tensor, along an axis, or for blocks along it, as an array that fits x."""
    if parameter.ndim == 0:
        return parameter
    if block:
        return np.take(np.repeat(parameter, block, axis), range(shape[axis]), axis)
    return parameter.reshape([-1 if i == axis % len(shape) else 1 for i in range(len(shape))])


def layout(draw, low=1):
    """(shape of x, shape of the scale, axis, block size)"""
    way = draw.integer(0, 2)
    shape = draw.shape(1, 4, zero=0.02)
    axis = draw.axis(len(shape))
    if way == 0:
        return shape, (), None, None
    if way == 1:
        return shape, (shape[axis],), axis, None
    block = draw.integer(1, max(1, shape[axis]))
    parts = -(-shape[axis] // block)
    return shape, tuple(parts if i == axis % len(shape) else d for i, d in enumerate(shape)), axis, block


def scales(draw, dtype, shape):
    return np.asarray(2.0 ** draw.rng.integers(-4, 3, shape)).astype(dtype)  # exact quotients: no tie is decided by rounding


@sweep("QuantizeLinear")
def quantize(draw):
    names = [t[7:-1] for t in draw.types["T3"] if t[7:-1] in DTYPES]
    to = np.dtype(DTYPES[draw.choice(names)])
    x_type = draw.dtype("T1")
    scale_type = np.dtype(draw.choice([np.float32, x_type])) if is_float(x_type) else np.dtype(np.float32)
    shape, part, axis, block = layout(draw)
    x = np.rint(wide(draw.plain(x_type, shape, -99, 99)) * 2) / 2
    x = x.astype(x_type)
    scale = scales(draw, scale_type, part)
    if to.name == "float8_e8m0fnu":
        x = np.abs(wide(x)).astype(x_type)
    zero = draw.plain(to, part, -3, 3) if is_integer(to) else np.zeros(part, to)
    if "e8m0" in to.name:
        return quantize(draw)
    saturate = draw.choice([None, 0, 1]) if to.name.startswith("float8") else None
    given_zero = draw.chance(0.7)
    attributes = {"axis": axis, "block_size": block, "saturate": saturate}
    if not given_zero:
        zero = np.zeros(part, to)
        if to != np.uint8 or draw.chance(0.5):
            attributes["output_dtype"] = element_type(to)
    at = 1 if axis is None else axis
    v = wide(x).astype(np.float64) / wide(spread(scale, shape, at, block))
    v = (np.rint(v) + wide(spread(zero, shape, at, block)).astype(np.float64)) if is_integer(to) else v
    y = quantized(v, to, saturate in (None, 1))
    y = y.astype(np.int64).astype(to) if is_integer(to) else saturated(v, to, saturate in (None, 1))
    if scale_type.itemsize == 2 or x_type.itemsize == 2:
        attributes["precision"] = 1  # float32: the quotient must not overflow half
    return Case([x, scale, zero if given_zero else None], [y], attributes)


@sweep("DequantizeLinear")
def dequantize(draw):
    from_type = draw.dtype("T1", without=("int32", "float8e8m0"))
    scale_type = np.dtype(draw.choice([np.float32, np.float16, ml_dtypes.bfloat16]))
    shape, part, axis, block = layout(draw)
    x = draw.plain(from_type, shape, -99, 99)
    scale = scales(draw, scale_type, part)
    zero = draw.plain(from_type, part, -3, 3) if is_integer(from_type) else np.zeros(part, from_type)
    given_zero = draw.chance(0.7)
    at = 1 if axis is None else axis
    v = wide(x).astype(np.float64)
    if given_zero:
        v = v - wide(spread(zero, shape, at, block)).astype(np.float64)
    y = v * wide(spread(scale, shape, at, block))
    to = draw.choice([None, *(t[7:-1] for t in draw.types["T3"])]) if "T3" in draw.types else None
    to = to if to in (None, "float", "float16", "bfloat16") else None
    out = scale_type if to is None else np.dtype(DTYPES[to])
    attributes = {"axis": axis, "block_size": block, "output_dtype": None if to is None else element_type(out)}
    return Case([x, scale, zero if given_zero else None], [y], attributes, ulps=1, types=[out])


@sweep("DynamicQuantizeLinear")
def dynamic_quantize(draw):
    x = draw.plain(np.float32, draw.shape(1, 4, zero=0), *draw.choice([(-4, 4), (1, 5), (-5, -1)]))
    low, high = np.float32(min(0, x.min())), np.float32(max(0, x.max()))
    scale = (high - low) / np.float32(255)
    if scale == 0:
        return dynamic_quantize(draw)
    zero = np.uint8(np.clip(np.rint(np.float32(0) - low / scale), 0, 255))
    y = np.clip(np.rint(x / scale) + np.float32(zero), 0, 255).astype(np.uint8)

    def near(outputs):
        if not np.isclose(outputs[1], scale, rtol=1e-6):
            return f"scale {outputs[1]}, {scale} wanted"
        if abs(int(outputs[2]) - int(zero)) > 0 and abs(float(low / scale) % 1 - 0.5) > 1e-3:
            return f"zero point {outputs[2]}, {zero} wanted"
        off = np.abs(outputs[0].astype(int) - y.astype(int))
        tie = np.abs(np.abs(x / scale) % 1 - 0.5) < 1e-3
        return None if np.all((off == 0) | tie | (outputs[2] != zero) & (off < 2)) else f"differs: {outputs[0]}, {y} wanted"

    from case import UNCHECKED
    return Case([x], [UNCHECKED] * 3, rest=near)


def zero_points(draw, dtype, shapes):
    return None if draw.chance(0.3) else draw.plain(dtype, draw.choice(shapes), -3, 3)


def matmul_shapes(draw):
    """Batches that broadcast, vectors, and sizes around the kernels' blocks."""
    m, k, n = (draw.choice([0, 1, 2, 3, 5, 8, 16, 17, 33, 40]) if draw.chance(0.9) else draw.choice([64, 65, 100]) for _ in range(3))
    batch_a, batch_b = draw.broadcast(2, 2)
    if draw.chance(0.15):
        return (k,), (*batch_b, k, n)
    if draw.chance(0.15):
        return (*batch_a, m, k), (k,)
    return (*batch_a, m, k), (*batch_b, k, n)


@sweep("MatMulInteger")
def matmul_integer(draw):
    ta, tb = draw.dtype("T1"), draw.dtype("T2")
    a, b = matmul_shapes(draw)
    a, b = draw.tensor(ta, a, -128, 255), draw.tensor(tb, b, -128, 255)
    rows = a.shape[-2] if a.ndim > 1 else None
    za = None if draw.chance(0.3) else draw.plain(ta, draw.choice([(), (1,)] + ([(rows,)] if a.ndim == 2 and rows else [])), -9, 9)
    zb = None if draw.chance(0.3) else draw.plain(tb, draw.choice([(), (1,)] + ([(b.shape[-1],)] if b.ndim == 2 else [])), -9, 9)
    p = a.astype(np.int64) - (0 if za is None else za.astype(np.int64).reshape(-1, 1) if za.shape == (rows,) and rows != 1 else za.astype(np.int64))
    q = b.astype(np.int64) - (0 if zb is None else zb.astype(np.int64))
    return Case([a, b, za, zb], [np.asarray(np.matmul(p, q)).astype(np.int32)])


@sweep("QLinearMatMul")
def qlinear_matmul(draw):
    ints = [np.int8, np.uint8]
    ta, tb, ty = (np.dtype(draw.choice(ints)) for _ in range(3))
    a, b = matmul_shapes(draw)
    a, b = draw.tensor(ta, a, -128, 255), draw.tensor(tb, b, -128, 255)
    sa, sb, sy = (scales(draw, np.float32, ()) for _ in range(3))
    za, zb, zy = (draw.plain(t, (), -9, 9) for t in (ta, tb, ty))
    per_column = b.ndim == 2 and b.shape[1] and draw.chance(0.3)
    if per_column:
        sb, zb = scales(draw, np.float32, (b.shape[1],)), draw.plain(tb, (b.shape[1],), -9, 9)
    p = a.astype(np.int64) - int(za)
    q = b.astype(np.int64) - zb.astype(np.int64)
    exact = np.matmul(p, q) * (float(sa) * sb.astype(np.float64) / float(sy))
    y = np.clip(np.rint(exact) + float(zy), *limits(ty)).astype(ty)
    return Case([a, sa, za, b, sb, zb, sy, zy], [np.asarray(y)])


