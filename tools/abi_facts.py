"""Reads the tab-separated interface facts of ONNX Runtime's C ABI into plain records.

Types come back in one spelling ("const char* const*"), without `struct` and `enum` keywords.
"""

import csv
import re
from dataclasses import dataclass
from pathlib import Path

# C type of the table, its facts file, the namespace and file stem used in src/api.
TABLES = [
    ("OrtApi", "c_api", "ort_api"),
    ("OrtModelEditorApi", "model_editor_api", "model_editor_api"),
    ("OrtCompileApi", "compile_api", "compile_api"),
    ("OrtInteropApi", "interop_api", "interop_api"),
    ("OrtEpApi", "ep_api", "ep_api"),
    ("OrtModelPackageApi", "model_package_api", "model_package_api"),
]


@dataclass
class Function:
    """A slot of a table, or a callback field of a struct."""

    index: int
    since: int
    name: str
    returns: str
    params: list[str]

    def parameter_list(self) -> str:
        return ", ".join(self.params) or "void"


@dataclass
class Field:
    name: str
    declaration: str  # "" when the field is a callback
    callback: Function | None


def read_rows(folder: Path, stem: str) -> list[dict[str, str]]:
    with open(folder / f"{stem}.tsv", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def normal_type(text: str) -> str:
    text = re.sub(r"\b(struct|enum) ", "", text)
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r" ?\* ?", "*", text)
    return re.sub(r"\*(?=\w)", "* ", text)


def normal_declaration(text: str) -> str:
    """'T * name' in one spelling; arrays and function pointers get the name in their middle."""
    text = text.strip()
    if match := re.fullmatch(r"(.+?)\s*\[\]\s*(\w+)", text):
        return f"{normal_type(match[1])} {match[2]}[]"
    if match := re.fullmatch(r"(.+?)\(\s*\*\)\((.*)\)\s*(\w+)", text):
        arguments = ", ".join(normal_type(part) for part in match[2].split(","))
        return f"{normal_type(match[1])} (*{match[3]})({arguments})"
    if text.endswith("*"):
        return normal_type(text) + " context"
    match = re.fullmatch(r"(.*[\s*])(\w+)", text)
    if match is None:
        raise ValueError(f"no type and name in parameter {text!r}")
    return f"{normal_type(match[1])} {match[2]}"


def split_params(text: str) -> list[str]:
    return [normal_declaration(part) for part in text.split(";") if part.strip()]


def read_table(folder: Path, stem: str) -> list[Function]:
    functions: list[Function] = []
    for position, row in enumerate(read_rows(folder, stem)):
        if int(row["index"]) != position:
            raise ValueError(f"{stem}.tsv: slot {row['index']} stands at position {position}")
        since = int(row["since"]) if row["since"] else functions[-1].since
        functions.append(
            Function(position, since, row["name"], normal_type(row["return"]), split_params(row["params"]))
        )
    return functions


def read_structs(folder: Path) -> dict[str, list[Field]]:
    structs: dict[str, list[Field]] = {}
    for row in read_rows(folder, "ep_struct"):
        kind, name, typed = row["kind"], row["field"], row["type_or_return"]
        if kind == "fn":
            callback = Function(
                int(row["index"]), int(row["since"] or 0), name, normal_type(typed), split_params(row["params"])
            )
            field = Field(name, "", callback)
        else:
            spelled = typed if "{" in typed else normal_type(typed)
            field = Field(name, f"{spelled} {name}", None)
        structs.setdefault(row["struct"], []).append(field)
    return structs


def read_enums(folder: Path) -> dict[str, list[tuple[str, int]]]:
    enums: dict[str, list[tuple[str, int]]] = {}
    for row in read_rows(folder, "enums"):
        enums.setdefault(row["enum"], []).append((row["name"], int(row["value"])))
    return enums


def read_typedefs(folder: Path) -> list[tuple[str, str]]:
    return [(row["name"], row["declaration"]) for row in read_rows(folder, "typedefs")]


def opaque_handles(folder: Path, tables: dict[str, list[Function]]) -> list[str]:
    """Every Ort type that the facts use and never define."""
    structs = read_structs(folder)
    defined = {name for name, _ in read_typedefs(folder)} | set(structs) | set(read_enums(folder)) | set(tables)
    text = [declaration for _, declaration in read_typedefs(folder)]
    for functions in tables.values():
        text += [f"{f.returns} {f.parameter_list()}" for f in functions]
    for fields in structs.values():
        for field in fields:
            text.append(field.declaration)
            if field.callback:
                text.append(f"{field.callback.returns} {field.callback.parameter_list()}")
    used = set(re.findall(r"\bOrt[A-Z]\w*", " ".join(text)))
    return sorted(used - defined)
