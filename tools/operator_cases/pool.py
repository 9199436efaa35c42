"""Pooling, normalization, reductions."""
from operator_cases import Case, Constant, ints, normal

PLANES = normal(1, 64, 56, 56)


def windows(op, kernel, stride, opset=22, **attributes):
    pads = {} if kernel == 2 else {"pads": [kernel // 2] * 4}
    return Case(f"{op} {kernel}x{kernel} by {stride}", op, [PLANES],
                dict(kernel_shape=[kernel] * 2, strides=[stride] * 2, **pads, **attributes), opset=opset)


def reduction(op, shape, *axes):
    return Case(f"{op} {shape} over {axes}", op, [normal(*shape), Constant(ints(*axes))], opset=18)


CASES = [
    *(windows(op, kernel, stride) for op in ("MaxPool", "AveragePool")
      for kernel, stride in ((2, 2), (3, 2), (3, 1), (5, 1))),
    windows("LpPool", 3, 2, p=2),
    Case("MaxPool 2x2 by 2 with indices", "MaxPool", [PLANES], dict(kernel_shape=[2, 2], strides=[2, 2]), outputs=2),
    Case("MaxPool 3-D 2x2x2 by 2", "MaxPool", [normal(1, 32, 16, 32, 32)],
         dict(kernel_shape=[2, 2, 2], strides=[2, 2, 2])),
    Case("AveragePool 1-D 4 by 4", "AveragePool", [normal(1, 64, 4000)], dict(kernel_shape=[4], strides=[4])),
    Case("GlobalAveragePool", "GlobalAveragePool", [PLANES]),
    Case("GlobalMaxPool", "GlobalMaxPool", [PLANES]),
    Case("BatchNormalization", "BatchNormalization",
         [PLANES, *(Constant(normal(64)) for _ in range(3)), Constant(abs(normal(64)))], opset=15),
    Case("InstanceNormalization", "InstanceNormalization", [PLANES, Constant(normal(64)), Constant(normal(64))]),
    Case("GroupNormalization", "GroupNormalization", [PLANES, Constant(normal(64)), Constant(normal(64))],
         dict(num_groups=8), opset=21),
    Case("LRN", "LRN", [PLANES], dict(size=5)),
    Case("LpNormalization 1000x256", "LpNormalization", [normal(1000, 256)], dict(axis=-1, p=2)),
    Case("Softmax 21x256x256 over channels", "Softmax", [normal(1, 21, 256, 256)], dict(axis=1)),
    Case("LogSoftmax 64x5000", "LogSoftmax", [normal(64, 5000)], dict(axis=-1)),
    *(reduction("ReduceMean", PLANES.shape, *axes) for axes in ((1,), (2, 3), (0, 2, 3), (1, 2, 3))),
    reduction("ReduceMax", PLANES.shape, 2),
    reduction("ReduceL2", (1000, 256), 1),
    reduction("ReduceLogSumExp", (1000, 256), 1),
    Case("ArgMax 21x256x256 over channels", "ArgMax", [normal(1, 21, 256, 256)], dict(axis=1)),
    Case("ArgMax 64x1000", "ArgMax", [normal(64, 1000)], dict(axis=-1)),
]
