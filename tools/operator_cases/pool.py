"""Pooling, normalization, reductions, losses."""
import numpy as np

from operator_cases import Case, Constant, integers, ints, normal

PLANES = normal(1, 64, 56, 56)
HALVES, DOUBLES = PLANES.astype(np.float16), PLANES.astype(np.float64)
CODES = np.clip(PLANES * 40 + 128, 0, 255).astype(np.uint8)


def text(x):
    return "x".join(map(str, x.shape)) + ("" if x.dtype == np.float32 else f" {x.dtype}")


def windows(op, kernel, stride, x=PLANES, pads=None, outputs=1, opset=22, **attributes):
    axes = x.ndim - 2
    kernel = [kernel] * axes if isinstance(kernel, int) else kernel
    stride = [stride] * axes if isinstance(stride, int) else stride
    pads = [k // 2 if k % 2 and k > s else 0 for k, s in zip(kernel, stride)] * 2 if pads is None else pads
    name = f"{op} {'x'.join(map(str, kernel))} by {'x'.join(map(str, stride))} of {text(x)}"
    if "auto_pad" not in attributes:
        attributes["pads"] = pads
    more = [f"{key} {value}" for key, value in attributes.items() if key != "pads"]
    return Case(" ".join([name, *more] + (["with indices"] if outputs == 2 else [])), op, [x],
                dict(kernel_shape=kernel, strides=stride, **attributes), outputs=outputs, opset=opset)


def pools(op, **attributes):
    """One operator over planes of many sizes, lines and volumes."""
    large, small, middle = normal(1, 64, 112, 112), normal(1, 512, 7, 7), normal(1, 256, 14, 14)
    sizes = [(2, 2, PLANES), (3, 2, PLANES), (3, 1, PLANES), (5, 1, PLANES), (3, 2, large), (3, 1, middle), (3, 1, small),
             (7, 7, small), (2, 2, normal(8, 64, 56, 56)), (2, 2, normal(1, 3, 224, 224)), (2, 2, normal(1, 16, 4, 4)),
             (13, 1, normal(1, 256, 13, 13)), (3, 3, PLANES), (4, 4, PLANES), (56, 56, PLANES), ([1, 2], [1, 2], PLANES),
             (4, 4, normal(1, 64, 4000)), (3, 2, normal(1, 64, 4000)), (25, 1, normal(1, 8, 336)),
             (160, 160, normal(1, 1, 160000)), ([4, 1], [4, 1], normal(1, 64, 400, 1)), (2, 2, normal(1, 32, 16, 32, 32)),
             (3, 1, normal(1, 16, 8, 28, 28)), ([1, 3, 3], [1, 2, 2], normal(1, 32, 8, 56, 56))]
    return [windows(op, kernel, stride, x, **attributes) for kernel, stride, x in sizes]


def unpool(x, shape=None):
    """Each element to the first of its 2x2 places."""
    height, width = x.shape[2] * 2, x.shape[3] * 2
    places = np.arange(x.shape[1])[:, None, None] * height * width + (np.arange(x.shape[2]) * 2 * width)[:, None] + \
        np.arange(x.shape[3]) * 2
    inputs = [x, places[None].astype(np.int64)] + ([Constant(ints(*shape))] if shape else [])
    return Case(f"MaxUnpool 2x2 of {text(x)}" + (" to a shape" if shape else ""), "MaxUnpool", inputs,
                dict(kernel_shape=[2, 2], strides=[2, 2]))


def normalizations(x):
    def parameter():
        return Constant(normal(x.shape[1]).astype(x.dtype))
    return [
        Case(f"BatchNormalization {text(x)}", "BatchNormalization",
             [x, *(parameter() for _ in range(3)), Constant(abs(normal(x.shape[1])).astype(x.dtype))], opset=15),
        Case(f"InstanceNormalization {text(x)}", "InstanceNormalization", [x, parameter(), parameter()]),
        Case(f"GroupNormalization {text(x)}", "GroupNormalization", [x, parameter(), parameter()], dict(num_groups=8),
             opset=21)]


def rows(op, x, axis=-1, opset=22, **attributes):
    more = "".join(f" {key} {value}" for key, value in attributes.items())
    return Case(f"{op} {text(x)} along {axis}{more}", op, [x], dict(axis=axis, **attributes), opset=opset)


def softmaxes(op):
    return [rows(op, x, axis, 13) for x, axis in (
        (normal(64, 1000), -1), (normal(64, 5000), -1), (normal(1, 1000), -1), (normal(1, 21, 256, 256), 1),
        (normal(1, 12, 128, 128), -1), (normal(8, 100, 81), -1), (normal(1, 4, 840, 16), 3), (normal(2000, 5), -1))]


def reduction(op, x, *axes):
    x = abs(x) if op == "ReduceLogSum" else x
    return Case(f"{op} {text(x)} over {axes or 'all'}", op, [x, *([Constant(ints(*axes))] if axes else [])], opset=18)


def reductions(op, kinds):
    matrix = normal(1000, 256)
    many = [(PLANES, 1), (PLANES, 2), (PLANES, 3), (PLANES, 2, 3), (PLANES, 0, 2, 3), (PLANES, 1, 3), (matrix, 1), (matrix, 0),
            (normal(1, 128, 768), 2), (normal(8400, 4), 1), (normal(1, 2000000),), (normal(1, 768),)]
    others = [((x * 8).astype(kind), *axes) for kind in kinds
              for x, *axes in ((matrix, 1), (matrix, 0), (PLANES, 1), (PLANES, 2), (PLANES, 2, 3))]
    return [reduction(op, *case) for case in many + others]


def losses(op):
    classes, picture = normal(256, 1000), normal(1, 21, 128, 128)
    return [Case(f"{op} {text(x)} {how}", op, [x, labels], dict(reduction=how), opset=13)
            for x, labels in ((classes, integers(1000, 256)), (picture, integers(21, 1, 128, 128)))
            for how in ("mean", "none")]


CASES = [
    *pools("MaxPool"), *pools("AveragePool", opset=19), *pools("LpPool", opset=18),
    windows("MaxPool", 3, 1, dilations=[2, 2], pads=[2] * 4), windows("MaxPool", 3, 2, pads=[0] * 4, ceil_mode=1),
    windows("MaxPool", 3, 2, auto_pad="SAME_UPPER"), windows("AveragePool", 3, 1, opset=19, count_include_pad=1),
    windows("LpPool", 3, 2, opset=18, p=1), windows("LpPool", 3, 2, opset=18, p=3),
    *(windows("MaxPool", kernel, stride, x) for kernel, stride in ((2, 2), (3, 2), (3, 1)) for x in (HALVES, DOUBLES, CODES)),
    windows("AveragePool", 3, 2, HALVES),
    *(windows("MaxPool", 2, 2, x, outputs=2) for x in (PLANES, HALVES, DOUBLES, CODES, normal(1, 32, 16, 32, 32))),
    windows("MaxPool", 3, 2, outputs=2), windows("MaxPool", 2, 2, outputs=2, storage_order=1),
    unpool(normal(1, 64, 28, 28)), unpool(normal(1, 64, 128, 128)), unpool(normal(1, 64, 28, 28), (1, 64, 57, 57)),
    *(Case(f"{op} {text(x)}", op, [x]) for op in ("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool")
      for x in (PLANES, HALVES, normal(1, 512, 7, 7), normal(1, 1280, 7, 7), normal(1, 32, 8, 28, 28))),
    *(case for x in (PLANES, HALVES, normal(1, 512, 7, 7), normal(1, 64, 4000)) for case in normalizations(x)),
    Case("BatchNormalization 64x512", "BatchNormalization",
         [normal(64, 512), *(Constant(normal(512)) for _ in range(3)), Constant(abs(normal(512)))], opset=15),
    *(Case(f"LRN {size} of {text(x)}{f' beta {beta}' if beta else ''}", "LRN", [x],
           dict(size=size, **({"beta": beta} if beta else {})))
      for size, x, beta in ((5, PLANES, 0), (5, HALVES, 0), (3, PLANES, 0), (5, normal(1, 96, 55, 55), 0), (5, PLANES, 0.5),
                            (5, PLANES, 1.0))),
    *(rows("LpNormalization", x, axis, p=p) for p in (1, 2)
      for x, axis in ((normal(1000, 256), -1), (normal(1, 512), -1), (PLANES, 1), (PLANES, 2), (normal(8, 512, 7, 7), 1))),
    *(Case(f"MeanVarianceNormalization {text(x)} over {axes}", "MeanVarianceNormalization", [x], dict(axes=axes), opset=13)
      for x, axes in ((PLANES, [0, 2, 3]), (PLANES, [2, 3]), (normal(8, 16, 28, 28), [0, 2, 3]), (normal(64, 768), [1]))),
    *softmaxes("Softmax"), *softmaxes("LogSoftmax"), *softmaxes("Hardmax"),
    rows("LogSoftmax", normal(64, 1000).astype(np.float16), opset=13),
    *reductions("ReduceSum", (np.float16, np.float64, np.int32, np.int64)),
    *reductions("ReduceMean", (np.float16, np.float64, np.int64)),
    *reductions("ReduceMax", (np.float16, np.float64, np.int32, np.int64, np.int8)),
    *reductions("ReduceMin", (np.float64, np.int32)), *reductions("ReduceProd", (np.float64, np.int32)),
    *reductions("ReduceL1", (np.float16, np.int32)), *reductions("ReduceL2", (np.float16, np.float64)),
    *reductions("ReduceSumSquare", (np.float16, np.int64)), *reductions("ReduceLogSum", (np.float16,)),
    *reductions("ReduceLogSumExp", (np.float16,)),
    *(rows(op, x, axis, 13) for op in ("ArgMax", "ArgMin")
      for x, axis in ((normal(1, 21, 256, 256), 1), (normal(64, 1000), -1), (normal(1, 1000), -1), (normal(8400, 80), -1),
                      (normal(8400, 80), 0), (normal(1, 128, 30522), -1), (normal(20000, 4), 1), (normal(64, 17, 3072), 2))),
    *(rows("ArgMax", (abs(x) * 20).astype(kind), axis, 13) for kind in (np.float16, np.float64, np.int32, np.int64, np.int8, np.uint8)
      for x, axis in ((normal(64, 1000), -1), (normal(1, 21, 64, 64), 1))),
    *losses("NegativeLogLikelihoodLoss"), *losses("SoftmaxCrossEntropyLoss"),
]
