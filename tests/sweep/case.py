"""A case: inputs, attributes, what must come out and how near. Compares, and writes the model of one node."""
from dataclasses import dataclass, field

import ml_dtypes
import numpy as np
import onnx
from onnx import helper, numpy_helper

VERSIONS = {"": 28, "ai.onnx.ml": 5, "ai.onnx.preview": 1, "ai.onnx.preview.training": 1}
UNCHECKED = object()  # an output whose value the standard leaves open


@dataclass
class Case:
    inputs: list
    expected: list  # arrays, lists, dicts; None: the output is not asked for; doubles are rounded to `types`
    attributes: dict = field(default_factory=dict)
    # How far a float may be from the exact value: `ulps` steps of its type at the size of the value, or of `scale`
    # where the value is a difference of larger terms. 0: the same number.
    ulps: float = 0
    scale: object = None
    types: list = None  # element types of the outputs, where `expected` is wider
    opset: int = 0  # 0: the newest
    constant: tuple = ()  # inputs that the standard wants constant
    bits: bool = False  # the sign of zero counts too
    rest: object = None  # what else must hold: called with the outputs, gives a text or None
    subgraphs: bool = False


def spacing(dtype):
    info = ml_dtypes.finfo(dtype)
    return float(info.eps), float(info.smallest_subnormal)


def text_of(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def array_difference(found, wanted, case, scale, dtype):
    found = np.asarray(found)
    dtype = np.dtype(dtype or wanted.dtype)
    if found.shape != wanted.shape:
        return f"has shape {list(found.shape)}, {list(wanted.shape)} wanted"
    if dtype == object:
        bad = [i for i, (f, w) in enumerate(zip(found.flat, wanted.flat)) if text_of(f) != text_of(w)]
        return f"differs at {len(bad)} of {wanted.size} strings: {[found.flat[bad[0]], wanted.flat[bad[0]]]}" if bad else None
    if found.dtype != dtype:
        return f"has type {found.dtype}, {dtype} wanted"
    if wanted.size == 0:
        return None
    with np.errstate(all="ignore"):
        rounded = wanted.astype(dtype)
        if case.ulps == 0 or dtype.kind in "biu" or "int" in dtype.name:
            good = found == rounded
            if dtype.kind in "fcV" and dtype.name not in ("int4", "uint4", "int2", "uint2"):
                f, w = np.asarray(found).astype(np.complex128 if dtype.kind == "c" else np.float64), rounded.astype(np.complex128 if dtype.kind == "c" else np.float64)
                good = (f == w) | (np.isnan(f) & np.isnan(w))
                if case.bits and dtype.kind != "c":
                    good &= np.isnan(f) | (np.signbit(f) == np.signbit(w))
        elif dtype.kind == "c":
            eps = float(np.finfo(dtype).eps)
            good = np.abs(found - wanted) <= case.ulps * eps * np.maximum(np.abs(wanted), 0 if scale is None else scale)
        else:
            eps, least = spacing(dtype)
            f, w = found.astype(np.float64), rounded.astype(np.float64)
            exact = wanted.astype(np.float64)
            size = np.abs(exact) if scale is None else np.maximum(np.abs(exact), scale)
            allowed = case.ulps * (eps * size + least)
            good = (f == w) | (np.isnan(f) & np.isnan(w)) | (np.abs(f - exact) <= np.where(np.isnan(allowed), 0, allowed))
            largest = float(ml_dtypes.finfo(dtype).max)  # one side of the largest number or the other
            good |= np.isinf(f) & (np.sign(f) == np.sign(exact)) & (np.abs(exact) + allowed >= largest) & np.isfinite(exact)
            good |= np.isinf(w) & np.isfinite(exact) & (np.abs(f - exact) <= allowed)
    if np.all(good):
        return None
    i = tuple(map(int, np.argwhere(~np.asarray(good).reshape(wanted.shape))[0]))
    return f"differs at {int(np.count_nonzero(~np.asarray(good)))} of {wanted.size} elements, first at {list(i)}: {found[i]!r}, {wanted[i]!r} wanted"


def difference(found, wanted, case, scale=None, dtype=None):
    """What is wrong with found, or None."""
    if wanted is UNCHECKED:
        return None
    if wanted is None or found is None:
        return None if wanted is found else f"is {type(found).__name__}, {type(wanted).__name__} wanted"
    if isinstance(wanted, dict):
        if found.keys() != wanted.keys():
            return f"has keys {list(found)[:9]}, {list(wanted)[:9]} wanted"
        pairs = [(np.asarray(found[k]), np.asarray(wanted[k])) for k in wanted]
        return next((f"differs: {found}, {wanted} wanted" for f, w in pairs if not np.allclose(f, w, rtol=1e-5, atol=1e-6, equal_nan=True)), None)
    if isinstance(wanted, list):
        if not isinstance(found, list) or len(found) != len(wanted):
            return f"is {type(found).__name__} of {len(found)}, {len(wanted)} wanted"
        scales = scale if isinstance(scale, list) else [scale] * len(wanted)
        return next((d for d in (difference(f, w, case, s, dtype) for f, w, s in zip(found, wanted, scales)) if d), None)
    return array_difference(found, np.asarray(wanted), case, scale, dtype)


def check(outputs, case):
    asked = [i for i, w in enumerate(case.expected) if w is not None]
    if len(outputs) != len(asked):
        return f"{len(outputs)} outputs, {len(asked)} wanted"
    for i, found in zip(asked, outputs):
        scale = case.scale[i] if isinstance(case.scale, tuple) else case.scale
        dtype = case.types[i] if case.types else None
        wrong = difference(found, case.expected[i], case, scale, dtype)
        if wrong:
            return f"output {i} {wrong}"
    return case.rest(outputs) if case.rest else None


def element_type(dtype):
    return onnx.TensorProto.STRING if np.dtype(dtype) == object else helper.np_dtype_to_tensor_dtype(np.dtype(dtype))


class Typed:
    """An input whose type its value does not say: an empty sequence, an optional, a map."""

    def __init__(self, value, type_proto):
        self.value, self.type = value, type_proto


def tensor_type(dtype, shape=None):
    return helper.make_tensor_type_proto(element_type(dtype), shape)


def sequence_type(dtype):
    return helper.make_sequence_type_proto(tensor_type(dtype))


def optional_type(inner):
    return helper.make_optional_type_proto(inner)


def type_of(value, draw, name):
    if isinstance(value, Typed):
        return value.type
    if isinstance(value, list):
        return sequence_type(np.asarray(value[0]).dtype)
    shape = None
    if draw.chance(0.7):
        shape = [f"{name}_{k}" if draw.chance(0.4) else d for k, d in enumerate(value.shape)]
    return tensor_type(value.dtype, shape)


def constant_of(value, name):
    if value.dtype == object:
        return helper.make_tensor(name, onnx.TensorProto.STRING, value.shape, [text_of(v).encode() for v in value.flat])
    return numpy_helper.from_array(np.ascontiguousarray(value).reshape(value.shape), name)


def attributes_of(attributes):
    """Empty lists need a type, which helper cannot guess."""
    result = []
    for name, value in attributes.items():
        if value is None:
            continue
        if isinstance(value, np.ndarray):
            value = constant_of(value, name)
        if isinstance(value, tuple) and not value:
            result.append(onnx.AttributeProto(name=name, type=onnx.AttributeProto.INTS))
            continue
        result.append(helper.make_attribute(name, list(value) if isinstance(value, tuple) else value))
    return result


def model_of(operator, case, draw):
    """The bytes of a model of one node, and what to feed. Some inputs are constants, some shapes symbols."""
    domain, op = operator
    names, infos, constants, feed = [], [], [], {}
    all_constant = draw.chance(0.05)
    for i, value in enumerate(case.inputs):
        if value is None:
            names.append("")
            continue
        name = f"x{i}"
        names.append(name)
        can_be_constant = isinstance(value, np.ndarray)
        if can_be_constant and (i in case.constant or all_constant or draw.chance(0.5 if i else 0.05)):
            constants.append(constant_of(value, name))
            continue
        infos.append(helper.make_value_info(name, type_of(value, draw, name)))
        feed[name] = value.value if isinstance(value, Typed) else value
    while names and not names[-1]:
        names.pop()
    outputs = ["" if wanted is None else f"y{i}" for i, wanted in enumerate(case.expected)]
    while outputs and not outputs[-1]:
        outputs.pop()
    node = onnx.NodeProto(op_type=op, domain=domain, input=names, output=outputs, name="the_node")
    node.attribute.extend(attributes_of(case.attributes))
    graph = helper.make_graph([node], "sweep", infos, [onnx.ValueInfoProto(name=n) for n in outputs if n], constants)
    imports = [helper.make_opsetid(domain, case.opset or VERSIONS[domain])]
    if domain:
        imports.append(helper.make_opsetid("", VERSIONS[""]))
    return helper.make_model(graph, opset_imports=imports, ir_version=13).SerializeToString(), feed
