#!/usr/bin/env python3
"""What the standard forbids is an error that names operator, attribute or input, and value: never a result, never a crash.

    python tests/sweep/forbidden.py [--operator NAME ...] [--rows 40]

Takes valid cases of the sweep and breaks one thing at a time: enumerations, axes, sizes, counts, types, missing and unknown
attributes, missing and surplus inputs, types of inputs, indices, divisors.
"""
import argparse
import copy
import json
import os
import subprocess
import sys
import warnings

import numpy as np
import onnx

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import draw as drawing  # noqa: E402
import families  # noqa: E402, F401
from case import Case, Typed, model_of  # noqa: E402
from registry import GENERATORS  # noqa: E402
from run import name_of  # noqa: E402

WRONG_WORD = "no_such_word"

# Attributes that hold one word of a few; the other strings are free.
FREE_TEXT = {"value_string", "equation", "pattern", "delimiter", "locale", "default_string"}

# Attribute: values that are forbidden wherever it exists.
AXES = [99, -99]
FORBIDDEN_INTS = {
    "axis": AXES, "blocksize": [0, -2], "group": [0, -1], "num_outputs": [0, -1], "num_groups": [0, -1], "hidden_size": [0, -3],
    "offset_group": [0, -1], "batch_dims": [-1, 99], "to": [0, 999], "dtype": [999, -1], "output_dtype": [999, -1], "output_datatype": [999, 8],
    "q_num_heads": [0, -1], "kv_num_heads": [0, -1], "qk_matmul_output_mode": [4, -1], "softmax_precision": [7, 99], "left_window_size": [-2],
    "right_window_size": [-2], "block_size": [-1], "sampling_ratio": [-1], "output_height": [0, -1], "output_width": [0, -1], "num_scan_inputs": [0, -1, 9],
    "batch_axis": [2, -1], "time_axis": [2, -1], "max_map": [0, -1], "targets": [0, -1], "n_targets": [0, -1], "n_supports": [-1],
    "min_gram_length": [0, -1], "max_gram_length": [0], "max_skip_count": [-1], "aggregate_function": [9, -1], "layout": [2, -1],
    "rotary_embedding_dim": [-2, 98], "onesided": [2], "precision": [7, 99],
}  # fmt: skip
FORBIDDEN_BY_OPERATOR = {
    ("", "LRN"): {"size": [0, -1]}, ("", "LpNormalization"): {"p": [0, 3, -1]}, ("", "LpPool"): {"p": [0, -1]}, ("", "GlobalLpPool"): {"p": [0, -1]},
    ("ai.onnx.ml", "TreeEnsemble"): {"post_transform": [9, -1]}, ("", "Flatten"): {"axis": AXES},
}  # fmt: skip
FORBIDDEN_LISTS = {
    "kernel_shape": [[0, 0, 0, 0], [3] * 9, "zero", "negative"], "strides": ["zero", "negative", [1] * 9], "dilations": ["zero", "negative", [1] * 9],
    "pads": ["negative", [0] * 9], "axes": [[99], [-99], [0, 0]], "perm": [[0] * 9, "repeated", [99]], "output_padding": ["negative", [0] * 9],
    "output_shape": ["negative", [5] * 9], "pooled_shape": ["zero", "negative", [1]], "scan_input_axes": AXES, "scan_output_axes": AXES,
    "scan_input_directions": [[2], [-1]], "scan_output_directions": [[2], [-1]],
}  # fmt: skip
# Where what is forbidden elsewhere has a meaning, or where the operator does not look at it.
ALLOWED = {
    ("", "Shape"): {"start", "end"}, ("", "QuantizeLinear"): {"axis"}, ("", "DequantizeLinear"): {"axis"},
}  # fmt: skip

UPGRADED = {"Upsample": "Resize"}  # the node is checked in its newest form

INDEX_INPUTS = {  # operator: the input whose elements must be inside
    "Gather": 1, "GatherElements": 1, "GatherND": 1, "ScatterElements": 1, "Scatter": 1, "ScatterND": 1, "SequenceAt": 1, "SequenceErase": 1,
    "SequenceInsert": 2, "ReverseSequence": 1, "TensorScatter": 2, "NegativeLogLikelihoodLoss": 1, "SoftmaxCrossEntropyLoss": 1, "RoiAlign": 2,
    "RotaryEmbedding": 3, "MaxUnpool": 1, "CumSum": 1, "CumProd": 1, "Unsqueeze": 1, "Squeeze": 1, "TopK": 1, "ai.onnx.ml:ArrayFeatureExtractor": 1,
    "GRU": 4, "LSTM": 4, "RNN": 4,
}  # fmt: skip


def broken_list(value, how):
    value = list(value)
    if how == "zero":
        return [0] + value[1:]
    if how == "negative":
        return [-1] + value[1:]
    if how == "repeated":
        return [value[0]] * len(value) if len(value) > 1 else None
    return how if isinstance(how, list) else [how]


def attribute_changes(operator, schema, case):
    """(what, changed attributes, parts of the message)"""
    for name, attribute in schema.attributes.items():
        given = case.attributes.get(name)
        if name in ALLOWED.get(operator, ()):
            continue
        kind = str(attribute.type).split(".")[-1]
        if kind == "STRING" and name not in FREE_TEXT:
            yield f"{name}={WRONG_WORD}", {name: WRONG_WORD}, [name, WRONG_WORD]
        ints = FORBIDDEN_BY_OPERATOR.get(operator, {}).get(name) or FORBIDDEN_INTS.get(name)
        if kind == "INT" and ints:
            for value in ints:
                if name == "max_map" and case.attributes.get("map_form") != "SPARSE":
                    continue  # counts only there
                other = name == "num_outputs" and len(case.inputs) > 1  # excluded by the input, whatever its value
                yield f"{name}={value}", {name: value}, [name] if other else [name, str(value)]
        if kind == "INTS" and name in FORBIDDEN_LISTS and given:
            for how in FORBIDDEN_LISTS[name]:
                value = broken_list(given, how)
                if value is not None and value != list(given):
                    yield f"{name}={value}", {name: value}, [name]
        if attribute.required:
            yield f"no {name}", {name: None}, [name]
        if given is not None and kind in ("INT", "INTS", "FLOAT", "STRING", "STRINGS", "FLOATS"):
            wrong = "text" if kind in ("INT", "FLOAT") else 3.5 if kind in ("STRING", "INTS") else 3
            yield f"{name} of another type", {name: wrong}, [name]
    yield "an unknown attribute", {"no_such_attribute": 3}, ["no_such_attribute"]


def wrong_type_of(value, allowed):
    for name in ("string", "complex64", "bool", "int16", "float"):
        dtype = np.dtype(drawing.DTYPES[name])
        if f"tensor({name})" not in allowed and dtype != value.dtype:
            return np.full(value.shape, "x", object) if dtype == object else np.zeros(value.shape, dtype)
    return None


def input_changes(operator, schema, case):
    """(what, changed inputs, parts of the message)"""
    types = {t.type_param_str: t.allowed_type_strs for t in schema.type_constraints}
    variadic = schema.inputs and schema.inputs[-1].option == onnx.defs.OpSchema.FormalParameterOption.Variadic
    if not variadic:
        full = list(case.inputs) + [None] * (len(schema.inputs) - len(case.inputs))
        yield "a surplus input", [*full, np.zeros((), np.float32)], ["inputs"]
    for i, value in enumerate(case.inputs):
        formal = schema.inputs[min(i, len(schema.inputs) - 1)]
        if formal.option == onnx.defs.OpSchema.FormalParameterOption.Single and not variadic:
            less = list(case.inputs)
            less[i] = None
            yield f"no input {formal.name}", less, []
        if isinstance(value, np.ndarray):
            wrong = wrong_type_of(value, types.get(formal.type_str, [formal.type_str]))
            if wrong is not None:
                changed = list(case.inputs)
                changed[i] = wrong
                yield f"input {formal.name} of type {wrong.dtype}", changed, []
    index = INDEX_INPUTS.get(name_of(operator))
    if case.attributes.get("mode") == "circular":
        index = None  # wraps
    if index is not None and index < len(case.inputs) and isinstance(case.inputs[index], np.ndarray) and case.inputs[index].size:
        for far in (10**6, -(10**6)):
            changed = list(case.inputs)
            changed[index] = case.inputs[index].copy()
            changed[index].reshape(-1)[-1] = far
            yield f"input {index} holds {far}", changed, [str(far)]
    if name_of(operator) in ("Div", "Mod") and case.inputs[1].dtype.kind in "iu" and np.prod(np.broadcast_shapes(*(t.shape for t in case.inputs))):
        yield "a divisor of 0", [case.inputs[0], np.zeros_like(case.inputs[1])], ["zero"]


def shape_changes(case, rng):
    """(what, changed inputs): other ranks and sizes. Some are right, so that nothing is asked of the answer but that it is a
    result or an error with the operator's name."""
    for i, value in enumerate(case.inputs):
        if not isinstance(value, np.ndarray):
            continue
        others = {"a dimension more": value[None], "a scalar": np.zeros((), value.dtype) if value.dtype != object else np.array("x", object)}
        if value.ndim:
            axis = int(rng.integers(0, value.ndim))
            others["a dimension less"] = np.take(value, 0, axis) if value.shape[axis] else None
            others["nothing"] = np.take(value, [], axis)
            others["doubled"] = np.concatenate([value, value], axis)
            others["one less"] = np.take(value, range(max(0, value.shape[axis] - 1)), axis)
        for what, other in others.items():
            if other is not None:
                changed = list(case.inputs)
                changed[i] = np.ascontiguousarray(other).reshape(np.shape(other))
                yield f"input {i} with {what}", changed


def changes(operator, seed, number):
    draw = drawing.make(seed, operator, number)
    schema = draw.schema
    with np.errstate(all="ignore"):
        case = GENERATORS[operator](draw)
    if any(isinstance(v, Typed) for v in case.inputs):
        inputs = ()
    else:
        inputs = input_changes(operator, schema, case)
    made = [(what, case.inputs, {**case.attributes, **new}, parts) for what, new, parts in attribute_changes(operator, schema, case)]
    made += [(what, new, case.attributes, parts) for what, new, parts in inputs]
    made += [(what, new, case.attributes, None) for what, new in shape_changes(case, draw.rng)]
    for what, given, attributes, parts in made:
        changed = Case(given, case.expected, attributes, opset=case.opset, constant=case.constant)
        yield what, changed, parts, copy.copy(draw)


def verdict(module, operator, changed, parts, draw):
    """None, or what is wrong with the answer."""
    try:
        model, feed = model_of(operator, changed, draw)
    except Exception as e:
        return f"(the test's own) {type(e).__name__}: {e}"
    try:
        module.InferenceSession(model).run(None, feed)
        if parts is None:
            return None
    except Exception as e:
        text = str(e)
        if "internal error" in text:
            return f"an internal error: {text}"
        known = (operator[1], UPGRADED.get(operator[1], operator[1]))
        missing = [] if any(k in text for k in known) else [operator[1]]
        missing += [p for p in parts or [] if p not in text]
        return f"does not name {missing}: {text}" if missing else None
    return "gives a result"


def work(options):
    import sardonyx

    sardonyx.set_default_logger_severity(4)
    passed, failures = 0, {}
    for operator in sorted(GENERATORS):
        if options.operator and name_of(operator) not in options.operator:
            continue
        for number in range(options.cases):
            for what, changed, parts, draw in changes(operator, options.seed, number):
                print(f"{name_of(operator)} {number} {what}", file=sys.stderr, flush=True)
                wrong = verdict(sardonyx, operator, changed, parts, draw)
                passed += wrong is None
                if wrong:
                    failures.setdefault((name_of(operator), what), (number, wrong))
    for (name, what), (number, wrong) in list(failures.items())[:options.rows]:
        print(f"FAILED {name}: {what} (case {number}): {wrong[:240]}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as f:
            json.dump([[*k, *v] for k, v in failures.items()], f, indent=1)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


def main():
    warnings.filterwarnings("ignore")
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--operator", nargs="+")
    ap.add_argument("--cases", type=int, default=4, help="valid cases an operator that are broken")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--rows", type=int, default=60)
    ap.add_argument("--json")
    ap.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = ap.parse_args()
    if options.worker:
        return work(options)
    command = [sys.executable, os.path.abspath(__file__), "--worker", *sys.argv[1:]]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        last = (done.stderr.strip().splitlines() or ["nothing"])[-1]
        print(f"the process ended with {done.returncode} at: {last}")
        print("0 passed, 1 failed")
        return 1
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
