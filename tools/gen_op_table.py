#!/usr/bin/env python3
"""Write the operator table (C++) from the checked-in schema facts and the contracts' sources. Standard library only.

    python3 tools/gen_op_table.py --facts src/ops/operator_facts.tsv --out OUT.cc family/stem ...

A contract is a block `SDX_OP(ident) = {... .name = "Clip", .domain = "com.microsoft" ...}` in src/ops/family/stem.cc; name
and domain must be string literals. The result holds plain constinit tables, see src/ops/op_facts.h.
"""
import argparse
import os
import re
import sys

# Element types: our spelling -> (spelling in ONNX type strings, TensorProto.DataType).
DTYPES = {
    "f32": ("float", 1), "u8": ("uint8", 2), "i8": ("int8", 3), "u16": ("uint16", 4), "i16": ("int16", 5), "i32": ("int32", 6),
    "i64": ("int64", 7), "string": ("string", 8), "bool": ("bool", 9), "f16": ("float16", 10), "f64": ("double", 11),
    "u32": ("uint32", 12), "u64": ("uint64", 13), "c64": ("complex64", 14), "c128": ("complex128", 15), "bf16": ("bfloat16", 16),
    "f8e4m3fn": ("float8e4m3fn", 17), "f8e4m3fnuz": ("float8e4m3fnuz", 18), "f8e5m2": ("float8e5m2", 19),
    "f8e5m2fnuz": ("float8e5m2fnuz", 20), "u4": ("uint4", 21), "i4": ("int4", 22), "f4e2m1": ("float4e2m1", 23),
    "f8e8m0": ("float8e8m0", 24), "u2": ("uint2", 25), "i2": ("int2", 26), "f6e2m3": ("float6e2m3", 27), "f6e3m2": ("float6e3m2", 28),
}
KINDS = ("undefined", "float", "int", "string", "tensor", "graph", "floats", "ints", "strings", "tensors", "graphs",
         "sparse_tensor", "sparse_tensors", "type_proto", "type_protos")
UNBOUNDED = 2**31 - 1
# Operators that exporters write into a standard domain although the standard has none of that name.
GUESTS = {("", "SimplifiedLayerNormalization")}
STANDARD = ("", "ai.onnx.ml", "ai.onnx.preview", "ai.onnx.preview.training")


class Wrong(Exception):
    """The input is wrong; the message names the place."""


def split_outside_parentheses(text, separator):
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if c == separator and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return parts + [text[start:]] if text else []


def unescape(text):
    return re.sub(r"\\x([0-9a-f]{2})", lambda m: chr(int(m.group(1), 16)), text)


def parse_types(text):
    """'f32,seq(f32,i64),map(string,f32)' -> (tensors, sequences, optionals, optional sequences, has maps); the first four are masks."""
    masks, maps = [0, 0, 0, 0], False
    for item in split_outside_parentheses(text, ","):
        form, kind = item, 0
        for prefix, k in (("opt(seq(", 3), ("opt(", 2), ("seq(", 1)):
            if form.startswith(prefix):
                form, kind = form[len(prefix):-prefix.count("(")], k
                break
        if form.startswith("map("):
            maps = True
            continue
        for name in form.split(","):
            masks[kind] |= 1 << DTYPES[name][1]
    return (*masks, maps)


def parse_formals(text, constraints):
    formals = []
    for item in split_outside_parentheses(text, ";"):
        m = re.fullmatch(r"([^:]+):([^?*]+)(\?|\*(\d+)(!?))?", item)
        name, type_, suffix = m.group(1), m.group(2), m.group(3) or ""
        if type_ not in constraints:
            constraints[type_] = type_  # a concrete type is its own constraint
        option = "single" if not suffix else "optional" if suffix == "?" else "variadic"
        arity = int(m.group(4)) if option == "variadic" else 1
        index = list(constraints).index(type_)
        formals.append((name, type_, option, not m.group(5), arity, index))
    return tuple(formals)


def parse_attributes(text):
    out = []
    for item in split_outside_parentheses(text, ";"):
        head, has_default, default = item.partition("=")
        name, kind = head.rstrip("!").split(":")
        out.append((name, KINDS.index(kind), head.endswith("!"), bool(has_default), unescape(default)))
    return tuple(out)


def parse_range(text):
    low, high = text.split("-")
    return int(low), UNBOUNDED if high == "*" else int(high)


def read_facts(path):
    rows = []
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            if line.startswith("#"):
                continue
            try:
                domain, name, since, flags, n_in, n_out, inputs, outputs, types, attributes = line.rstrip("\n").split("\t")
                constraints = dict(item.split("=", 1) for item in split_outside_parentheses(types, ";"))
                flags = flags.split(",")
                rows.append({
                    "domain": "" if domain == "ai.onnx" else domain, "name": name, "since": int(since),
                    "deprecated": "deprecated" in flags, "newest": "newest" in flags, "function": "function" in flags,
                    "arity": parse_range(n_in) + parse_range(n_out),
                    "inputs": parse_formals(inputs, constraints), "outputs": parse_formals(outputs, constraints),
                    "constraints": tuple((k, *parse_types(v)) for k, v in constraints.items()),
                    "attributes": parse_attributes(attributes)})
            except (ValueError, KeyError, AttributeError) as e:
                raise Wrong(f"{path}:{number}: cannot read this line ({e})") from e
    return sorted(rows, key=lambda r: (r["domain"], r["name"], r["since"]))


def without_comments(text):
    keep = r'"(?:\\.|[^"\\\n])*"|R"\((?:.|\n)*?\)"'
    return re.sub(keep + r"|//[^\n]*|/\*.*?\*/", lambda m: m.group(0) if m.group(0)[0] in '"R' else " ", text, flags=re.S)


def block_after(text, start):
    """The text of the brace block that opens at start, without what deeper blocks hold."""
    depth, out = 0, []
    for token in re.findall(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\])\'|.', text[start:], flags=re.S):
        depth -= token == "}"
        if depth <= 1:
            out.append(token)
        depth += token == "{"
        if depth == 0:
            return "".join(out)
    return None


def literal_field(block, field, where, default=None):
    m = re.search(rf"\.{field}\s*=\s*", block)
    if not m:
        if default is not None:
            return default
        raise Wrong(f"{where} has no .{field}")
    literal = re.match(r'"([^"]*)"', block[m.end():])
    if not literal:
        raise Wrong(f"{where}: .{field} must be a string literal")
    return literal.group(1)


def find_kernels(root, stem):
    """Identifiers of the SDX_CPU_KERNELS(ident, ...) lists in the file of kernels beside a contract."""
    path = os.path.join(root, stem + "_cpu.cc")
    if not os.path.exists(path):
        return set()
    with open(path, encoding="utf-8") as f:
        return set(re.findall(r"\bSDX_CPU_KERNELS\s*\(\s*(\w+)", without_comments(f.read())))


def find_contracts(root, stems, known):
    found, kernels = {}, set()
    for stem in stems:
        path = os.path.join(root, stem + ".cc")
        kernels |= find_kernels(root, stem)
        with open(path, encoding="utf-8") as f:
            text = without_comments(f.read())
        blocks = list(re.finditer(r"\bSDX_OP\s*\(\s*(\w+)\s*\)\s*=\s*(?=\{)", text))
        if not blocks:
            raise Wrong(f"{path} has no SDX_OP(...) = {{...}}")
        for m in blocks:
            where = f"{path}: SDX_OP({m.group(1)})"
            block = block_after(text, m.end())
            if block is None:
                raise Wrong(f"{where} has no closing brace")
            domain = literal_field(block, "domain", where, "")
            key = ("" if domain == "ai.onnx" else domain, literal_field(block, "name", where))
            if key in found:
                raise Wrong(f"{where}: {key[0] or 'ai.onnx'}:{key[1]} is also the name of SDX_OP({found[key]})")
            if key[0] in STANDARD and key not in known and key not in GUESTS:
                raise Wrong(f"{where}: {key[0] or 'ai.onnx'} has no operator {key[1]}")
            found[key] = m.group(1)
    orphans = kernels - set(found.values())
    if orphans:
        raise Wrong(f"SDX_CPU_KERNELS without a contract: {', '.join(sorted(orphans))}")
    return sorted((d, n, ident, ident in kernels) for (d, n), ident in found.items())


def sv(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"sv'


def flag(value):
    return "true" if value else "false"


class Pool:
    """Arrays shared by value: each distinct one is written once."""

    def __init__(self, type_, prefix, show):
        self.type, self.prefix, self.show, self.names = type_, prefix, show, {}

    def name(self, items):
        if not items:
            return "{}"
        return self.names.setdefault(items, f"{self.prefix}{len(self.names)}")

    def lines(self):
        for items, name in self.names.items():
            yield f"constexpr {self.type} {name}[] = {{" + ", ".join(map(self.show, items)) + "};"


def render(facts, contracts):
    formals = Pool("Formal", "f", lambda f: f"{{{sv(f[0])}, {sv(f[1])}, FormalOption::{f[2]}, {flag(f[3])}, {f[4]}, {f[5]}}}")
    types = Pool("TypeConstraint", "t", lambda c: "{%s, %#x, %#x, %#x, %#x, %s}" % (sv(c[0]), *c[1:5], flag(c[5])))
    attributes = Pool("AttributeFacts", "a", lambda a: f"{{{sv(a[0])}, AttributeKind{{{a[1]}}}, {flag(a[2])}, {flag(a[3])}, {sv(a[4])}}}")
    rows = []
    for r in facts:
        spans = ", ".join((formals.name(r["inputs"]), formals.name(r["outputs"]), types.name(r["constraints"]),
                           attributes.name(r["attributes"])))
        arity = ", ".join("kUnbounded" if n == UNBOUNDED else str(n) for n in r["arity"])
        rows.append(f"    {{{sv(r['domain'])}, {sv(r['name'])}, {r['since']}, {flag(r['deprecated'])}, {flag(r['newest'])}, "
                    f"{flag(r['function'])}, {arity}, {spans}}},")
    out = ["// Generated by tools/gen_op_table.py; not checked in.", '#include "ops/op_facts.h"', "", "namespace sdx::ops {"]
    out += [f"extern const Contract contract_{ident};" for _, _, ident, _ in contracts]
    out += [f"extern const KernelList cpu_kernels_{ident};" for _, _, ident, has_kernels in contracts if has_kernels]
    out += ["namespace {", 'using std::string_view_literals::operator""sv;']
    out += [*formals.lines(), *types.lines(), *attributes.lines()]
    out += [f"constexpr OpFacts kFacts[] = {{", *rows, "};"]
    if contracts:
        out += ["constexpr OpEntry kOps[] = {"] + [f"    {{{sv(d)}, {sv(n)}, &contract_{i}, {f'&cpu_kernels_{i}' if k else 'nullptr'}}}," for d, n, i, k in contracts] + ["};"]
    out += ["}  // namespace", "extern constinit const std::span<const OpFacts> generated_facts = kFacts;",
            "extern constinit const std::span<const OpEntry> generated_ops" + (" = kOps;" if contracts else ";"),
            "}  // namespace sdx::ops", ""]
    return "\n".join(out)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--facts", required=True)
    ap.add_argument("--out", required=True)
    ap.add_argument("--root", help="folder of the families (default: the folder of --facts)")
    ap.add_argument("stems", nargs="*", metavar="family/stem")
    a = ap.parse_args()
    try:
        facts = read_facts(a.facts)
        known = {(r["domain"], r["name"]) for r in facts}
        text = render(facts, find_contracts(a.root or os.path.dirname(a.facts), a.stems, known))
    except (Wrong, OSError) as e:
        print(f"gen_op_table: {e}", file=sys.stderr)
        return 1
    if not os.path.exists(a.out) or open(a.out, encoding="utf-8").read() != text:
        with open(a.out, "w", encoding="utf-8") as f:
            f.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
