"""Operators over 8-bit tensors."""
import numpy as np
from draw import FLOAT, normal, often, pick, result, scalar, shape, size, thinner, whole
from elementwise_cases import case


def scale(rng, least=-6, most=0):
    return scalar(2.0 ** rng.uniform(least, most))


def zero(rng, dtype, missing=0.2):  # some operators of onnxruntime refuse a missing zero point, or die
    return None if often(rng, missing) else whole(rng, [], dtype)


def pair(rng, name, dtype, missing=0.02, constant=None):
    fixed = often(rng, 0.7) if constant is None else constant
    return [(f"{name}_scale", scale(rng), fixed), (f"{name}_zero", zero(rng, dtype, missing), fixed)]


def binary(rng):
    dtype = pick(rng, np.uint8, np.int8)
    dims = shape(rng, 0, 4, 7)
    a, b = (dims, thinner(rng, dims)) if often(rng) else (thinner(rng, dims), dims)
    if often(rng, 0.3):
        a = b = [size(rng, 40)]
    inputs = [("a", whole(rng, a, dtype), False), *pair(rng, "a", dtype), ("b", whole(rng, b, dtype), often(rng, 0.3)), *pair(rng, "b", dtype), *pair(rng, "c", dtype, 0)]
    return case(inputs, [result(inputs[0][1])])


def unary(**attributes):
    def make(rng):
        dtype = pick(rng, np.uint8, np.int8)
        x = whole(rng, shape(rng), dtype)
        given = {k: float(rng.uniform(-1, 1)) for k in attributes if often(rng)}
        return case([("x", x, False), *pair(rng, "x", dtype), *pair(rng, "y", dtype, 0)], [result(x)], **given)

    return make


def concat(rng):
    dtype = pick(rng, np.uint8, np.int8)
    dims = shape(rng, 1, 4, 5, 0.0)
    axis = int(rng.integers(-len(dims), len(dims)))
    inputs = [("y_scale", scale(rng), True), ("y_zero", whole(rng, [], dtype), True)]
    for i in range(size(rng, 3)):
        dims[axis] = size(rng, 4)
        inputs += [(f"x{i}", whole(rng, dims, dtype), False), (f"x{i}_scale", scale(rng), True), (f"x{i}_zero", whole(rng, [], dtype), True)]
    return case(inputs, [result(inputs[1][1])], axis=axis)


def global_pool(rng):
    dtype = pick(rng, np.uint8, np.int8)
    x = whole(rng, shape(rng, 3, 5, 6, 0.0), dtype)
    return case([("x", x, False), *pair(rng, "x", dtype, 0), *pair(rng, "y", dtype, 0)], [result(x)], channels_last=int(often(rng)))


def average_pool(rng):
    dtype = pick(rng, np.uint8, np.int8)
    rank = size(rng, 3)
    last = often(rng, 0.4)
    extent = [size(rng, 6) + 4 for _ in range(rank)]
    dims = [size(rng, 2), *extent, size(rng, 5)] if last else [size(rng, 2), size(rng, 5), *extent]
    kernel = [size(rng, 3) for _ in range(rank)]
    attributes = {"kernel_shape": kernel, "strides": [size(rng, 2) for _ in range(rank)], "count_include_pad": int(often(rng)), "ceil_mode": int(often(rng, 0.3)),
                  "channels_last": int(last)}
    if often(rng):
        attributes["pads"] = [int(rng.integers(0, k)) for k in kernel * 2]
    else:
        attributes["auto_pad"] = pick(rng, "VALID", "SAME_UPPER", "SAME_LOWER")
    x = whole(rng, dims, dtype)
    return case([("x", x, False), *pair(rng, "x", dtype), *pair(rng, "y", dtype)], [result(x)], **attributes)


def column_wise(rng, n, dtype, missing=0.2):
    """Scale and zero point of a matrix, for all of it or by column."""
    if often(rng):
        return scale(rng), zero(rng, dtype, missing)
    return (2.0 ** rng.uniform(-6, 0, n)).astype(np.float32), None if often(rng, missing) else whole(rng, [n], dtype)


def qgemm(rng):
    m, k, n = size(rng, 8), size(rng, 30), size(rng, 20)
    a_type, b_type = pick(rng, (np.uint8, np.uint8), (np.uint8, np.int8), (np.int8, np.int8))
    trans_a, trans_b, quantized = int(often(rng)), int(often(rng)), often(rng)
    b_scale, b_zero = column_wise(rng, n, b_type, 0)
    c = rng.integers(-3000, 3000, pick(rng, [m, n], [n], [1, n], [m, 1], [1, 1], [])).astype(np.int32) if often(rng, 0.7) else None
    y_type = a_type
    inputs = [("a", whole(rng, [k, m] if trans_a else [m, k], a_type), False), ("a_scale", scale(rng), True), ("a_zero", whole(rng, [], a_type), True),
              ("b", whole(rng, [n, k] if trans_b else [k, n], b_type), often(rng, 0.7)), ("b_scale", b_scale, True), ("b_zero", b_zero, True), ("c", c, often(rng)),
              ("y_scale", scale(rng, 0, 6) if quantized else None, True), ("y_zero", whole(rng, [], y_type) if quantized else None, True)]
    attributes = {"transA": trans_a, "transB": trans_b}
    if often(rng):
        attributes["alpha"] = float(rng.uniform(0.1, 2))
    return case(inputs, [result(whole(rng, [], y_type)) if quantized else FLOAT], **attributes)


def batches(rng, m, k):
    return [*shape(rng, 0, 2, 3, 0.0), m, k]


def dynamic_matmul(rng):
    m, k, n = size(rng, 8), size(rng, 30), size(rng, 20)
    b_type = pick(rng, np.uint8, np.int8)
    b_scale, b_zero = column_wise(rng, n, b_type)
    bias = normal(rng, [n]) if often(rng) else None
    constant = often(rng, 0.7)
    b = [k, n] if constant or often(rng) else batches(rng, k, n)
    a = batches(rng, m, k) if len(b) == 2 else [*b[:-2], m, k]
    if len(b) > 2:
        b_scale, b_zero = scale(rng), zero(rng, b_type)
    return case([("a", normal(rng, a), False), ("b", whole(rng, b, b_type), constant), ("b_scale", b_scale, constant), ("b_zero", b_zero, constant), ("bias", bias, often(rng))],
                [FLOAT])


def to_float(rng):
    m, k, n = size(rng, 8), size(rng, 30), size(rng, 20)
    a_type, b_type = pick(rng, (np.uint8, np.uint8), (np.uint8, np.int8), (np.int8, np.int8))
    b_scale, b_zero = column_wise(rng, n, b_type)
    bias = normal(rng, [n]) if often(rng) else None
    constant = often(rng, 0.7)
    return case([("a", whole(rng, batches(rng, m, k), a_type), False), ("b", whole(rng, [k, n], b_type), constant), ("a_scale", scale(rng), False),
                 ("b_scale", b_scale, constant), ("a_zero", zero(rng, a_type), False), ("b_zero", b_zero, constant), ("bias", bias, often(rng))], [FLOAT])


def lstm(rng):
    steps, batch, width, hidden = size(rng, 5), size(rng, 3), size(rng, 8), size(rng, 8)
    direction = pick(rng, "forward", "reverse", "bidirectional")
    ways = 2 if direction == "bidirectional" else 1
    dtype = pick(rng, np.uint8, np.int8)
    by_column = often(rng)
    dims = [ways, 4 * hidden] if by_column else [ways]
    scales = lambda: (2.0 ** rng.uniform(-9, -7, dims)).astype(np.float32)  # noqa: E731
    zeros = lambda: np.zeros(dims, dtype) if dtype == np.int8 or by_column else (rng.integers(120, 136, dims)).astype(dtype)  # noqa: E731
    maybe = lambda *d: normal(rng, d) if often(rng) else None  # noqa: E731
    inputs = [("x", normal(rng, [steps, batch, width]), False), ("w", whole(rng, [ways, width, 4 * hidden], dtype), True), ("r", whole(rng, [ways, hidden, 4 * hidden], dtype), True),
              ("b", maybe(ways, 8 * hidden), True), ("lens", rng.integers(1, steps + 1, batch).astype(np.int32) if often(rng, 0.3) else None, False),
              ("h", maybe(ways, batch, hidden), False), ("c", maybe(ways, batch, hidden), False), ("p", maybe(ways, 3 * hidden), True),
              ("w_scale", scales(), True), ("w_zero", zeros(), True), ("r_scale", scales(), True), ("r_zero", zeros(), True)]
    attributes = {"hidden_size": hidden, "direction": direction, "input_forget": int(often(rng, 0.2))}
    if often(rng, 0.3):
        attributes["clip"] = float(rng.uniform(0.5, 3))
    if often(rng, 0.3):
        attributes["activations"] = pick(rng, ["Sigmoid", "Tanh", "Tanh"], ["HardSigmoid", "Softsign", "Tanh"], ["Sigmoid", "Relu", "Tanh"]) * ways
    outputs = [FLOAT if often(rng, 0.8) else None, FLOAT if often(rng, 0.8) else None, FLOAT]
    return case(inputs, outputs, limit=4e-2, **attributes)  # a value at a tie goes either way, and through all later steps


def quantize(rng):
    dims = shape(rng, 1, 4, 6, 0.0)
    kind = pick(rng, np.uint8, np.int8, np.uint16, np.int16)
    x = normal(rng, dims, pick(rng, np.float32, np.float32, np.float16), 3)
    if often(rng):
        axis = int(rng.integers(0, len(dims)))
        s = (2.0 ** rng.integers(-6, 1, dims[axis])).astype(x.dtype)
        return case([("x", x, False), ("s", s, True), ("z", whole(rng, s.shape, kind), True)], [OUTPUTS[kind]], axis=axis)
    z = whole(rng, [], kind) if kind != np.uint8 or often(rng) else None
    return case([("x", x, False), ("s", scalar(2.0 ** rng.integers(-6, 1), x.dtype), True), ("z", z, True)], [OUTPUTS[kind]])


def dequantize(rng):
    dims = shape(rng, 1, 4, 6, 0.0)
    kind = pick(rng, np.uint8, np.int8, np.uint16, np.int16, np.int32)
    x, dtype = whole(rng, dims, kind), pick(rng, np.float32, np.float32, np.float16) if kind not in (np.uint16, np.int16, np.int32) else np.float32
    if often(rng):
        axis = int(rng.integers(0, len(dims)))
        s = (2.0 ** rng.uniform(-6, 1, dims[axis])).astype(dtype)
        z = np.zeros(s.shape, kind) if kind == np.int32 else whole(rng, s.shape, kind)
        return case([("x", x, False), ("s", s, True), ("z", z if often(rng, 0.7) else None, True)], [result(s)], axis=axis)
    z = np.zeros([], kind) if kind == np.int32 else whole(rng, [], kind)
    s = scalar(2.0 ** rng.uniform(-6, 1), dtype)
    return case([("x", x, False), ("s", s, True), ("z", z if often(rng, 0.7) else None, True)], [result(s)])


OUTPUTS = {np.uint8: 2, np.int8: 3, np.uint16: 4, np.int16: 5}
CASES = {
    "QLinearAdd": binary,
    "QLinearMul": binary,
    "QLinearSigmoid": unary(),
    "QLinearLeakyRelu": unary(alpha=0.01),
    "QLinearConcat": concat,
    "QLinearGlobalAveragePool": global_pool,
    "QLinearAveragePool": average_pool,
    "QGemm": qgemm,
    "DynamicQuantizeMatMul": dynamic_matmul,
    "MatMulIntegerToFloat": to_float,
    "DynamicQuantizeLSTM": lstm,
    "QuantizeLinear": quantize,
    "DequantizeLinear": dequantize,
}
