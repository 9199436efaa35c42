"""Models of one node each: every version of every operator that the onnx package describes, at the first opset and at the last one
of that version."""
import os
import sys

import onnx
from onnx import TensorProto, helper

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from schema_versions import versions  # noqa: E402

USUAL = ("tensor(float)", "tensor(int64)", "tensor(int32)", "tensor(bool)", "tensor(uint8)", "tensor(string)")
MADE_UP = {"auto_pad": "NOTSET", "direction": "forward", "mode": "linear", "equation": "ij,jk->ik", "to": None}


def type_of(text):
    if text.startswith("seq("):
        return helper.make_sequence_type_proto(type_of(text[4:-1]))
    if text.startswith("optional("):
        return helper.make_optional_type_proto(type_of(text[9:-1]))
    if text.startswith("map("):
        key, value = text[4:-1].split(",", 1)
        return helper.make_map_type_proto(TensorProto.DataType.Value(key.upper()), type_of(value.strip()))
    name = text.removeprefix("tensor(").removesuffix(")").upper()
    return helper.make_tensor_type_proto(TensorProto.DataType.Value(name), None)


def pick(schema, formal, chosen):
    if formal.type_str not in chosen:
        allowed = next((set(t.allowed_type_strs) for t in schema.type_constraints if t.type_param_str == formal.type_str), None)
        chosen[formal.type_str] = formal.type_str if allowed is None else next((t for t in USUAL if t in allowed), sorted(allowed)[0])
    return chosen[formal.type_str]


def made_up(attribute):
    kind = attribute.type
    kinds = type(kind)
    values = {kinds.INT: 1, kinds.FLOAT: 0.5, kinds.STRING: MADE_UP.get(attribute.name, "a"), kinds.INTS: [1, 1], kinds.FLOATS: [0.5],
              kinds.STRINGS: ["a"], kinds.TENSOR: helper.make_tensor("t", TensorProto.FLOAT, [1], [1.0])}
    return values.get(kind)


def model_of(schema, opset, all_inputs):
    chosen, inputs, attributes = {}, [], {}
    for number, formal in enumerate(schema.inputs):
        if number < schema.min_input or (all_inputs and formal.option.name != "Variadic"):
            inputs.append(helper.make_value_info(f"x{number}", type_of(pick(schema, formal, chosen))))
        elif formal.option.name == "Variadic" and number < max(schema.min_input, 1):
            inputs.append(helper.make_value_info(f"x{number}", type_of(pick(schema, formal, chosen))))
    for name, attribute in schema.attributes.items():
        if attribute.required:
            attributes[name] = made_up(attribute)
            if attributes[name] is None:
                return None
    outputs = [helper.make_empty_tensor_value_info(f"y{i}") for i in range(max(schema.min_output, 1))]
    node = helper.make_node(schema.name, [i.name for i in inputs], [o.name for o in outputs], name="the_node", domain=schema.domain, **attributes)
    graph = helper.make_graph([node], "one", inputs, outputs)
    imports = [helper.make_opsetid(schema.domain, opset)]
    return helper.make_model(graph, opset_imports=imports, ir_version=8)


def write_all(folder):
    """Yields (name, path)."""
    for schema, last in versions():
        if schema.deprecated or schema.domain.startswith("ai.onnx.preview"):
            continue
        for opset in sorted({schema.since_version, last}):
            for all_inputs in (False, True):
                model = model_of(schema, opset, all_inputs)
                if model is None:
                    continue
                name = f"{schema.domain or 'ai.onnx'}.{schema.name}-{schema.since_version}@{opset}{'+' if all_inputs else ''}"
                path = os.path.join(folder, name + ".onnx")
                onnx.save(model, path)
                yield name, path
