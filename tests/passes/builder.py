"""A graph under construction: values whose type and shape are known, and how far rounding may have moved them."""
import dataclasses

import ml_dtypes
import numpy as np
from onnx import TensorProto, helper, numpy_helper

BF16 = np.dtype(ml_dtypes.bfloat16)
FLOATS = {np.dtype(np.float32): 1e-4, np.dtype(np.float64): 1e-10, np.dtype(np.float16): 3e-2, BF16: 1e-1}  # of the magnitude
INTEGERS = [np.dtype(t) for t in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")]
BOOL, TEXT, F32, I64 = np.dtype(bool), np.dtype(object), np.dtype(np.float32), np.dtype(np.int64)
TRAITS = ("subgraphs", "qdq", "integers", "half", "empty", "twice", "outputs", "replaceable", "special", "symbols")


def onnx_type(dtype):
    return TensorProto.STRING if dtype == TEXT else helper.np_dtype_to_tensor_dtype(dtype)


@dataclasses.dataclass
class Value:
    name: str
    dtype: np.dtype
    shape: tuple
    rough: float = 0.0  # what passes that only round may move it by, of the magnitude; 0: by nothing

    @property
    def rank(self):
        return len(self.shape)

    def is_float(self):
        return self.dtype in FLOATS


class Builder:
    """Of the main graph, or of a subgraph, which sees what its parent has."""

    def __init__(self, rng, traits, parent=None):
        self.rng, self.traits, self.parent = rng, traits, parent
        self.root = parent.root if parent else self
        self.nodes, self.initializers, self.values, self.inputs, self.outputs = [], [], [], [], []
        self.feed, self.counter = {}, 0
        self.kills_peer = False  # onnxruntime may not run it
        self.results = []  # of whole pieces: what is between their nodes is seldom used by others
        self.float = F32
        if parent:
            self.float = parent.float
        elif "half" in traits and rng.random() < 0.85:
            self.float = np.dtype(np.float16)
        elif rng.random() < 0.1:
            self.float = np.dtype(np.float64)

    def chance(self, p=0.5):
        return bool(self.rng.random() < p)

    def choose(self, options):
        return options[int(self.rng.integers(len(options)))]

    def integer(self, low, high):
        return int(self.rng.integers(low, high + 1))

    def fresh(self, prefix):
        self.root.counter += 1
        return f"{prefix}{self.root.counter}"

    def dim(self, low=1, high=4):
        return 0 if "empty" in self.traits and self.chance(0.25) else self.integer(low, high)

    def array(self, dtype, shape):
        dtype = np.dtype(dtype)
        if dtype == BOOL:
            return self.rng.random(shape) < 0.5
        if dtype in INTEGERS:
            info = np.iinfo(dtype)
            if self.chance(0.15):
                return np.asarray(self.rng.choice(np.array([info.min, info.max, 0, 1], dtype), shape))
            if self.chance(0.15):
                return np.asarray(self.rng.integers(info.min, info.max, shape, dtype, endpoint=True))
            return np.asarray(self.rng.integers(0 if info.min == 0 else -5, 6, shape)).astype(dtype)
        return np.asarray(self.rng.standard_normal(shape)).astype(dtype)

    def input_array(self, dtype, shape):
        made = self.array(dtype, shape)
        if dtype in FLOATS and made.size and ("special" in self.traits or self.chance(0.1)):
            tiny = float(np.finfo(dtype).smallest_subnormal) if dtype != BF16 else 1e-40
            specials = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0, 3 * tiny, 1.0, 0.5]).astype(dtype)
            mask = self.rng.random(made.shape) < 0.2
            made = np.where(mask, self.rng.choice(specials, made.shape), made).astype(dtype)
        return made

    def input(self, dtype, shape):
        root = self.root
        value = Value(self.fresh("x"), np.dtype(dtype), tuple(shape))
        dims = list(shape)
        if "symbols" in self.traits or self.chance(0.15):
            dims = [d if self.chance() else f"d{d}" if self.chance(0.7) else self.fresh("s") for d in shape]
        root.inputs.append(helper.make_tensor_value_info(value.name, onnx_type(value.dtype), dims))
        root.feed[value.name] = self.input_array(value.dtype, value.shape)
        root.values.append(value)
        root.results.append(value)
        return value

    def const(self, array, exact=False):
        """A weight: an initializer here or further out, a Constant, or one that the caller may replace. `exact`: never that."""
        array = np.asarray(array)
        owner = self.root if self.chance(0.4) else self
        value = Value(self.fresh("w"), array.dtype, array.shape)
        if self.chance(0.15) and array.dtype != BF16:
            self.nodes.append(helper.make_node("Constant", [], [value.name], value=numpy_helper.from_array(array)))
            return value
        owner.initializers.append(numpy_helper.from_array(array, value.name))
        if owner is self.root and not exact and self.chance(0.4 if "replaceable" in self.traits else 0.03):
            owner.inputs.append(helper.make_tensor_value_info(value.name, onnx_type(array.dtype), list(array.shape)))
            if self.chance():
                owner.feed[value.name] = self.array(array.dtype, array.shape)
        return value

    def ints(self, numbers):
        return self.const(np.array(numbers, np.int64), exact=True)

    def number(self, value, like, shape=()):
        return self.const(np.full(shape, value, like.dtype), exact=True)

    def op(self, op, inputs, shape=None, dtype=None, extra=(), rough=None, domain="", **attributes):
        """The first output; `extra` are (type, shape) of those behind it, which are never asked for."""
        first = next(i for i in inputs if i is not None) if inputs else None
        dtype = np.dtype(dtype) if dtype is not None else first.dtype
        moved = max([i.rough for i in inputs if i is not None], default=0.0) if rough is None else rough
        if dtype == np.float16 and any(i is not None and i.dtype == np.float16 for i in inputs):
            moved = max(moved, FLOATS[dtype])  # float16 may be computed in float32
        if moved and dtype in FLOATS:
            moved = max(moved, FLOATS[dtype])
        value = Value(self.fresh(op.lower()[:3]), dtype, tuple(first.shape if shape is None else shape), moved)
        outputs = [value.name] + [self.fresh("o") for _ in extra]
        names = ["" if i is None else i.name for i in inputs]
        while names and not names[-1]:
            names.pop()
        self.nodes.append(helper.make_node(op, names, outputs, name=self.fresh("n"), domain=domain, **attributes))
        self.values.append(value)
        if self.chance(1 if "twice" in self.traits else 0.01):
            self.use_again(value)
        if self.parent is None and self.chance(0.2 if "outputs" in self.traits else 0.01):
            self.output(value)
        return value

    def use_again(self, value):
        op = "Not" if value.dtype == BOOL else "Abs" if value.dtype != TEXT else "Identity"
        again = Value(self.fresh("again"), value.dtype, value.shape, value.rough)
        self.nodes.append(helper.make_node(op, [value.name], [again.name]))
        self.values.append(again)
        if self.parent is None:
            self.output(again)

    def binary(self, op, a, b, **attributes):
        return self.op(op, [a, b], shape=np.broadcast_shapes(a.shape, b.shape), **attributes)

    def output(self, value):
        if all(value.name != known.name for known in self.outputs):
            self.outputs.append(value)

    def visible(self, results):
        own = self.results if results else self.values
        return own + (self.parent.visible(results) if self.parent else [])

    def unused(self):
        """Values that no node of the graph uses."""
        used = {name for node in self.nodes for name in node.input}
        return [value for value in self.values if value.name not in used]

    def pick(self, wanted=lambda value: True, make=None):
        """A value that the graph has, a late one rather than an early one; or a new input (type, shape)."""
        found = [v for v in self.visible(self.chance(0.95)) if wanted(v) and np.prod(v.shape) <= 4096]
        if found and self.chance(0.8):
            return found[-1 - int(self.rng.integers(min(len(found), 6)))]
        dtype, shape = make or (self.float, [self.dim() for _ in range(self.integer(1, 4))])
        return self.input(dtype, shape)

    def any_float(self, rank=None, exact=False):
        shape = [self.dim() for _ in range(self.integer(1, 4) if rank is None else rank)]
        return self.pick(
            lambda v: v.dtype == self.float and (rank is None or v.rank == rank) and not (exact and v.rough), (self.float, shape)
        )

    def any_exact(self):
        """A float, or a number of the graph's kind, that nothing has rounded."""
        if "integers" not in self.traits or self.chance(0.2):
            return self.any_float(exact=True)
        shape = [self.dim() for _ in range(self.integer(1, 3))]
        return self.pick(lambda v: v.dtype in INTEGERS and not v.rough, (self.choose(INTEGERS), shape))

    def any_value(self):
        return self.any_exact() if self.chance() else self.any_float()

    def child(self):
        return Builder(self.rng, self.traits - {"outputs"}, self)

    def graph(self, name, inputs, outputs):
        infos = [helper.make_tensor_value_info(v.name, onnx_type(v.dtype), [None] * v.rank) for v in outputs]
        return helper.make_graph(self.nodes, name, inputs, infos, self.initializers)
