"""Sheet: a model written node by node, as an exporter writes it, with inputs to run it on."""
import numpy as np
from onnx import helper, numpy_helper


class Sheet:
    def __init__(self, opset=17, seed=0):
        self.opset, self.rng = opset, np.random.default_rng(seed)
        self.nodes, self.weights, self.inputs, self.outputs, self.feed = [], [], [], [], {}
        self.domains, self.known = {"": opset}, {}

    def input(self, name, dims, values):
        """`dims` may be symbols."""
        values = np.asarray(values)
        self.inputs.append(helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(values.dtype), dims))
        self.feed[name] = values
        return name

    def floats(self, name, dims, **sizes):
        """An input of float32 whose symbols have these sizes."""
        return self.input(name, dims, self.normal(*(sizes.get(d, d) for d in dims)))

    def normal(self, *shape):
        return self.rng.standard_normal(shape).astype(np.float32)

    def weight(self, values, dtype=None):
        """A number, a list of integers, or an array."""
        values = np.asarray(values)
        if dtype is None and values.dtype == np.float64:
            dtype = np.float32
        return self.tensor(numpy_helper.from_array(values if dtype is None else values.astype(dtype)))

    def tensor(self, proto):
        proto.name = f"w{len(self.weights)}"
        self.weights.append(proto)
        return proto.name

    def matrix(self, rows, columns):
        return self.weight(self.normal(rows, columns) / np.float32(rows) ** 0.5)

    def op(self, kind, *inputs, outputs=1, domain="", **attributes):
        """Operands: values, or numbers and arrays, which become weights."""
        self.domains.setdefault(domain, 1)
        names = [x if isinstance(x, str) else "" if x is None else self.weight(x) for x in inputs]
        made = [f"v{len(self.nodes)}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, names, made, name=f"n{len(self.nodes)}_{kind}", domain=domain, **attributes))
        return made[0] if outputs == 1 else made

    def output(self, value, rank, dtype=np.float32):
        dims = [f"{value}_{axis}" for axis in range(rank)]
        self.outputs.append(helper.make_tensor_value_info(value, helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), dims))

    def ints(self, *numbers):
        return self.weight(np.array(numbers, np.int64))

    def reshape(self, x, *dims):
        return self.op("Reshape", x, self.ints(*dims))

    def transpose(self, x, *perm):
        return self.op("Transpose", x, perm=list(perm))

    def linear(self, x, rows, columns, bias=True):
        y = self.op("MatMul", x, self.matrix(rows, columns))
        return self.op("Add", self.weight(self.normal(columns)), y) if bias else y

    def split(self, x, parts, axis, size):
        return self.op("Split", x, self.ints(*[size] * parts), outputs=parts, axis=axis)

    def mean(self, x, axis=-1):
        return self.op("ReduceMean", x, self.ints(axis)) if self.opset >= 18 else self.op("ReduceMean", x, axes=[axis])

    def unsqueeze(self, x, *axes):
        return self.op("Unsqueeze", x, self.ints(*axes))

    def slice(self, x, first, end, axis):
        return self.op("Slice", x, self.ints(first), self.ints(end), self.ints(axis))

    def dim(self, x, axis):
        """A dimension as torch's exporter asks for it: a scalar."""
        return self.op("Gather", self.op("Shape", x), self.weight(np.array(axis, np.int64)), axis=0)

    def dims(self, *parts):
        """A shape of numbers and of scalars that dim gives."""
        ones = [self.ints(p) if isinstance(p, int) else self.unsqueeze(p, 0) for p in parts]
        return self.op("Concat", *ones, axis=0)

    def model(self):
        graph = helper.make_graph(self.nodes, "g", self.inputs, self.outputs, self.weights)
        ir = 10 if self.opset >= 21 else 8
        opsets = [helper.make_opsetid(domain, version) for domain, version in self.domains.items()]
        return helper.make_model(graph, ir_version=ir, opset_imports=opsets)
