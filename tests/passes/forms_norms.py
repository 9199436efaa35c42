"""Normalisations and Gelu, form by form."""
import math

import numpy as np

from sheet import Sheet

B, S, C = 2, 5, 32


def start(opset=17, shape=("batch", "sequence", C)):
    s = Sheet(opset)
    return s, s.floats("x", list(shape), batch=B, sequence=S)


def ones(s):
    return s.weight(1 + 0.1 * s.normal(C)), s.weight(s.normal(C))


def spelled(s, x, square="pow", last="div"):
    """LayerNormalization below opset 17."""
    centred = s.op("Sub", x, s.mean(x))
    squares = s.op("Pow", centred, 2.0) if square == "pow" else s.op("Mul", centred, centred)
    root = s.op("Sqrt", s.op("Add", s.mean(squares), 1e-5))
    y = s.op("Div", centred, root) if last == "div" else s.op("Mul", centred, s.op("Reciprocal", root))
    scale, shift = ones(s)
    return s.op("Add", s.op("Mul", y, scale), shift)


def tf_layer_norm():
    """TensorFlow's batch_normalization: scale / root, then mean * that taken from the shift."""
    s, x = start(15)
    scale, shift = ones(s)
    mean = s.mean(x)
    difference = s.op("Sub", x, mean)
    variance = s.mean(s.op("Mul", difference, difference))
    factor = s.op("Mul", s.op("Reciprocal", s.op("Sqrt", s.op("Add", variance, 1e-5))), scale)
    s.output(s.op("Add", s.op("Mul", x, factor), s.op("Sub", shift, s.op("Mul", mean, factor))), 3)
    return s


def keras_layer_norm():
    """Keras 3: plus the mean's opposite times the factor; weights of rank 3."""
    s, x = start(18)
    scale, shift = s.weight(1 + 0.1 * s.normal(1, 1, C)), s.weight(s.normal(1, 1, C))
    mean = s.mean(x)
    difference = s.op("Sub", x, mean)
    variance = s.mean(s.op("Mul", difference, difference))
    factor = s.op("Mul", s.op("Reciprocal", s.op("Sqrt", s.op("Add", variance, 1e-3))), scale)
    s.output(s.op("Add", s.op("Mul", x, factor), s.op("Add", s.op("Mul", s.op("Neg", mean), factor), shift)), 3)
    return s


def group_norm(activation):
    """torch's exporters below opset 21: groups are channels of an instance normalisation."""
    s = Sheet(17)
    x = s.floats("x", ["batch", 8, "height", 5], batch=B, height=4)
    flat = s.op("InstanceNormalization", s.reshape(x, 0, 2, -1), np.ones(2, np.float32), np.zeros(2, np.float32), epsilon=1e-5)
    y = s.op("Mul", s.op("Reshape", flat, s.op("Shape", x)), s.weight(1 + 0.1 * s.normal(8, 1, 1)))
    y = s.op("Add", y, s.weight(s.normal(8, 1, 1)))
    s.output(s.op("Mul", y, s.op("Sigmoid", y)) if activation else y, 4)
    return s


def layer_norm(opset, square, last, skip=False):
    s, x = start(opset)
    if skip:
        x = s.op("Add", x, s.floats("z", ["batch", "sequence", C], batch=B, sequence=S))
    s.output(spelled(s, x, square, last), 3)
    return s


def rms_norm(last, order="weight_first"):
    s, x = start(17)
    root = s.op("Sqrt", s.op("Add", s.mean(s.op("Pow", x, 2.0)), 1e-6))
    if last == "div":
        y = s.op("Div", x, root)
    elif last == "reciprocal":
        y = s.op("Mul", x, s.op("Reciprocal", root))
    else:
        y = s.op("Mul", x, s.op("Div", 1.0, root))
    scale = ones(s)[0]
    s.output(s.op("Mul", scale, y) if order == "weight_first" else s.op("Mul", y, scale), 3)
    return s


def gelu(form):
    s, x = start()
    half = s.op("Mul", x, 0.5)
    if form == "erf":
        y = s.op("Mul", s.op("Mul", x, s.op("Add", s.op("Erf", s.op("Div", x, math.sqrt(2))), 1.0)), 0.5)
    elif form == "erf_half_first":
        y = s.op("Mul", half, s.op("Add", s.op("Erf", s.op("Mul", x, 1 / math.sqrt(2))), 1.0))
    elif form == "tanh":
        inner = s.op("Mul", math.sqrt(2 / math.pi), s.op("Add", x, s.op("Mul", 0.044715, s.op("Pow", x, 3.0))))
        y = s.op("Mul", half, s.op("Add", 1.0, s.op("Tanh", inner)))
    elif form == "tanh_products":  # Megatron, Bloom
        square = s.op("Mul", s.op("Mul", x, 0.044715), x)
        inner = s.op("Mul", s.op("Mul", x, math.sqrt(2 / math.pi)), s.op("Add", square, 1.0))
        y = s.op("Mul", half, s.op("Add", s.op("Tanh", inner), 1.0))
    else:
        y = s.op("Mul", x, s.op("Sigmoid", s.op("Mul", x, 1.702)))
    s.output(y, 3)
    return s


LAYER = {"LayerNormalization": 1, "ReduceMean": 0, "Add": 0, "Elementwise": 0}
ROOT = {"SimplifiedLayerNormalization": 1, "ReduceMean": 0, "Elementwise": 0}
GROUP = {"InstanceNormalization": 0, "Reshape": 0, "Elementwise": 0, "QuickGelu": 0}
FORMS = {
    **{
        f"layer_norm_{opset}_{square}_{last}": (lambda o=opset, q=square, d=last: layer_norm(o, q, d), LAYER)
        for opset in (11, 18)
        for square in ("pow", "mul")
        for last in ("div", "reciprocal")
    },
    "layer_norm_tf": (tf_layer_norm, LAYER),
    "layer_norm_keras": (keras_layer_norm, LAYER),
    "group_norm": (lambda: group_norm(False), {"GroupNormalization": 1, **GROUP}),
    "group_norm_silu": (lambda: group_norm(True), {"GroupNormalization": 1, **GROUP, "QuickGelu": 1}),
    "skip_layer_norm": (lambda: layer_norm(14, "pow", "div", skip=True), {"SkipLayerNormalization": 1, "Add": 0, "ReduceMean": 0}),
    **{f"rms_norm_{last}": (lambda d=last: rms_norm(d), ROOT) for last in ("div", "reciprocal", "one_over")},
    "rms_norm_weight_last": (lambda: rms_norm("div", "last"), ROOT),
    "gelu_erf": (lambda: gelu("erf"), {"Gelu": 1, "Elementwise": 0}),
    "gelu_erf_half_first": (lambda: gelu("erf_half_first"), {"Gelu": 1, "Elementwise": 0}),
    "gelu_tanh": (lambda: gelu("tanh"), {"FastGelu": 1, "Elementwise": 0}),
    "gelu_tanh_products": (lambda: gelu("tanh_products"), {"FastGelu": 1, "Elementwise": 0}),
    "gelu_sigmoid": (lambda: gelu("sigmoid"), {"QuickGelu": 1, "Elementwise": 0}),
}
