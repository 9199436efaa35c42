"""Elementwise operators, conversions, signals, recurrences."""
import numpy as np

from operator_cases import Case, Constant, integers, normal

PLANES = normal(1, 64, 56, 56)


def stft(length, window, step):
    return Case(f"STFT {window} by {step}", "STFT",
                [normal(1, length), Constant(np.int64(step)), Constant(np.hanning(window).astype(np.float32))], opset=17)


def recurrence(op, gates, hidden=128, steps=100, depth=64):
    return Case(f"{op} {steps} steps, {hidden}", op,
                [normal(steps, 1, depth), *(Constant(0.1 * normal(1, *shape)) for shape in (
                    (gates * hidden, depth), (gates * hidden, hidden), (2 * gates * hidden,)))],
                dict(hidden_size=hidden), outputs=2, opset=14)


# Elementwise operators over element types and ways to broadcast.
TEN = {name: (10 * PLANES if name[0] != "u" else abs(10 * PLANES)).astype(name)
       for name in ("float32", "float16", "float64", "int64", "int32", "int8", "uint8")}
MASK = PLANES > 0
TO = dict(float32=1, uint8=2, int8=3, int32=6, int64=7, bool=9, float16=10, float64=11)


def other(values):
    turned = values[:, ::-1].copy()
    return np.where(turned == 0, np.ones_like(turned), turned)


def pairs(op, types, **attributes):
    for name in types:
        fmod = dict(fmod=1) if op == "Mod" and name[0] == "f" else {}
        yield Case(f"{op} {name}", op, [TEN[name], other(TEN[name])], {**attributes, **fmod})
        yield Case(f"{op} {name} by one", op, [TEN[name], Constant(np.asarray(3, name))], {**attributes, **fmod})


def broadcasts(op, name):
    x, y = TEN[name], other(TEN[name])
    parts = dict(channel=y[0, :, :1, :1], row=y[0, 0, 0], column=y[0, 0, :, :1])
    for how, part in parts.items():
        yield Case(f"{op} {name}, one operand a {how}", op, [x, part.copy()])
    yield Case(f"{op} {name}, both repeated", op, [x[..., :1].copy(), y[:, :, :1].copy()])


def quantized(name, scales, axis, block=0):
    shape = (784, 256)
    count = dict(tensor=(), axis=(256,), blocks=(784, 8))[scales]
    by = [Constant(np.full(count, 0.02, np.float32)), Constant(np.full(count, 3, name))]
    attributes = dict(axis=axis, block_size=block) if scales != "tensor" else {}
    yield Case(f"QuantizeLinear {name}, {scales}", "QuantizeLinear", [normal(*shape), *by], attributes, opset=21)
    yield Case(f"DequantizeLinear {name}, {scales}", "DequantizeLinear", [(20 * normal(*shape)).astype(name), *by],
               attributes, opset=21)


ELEMENTWISE = [
    *(case for op in ("Add", "Sub", "Mul", "Div", "Max", "Min", "Mod") for case in pairs(op, TEN)),
    *(case for op in ("Equal", "Greater", "LessOrEqual") for case in pairs(op, TEN)),
    *(case for op in ("BitwiseAnd", "BitwiseXor") for case in pairs(op, ("int32", "int64", "uint8"))),
    *(case for op in ("Add", "Mul", "Max") for name in ("float32", "int64") for case in broadcasts(op, name)),
    *(Case(f"Pow {name} by 2", "Pow", [TEN[name], Constant(np.asarray(2, name))])
      for name in ("float16", "float64", "int64")),
    *(Case(f"Where {name}", "Where", [MASK, values, other(values)], opset=16) for name, values in TEN.items()),
    *(Case(f"Where {name}, two numbers", "Where", [MASK, np.asarray(4, name), np.asarray(3, name)], opset=16)
      for name in TEN),
    *(Case(f"Clip {name}", "Clip", [values, Constant(np.asarray(1, name)), Constant(np.asarray(9, name))])
      for name, values in TEN.items()),
    *(Case(f"Cast {a} to {b}", "Cast", [TEN.get(a, MASK)], dict(to=TO[b]), opset=19) for a in TO for b in TO if a != b),
    *(Case(f"{op} {name}", op, [TEN[name]]) for op in ("Abs", "Neg", "Sign") for name in ("float64", "int64", "int8")),
    *(Case(f"{op} of three", op, [PLANES, PLANES[:, ::-1].copy(), PLANES[..., ::-1].copy()])
      for op in ("Sum", "Mean", "Max")),
    *(Case(op, op, [np.clip(PLANES, -0.99, 0.99)]) for op in ("Acos", "Asin", "Atanh")),
    *(Case(op, op, [PLANES]) for op in ("Asinh", "Atan", "Cosh", "Sinh", "Tan", "Sign", "IsNaN", "IsInf")),
    Case("Acosh", "Acosh", [1 + abs(PLANES)]),
    Case("Not", "Not", [MASK]),
    *(case for name in ("uint8", "int8", "uint16") for scales, axis, block in (
        ("tensor", 0, 0), ("axis", -1, 0), ("blocks", -1, 32)) for case in quantized(name, scales, axis, block)),
    Case("DynamicQuantizeLinear", "DynamicQuantizeLinear", [PLANES], outputs=3),
]

CASES = [
    *ELEMENTWISE,
    *(Case(op, op, [PLANES]) for op in (
        "HardSwish", "HardSigmoid", "Mish", "Elu", "Selu", "Celu", "LeakyRelu", "ThresholdedRelu", "Softplus", "Softsign",
        "Gelu", "Erf", "Sigmoid", "Tanh", "Shrink", "Exp", "Sin", "Cos")),
    Case("Log", "Log", [abs(PLANES)]),
    Case("Pow 2", "Pow", [PLANES, Constant(np.float32(2))]),
    Case("Pow 1.7", "Pow", [abs(PLANES), Constant(np.float32(1.7))]),
    Case("PRelu by channel", "PRelu", [PLANES, Constant(normal(64, 1, 1))]),
    Case("Clip", "Clip", [PLANES, Constant(np.float32(-1)), Constant(np.float32(1))]),
    Case("Where", "Where", [PLANES > 0, PLANES, -PLANES], opset=16),
    Case("QuantizeLinear", "QuantizeLinear", [PLANES, Constant(np.float32(0.02)), Constant(np.uint8(128))], opset=21),
    Case("DequantizeLinear", "DequantizeLinear",
         [integers(256, 1, 64, 56, 56, dtype=np.uint8), Constant(np.float32(0.02)), Constant(np.uint8(128))], opset=21),
    Case("Einsum bhid,bhjd->bhij", "Einsum", [normal(1, 12, 128, 64), normal(1, 12, 128, 64)],
         dict(equation="bhid,bhjd->bhij"), opset=12),
    Case("Det 64 of 16x16", "Det", [normal(64, 16, 16)]),
    stft(16000, 512, 160),
    stft(16000, 400, 160),
    stft(22050, 1024, 256),
    Case("DFT 64 of 1024", "DFT", [normal(64, 1024, 1)], dict(axis=1), opset=17),
    Case("DFT 64 of 1000", "DFT", [normal(64, 1000, 1)], dict(axis=1), opset=17),
    recurrence("LSTM", 4),
    recurrence("GRU", 3),
]
