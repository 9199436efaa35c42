"""The element types that a version of an operator allows and the one before it did not: a case of each, with onnx.reference's value."""
import dataclasses
import re

import changes
import forms
import ml_dtypes
import numpy as np
from onnx import helper

DTYPES = {"float": np.float32, "double": np.float64, "float16": np.float16, "bfloat16": ml_dtypes.bfloat16, "bool": np.bool_, "complex64": np.complex64,
          "complex128": np.complex128, **{f"{u}int{b}": np.dtype(f"{u}int{b}").type for u in ("", "u") for b in (8, 16, 32, 64)}}


# (operator, type parameter): the types that say nothing, by a regular expression.
LEFT_OUT = {
    ("BitCast", "T1"): "", ("BitCast", "T2"): "",  # types of one width only
    ("GridSample", "T2"): "",  # onnx.reference computes places in the narrow type,
    ("GridSample", "T1"): "int|bool",  # and weighted sums in the elements' own
    ("CastLike", "T2"): "int",  # NaN and infinities as integers: numpy's are the processor's
    ("Imputer", "T"): "",  # two attributes, one for either type
}


def new_types(schema, before):
    """(type parameter, element type) pairs."""
    for constraint in schema.type_constraints:
        older = [t for t in (before.type_constraints if before is not None else []) if t.type_param_str == constraint.type_param_str]
        known = set(older[0].allowed_type_strs) if older else set()
        for text in sorted(set(constraint.allowed_type_strs) - known):
            name = text.removeprefix("tensor(").removesuffix(")")
            if text.startswith("tensor(") and name in DTYPES:
                yield constraint.type_param_str, name


def converted(value, name):
    value = np.asarray(value)
    if name == "bool":
        return value > 0
    if name.startswith(("int", "uint")) and value.dtype.kind == "f":
        value = np.rint(value.astype(np.float64) * 3)
    if name.startswith("uint"):
        value = np.abs(value)
    return value.astype(DTYPES[name])


def retyped(case, parameter, name):
    """The case with another element type for one of its operator's type parameters, or NotTaken."""
    if re.search(LEFT_OUT.get((case.op, parameter), "^$"), name):
        raise changes.NotTaken
    schema = case.schema()
    inputs, input_types, output_types, touched = [], [], [], False
    for number, value in enumerate(case.inputs):
        formal = forms.formal_of(schema, number)
        proto = changes.free_type(case.input_types[number])
        if value is not None and formal.type_str == parameter:
            if proto.WhichOneof("value") != "tensor_type" or np.asarray(value).dtype.kind not in "fiub":
                raise changes.NotTaken
            value, touched = converted(value, name), True
            proto = helper.make_tensor_type_proto(helper.np_dtype_to_tensor_dtype(value.dtype), [None] * value.ndim)
        inputs.append(value)
        input_types.append(proto)
    positions = [i for i, n in enumerate(case.wanted) if n]
    for position, proto, value in zip(positions, case.output_types, case.expected, strict=True):
        formal = schema.outputs[min(position, len(schema.outputs) - 1)]
        proto = changes.free_type(proto)
        if formal.type_str == parameter and proto.WhichOneof("value") == "tensor_type":
            proto = helper.make_tensor_type_proto(helper.np_dtype_to_tensor_dtype(np.dtype(DTYPES[name])), [None] * np.ndim(value))
        output_types.append(proto)
    if not touched:
        raise changes.NotTaken
    return dataclasses.replace(case, inputs=inputs, input_types=input_types, output_types=output_types)


def in_type(case, parameter, name):
    """(case of that type, expected): of onnx.reference in the type itself, or in float32 and rounded where it does not know the type."""
    typed = retyped(case, parameter, name)
    try:
        return typed, changes.evaluate(typed)[2]
    except changes.NotTaken:
        if name not in ("float16", "bfloat16"):
            raise
    wide = retyped(dataclasses.replace(case, inputs=[converted(v, name) if isinstance(v, np.ndarray) and v.dtype.kind == "f" else v for v in case.inputs]),
                   parameter, "float")
    expected = changes.evaluate(wide)[2]
    elements = [t.tensor_type.elem_type for t in typed.output_types]
    if not all(elements):
        raise changes.NotTaken
    return typed, [np.asarray(v).astype(helper.tensor_dtype_to_np_dtype(e)) for v, e in zip(expected, elements, strict=True)]
