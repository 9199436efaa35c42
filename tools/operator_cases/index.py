"""Indices and movement."""
import numpy as np

from operator_cases import Case, Constant, ints, integers, normal, uniform
from operator_cases.image import regions

PLANES = normal(1, 64, 56, 56)


def suppression(count, classes, most, overlap, least=None):
    inputs = [regions(count, 1000)[None], uniform(1, classes, count) ** 8, Constant(ints(most)),
              Constant(np.array([overlap], np.float32))]
    if least is not None:
        inputs.append(Constant(np.array([least], np.float32)))
    return Case(f"NonMaxSuppression {count} boxes, {classes} classes", "NonMaxSuppression", inputs, opset=11)


def pad(mode, width):
    return Case(f"Pad {mode} by {width}", "Pad", [PLANES, Constant(ints(0, 0, width, width, 0, 0, width, width))],
                dict(mode=mode), opset=21)


CASES = [
    suppression(8400, 80, 100, 0.5, 0.25),
    suppression(1000, 1, 300, 0.7),
    Case("TopK 100 of 8400", "TopK", [normal(1, 8400), Constant(ints(100))], outputs=2, opset=11),
    Case("TopK 5 of 64x1000", "TopK", [normal(64, 1000), Constant(ints(5))], outputs=2, opset=11),
    Case("Unique 20000", "Unique", [integers(1000, 20000)], outputs=4, opset=11),
    Case("NonZero 512x512", "NonZero", [normal(1, 512, 512) > 1], opset=13),
    Case("CumSum 64x4000", "CumSum", [normal(64, 4000), Constant(np.int64(1))], opset=14),
    Case("OneHot 64x64 of 100", "OneHot",
         [integers(100, 64, 64), Constant(np.int64(100)), Constant(np.array([0, 1], np.float32))], dict(axis=-1), opset=11),
    Case("ScatterND add, 20000 rows of 64", "ScatterND",
         [normal(5000, 64), integers(5000, 20000, 1), normal(20000, 64)], dict(reduction="add"), opset=18),
    Case("ScatterElements add", "ScatterElements", [normal(5000, 64), integers(5000, 20000, 64), normal(20000, 64)],
         dict(reduction="add", axis=0), opset=18),
    Case("GatherElements", "GatherElements", [normal(5000, 64), integers(5000, 20000, 64)], dict(axis=0), opset=13),
    Case("GatherND 20000 rows of 64", "GatherND", [normal(100, 100, 64), integers(100, 20000, 2)], opset=13),
    Case("Tile 2x2", "Tile", [PLANES, Constant(ints(1, 1, 2, 2))], opset=13),
    pad("constant", 1),
    pad("reflect", 3),
    pad("edge", 3),
    Case("DepthToSpace 2", "DepthToSpace", [PLANES], dict(blocksize=2), opset=13),
    Case("SpaceToDepth 2", "SpaceToDepth", [PLANES], dict(blocksize=2), opset=13),
]
