#!/usr/bin/env python3
"""Write src/ops/operator_facts.tsv from the pinned onnx package (development time only; the result is checked in).

    python tools/gen_operator_facts.py [OUT]
"""
import os
import sys

import numpy as np
import onnx

from gen_op_table import DTYPES, KINDS, read_facts

ONNX = "1.23.2"
HEADER = """\
# Every schema version of onnx {version}. Columns (tab): domain, name, since, flags (newest,deprecated,function or -), inputs and outputs as min-max (* unbounded), inputs, outputs, types, attributes.
# Items end at ';'. Input/output: name:type, then ? optional, *N variadic of at least N, *N! of mixed types. Types: T=f32,seq(..),opt(..),opt(seq(..)),map(key,value). Attribute: name:kind, ! required, =default (lists by comma; \\xNN escapes).
"""
SPELL = {onnx_name: ours for ours, (onnx_name, _) in DTYPES.items()}


def check_numbers():
    for ours, (onnx_name, number) in DTYPES.items():
        if onnx.TensorProto.DataType.Value(onnx_name.upper()) != number:
            sys.exit(f"gen_op_table.py gives {ours} the number {number}, onnx another")
    for number, kind in enumerate(KINDS):
        if onnx.AttributeProto.AttributeType.Name(number).lower() != kind:
            sys.exit(f"gen_op_table.py calls attribute kind {number} {kind}, onnx calls it another")


def spell_type(text):
    """'optional(seq(tensor(float)))' -> ('opt(seq(', 'f32'); the first part is the form that equal ones are grouped by."""
    form = ""
    for long, short in (("optional(", "opt("), ("seq(", "seq(")):
        if text.startswith(long):
            text, form = text[len(long):-1], form + short
    if text.startswith("map("):
        key, value = (SPELL[t.strip().removeprefix("tensor(").removesuffix(")")] for t in text[4:-1].split(","))
        return form, f"map({key},{value})"
    return form, SPELL[text.removeprefix("tensor(").removesuffix(")")]


def spell_types(texts):
    forms = {}
    for form, name in map(spell_type, texts):
        forms.setdefault(form, set()).add(name)
    out = []
    for form in sorted(forms, key=len):
        names = sorted(forms[form], key=lambda n: (n not in DTYPES, DTYPES[n][1] if n in DTYPES else 0, n))
        out.append(form + ",".join(names) + ")" * form.count("("))
    return ",".join(out)


def spell_formals(schema, formals):
    names = {t.type_param_str for t in schema.type_constraints}
    out = []
    for f in formals:
        suffix = {"Single": "", "Optional": "?", "Variadic": f"*{f.min_arity}" + ("" if f.is_homogeneous else "!")}[f.option.name]
        out.append(f"{f.name}:{f.type_str if f.type_str in names else spell_types([f.type_str])}{suffix}")
    return ";".join(out)


def escape(text):
    return "".join(f"\\x{ord(c):02x}" if c in "\\;,()\t\n\r" or not c.isprintable() else c for c in text)


def spell_value(value):
    if isinstance(value, bytes):
        return escape(value.decode())
    if isinstance(value, float):
        return repr(float(str(np.float32(value))))
    if isinstance(value, int):
        return str(value)
    return ",".join(map(spell_value, value))


def spell_attributes(schema):
    out = []
    for name, a in sorted(schema.attributes.items()):
        text = f"{name}:{a.type.name.lower()}" + ("!" if a.required else "")
        if a.default_value.type:
            text += "=" + spell_value(onnx.helper.get_attribute_value(a.default_value))
        out.append(text)
    return ";".join(out)


def arity(low, high):
    return f"{low}-{'*' if high == 2**31 - 1 else high}"


def main():
    if onnx.__version__ != ONNX:
        sys.exit(f"onnx is {onnx.__version__}, the facts are those of {ONNX}")
    check_numbers()
    here = os.path.dirname(os.path.abspath(__file__))
    path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "..", "src", "ops", "operator_facts.tsv")
    schemas = sorted(onnx.defs.get_all_schemas_with_history(), key=lambda s: (s.domain, s.name, s.since_version))
    newest = {(s.domain, s.name): s.since_version for s in schemas}
    with open(path, "w", encoding="utf-8") as f:
        f.write(HEADER.format(version=ONNX))
        for s in schemas:
            flags = [name for name, on in (("newest", newest[s.domain, s.name] == s.since_version), ("deprecated", s.deprecated),
                                           ("function", s.has_function or s.has_context_dependent_function)) if on]
            types = ";".join(f"{t.type_param_str}={spell_types(t.allowed_type_strs)}" for t in s.type_constraints)
            f.write("\t".join((s.domain or "ai.onnx", s.name, str(s.since_version), ",".join(flags) or "-",
                               arity(s.min_input, s.max_input), arity(s.min_output, s.max_output),
                               spell_formals(s, s.inputs), spell_formals(s, s.outputs), types, spell_attributes(s))) + "\n")
    assert len(read_facts(path)) == len(schemas)


if __name__ == "__main__":
    main()
