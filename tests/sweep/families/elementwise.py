"""Maps over one operand, and over operands that broadcast."""
import math

import numpy as np
from case import Case
from draw import f32, is_float, is_integer, wide
from registry import sweep

erf = np.vectorize(math.erf, otypes=[np.float64])


def sigmoid(x):
    return np.where(x >= 0, 1 / (1 + np.exp(-np.abs(x))), np.exp(-np.abs(x)) / (1 + np.exp(-np.abs(x))))


def softplus(x):
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


def exact_erf(x):
    return erf(x).reshape(x.shape)


# Name: (function of a double, lower end, upper end). A value counts as near within 4 steps of its type: the kernels'
# polynomials keep 3 in float32, the rounding is one.
MATH = {
    "Acos": (np.arccos, -1, 1), "Acosh": (np.arccosh, 1, 90), "Asin": (np.arcsin, -1, 1), "Asinh": (np.arcsinh, -9, 9),
    "Atan": (np.arctan, -9, 9), "Atanh": (np.arctanh, -1, 1), "Cos": (np.cos, -9, 9), "Cosh": (np.cosh, -9, 9),
    "Erf": (exact_erf, -5, 5), "Exp": (np.exp, -20, 20), "Log": (np.log, 0, 99), "Sigmoid": (sigmoid, -20, 20),
    "Sin": (np.sin, -9, 9), "Sinh": (np.sinh, -9, 9), "Softplus": (softplus, -20, 20), "Sqrt": (np.sqrt, 0, 99),
    "Tan": (np.tan, -9, 9), "Tanh": (np.tanh, -9, 9), "Reciprocal": (lambda x: 1 / x, -9, 9),
    "Softsign": (lambda x: np.where(np.isinf(x), np.nan, x / (1 + np.abs(x))), -9, 9),
}  # fmt: skip


@sweep(*MATH)
def math_function(draw, name):
    function, low, high = MATH[name]
    constraint = next(iter(draw.types))
    dtype = draw.float_type(constraint) if draw.chance(0.8) else draw.dtype(constraint)
    x = draw.tensor(dtype, draw.shape(), low, high)
    y = function(wide(x))
    if name in ("Sin", "Cos", "Tan"):
        x = np.where(np.abs(wide(x)) > 1e4, 1, wide(x)).astype(dtype)
        y = function(wide(x))
    scale = None
    if name in ("Sin", "Cos", "Tan"):  # near their zeros and poles the argument's own rounding decides
        scale = np.maximum(1, np.abs(y))
    return Case([x], [y], ulps=4, scale=scale, types=[dtype])


EXACT = {
    "Abs": np.abs, "Neg": np.negative, "Ceil": np.ceil, "Floor": np.floor, "Round": np.rint, "Sign": np.sign, "Relu": lambda x: np.maximum(x, 0),
    "Identity": lambda x: x, "Not": np.logical_not, "BitwiseNot": np.invert,
    "IsNaN": lambda x: np.isnan(x),
}  # fmt: skip


@sweep(*EXACT)
def exact_function(draw, name):
    dtype = draw.dtype(next(iter(draw.types)))
    x = draw.tensor(dtype, draw.shape(), -9, 9)
    if name == "Identity":
        return Case([x], [x], bits=True)
    y = EXACT[name](wide(x))
    return Case([x], [np.asarray(y).astype(bool if name == "IsNaN" else dtype)])


@sweep("IsInf")
def is_inf(draw):
    x = draw.tensor(draw.dtype("T1"), draw.shape())
    attributes = {k: draw.integer(0, 1) for k in draw.some(["detect_negative", "detect_positive"])}
    y = (np.isposinf(wide(x)) & (attributes.get("detect_positive", 1) == 1)) | (np.isneginf(wide(x)) & (attributes.get("detect_negative", 1) == 1))
    return Case([x], [y], attributes)


def elu(x, alpha):
    return np.where(x < 0, alpha * np.expm1(x), x)


# Name: (function of x and the attributes, {attribute: (default, low, high)}). Scale 1: differences of terms of that size.
ACTIVATIONS = {
    "Elu": (lambda x, alpha: elu(x, alpha), {"alpha": (1, -2, 2)}),
    "Celu": (lambda x, alpha: np.maximum(x, 0) + np.minimum(0, alpha * np.expm1(x / alpha)), {"alpha": (1, 0.2, 2)}),
    "Selu": (lambda x, alpha, gamma: np.where(x > 0, gamma * x, gamma * (alpha * np.exp(x) - alpha)), {"alpha": (1.67326319217681884765625, 0.5, 2), "gamma": (1.05070102214813232421875, 0.5, 2)}),
    "LeakyRelu": (lambda x, alpha: np.where(x < 0, alpha * x, x), {"alpha": (0.01, -2, 2)}),
    "ThresholdedRelu": (lambda x, alpha: np.where(np.isnan(x), np.nan, np.where(x > alpha, x, 0)), {"alpha": (1, -2, 2)}),
    "HardSigmoid": (lambda x, alpha, beta: np.maximum(0, np.minimum(1, alpha * x + beta)), {"alpha": (0.2, -1, 1), "beta": (0.5, -1, 1)}),
    "Swish": (lambda x, alpha: x * sigmoid(alpha * x), {"alpha": (1, -2, 2)}),
}


@sweep(*ACTIVATIONS)
def activation(draw, name):
    function, declared = ACTIVATIONS[name]
    given = {k: draw.real(*declared[k][1:]) for k in draw.some(list(declared))}
    values = {k: f32(given.get(k, v[0])) for k, v in declared.items()}
    dtype = draw.float_type()
    special = name not in ("Swish", "HardSigmoid", "ThresholdedRelu")
    x = draw.tensor(dtype, draw.shape(), special=special)
    return Case([x], [function(wide(x), **values)], given, ulps=4, scale=1.0, types=[dtype])


@sweep("Gelu")
def gelu(draw):
    dtype = draw.float_type()
    x = draw.plain(dtype, draw.shape(), -6, 6)
    v, way = wide(x), draw.choice([None, "none", "tanh"])
    exact = 0.5 * v * (1 + exact_erf(v / math.sqrt(2)))
    near = 0.5 * v * (1 + np.tanh(math.sqrt(2 / math.pi) * (v + 0.044715 * v**3)))
    return Case([x], [near if way == "tanh" else exact], {"approximate": way}, ulps=4, scale=np.abs(v), types=[dtype])


@sweep("HardSwish", "Mish")
def smooth(draw, name):
    dtype = draw.float_type()
    x = draw.plain(dtype, draw.shape(), -9, 9)
    v = wide(x)
    y = v * np.maximum(0, np.minimum(1, v / 6 + 0.5)) if name == "HardSwish" else v * np.tanh(softplus(v))
    return Case([x], [y], ulps=4, scale=np.abs(v), types=[dtype])


@sweep("SwiGLU")
def swiglu(draw):
    dtype = draw.float_type()
    shape = draw.shape()
    a, b = draw.plain(dtype, shape), draw.plain(dtype, shape)
    alpha = draw.choice([None, draw.real(-2, 2)])
    y = wide(a) * sigmoid((1.0 if alpha is None else alpha) * wide(a)) * wide(b)
    return Case([a, b], [y], {"alpha": alpha}, ulps=6, scale=np.abs(wide(a) * wide(b)), types=[dtype])


@sweep("Shrink")
def shrink(draw):
    dtype = draw.dtype("T")
    x = draw.plain(dtype, draw.shape(), -9, 9)
    given = {k: draw.choice([draw.real(-1, 3), float(draw.integer(0, 3))]) for k in draw.some(["bias", "lambd"])}
    bias, lambd = given.get("bias", 0.0), given.get("lambd", 0.5)
    if is_integer(dtype):
        given["bias"] = bias = float(abs(round(bias)))
    if np.dtype(dtype).kind == "u":
        given["lambd"] = lambd = abs(lambd) + bias
    v = x.astype(np.float64)
    y = np.where(v < -lambd, v + bias, np.where(v > lambd, v - bias, 0))
    return Case([x], [y if is_float(dtype) else y.astype(dtype)], given, ulps=2, scale=np.abs(v), types=[dtype])


@sweep("Clip")
def clip(draw):
    dtype = draw.dtype("T")
    x = draw.tensor(dtype, draw.shape(), -9, 9)
    low, high = (draw.plain(dtype, (), -5, 5) if draw.chance(0.7) else None for _ in range(2))
    y = wide(x)
    if low is not None:
        y = np.maximum(y, wide(low))
    if high is not None:
        y = np.minimum(y, wide(high))
    return Case([x, low, high], [np.asarray(y).astype(dtype)])


@sweep("PRelu")
def prelu(draw):
    dtype = draw.dtype("T")
    shape = draw.shape(0, 4)
    slope_shape = tuple(1 if draw.chance(0.3) else d for d in shape[draw.integer(0, len(shape)):])
    x, slope = draw.plain(dtype, shape, -9, 9), draw.plain(dtype, slope_shape, -3, 3)
    y = np.where(wide(x) < 0, wide(slope) * wide(x), wide(x))
    return Case([x, slope], [y], ulps=1, types=[dtype])


def integer_pow(base, power, dtype):
    """Wrapping; 0 to a negative power is an error and is not drawn."""
    bits = 8 * np.dtype(dtype).itemsize
    modulus = 1 << bits

    def one(b, p):
        b, p = int(b), int(p)
        if p < 0:
            return {1: 1, -1: -1 if p % 2 else 1}.get(b, 0)
        value = pow(b, p, modulus)
        return value - modulus if np.dtype(dtype).kind == "i" and value >= modulus // 2 else value

    out = [one(b, p) for b, p in zip(base.flat, power.flat)]
    return np.array(out, object).astype(dtype).reshape(base.shape)


@sweep("Add", "Sub", "Mul")
def ring(draw, name):
    dtype = draw.dtype("T")
    a, b = (draw.tensor(dtype, s, -9, 9) for s in draw.broadcast())
    function = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply}[name]
    return Case([a, b], [function(wide(a), wide(b))], ulps=1 if is_float(dtype) else 0, types=[dtype])


@sweep("Div")
def div(draw):
    dtype = draw.dtype("T")
    a, b = (draw.tensor(dtype, s, -9, 9) for s in draw.broadcast())
    if is_integer(dtype):
        b = np.where(b == 0, np.asarray(3, dtype), b)
        wrapped = np.vectorize(lambda p, q: abs(int(p)) // abs(int(q)) * (1 if (int(p) < 0) == (int(q) < 0) else -1), otypes=[object])
        wide_a, wide_b = np.broadcast_arrays(a, b)
        exact = wrapped(wide_a, wide_b) if wide_a.size else np.zeros(wide_a.shape, object)
        bits = 8 * dtype.itemsize
        if dtype.kind == "i":
            exact = (exact + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))
        return Case([a, b], [np.asarray(exact).astype(dtype)])
    return Case([a, b], [wide(a) / wide(b)], ulps=1, types=[dtype])


@sweep("Mod")
def mod(draw):
    dtype = draw.dtype("T")
    fmod = 1 if is_float(dtype) else draw.choice([None, 0, 1])
    a, b = (draw.tensor(dtype, s, -9, 9) for s in draw.broadcast())
    if is_integer(dtype):
        b = np.where(b == 0, np.asarray(3, dtype), b)
        wide_a, wide_b = np.broadcast_arrays(a, b)
        def exact(p, q):
            rest = abs(int(p)) % abs(int(q))
            if fmod:
                return -rest if int(p) < 0 else rest
            return int(p) % int(q)

        y = np.array([exact(p, q) for p, q in zip(wide_a.flat, wide_b.flat)], object).astype(dtype).reshape(wide_a.shape)
        return Case([a, b], [y], {"fmod": fmod})
    return Case([a, b], [np.fmod(wide(a), wide(b))], {"fmod": fmod}, types=[dtype])


@sweep("Pow")
def power(draw):
    base_type, power_type = draw.dtype("T"), draw.dtype("T1")
    x, p = draw.broadcast()
    x = draw.plain(base_type, x, 0.1 if is_float(base_type) and is_float(power_type) else -5, 5)
    p = draw.plain(power_type, p, -3, 3) if is_float(base_type) else draw.plain(power_type, p, 0, 4)
    a, b = np.broadcast_arrays(x, p)
    if is_integer(base_type) and is_integer(power_type):
        return Case([x, p], [integer_pow(a, b, base_type)])
    if is_integer(base_type):
        p = np.rint(wide(p)).astype(power_type)
        b = np.broadcast_to(p, a.shape)
    y = np.power(a.astype(np.float64), b.astype(np.float64))
    if is_integer(base_type):
        x = np.abs(x.astype(np.int64)).clip(0, 3).astype(base_type)
        y = np.power(np.broadcast_to(x, a.shape).astype(np.float64), b.astype(np.float64))
        return Case([x, p], [np.asarray(y).astype(np.int64).astype(base_type)])
    return Case([x, p], [y], ulps=6, types=[base_type])


@sweep("Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual")
def comparison(draw, name):
    dtype = draw.dtype("T")
    a, b = (draw.tensor(dtype, s, -2, 2) for s in draw.broadcast())
    if is_float(dtype):
        a, b = (np.where(np.abs(wide(t)) < 4, np.rint(wide(t)), wide(t)).astype(dtype) for t in (a, b))
    function = {"Equal": np.equal, "Greater": np.greater, "GreaterOrEqual": np.greater_equal, "Less": np.less, "LessOrEqual": np.less_equal}[name]
    return Case([a, b], [np.asarray(function(a, b)).astype(bool)])


@sweep("And", "Or", "Xor")
def logic(draw, name):
    a, b = (draw.tensor(bool, s) for s in draw.broadcast())
    return Case([a, b], [{"And": np.logical_and, "Or": np.logical_or, "Xor": np.logical_xor}[name](a, b)])


@sweep("BitwiseAnd", "BitwiseOr", "BitwiseXor")
def bitwise(draw, name):
    dtype = draw.dtype("T")
    a, b = (draw.tensor(dtype, s, -99, 99) for s in draw.broadcast())
    return Case([a, b], [{"BitwiseAnd": np.bitwise_and, "BitwiseOr": np.bitwise_or, "BitwiseXor": np.bitwise_xor}[name](a, b)])


@sweep("BitShift")
def bit_shift(draw):
    dtype = draw.dtype("T")
    bits = 8 * dtype.itemsize
    shapes = draw.broadcast()
    a, b = draw.tensor(dtype, shapes[0], -200, 200), draw.plain(dtype, shapes[1], 0, bits - 1)
    direction = draw.choice(["LEFT", "RIGHT"])
    y = np.left_shift(a, b) if direction == "LEFT" else np.right_shift(a, b)
    return Case([a, b], [np.asarray(y).astype(dtype)], {"direction": direction})


@sweep("Max", "Min", "Sum", "Mean")
def variadic(draw, name):
    dtype = draw.dtype("T")
    count = draw.integer(1, 4)
    xs = [draw.tensor(dtype, s, -9, 9) for s in draw.broadcast(count)]
    if name in ("Max", "Min"):
        y = wide(xs[0])
        for x in xs[1:]:
            y = (np.maximum if name == "Max" else np.minimum)(y, wide(x))
        return Case(xs, [np.asarray(y).astype(dtype)])
    y, size = 0.0, 0.0
    for x in xs:
        y, size = y + wide(x), size + np.abs(wide(x))
    divisor = count if name == "Mean" else 1
    top = float(np.finfo(np.float32).max)
    if np.any(np.isfinite(y) & (size > top / 4)):
        return variadic(draw, name)  # a sum that overflows on its way has no one value
    return Case(xs, [y / divisor], ulps=4, scale=size / divisor, types=[dtype])


@sweep("Where")
def where(draw):
    dtype = draw.dtype("T")
    condition, x, y = draw.broadcast(3)
    condition, x, y = draw.tensor(bool, condition), draw.tensor(dtype, x), draw.tensor(dtype, y)
    return Case([condition, x, y], [np.where(condition, x, y)], bits=True)
