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


def sized(name, x, sizes, **attributes):
    return Case("Resize " + name, "Resize", [x, None, None, Constant(ints(*sizes))], attributes, opset=19)


def floor_nearest(name, x, scales):
    return resize("nearest " + name, x, scales, mode="nearest", coordinate_transformation_mode="asymmetric",
                  nearest_mode="floor")


def sample(name, x, grid, **attributes):
    return Case("GridSample " + name, "GridSample", [x, grid], attributes)


def flow(height, width):
    plane = np.stack(np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height)), -1)[None]
    return plane.astype(np.float32) + uniform(1, height, width, 2, low=-0.05, high=0.05)


def deform(name, channels, outputs, size, kernel=3, masked=False, **attributes):
    taps, groups = kernel * kernel * attributes.get("offset_group", 1), attributes.get("group", 1)
    weights = Constant(normal(outputs, channels // groups, kernel, kernel))
    inputs = [normal(1, channels, size, size), weights, normal(1, 2 * taps, size, size)]
    if masked:
        inputs += [Constant(normal(outputs)), uniform(1, taps, size, size)]
    return Case("DeformConv " + name, "DeformConv", inputs, dict(pads=[kernel // 2] * 4, **attributes), opset=19)


def col2im(name, x, image, block, **attributes):
    return Case("Col2Im " + name, "Col2Im", [x, Constant(ints(*image)), Constant(ints(*block))], attributes, opset=18)


def crop(mode):
    roi = np.array([0, 0, 0.1, 0.1, 1, 1, 0.9, 0.9], np.float32)
    return Case(f"Resize {mode}, crop of 3x480x480 to 224", "Resize",
                [PICTURE, Constant(roi), None, Constant(ints(1, 3, 224, 224))],
                dict(mode=mode, coordinate_transformation_mode="tf_crop_and_resize"), opset=19)


BYTES = np.abs(PICTURE * 60).clip(0, 255).astype(np.uint8)
LAST_PICTURE, LAST_BYTES = (np.ascontiguousarray(x.transpose(0, 2, 3, 1)) for x in (PICTURE, BYTES))


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
    *(sample(f"{mode}, 3x256x256 flow", normal(1, 3, 256, 256), flow(256, 256), mode=mode)
      for mode in ("linear", "nearest", "cubic")),
    *(sample(f"{mode}, 256x32x32, corners aligned", normal(1, 256, 32, 32), uniform(1, 32, 32, 2, low=-1.1, high=1.1),
             mode=mode, padding_mode="border", align_corners=1) for mode in ("linear", "nearest", "cubic")),
    *(sample(f"{mode}, 1024 of 1x32x32 at 9x9", normal(1024, 1, 32, 32), uniform(1024, 9, 9, 2, low=-1.1, high=1.1),
             mode=mode, align_corners=1) for mode in ("linear", "nearest", "cubic")),
    *(sample(f"{mode}, 8 of 32x50x50 at 300x4", normal(8, 32, 50, 50), uniform(8, 300, 4, 2, low=-1.1, high=1.1),
             mode=mode) for mode in ("linear", "nearest")),
    sample("linear, 64x270x480 flow", normal(1, 64, 270, 480), flow(270, 480), mode="linear"),
    *(sample(f"{mode}, 1x64x64x64", normal(1, 1, 64, 64, 64), uniform(1, 64, 64, 64, 3, low=-1.1, high=1.1), mode=mode)
      for mode in ("linear", "nearest")),
    floor_nearest("by 2, 256x20x20", normal(1, 256, 20, 20), [1, 1, 2, 2]),
    floor_nearest("by 2, float16", PLANES.astype(np.float16), [1, 1, 2, 2]),
    floor_nearest("by 2, bytes", (PLANES * 10).astype(np.int8).view(np.uint8), [1, 1, 2, 2]),
    floor_nearest("by 4", PLANES, [1, 1, 4, 4]),
    floor_nearest("by 1/2", PLANES, [1, 1, 0.5, 0.5]),
    floor_nearest("by 2, channels last", normal(1, 56, 56, 64), [1, 2, 2, 1]),
    floor_nearest("by 2, 32x8x32x32", normal(1, 32, 8, 32, 32), [1, 1, 2, 2, 2]),
    floor_nearest("by 2, 1-D", normal(1, 128, 1000), [1, 1, 2]),
    sized("nearest, 3x480x480 to 224", PICTURE, [1, 3, 224, 224], mode="nearest"),
    sized("linear, 3x224x224 to 480", normal(1, 3, 224, 224), [1, 3, 480, 480], mode="linear"),
    sized("linear, 21x65x65 to 513", normal(1, 21, 65, 65), [1, 21, 513, 513], mode="linear",
          coordinate_transformation_mode="align_corners"),
    sized("linear, 3x480x480 to 224, bytes", BYTES, [1, 3, 224, 224], mode="linear"),
    sized("linear, 480x480x3 to 224", LAST_PICTURE, [1, 224, 224, 3], mode="linear"),
    sized("linear, 480x480x3 to 224, bytes", LAST_BYTES, [1, 224, 224, 3], mode="linear"),
    resize("linear by 2, float16", PLANES.astype(np.float16), [1, 1, 2, 2], mode="linear"),
    resize("linear by 2, int32", (PLANES * 100).astype(np.int32), [1, 1, 2, 2], mode="linear"),
    resize("linear by 1/2, 8x32x64x64", normal(1, 8, 32, 64, 64), [1, 1, 0.5, 0.5, 0.5], mode="linear"),
    resize("linear by 2, 1-D", normal(1, 128, 1000), [1, 1, 2], mode="linear"),
    resize("linear by 2, rows only", PLANES, [1, 1, 2, 1], mode="linear"),
    *(sized(f"{mode}, antialias, 3x480x480 to 224", PICTURE, [1, 3, 224, 224], mode=mode, antialias=1)
      for mode in ("linear", "cubic")),
    sized("linear, antialias, 3x1080x1920 to 224", normal(1, 3, 1080, 1920), [1, 3, 224, 224], mode="linear",
          antialias=1),
    sized("linear, antialias, 3x480x480 to 224, bytes", BYTES, [1, 3, 224, 224], mode="linear", antialias=1),
    sized("cubic, 768x14x14 to 16", normal(1, 768, 14, 14), [1, 768, 16, 16], mode="cubic"),
    crop("linear"),
    crop("nearest"),
    col2im("3x224x224, 4x4 by 4", normal(1, 48, 3136), (224, 224), (4, 4), strides=[4, 4]),
    col2im("32x221x221, 7x7 by 4", normal(1, 49 * 32, 3025), (221, 221), (7, 7), strides=[4, 4], pads=[1] * 4),
    col2im("1-D, 64x2000, 8 by 4", normal(4, 512, 499), (2000,), (8,), strides=[4]),
    deform("256x14x14, 3x3, mask", 256, 256, 14, masked=True),
    deform("128x56x56, 3x3, mask, 4 offset groups", 128, 128, 56, masked=True, offset_group=4),
    deform("64x28x28, 1x1", 64, 64, 28, kernel=1),
    Case("AffineGrid 16 of 64x64", "AffineGrid", [normal(16, 2, 3), Constant(ints(16, 3, 64, 64))], opset=20),
    Case("AffineGrid 16x64x64", "AffineGrid", [normal(1, 3, 4), Constant(ints(1, 3, 16, 64, 64))], opset=20),
    Case("CenterCropPad 3x480x480 to 224", "CenterCropPad", [PICTURE, Constant(ints(224, 224))], dict(axes=[2, 3]),
         opset=18),
    Case("CenterCropPad 3x480x480 to 512", "CenterCropPad", [PICTURE, Constant(ints(512, 512))], dict(axes=[2, 3]),
         opset=18),
    Case("MaxRoiPool 100 of 256x50x50", "MaxRoiPool",
         [normal(1, 256, 50, 50), np.concatenate([np.zeros((100, 1), np.float32), regions(100, 800)], 1)],
         dict(pooled_shape=[7, 7], spatial_scale=1 / 16), opset=16),
]
