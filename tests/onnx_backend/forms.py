"""Cases of one node each, and the models that say them at a chosen opset: what is an input in one version of an operator is an attribute
in another."""
import collections
import dataclasses
import warnings

import numpy as np
import onnx
from onnx import helper, numpy_helper

RTOL, ATOL = 1e-3, 1e-7
RANDOM = {"Bernoulli"}  # the standard's cases leave it to chance: tests/python/test_random.py
RENAMED = {("Pad", "constant_value"): "value", ("Pad", "pads"): "paddings", ("BatchNormalization", "input_mean"): "mean",
           ("BatchNormalization", "input_var"): "var"}
# Forms that say something else with the same words: (operator, since version): what a case must be like to mean the same on both sides.
MEANS_THE_SAME = {
    ("Softmax", 13): lambda c: c.attributes.get("axis") in (-1, c.rank(0) - 1),
    ("LogSoftmax", 13): lambda c: c.attributes.get("axis") in (-1, c.rank(0) - 1),
    ("Hardmax", 13): lambda c: c.attributes.get("axis") in (-1, c.rank(0) - 1),
    ("PRelu", 7): lambda c: np.size(c.inputs[1]) == 1,
    ("GroupNormalization", 21): lambda c: False,
    ("Scan", 9): lambda c: False,
}
# What a version without the attribute did, where that is not the attribute's default.
BEFORE = {("RoiAlign", "coordinate_transformation_mode"): "output_half_pixel", ("Resize", "coordinate_transformation_mode"): "asymmetric",
          ("Resize", "nearest_mode"): "floor"}
BROADCASTS = ("Add", "Sub", "Mul", "Div", "Pow", "And", "Or", "Xor", "Equal", "Less", "Greater", "Gemm", "PRelu")


class NoForm(Exception):
    """The case cannot be said in that version."""


@dataclasses.dataclass
class Case:
    name: str
    domain: str
    op: str
    opset: int  # of the form that inputs and attributes are in
    inputs: list  # values; None where one is omitted
    attributes: dict
    expected: list
    input_types: list = None  # TypeProtos, None where an input is omitted
    output_types: list = None
    wanted: list = None  # names of the outputs, "" where one is omitted
    rtol: float = RTOL
    atol: float = ATOL

    def rank(self, number):
        return np.ndim(self.inputs[number])

    def schema(self):
        return onnx.defs.get_schema(self.op, self.opset, self.domain)


def opset_of(model, domain):
    return next(o.version for o in model.opset_import if (o.domain or "") in (domain, "ai.onnx" if not domain else domain))


def type_of(value):
    """The TypeProto of a value: a tensor of that rank."""
    array = np.asarray(value)
    kind = onnx.TensorProto.STRING if array.dtype.kind in "OUS" else helper.np_dtype_to_tensor_dtype(array.dtype)
    return helper.make_tensor_type_proto(kind, [None] * array.ndim)


def text_of_type(proto):
    kind = proto.WhichOneof("value")
    if kind == "sequence_type":
        return f"seq({text_of_type(proto.sequence_type.elem_type)})"
    if kind == "optional_type":
        return f"optional({text_of_type(proto.optional_type.elem_type)})"
    if kind == "map_type":
        key = onnx.TensorProto.DataType.Name(proto.map_type.key_type).lower()
        value = text_of_type(proto.map_type.value_type)
        return f"map({key}, {value.removeprefix('tensor(').removesuffix(')')})"
    return f"tensor({onnx.TensorProto.DataType.Name(proto.tensor_type.elem_type).lower()})"


def plain(value, info):
    """A value of the standard's cases as sardonyx takes it."""
    if isinstance(value, onnx.TensorProto):
        value = numpy_helper.to_array(value)
    elif isinstance(value, onnx.SequenceProto):
        return numpy_helper.to_list(value)
    elif isinstance(value, onnx.OptionalProto):
        return numpy_helper.to_optional(value)
    if info.type.WhichOneof("value") != "tensor_type":
        return value
    array = np.asarray(value)
    return array.astype(object) if array.dtype.kind in "US" else array


def standard_cases():
    """{(domain, operator): [Case]} of the standard's own, as far as they are one node each."""
    from onnx.backend.test.case.node import collect_testcases

    warnings.filterwarnings("ignore")
    found = collections.defaultdict(list)
    for case in collect_testcases(None):
        graph = case.model.graph
        if len(graph.node) != 1 or graph.initializer or len(case.data_sets) != 1:
            continue
        node = graph.node[0]
        inputs, outputs = case.data_sets[0]
        infos = {i.name: (i, v) for i, v in zip(graph.input, inputs, strict=True)}
        results = {i.name: (i, v) for i, v in zip(graph.output, outputs, strict=True)}
        if len(set(node.input)) != len(node.input):
            continue
        made = Case(case.name, node.domain, node.op_type, opset_of(case.model, node.domain),
                    [plain(infos[n][1], infos[n][0]) if n else None for n in node.input], {a.name: a for a in node.attribute},
                    [plain(results[n][1], results[n][0]) for n in node.output if n],
                    [infos[n][0].type if n else None for n in node.input], [results[n][0].type for n in node.output if n], list(node.output),
                    case.rtol, case.atol)
        made.attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
        found[made.domain, made.op].append(made)
    return found


def same(a, b):
    return a == b if not isinstance(a, float) else abs(a - b) < 1e-12


def default_of(attribute):
    return helper.get_attribute_value(attribute.default_value) if attribute.default_value.name else None


def as_attribute(value, kind):
    kinds = type(kind)
    flat = np.asarray(value).reshape(-1)
    if kind in (kinds.INT, kinds.FLOAT):
        if flat.size != 1:
            raise NoForm("a list for one number")
        return int(flat[0]) if kind == kinds.INT else float(flat[0])
    if kind == kinds.INTS:
        return [int(v) for v in flat]
    if kind == kinds.FLOATS:
        return [float(v) for v in flat]
    raise NoForm(f"no attribute of kind {kind}")


def axes_of(case, attributes):
    """No axes at all are all of them; a list of none has no type as an attribute."""
    for name in [n for n, v in attributes.items() if isinstance(v, list) and not v]:
        if not case.op.startswith("Reduce"):
            raise NoForm(f"attribute {name} would be empty")
        del attributes[name]


def formal_of(schema, number):
    formals = schema.inputs
    return formals[min(number, len(formals) - 1)] if formals else None


def move_inputs(case, newest, older):
    """(inputs, attributes) with what the older version has as attributes moved there."""
    if older.since_version > newest.since_version and [f.name for f in older.inputs] != [f.name for f in newest.inputs]:
        raise NoForm("other inputs came later")
    places = {f.name: i for i, f in enumerate(older.inputs)}
    inputs, attributes = [None] * len(older.inputs), {}
    variadic = bool(newest.inputs) and newest.inputs[-1].option.name == "Variadic"
    for number, value in enumerate(case.inputs):
        if value is None:
            continue
        if variadic and number >= len(newest.inputs) - 1:
            inputs += [None] * (number + 1 - len(inputs))
            inputs[number] = number
            continue
        name = newest.inputs[number].name
        older_name = RENAMED.get((case.op, name), name)
        if name in places or older_name in places:
            inputs[places.get(name, places.get(older_name))] = number
        elif name in older.attributes or older_name in older.attributes:
            to = name if name in older.attributes else older_name
            attributes[to] = as_attribute(value, older.attributes[to].type)
        elif number < len(older.inputs) and newest.inputs[number].option.name != "Optional" and number < older.min_input:
            inputs[number] = number  # the same thing by another name
        else:
            raise NoForm(f"input {name} is new")
    while inputs and inputs[-1] is None:
        inputs.pop()
    return inputs, attributes


def move_attributes(case, newest, older, attributes):
    for name, attribute in newest.attributes.items():
        value = case.attributes.get(name, default_of(attribute))
        if isinstance(value, bytes):
            value = value.decode()
        if name not in older.attributes:
            before = BEFORE.get((case.op, name), default_of(attribute))
            if older.since_version > newest.since_version or not same(value, before.decode() if isinstance(before, bytes) else before):
                raise NoForm(f"there is no attribute {name}")
        elif older.attributes[name].type != attribute.type:
            raise NoForm(f"attribute {name} has another type")
        elif name in case.attributes:
            attributes[name] = value
    for name, attribute in older.attributes.items():
        if name in attributes:
            continue
        if name in newest.attributes and name not in case.attributes:
            was, is_now = default_of(attribute), default_of(newest.attributes[name])
            if was != is_now and is_now is not None:
                attributes[name] = is_now
        elif name == "broadcast" and case.op in BROADCASTS:
            attributes[name] = 1
        elif name == "is_test":
            attributes[name] = 1
        elif name == "consumed_inputs" and attribute.required:
            attributes[name] = [0] * len(case.inputs)
        elif attribute.required:
            raise NoForm(f"attribute {name} was required")


def unbroadcast(case, older):
    """Before versions 7 the second operand was broadcast as a suffix of the first."""
    if "broadcast" not in older.attributes and not (case.op == "PRelu" and older.since_version < 7):
        return
    if case.op == "Gemm" or case.opset < 7:
        return
    a, b = np.shape(case.inputs[0]), np.shape(case.inputs[1])
    if len(b) > len(a) or (b and a[len(a) - len(b):] != b):
        raise NoForm("another broadcast")


def older_form(case, older):
    """(case, the inputs' numbers, attributes) of the case in another version of its operator."""
    newest = case.schema()
    for (op, since), like in MEANS_THE_SAME.items():
        if op == case.op and (older.since_version < since) != (newest.since_version < since) and not like(case):
            raise NoForm("means something else")
    inputs, attributes = move_inputs(case, newest, older)
    move_attributes(case, newest, older, attributes)
    unbroadcast(case, older)
    axes_of(case, attributes)
    if case.op == "Resize" and older.since_version == 11 and inputs[1] is None:
        roi = np.zeros(0, np.float32)
        inputs[1] = len(case.inputs)
        case = dataclasses.replace(case, inputs=[*case.inputs, roi], input_types=[*case.input_types, type_of(roi)])
    if len(inputs) < older.min_input or len(case.wanted) > older.max_output:
        raise NoForm("another number of inputs or outputs")
    allowed = {t.type_param_str: set(t.allowed_type_strs) for t in older.type_constraints}
    for position, number in enumerate(inputs):
        if number is None:
            continue
        formal, text = formal_of(older, position), text_of_type(case.input_types[number])
        if text not in allowed.get(formal.type_str, {formal.type_str}):
            raise NoForm(f"{text} is not allowed for {formal.name}")
    for position, proto in zip((i for i, n in enumerate(case.wanted) if n), case.output_types, strict=True):
        formal, text = older.outputs[min(position, len(older.outputs) - 1)], text_of_type(proto)
        if text not in allowed.get(formal.type_str, {formal.type_str}):
            raise NoForm(f"{text} is not allowed for {formal.name}")
    return case, inputs, attributes


def model_of(case, opset, inputs, attributes):
    """A model of one node at that opset, and what to feed it."""
    names = [f"x{number}" if number is not None else "" for number in inputs]
    node = helper.make_node(case.op, names, case.wanted, name="the_node", domain=case.domain, **attributes)
    graph = helper.make_graph(
        [node], "one", [helper.make_value_info(n, case.input_types[number]) for n, number in zip(names, inputs, strict=True) if n],
        [helper.make_value_info(n, t) for n, t in zip([n for n in case.wanted if n], case.output_types, strict=True)])
    imports = [helper.make_opsetid(case.domain, opset)]
    if case.domain:
        imports.append(helper.make_opsetid("", 21))
    model = helper.make_model(graph, opset_imports=imports, ir_version=13 if opset > 20 else 8)
    return model, {n: case.inputs[number] for n, number in zip(names, inputs, strict=True) if n}
