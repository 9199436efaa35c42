"""How a case of the standard is changed, and what onnx.reference makes of it."""
import dataclasses
import signal
import warnings

import forms
import numpy as np
import onnx
import worker
from onnx import helper
from onnx.reference import ReferenceEvaluator
from schema_versions import versions

RECURRENT = [(0, 1), (0, 2), (1, 1), (1, 2), (2, 1), (2, 2)]
# Sizes that must stay, and so all equal ones do: (input, axis). onnx.reference does not refuse others.
STAYS = {
    "RNN": RECURRENT, "GRU": RECURRENT, "LSTM": RECURRENT, "NonMaxSuppression": [(0, 2)], "RoiAlign": [(1, 0), (1, 1)],
    "ReverseSequence": [(0, 0), (0, 1)], "CausalConvWithState": [(0, 2), (1, 2), (3, 2)], "ConvInteger": [(1, 2), (1, 3)],
    "Split": [(0, 0), (0, 1)], "SplitToSequence": [(0, 0), (0, 1)], "Compress": [(0, 0), (0, 1), (1, 0)], "AffineGrid": [(0, 0)],
    "FlexAttention": [(0, 0)], "Attention": [(0, 0)], "DFT": [(0, -1)], "GatherElements": [(0, 0), (0, 1)], "ScatterND": [(0, 0), (1, 0), (1, 1)],
}
# Cases that onnx.reference takes with any sizes or axes: blocks, parts and conditions that do not fit.
KEPT = {
    ("axes", "Compress"): lambda c: True,
    ("axes", "GatherElements"): lambda c: True,
    ("axes", "Split"): lambda c: len(c.inputs) > 1,
    ("axes", "SplitToSequence"): lambda c: len(c.inputs) > 1 and c.rank(1) > 0,
    ("axes", "QuantizeLinear"): lambda c: "block_size" in c.attributes,
    ("axes", "DequantizeLinear"): lambda c: "block_size" in c.attributes,
    ("sizes", "QuantizeLinear"): lambda c: "block_size" in c.attributes,
    ("sizes", "DequantizeLinear"): lambda c: "block_size" in c.attributes,
    # The columns that rounding up adds, onnx.reference puts on both sides.
    ("sizes", "AveragePool"): lambda c: c.attributes.get("ceil_mode", 0) == 1,
    ("sizes", "MaxPool"): lambda c: c.attributes.get("ceil_mode", 0) == 1 or len(c.wanted) > 1,  # the places of maxima: as if unpadded
    ("sizes", "LpPool"): lambda c: c.attributes.get("ceil_mode", 0) == 1,
}
UNTRUSTED = {"test_logsoftmax_large_number"}  # by others it takes the logarithm of 0
CHOSEN = {("OneHot", 0)}  # values that are only chosen, not mixed: onnx.reference does not make integers of them
STRUCTURE = {"shape", "axes", "axis", "repeats", "pads", "split", "starts", "ends", "steps", "K", "k", "sizes", "scales", "roi", "depth", "sequence_lens",
             "dft_length", "frame_step", "frame_length", "output_shape", "size", "position", "max_output_boxes_per_class", "M", "cond", "batch_indices", "image_shape", "block_shape"}
STEPS = {"float16": 2.0**-9, "bfloat16": 2.0**-6, "float32": 1e-5, "float64": 1e-6}  # of the largest magnitude


class NotTaken(Exception):
    pass


@dataclasses.dataclass
class Change:
    name: str
    key: str
    kinds: list
    model: onnx.ModelProto
    feeds: dict
    expected: list


def is_data(case, number):
    value, formals = case.inputs[number], case.schema().inputs
    if not isinstance(value, np.ndarray) or value.ndim == 0:
        return False
    return formals[min(number, len(formals) - 1)].name not in STRUCTURE


def other_sizes(case, rng):
    """Every size becomes another one, the same for the same; what follows from sizes is for onnx.reference to refuse."""
    sizes = {d for i in range(len(case.inputs)) if is_data(case, i) for d in case.inputs[i].shape}
    kept = {case.inputs[i].shape[axis] for i, axis in STAYS.get(case.op, []) if i < len(case.inputs) and -1 <= axis < np.ndim(case.inputs[i])}
    mapped = {d: max(1, d + rng.choice((-1, 1, 2, 3))) if d > 1 and d not in kept and rng.random() < 0.7 else d for d in sorted(sizes)}
    if all(d == new for d, new in mapped.items()) or any(np.prod([mapped.get(d, d) for d in np.shape(v)]) > 1e5 for v in case.inputs if isinstance(v, np.ndarray)):
        raise NotTaken
    inputs = [np.resize(v, [mapped[d] for d in v.shape]).astype(v.dtype) if is_data(case, i) else v for i, v in enumerate(case.inputs)]
    return dataclasses.replace(case, inputs=inputs)


def drawn(value, mix):
    """Values between those that were there, or some of them again."""
    flat = value.reshape(-1)
    if not flat.size:
        return value
    pick = np.random.randint(0, flat.size, flat.size)
    if mix and value.dtype.name in STEPS and np.isfinite(flat.astype(np.float64)).all():
        other, part = np.random.randint(0, flat.size, flat.size), np.random.rand(flat.size)
        mixed = flat[pick].astype(np.float64) * part + flat[other].astype(np.float64) * (1 - part)
        return mixed.astype(value.dtype).reshape(value.shape)
    return flat[pick].reshape(value.shape)


def other_values(case, _):
    if not any(is_data(case, i) for i in range(len(case.inputs))):
        raise NotTaken
    inputs = [drawn(v, (case.op, i) not in CHOSEN) if is_data(case, i) else v for i, v in enumerate(case.inputs)]
    return dataclasses.replace(case, inputs=inputs)


def other_axes(case, rng):
    """An attribute `axis` or `perm`, or an input `axes`, that names other axes, as many as before."""
    formals = case.schema().inputs
    ranks = [v.ndim for v in case.inputs if isinstance(v, np.ndarray)]
    if not ranks or not ranks[0]:
        raise NotTaken
    rank = ranks[0]
    if "axis" in case.attributes:
        axis = rng.randrange(-rank, rank)
        return dataclasses.replace(case, attributes={**case.attributes, "axis": axis})
    if "perm" in case.attributes:
        return dataclasses.replace(case, attributes={**case.attributes, "perm": rng.sample(range(rank), rank)})
    for number, value in enumerate(case.inputs):
        if value is not None and formals[min(number, len(formals) - 1)].name == "axes" and 0 < np.size(value) <= rank:
            chosen = [a - rng.choice((0, rank)) for a in rng.sample(range(rank), np.size(value))]
            inputs = list(case.inputs)
            inputs[number] = np.array(chosen, value.dtype).reshape(np.shape(value))
            return dataclasses.replace(case, inputs=inputs)
    raise NotTaken


def free_type(proto):
    """The type without sizes: those of the case are no longer true."""
    kind = proto.WhichOneof("value") if proto is not None else None
    if kind == "tensor_type":
        rank = len(proto.tensor_type.shape.dim) if proto.tensor_type.HasField("shape") else None
        return helper.make_tensor_type_proto(proto.tensor_type.elem_type, None if rank is None else [None] * rank)
    if kind == "sequence_type":
        return helper.make_sequence_type_proto(free_type(proto.sequence_type.elem_type))
    if kind == "optional_type":
        return helper.make_optional_type_proto(free_type(proto.optional_type.elem_type))
    return proto


VERSIONS = {}


def all_versions():
    if not VERSIONS:
        for schema, last in versions():
            VERSIONS.setdefault((schema.domain, schema.name), []).append((schema, last))
    return VERSIONS


def in_time(seconds, action):
    def stop(*_):
        raise NotTaken

    previous = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        return action()
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)


def evaluate(case):
    inputs = [i if v is not None else None for i, v in enumerate(case.inputs)]
    model, feeds = forms.model_of(case, case.opset, inputs, case.attributes)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            onnx.checker.check_model(model)
            onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True)
            values = in_time(5, lambda: ReferenceEvaluator(model).run(None, feeds))
        except Exception as error:
            raise NotTaken from error
    for value, proto in zip(values, case.output_types, strict=True):
        if proto.WhichOneof("value") != "tensor_type":
            continue
        array = np.asarray(value)
        if array.dtype.kind not in "OUS" and helper.np_dtype_to_tensor_dtype(array.dtype) != proto.tensor_type.elem_type:
            raise NotTaken
    return model, feeds, [np.asarray(v) if isinstance(v, np.generic) else v for v in values]


TRUSTED = {}


def is_trusted(case):
    """Whether onnx.reference gives the case's own values."""
    if case.name in UNTRUSTED:
        return False
    if case.name not in TRUSTED:
        try:
            found = evaluate(case)[2]
            pairs = zip(found, case.expected, strict=True)
            TRUSTED[case.name] = not any(worker.difference(f, w, case.rtol, case.atol) for f, w in pairs)
        except NotTaken:
            TRUSTED[case.name] = False
    return TRUSTED[case.name]


def make(case, rng):
    if case.op in forms.RANDOM or not is_trusted(case):
        raise NotTaken
    changed, kinds = case, []
    for kind, how, chance in (("axes", other_axes, 0.5), ("sizes", other_sizes, 0.8), ("values", other_values, 0.9)):
        if rng.random() < chance and not KEPT.get((kind, case.op), lambda c: False)(case):
            try:
                changed = how(changed, rng)
                kinds.append(kind)
            except NotTaken:
                continue
    changed = dataclasses.replace(changed, input_types=[free_type(t) for t in case.input_types], output_types=[free_type(t) for t in case.output_types])
    model, feeds, expected = evaluate(changed)
    schema, last = rng.choice(all_versions()[case.domain, case.op])
    opset = rng.choice((schema.since_version, last))
    if opset != case.opset and schema.since_version <= case.schema().since_version and not schema.deprecated:
        try:
            older, inputs, attributes = forms.older_form(changed, schema)
            model, feeds = forms.model_of(older, opset, inputs, attributes)
            onnx.checker.check_model(model)
            kinds.append("opset")
        except (forms.NoForm, onnx.checker.ValidationError):
            opset = case.opset
            model, feeds, _ = evaluate(changed)
    else:
        opset = case.opset
    if not kinds:
        raise NotTaken
    shapes = ",".join("x".join(map(str, np.shape(v))) or "scalar" for v in changed.inputs if isinstance(v, np.ndarray))
    attributes = " ".join(f"{k}={v}" for k, v in changed.attributes.items() if not isinstance(v, onnx.GraphProto))
    name = f"{case.name}@{opset} with other {', '.join(kinds)} [{shapes}] {attributes}".strip()
    return Change(name, name, kinds, model, feeds, expected)


def difference(found, wanted, change):
    if isinstance(wanted, np.ndarray) and wanted.dtype.name in STEPS and isinstance(found, np.ndarray):
        finite = np.abs(wanted.astype(np.float64))[np.isfinite(wanted.astype(np.float64))]
        step = STEPS[wanted.dtype.name]
        return worker.difference(found, wanted, max(forms.RTOL, step) if step > 1e-4 else forms.RTOL, step * max([0, *finite.reshape(-1)]) + 1e-30)
    return worker.difference(found, wanted, forms.RTOL, forms.ATOL)
