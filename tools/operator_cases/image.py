"""Pictures: sampling, resizing, regions, windows to pictures."""
import numpy as np

from operator_cases import Case, Constant, ints, normal, uniform

PICTURE, PLANES = normal(1, 3, 480, 480), normal(1, 64, 56, 56)
SMOOTH_GRID = np.stack(np.meshgrid(np.linspace(-1, 1, 64), np.linspace(-1, 1, 64)), -1)[None].astype(np.float32)


def regions(count, size):
    centers, half = uniform(count, 2, high=size), uniform(count, 2, low=2.5, high=size / 10)
    return np.concatenate([centers - half, centers + half], 1)


def resize(name, x, scales, **attributes):
    return Case("Resize " + name, "Resize", [x, None, Constant(np.array(scales, np.float32))], attributes, opset=19)


def roi_align(mode):
    attributes = dict(output_height=7, output_width=7, sampling_ratio=2, spatial_scale=1 / 16, mode=mode)
    return Case(f"RoiAlign {mode}, 100 of 256x50x50", "RoiAlign",
                [normal(1, 256, 50, 50), regions(100, 800), np.zeros(100, np.int64)], attributes, opset=16)


CASES = [
    roi_align("avg"),
    roi_align("max"),
    *(Case(f"GridSample {mode} 64x64x64", "GridSample",
           [normal(1, 64, 64, 64), uniform(1, 64, 64, 2, low=-1)], dict(mode=mode)) for mode in ("linear", "nearest", "cubic")),
    Case("GridSample linear, smooth, border", "GridSample", [normal(1, 64, 64, 64), SMOOTH_GRID],
         dict(mode="linear", padding_mode="border")),
    Case("GridSample 3-D 8x32x32x32", "GridSample", [normal(1, 8, 32, 32, 32), uniform(1, 32, 32, 32, 3, low=-1)],
         dict(mode="linear")),
    resize("nearest by 2", PLANES, [1, 1, 2, 2], mode="nearest", coordinate_transformation_mode="asymmetric",
           nearest_mode="floor"),
    resize("linear by 2", PLANES, [1, 1, 2, 2], mode="linear"),
    resize("linear by 2, corners aligned", PLANES, [1, 1, 2, 2], mode="linear",
           coordinate_transformation_mode="align_corners"),
    resize("linear by 1.7", PLANES, [1, 1, 1.7, 1.7], mode="linear"),
    resize("linear by 1/2", PLANES, [1, 1, 0.5, 0.5], mode="linear"),
    resize("linear by 1/2, antialias", PLANES, [1, 1, 0.5, 0.5], mode="linear", antialias=1),
    resize("cubic by 2", PLANES, [1, 1, 2, 2], mode="cubic"),
    resize("cubic by 1/2, antialias", PLANES, [1, 1, 0.5, 0.5], mode="cubic", antialias=1),
    resize("cubic 3x480x480 to 224", PICTURE, [1, 1, 224 / 480, 224 / 480], mode="cubic"),
    resize("linear 3x480x480 to 224", PICTURE, [1, 1, 224 / 480, 224 / 480], mode="linear"),
    resize("linear by 2, channels last", normal(1, 56, 56, 64), [1, 2, 2, 1], mode="linear"),
    resize("linear by 2, 8x16x32x32", normal(1, 8, 16, 32, 32), [1, 1, 2, 2, 2], mode="linear"),
    Case("Col2Im 64x56x56, 3x3", "Col2Im", [normal(1, 576, 3136), Constant(ints(56, 56)), Constant(ints(3, 3))],
         dict(pads=[1] * 4), opset=18),
    Case("DeformConv 64x28x28, 3x3", "DeformConv",
         [normal(1, 64, 28, 28), Constant(normal(64, 64, 3, 3)), normal(1, 18, 28, 28)], dict(pads=[1] * 4), opset=19),
    Case("AffineGrid 224x224", "AffineGrid", [normal(1, 2, 3), Constant(ints(1, 3, 224, 224))], opset=20),
]
