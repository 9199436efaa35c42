"""Random shapes, types and values. Everything comes from one numpy generator, so that a case is its seed."""
import functools
import math

import ml_dtypes
import numpy as np
import onnx

DTYPES = {
    "float": np.float32, "double": np.float64, "float16": np.float16, "bfloat16": ml_dtypes.bfloat16,
    "int8": np.int8, "int16": np.int16, "int32": np.int32, "int64": np.int64,
    "uint8": np.uint8, "uint16": np.uint16, "uint32": np.uint32, "uint64": np.uint64,
    "bool": np.bool_, "string": object, "complex64": np.complex64, "complex128": np.complex128,
    "float8e4m3fn": ml_dtypes.float8_e4m3fn, "float8e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "float8e5m2": ml_dtypes.float8_e5m2, "float8e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "float8e8m0": ml_dtypes.float8_e8m0fnu, "float4e2m1": ml_dtypes.float4_e2m1fn,
    "int4": ml_dtypes.int4, "uint4": ml_dtypes.uint4, "int2": ml_dtypes.int2, "uint2": ml_dtypes.uint2,
}  # fmt: skip
# The 6-bit floats are left out: no Python module takes them.
FLOATS = ("float", "double", "float16", "bfloat16")
WORDS = ["", "a", "b", "ab", "B", "Zebra", "söme", "日本", "a b", " x ", "0", "-1", "ß", "a\nb", "longer than sixteen bytes"]


def is_float(dtype):
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return True
    return dtype.kind == "V" and "float" in dtype.name


def is_integer(dtype):
    dtype = np.dtype(dtype)
    return dtype.kind in "iu" or (dtype.kind == "V" and "int" in dtype.name)


def limits(dtype):
    info = np.iinfo(dtype) if np.dtype(dtype).kind in "iu" else ml_dtypes.iinfo(dtype)
    return int(info.min), int(info.max)


def wide(x):
    """As double, to compute what is rounded once at the end; integers stay what they are."""
    return x.astype(np.float64) if is_float(x.dtype) else x


def f32(value):
    """What a float attribute holds."""
    return float(np.float32(value))


class Draw:
    def __init__(self, rng, schema):
        self.rng, self.schema = rng, schema
        self.types = {t.type_param_str: sorted(t.allowed_type_strs) for t in schema.type_constraints}

    def chance(self, p=0.5):
        return bool(self.rng.random() < p)

    def integer(self, low, high):
        return int(self.rng.integers(low, high + 1))

    def real(self, low, high):
        return f32(self.rng.uniform(low, high))

    def choice(self, options):
        return options[self.integer(0, len(options) - 1)]

    def some(self, options, low=0):
        """A random part of options, in their order."""
        count = self.integer(low, len(options))
        return [options[i] for i in sorted(self.rng.permutation(len(options))[:count])]

    def type_name(self, constraint, without=()):
        """A tensor type that the schema allows: `float`, not `tensor(float)`."""
        names = [t[7:-1] for t in self.types[constraint] if t.startswith("tensor(")]
        return self.choice([n for n in names if n not in without and n in DTYPES])

    def dtype(self, constraint, without=()):
        return np.dtype(DTYPES[self.type_name(constraint, without)])

    def float_type(self, constraint="T"):
        """Mostly float32, where the kernels are."""
        names = [t[7:-1] for t in self.types[constraint] if t[7:-1] in FLOATS]
        return np.dtype(DTYPES["float" if "float" in names and self.chance() else self.choice(names)])

    def dim(self, zero=0.04):
        p = self.rng.random()
        if p < zero:
            return 0
        if p < 0.2:
            return 1
        return self.integer(2, 6) if p < 0.85 else self.choice([7, 8, 9, 15, 16, 17, 31, 33, 64, 65])

    def shape(self, low=0, high=5, zero=0.04, count=6000):
        shape = [self.dim(zero) for _ in range(self.integer(low, high))]
        while math.prod(max(d, 1) for d in shape) > count:
            i = int(np.argmax(shape))
            shape[i] = max(1, shape[i] // 2)
        return tuple(shape)

    def axis(self, rank):
        return self.integer(-rank, rank - 1)

    def broadcast(self, count=2, high=4, zero=0.04):
        """Shapes that broadcast to one: leading dimensions left out, others 1."""
        whole = self.shape(0, high, zero)
        shapes = [whole]
        for _ in range(count - 1):
            part = whole[self.integer(0, len(whole)) if self.chance(0.4) else 0:]
            ones = self.chance(0.5)
            shapes.append(tuple(1 if ones and self.chance(0.4) else d for d in part))
        order = self.rng.permutation(count)
        shapes = [shapes[i] for i in order]
        if count > 1 and self.chance(0.2):  # both sides grow
            i = self.integer(0, count - 1)
            shapes[i] = tuple(1 if self.chance(0.3) else d for d in shapes[i])
        return shapes

    def tensor(self, dtype, shape, low=-4.0, high=4.0, special=True):
        """Values of [low, high], in some tensors with special ones among them."""
        dtype, shape = np.dtype(dtype), tuple(shape)
        rng = self.rng
        if dtype == object:
            return np.array([self.choice(WORDS) for _ in range(math.prod(shape))], object).reshape(shape)
        if dtype == np.bool_:
            return np.asarray(rng.random(shape) < 0.5)
        if dtype.kind == "c":
            return np.asarray(rng.uniform(low, high, shape) + 1j * rng.uniform(low, high, shape)).astype(dtype)
        if is_integer(dtype):
            least, most = limits(dtype)
            lo, hi = max(math.ceil(low), least), min(math.floor(high), most)
            x = rng.integers(lo, max(lo, hi), shape, endpoint=True)
            if special and self.chance(0.3):
                extremes = np.array([least, most, 0], object)
                picked = np.empty(shape, object)
                picked[...] = extremes[rng.integers(0, 3, shape)]
                x = np.where(rng.random(shape) < 0.15, picked, np.asarray(x, object))
            if dtype.kind == "V":
                return np.asarray(x, np.int64).astype(dtype)
            return np.array(x, object).astype(dtype).reshape(shape)
        x = np.asarray(rng.uniform(low, high, shape))
        if special and self.chance(0.3):
            info = ml_dtypes.finfo(dtype)
            values = [0.0, -0.0, 1.0, -1.0, float(info.max), float(info.min), float(info.tiny)]
            if dtype.itemsize > 1:
                values += [np.inf, -np.inf, np.nan, float(info.smallest_subnormal)]
            values = np.array(values)
            x = np.where(rng.random(shape) < 0.15, values[rng.integers(0, len(values), shape)], x)
        with np.errstate(all="ignore"):
            return np.asarray(x).astype(dtype)

    def plain(self, dtype, shape, low=-4.0, high=4.0):
        return self.tensor(dtype, shape, low, high, special=False)

    def indices(self, count, shape, negative=True, dtype=np.int64):
        return np.asarray(self.rng.integers(-count if negative else 0, count, shape)).astype(dtype)


@functools.cache
def schema_of(domain, name):
    """The newest one in force; of what is deprecated, the last one before."""
    versions = [s for s in onnx.defs.get_all_schemas_with_history() if s.domain == domain and s.name == name and not s.deprecated]
    return max(versions, key=lambda s: s.since_version)


def make(seed, operator, case):
    domain, name = operator
    return Draw(np.random.default_rng([seed, *f"{domain}:{name}".encode(), case]), schema_of(domain, name))
