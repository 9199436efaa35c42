#!/usr/bin/env python3
"""Run a model of one node for every version of every operator that the onnx package describes, at its first opset and its last, and
compare with the values that the standard gives.

    python tests/onnx_backend/versions.py [--all] [--filter REGEX] [--list]

The cases are the standard's own (--all: all of them, else three a version), said in the form that the version had, and those of
made_cases.py, computed with numpy, for what the standard has no cases of. Every element type that is new in a version gets a case too, where
onnx.reference knows it.
"""
import argparse
import os
import re
import sys

import onnx

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import changes  # noqa: E402
import forms  # noqa: E402
import made_cases  # noqa: E402
import new_types  # noqa: E402
import worker  # noqa: E402
from schema_versions import versions  # noqa: E402

LEFT_OUT = {("ai.onnx.preview.training", "Gradient"): "is training"}
USUAL = 3  # cases of a version


def run_case(sardonyx, case, schema, opset):
    case, inputs, attributes = forms.older_form(case, schema)
    model, feeds = forms.model_of(case, opset, inputs, attributes)
    try:
        if not schema.deprecated:
            onnx.checker.check_model(model)
    except Exception as error:
        raise forms.NoForm(f"onnx.checker: {error}") from error
    session = sardonyx.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    outputs = session.run(None, feeds)
    for name, found, wanted in zip([n for n in case.wanted if n], outputs, case.expected, strict=True):
        if case.op in forms.RANDOM:
            continue
        wrong = worker.difference(found, wanted, case.rtol, case.atol)
        if wrong:
            return f"output {name} {wrong}"
    return None


def check_version(sardonyx, schema, last, cases, limit):
    """(how many cases ran, what is wrong, why cases did not run)."""
    ran, wrong, reasons = 0, [], []
    for case in cases:
        if ran >= limit:
            break
        try:
            for opset in sorted({schema.since_version, last}):
                found = run_case(sardonyx, case, schema, opset)
                if found:
                    wrong.append(f"{case.name}@{opset}: {found}")
            ran += 1
        except forms.NoForm as reason:
            reasons.append(f"{case.name}: {reason}")
        except Exception as error:  # noqa: BLE001
            ran += 1
            wrong.append(f"{case.name}@{opset}: {type(error).__name__}: {error}")
    return ran, wrong, reasons


def check_types(sardonyx, schema, before, cases):
    """(how many types ran, what is wrong) of those that are new in this version."""
    ran, wrong = 0, []
    if schema.deprecated or schema.name in forms.RANDOM:
        return ran, wrong
    for parameter, name in new_types.new_types(schema, before):
        for case in cases:
            try:
                if not changes.is_trusted(case):
                    continue
                typed, expected = new_types.in_type(case, parameter, name)
                typed, inputs, attributes = forms.older_form(typed, schema)
                model, feeds = forms.model_of(typed, schema.since_version, inputs, attributes)
                onnx.checker.check_model(model)
                onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True)
            except (changes.NotTaken, forms.NoForm, onnx.checker.ValidationError, onnx.shape_inference.InferenceError):
                continue
            ran += 1
            try:
                found = sardonyx.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"]).run(None, feeds)
                texts = [changes.difference(f, w, None) for f, w in zip(found, expected, strict=True)]
            except Exception as error:  # noqa: BLE001
                texts = [f"{type(error).__name__}: {error}"]
            wrong += [f"{case.name} with {parameter} = {name}: {text}" for text in texts if text]
            break
    return ran, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--filter", default="")
    parser.add_argument("--list", action="store_true", help="say of each version how many cases ran, and why others did not")
    options = parser.parse_args()
    import sardonyx

    sardonyx.set_default_logger_severity(4)
    cases = forms.standard_cases()
    for case in made_cases.all_cases():
        cases[case.domain, case.op].insert(0, case)
    sums = {"passed": 0, "failed": 0, "skipped": 0}
    total, types, previous = 0, 0, None
    for schema, last in versions():
        name = f"{schema.domain or 'ai.onnx'}.{schema.name}-{schema.since_version}"
        why = LEFT_OUT.get((schema.domain, schema.name))
        ran, wrong, reasons = 0, [], []
        before = previous if previous is not None and previous.name == schema.name and previous.domain == schema.domain else None
        previous = schema
        if not re.search(options.filter, name):
            continue
        if not why:
            ran, wrong, reasons = check_version(sardonyx, schema, last, cases[schema.domain, schema.name], 1000 if options.all else USUAL)
            count, more = check_types(sardonyx, schema, before, cases[schema.domain, schema.name])
            total, types, wrong = total + ran, types + count, wrong + more
        kind = "failed" if wrong else "passed" if ran else "skipped"
        sums[kind] += 1
        for text in wrong:
            print(f"FAILED {name}: {text}")
        if kind == "skipped":
            print(f"SKIPPED {name}: {why or 'no case: ' + '; '.join(reasons[:3])}")
        if options.list:
            print(f"{name}: {ran} cases; not: {'; '.join(reasons[:5])}")
    print(f"{total} cases of {sums['passed'] + sums['failed']} versions, and {types} types that were new in them")
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**sums))
    return 1 if sums["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
