"""Indices and movement."""
import numpy as np

from operator_cases import Case, Constant, ints, integers, normal, uniform
from operator_cases.image import regions

PLANES = normal(1, 64, 56, 56)
PICTURE = normal(1, 3, 640, 640)
TYPES = dict(f32=np.float32, f16=np.float16, f64=np.float64, u8=np.uint8, i64=np.int64)


def planes(kind):
    return integers(200, 1, 64, 56, 56).astype(TYPES[kind])


def suppression(count, classes, most, overlap, least=None, batches=1):
    inputs = [np.repeat(regions(count, 1000)[None], batches, 0), uniform(batches, classes, count) ** 8, Constant(ints(most)),
              Constant(np.array([overlap], np.float32))]
    if least is not None:
        inputs.append(Constant(np.array([least], np.float32)))
    above = "" if least is None else f" above {least}"
    return Case(f"NonMaxSuppression {batches}x{count} boxes, {classes} classes{above}", "NonMaxSuppression", inputs, opset=11)


def top(name, x, k, **attributes):
    return Case(f"TopK {k} of {name}", "TopK", [x, Constant(ints(k))], attributes, outputs=2, opset=11)


def pad(name, x, pads, mode="constant"):
    return Case(f"Pad {mode} {name}", "Pad", [x, Constant(ints(*pads))], dict(mode=mode), opset=21)


def tile(name, x, *repeats):
    return Case(f"Tile {name}", "Tile", [x, Constant(ints(*repeats))], opset=13)


def transpose(name, x, *perm):
    return Case(f"Transpose {name}", "Transpose", [x], dict(perm=list(perm)), opset=21)


def cut(name, x, starts, ends, axes, steps=None):
    lists = [starts, ends, axes] + ([steps] if steps else [])
    return Case(f"Slice {name}", "Slice", [x] + [Constant(ints(*numbers)) for numbers in lists], opset=13)


def scatter_nd(name, data, indices, updates, reduction="none"):
    return Case(f"ScatterND {name}", "ScatterND", [data, indices, updates], dict(reduction=reduction), opset=18)


def scatter(name, data, indices, updates, axis, reduction="none"):
    return Case(f"ScatterElements {name}", "ScatterElements", [data, indices, updates],
                dict(axis=axis, reduction=reduction), opset=18)


def running(name, x, axis, **attributes):
    return Case(f"CumSum {name}", "CumSum", [x, Constant(np.int64(axis))], attributes, opset=14)


def by_axis(op, name, inputs, axis, opset=13):
    return Case(f"{op} {name}", op, inputs, {} if axis is None else dict(axis=axis), opset=opset)


def hot(name, indices, depth, values, axis=-1):
    return Case(f"OneHot {name}", "OneHot", [indices, Constant(np.int64(depth)), Constant(values)], dict(axis=axis), opset=11)


def unary(op, name, x, opset=13, outputs=1, **attributes):
    return Case(f"{op} {name}", op, [x], attributes, outputs=outputs, opset=opset)


HALF = normal(5000, 64, dtype=np.float64).astype(np.float16)
SWITCH = np.array([0, 1], np.float32)
BORDER = (0, 0, 3, 3, 0, 0, 3, 3)

CASES = [
    suppression(8400, 80, 100, 0.5, 0.25),
    suppression(8400, 80, 300, 0.65, 0.001),
    suppression(25200, 1, 300, 0.45, 0.25),
    suppression(1917, 90, 100, 0.6, 0.3, batches=4),
    suppression(1000, 1, 300, 0.7),
    top("8400", normal(1, 8400), 100),
    top("672000", normal(1, 672000), 300),
    top("159882", normal(1, 159882), 1000),
    top("50257", normal(1, 50257), 50),
    top("64x1000", normal(64, 1000), 5),
    top("64x1000", normal(64, 1000), 1),
    top("1024x8", normal(1024, 8), 2),
    top("8400, all", normal(1, 8400), 8400),
    top("8400 i64", integers(10**6, 1, 8400), 300),
    top("8400 f64", normal(1, 8400, dtype=np.float64), 100),
    top("64 along axis 1", PLANES, 2, axis=1),
    unary("Unique", "20000", integers(1000, 20000), 11, 4),
    unary("Unique", "20000 unsorted", integers(1000, 20000), 11, 4, sorted=0),
    unary("Unique", "20000 f32", normal(20000), 11, 4),
    unary("Unique", "rows of 2000x4", integers(8, 2000, 4), 11, 4, axis=0),
    unary("NonZero", "512x512", normal(1, 512, 512) > 1),
    unary("NonZero", "8400x80", normal(8400, 80) > 2),
    unary("NonZero", "512x512 f32", np.maximum(normal(1, 512, 512), 0)),
    unary("NonZero", "1x512 i64", integers(2, 1, 512)),
    running("64x4000", normal(64, 4000), 1),
    running("4000x64 down", normal(4000, 64), 0),
    running("8x200x256 along axis 1", normal(8, 200, 256), 1),
    running("8x512 i64", integers(2, 8, 512), 1),
    running("64x4000 from the end", normal(64, 4000), 1, exclusive=1, reverse=1),
    hot("64x64 of 100", integers(100, 64, 64), 100, SWITCH),
    hot("256x256 of 21 channels", integers(21, 1, 256, 256), 21, SWITCH, 1),
    hot("64x64 of 10 i64", integers(10, 64, 64), 10, ints(0, 1)),
    scatter_nd("add, 20000 rows of 64", normal(5000, 64), integers(5000, 20000, 1), normal(20000, 64), "add"),
    scatter_nd("2000 rows of 64", normal(5000, 64), integers(5000, 2000, 1), normal(2000, 64)),
    scatter_nd("2000 rows of 64 f16", HALF, integers(5000, 2000, 1), HALF[:2000]),
    scatter_nd("5000 points", normal(100, 100, 64), integers(64, 5000, 3), normal(5000)),
    scatter_nd("add, 20000 points", normal(512, 512), integers(512, 20000, 2), normal(20000), "add"),
    scatter("add", normal(5000, 64), integers(5000, 20000, 64), normal(20000, 64), 0, "add"),
    scatter("along rows", normal(64, 5000), integers(5000, 64, 1000), normal(64, 1000), 1),
    scatter("along rows, bool", normal(64, 5000) > 9, integers(5000, 64, 1000), normal(64, 1000) < 9, 1),
    scatter("add i64", integers(9, 64, 5000), integers(5000, 64, 1000), integers(9, 64, 1000), 1, "add"),
    Case("TensorScatter one token", "TensorScatter", [normal(4, 8, 1024, 64), normal(4, 8, 1, 64), ints(5, 6, 7, 8)],
         opset=24),
    by_axis("GatherElements", "down", [normal(5000, 64), integers(5000, 20000, 64)], 0),
    by_axis("GatherElements", "along rows", [normal(64, 5000), integers(5000, 64, 1000)], 1),
    by_axis("GatherElements", "12x128x512", [normal(12, 128, 512), integers(512, 12, 128, 128)], 2),
    by_axis("GatherElements", "of fewer rows", [normal(64, 5000), integers(64, 64, 1000)], 0),
    Case("GatherND 20000 rows of 64", "GatherND", [normal(100, 100, 64), integers(100, 20000, 2)], opset=13),
    Case("GatherND 50000 points", "GatherND", [normal(100, 100, 64), integers(64, 50000, 3)], opset=13),
    by_axis("Gather", "128 rows of 768", [normal(30000, 768), integers(30000, 1, 128)], 0),
    by_axis("Gather", "64 of 256 columns", [normal(1000, 256), integers(256, 64)], 1),
    by_axis("Compress", "rows of 64", [normal(8400, 64), normal(8400) > 0], 0, 11),
    by_axis("Compress", "columns", [normal(1000, 256), normal(256) > 0], 1, 11),
    by_axis("Compress", "flat", [normal(512, 512), normal(512 * 512) > 0], None, 11),
    *[tile(f"2x2 {kind}", planes(kind), 1, 1, 2, 2) for kind in TYPES],
    tile("rows of 16 by 3", normal(1000, 16), 1, 3),
    tile("one column by 256", normal(1000, 1), 1, 256),
    tile("beams", normal(1, 1500, 512), 5, 1, 1),
    *[pad(f"by 3 {kind}", planes(kind), BORDER, mode) for mode in ("constant", "reflect") for kind in TYPES],
    pad("by 3", PLANES, BORDER, "edge"),
    pad("by 3", PLANES, BORDER, "wrap"),
    pad("rows of a picture", normal(1, 3, 480, 640), (0, 0, 80, 0, 0, 0, 80, 0)),
    pad("channels last", normal(1, 56, 56, 64), (0, 1, 1, 0, 0, 1, 1, 0)),
    pad("audio", normal(1, 160000), (0, 200, 0, 200), "reflect"),
    *[unary("DepthToSpace", f"2 {kind}", planes(kind), blocksize=2) for kind in ("f32", "u8", "f16")],
    *[unary("SpaceToDepth", f"2 {kind}", planes(kind), blocksize=2) for kind in ("f32", "u8", "f16")],
    unary("SpaceToDepth", "4 of a picture", PICTURE, blocksize=4),
    *[transpose(f"channels last {kind}", planes(kind), 0, 2, 3, 1) for kind in TYPES],
    transpose("heads", normal(1, 128, 12, 64), 0, 2, 1, 3),
    transpose("keys", normal(1, 12, 128, 64), 0, 1, 3, 2),
    transpose("1000x1000", normal(1000, 1000), 1, 0),
    transpose("picture to channels last", PICTURE, 0, 2, 3, 1),
    transpose("picture to channels first", normal(1, 640, 640, 3), 0, 3, 1, 2),
    transpose("84x8400", normal(1, 84, 8400), 0, 2, 1),
    transpose("windows", normal(1, 8, 7, 8, 7, 96), 0, 1, 3, 2, 4, 5),
    cut("every second pixel", PICTURE, (0, 0), (9999, 9999), (2, 3), (2, 2)),
    cut("four columns of 85", normal(8400, 85), (0,), (4,), (1,)),
    cut("colours turned", normal(1, 640, 640, 3), (-1,), (-(10**9),), (3,), (-1,)),
    cut("rows turned", normal(1000, 256), (-1,), (-(10**9),), (1,), (-1,)),
    by_axis("Concat", "columns 2, 2 and 81", [normal(8400, 2), normal(8400, 2), normal(8400, 81)], 1),
    by_axis("Concat", "four of 128 channels", [normal(1, 128, 80, 80) for _ in range(4)], 1),
    by_axis("Concat", "one token to a cache", [normal(1, 8, 1023, 64), normal(1, 8, 1, 64)], 2),
    Case("Split columns 2, 2 and 81", "Split", [normal(1, 3, 80, 80, 85), Constant(ints(2, 2, 81))], dict(axis=-1), 3, 13),
    Case("Expand heads", "Expand", [normal(1, 8, 1, 128, 64), Constant(ints(1, 8, 4, 128, 64))], opset=13),
    Case("Expand rows in the middle", "Expand", [normal(100, 1, 64), Constant(ints(100, 100, 64))], opset=13),
    unary("Trilu", "12x128x128", normal(12, 128, 128), 14, upper=0),
    unary("Trilu", "512x512 bool", normal(512, 512) > 0, 14, upper=0),
    unary("EyeLike", "1000x1000", normal(1000, 1000), 9),
    Case("Range 100000", "Range", [np.float32(0), np.float32(100000), np.float32(1)], opset=11),
    Case("Range 100000 i64", "Range", [np.int64(0), np.int64(100000), np.int64(1)], opset=11),
]
