"""What the generators of cases draw from."""
import numpy as np
from onnx import TensorProto

FLOAT, HALF, DOUBLE = TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE
OUTPUT = {np.dtype("float32"): FLOAT, np.dtype("float16"): HALF, np.dtype("float64"): DOUBLE, np.dtype("uint8"): TensorProto.UINT8,
          np.dtype("int8"): TensorProto.INT8, np.dtype("int32"): TensorProto.INT32}


def pick(rng, *choices):
    return choices[rng.integers(len(choices))]


def often(rng, chance=0.5):
    return bool(rng.random() < chance)


def normal(rng, shape, dtype=np.float32, scale=1.0):
    return np.asarray(rng.standard_normal(shape) * scale).astype(dtype)


def size(rng, most=9, least=1):
    return int(rng.integers(least, most + 1))


def shape(rng, least=0, most=4, largest=7, empty=0.05):
    made = [size(rng, largest) for _ in range(rng.integers(least, most + 1))]
    if made and often(rng, empty):
        made[rng.integers(len(made))] = 0
    return made


def thinner(rng, wanted):
    """A shape that broadcasts to the wanted one."""
    made = [d if often(rng, 0.6) else 1 for d in wanted]
    return made[rng.integers(len(made) + 1):] if often(rng, 0.4) else made


def whole(rng, shape, dtype):
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max + 1, shape).astype(dtype)


def scalar(value, dtype=np.float32):
    return np.array(value, dtype)


def result(array):
    return OUTPUT[array.dtype]
