"""Writes include/onnxruntime_c_api.h, src/api/*_slots.inc and tests/abi/*_facts.inc from the interface facts.

Usage: python3 tools/gen_c_api_header.py [folder with the .tsv files]   (default: $SARDONYX_SHARED/abi or ../shared/abi)
A development-time tool: its outputs are checked in, the build never runs it.
"""

import os
import re
import sys
from pathlib import Path

import abi_facts
from abi_facts import Field, Function

ROOT = Path(__file__).resolve().parent.parent
API_VERSION = 32
WIDTH = 110

# Structs that C++ programs declare without an initializer get these values; other fields get zero.
CPP_DEFAULTS = {
    "OrtCUDAProviderOptions": {"gpu_mem_limit": "SIZE_MAX", "do_copy_in_default_stream": "1"},
    "OrtROCMProviderOptions": {"gpu_mem_limit": "SIZE_MAX", "do_copy_in_default_stream": "1"},
    "OrtOpenVINOProviderOptions": {},
}
ENUM_DEFAULTS = {"cudnn_conv_algo_search": "OrtCudnnConvAlgoSearchExhaustive"}

TABLE_COMMENTS = {
    "OrtApi": "The main table; it only grows at its end. A comment marks the API version that added what follows.",
    "OrtModelEditorApi": "Builds a graph in memory, node by node, or edits one before its session is made.",
    "OrtCompileApi": "Compiles a model ahead of time into one that holds provider contexts.",
    "OrtInteropApi": "Shares memory and semaphores with graphics and compute APIs.",
    "OrtEpApi": "What plug-in execution providers call.",
    "OrtModelPackageApi": "Opens a package of model variants and chooses the one that suits the device.",
}


def wrapped(head: str, params: list[str], tail: str, indent: str) -> str:
    """head(params)tail, on one line if it fits, else the parameters continue four columns in."""
    line = f"{indent}{head}({', '.join(params) or 'void'}){tail}"
    if len(line) <= WIDTH:
        return line
    lines, current = [f"{indent}{head}("], ""
    for position, param in enumerate(params):
        piece = param + (", " if position + 1 < len(params) else f"){tail}")
        if current and len(indent) + 4 + len((current + piece).rstrip()) > WIDTH:
            lines.append(f"{indent}    {current.rstrip()}")
            current = ""
        current += piece
    return "\n".join([*lines, f"{indent}    {current}"])


def pointer_field(function: Function, tail: str) -> str:
    return wrapped(f"{function.returns}(ORT_API_CALL* {function.name})", function.params, tail, "  ")


def enum_text(name: str, values: list[tuple[str, int]]) -> str:
    lines = [f"typedef enum {name} ORT_ENUM_BASE {{"]
    for member, value in values:
        spelled = str(value) if value < 2**31 else "SDX_ENUM_TOP_BIT"
        lines.append(f"  {member} = {spelled},")
    return "\n".join([*lines, f"}} {name};"])


def field_text(struct: str, field: Field) -> str:
    if field.callback:
        return pointer_field(field.callback, ";")
    if struct not in CPP_DEFAULTS:
        return f"  {field.declaration};"
    value = CPP_DEFAULTS[struct].get(field.name) or ENUM_DEFAULTS.get(field.name)
    if value is None:
        value = "NULL" if "*" in field.declaration else "0"
    return f"  {field.declaration} SDX_DEFAULT({value});"


def struct_text(name: str, fields: list[Field]) -> str:
    body = [field_text(name, field) for field in fields]
    return "\n".join([f"struct {name} {{", *body, "};"])


def table_text(name: str, functions: list[Function]) -> str:
    lines = [f"// {TABLE_COMMENTS[name]}", f"struct {name} {{"]
    since = 0
    for function in functions:
        if function.since > since:
            since = function.since
            lines.append(f"  // API {since}, slot {function.index}")
        lines.append(pointer_field(function, " NO_EXCEPTION;"))
    return "\n".join([*lines, "};"])


def typedef_text(name: str, declaration: str) -> str:
    if name == "OrtCustomThreadHandle":
        return "struct OrtCustomHandleType {\n  char __place_holder;\n};\n" \
               "typedef const struct OrtCustomHandleType* OrtCustomThreadHandle;"
    if match := re.fullmatch(rf"typedef (.+?)\(\*{name}\)\((.*)\)", declaration):
        arguments = match[2].split(",") if match[2] != "void" else []
        params = [abi_facts.normal_declaration(argument) for argument in arguments]
        return wrapped(f"typedef {abi_facts.normal_type(match[1])}(ORT_API_CALL* {name})", params, ";", "")
    return abi_facts.normal_type(declaration) + ";"


def header_text(folder: Path, tables: dict[str, list[Function]]) -> str:
    structs = abi_facts.read_structs(folder)
    del structs["OrtCustomHandleType"]  # written beside its handle
    handles = abi_facts.opaque_handles(folder, tables)
    fills = {
        "API_VERSION": str(API_VERSION),
        "ENUMS": "\n\n".join(enum_text(*item) for item in abi_facts.read_enums(folder).items()),
        "HANDLES": "\n".join(f"typedef struct {name} {name};" for name in handles),
        "STRUCT_NAMES": "\n".join(f"typedef struct {name} {name};" for name in [*structs, *tables]),
        "TYPEDEFS": "\n".join(typedef_text(*item) for item in abi_facts.read_typedefs(folder)),
        "STRUCTS": "\n\n".join(struct_text(*item) for item in structs.items()),
        "TABLES": "\n\n".join(table_text(*item) for item in tables.items()),
    }
    text = (ROOT / "tools/onnxruntime_c_api.h.in").read_text()
    return re.sub(r"@(\w+)@", lambda match: fills[match[1]], text)


def slots_text(table: str, functions: list[Function]) -> str:
    lines = [f"// Generated by tools/gen_c_api_header.py: {table} as SDX_SLOT(index, since, type, name, params)."]
    for f in functions:
        lines.append(f"SDX_SLOT({f.index}, {f.since}, {f.returns}, {f.name}, ({f.parameter_list()}))")
    return "\n".join(lines) + "\n"


def layout_facts(folder: Path) -> str:
    lines = ["// Generated by tools/gen_c_api_header.py: struct sizes and field offsets on x86-64, as of API 29."]
    for row in abi_facts.read_rows(folder, "struct_layout"):
        values = f"{row['offset_or_size']}, {row['size_or_align']}"
        if row["field"] == "(sizeof)":
            lines.append(f"SDX_STRUCT({row['struct']}, {values})")
        else:
            lines.append(f"SDX_FIELD({row['struct']}, {row['field']}, {values})")
    return "\n".join(lines) + "\n"


def enum_facts(folder: Path) -> str:
    lines = ["// Generated by tools/gen_c_api_header.py: the value of every enumerator."]
    for row in abi_facts.read_rows(folder, "enums"):
        lines.append(f"SDX_ENUM({row['enum']}, {row['name']}, {row['value']})")
    return "\n".join(lines) + "\n"


def slot_facts(folder: Path) -> str:
    lines = ["// Generated by tools/gen_c_api_header.py: the length of every table and the place of every entry."]
    for table, stem, _ in abi_facts.TABLES:
        rows = abi_facts.read_rows(folder, stem)
        lines.append(f"SDX_TABLE({table}, {len(rows)})")
        lines += [f"SDX_ENTRY({table}, {row['index']}, {row['name']})" for row in rows]
    return "\n".join(lines) + "\n"


def main() -> None:
    shared = Path(os.environ.get("SARDONYX_SHARED", ROOT.parent / "shared"))
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else shared / "abi"
    tables = {name: abi_facts.read_table(folder, stem) for name, stem, _ in abi_facts.TABLES}
    outputs = {"include/onnxruntime_c_api.h": header_text(folder, tables)}
    for name, _, space in abi_facts.TABLES:
        outputs[f"src/api/{space}_slots.inc"] = slots_text(name, tables[name])
    outputs["tests/abi/layout_facts.inc"] = layout_facts(folder)
    outputs["tests/abi/enum_facts.inc"] = enum_facts(folder)
    outputs["tests/abi/slot_facts.inc"] = slot_facts(folder)
    for path, text in outputs.items():
        (ROOT / path).write_text(text)
        print(f"{path}: {text.count(chr(10))} lines")


if __name__ == "__main__":
    main()
