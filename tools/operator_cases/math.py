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


CASES = [
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
