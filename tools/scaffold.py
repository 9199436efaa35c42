#!/usr/bin/env python3
"""Starts an operator or a pass from the files in tools/templates/.

usage: scaffold.py new-op FAMILY/STEM [ONNX_NAME]
       scaffold.py new-pass NAME
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
TEMPLATES = ROOT / "tools" / "templates"
OPS_LIST = ROOT / "src" / "ops" / "CMakeLists.txt"
OPS_LIST_HEADER = "# One line per operator; cmake/operators.cmake says what a line does.\n"


def onnx_name(stem):
    """layer_normalization -> LayerNormalization; the fact table knows odd spellings such as LRN."""
    facts = ROOT / "src" / "ops" / "operator_facts.tsv"
    if facts.exists():
        for line in facts.read_text(encoding="utf-8").splitlines():
            for field in line.split("\t")[:3]:
                if field.lower() == stem.replace("_", ""):
                    return field
    return "".join(part.capitalize() for part in stem.split("_"))


def write(template, target, words):
    text = template.read_text(encoding="utf-8")
    for word, value in words.items():
        text = text.replace(f"@{word}@", value)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    print(f"wrote {target.relative_to(ROOT)}")


def start(kind, folder, stem, words):
    pairs = []
    for template in sorted((TEMPLATES / kind).iterdir()):
        # name.cc -> <stem>.cc, name_test.cc -> <stem>_test.cc
        pairs.append((template, folder / template.name.replace("name", stem, 1).removesuffix(".in")))
    for _, target in pairs:
        if target.exists():
            sys.exit(f"{target.relative_to(ROOT)} exists already; nothing was written")
    for template, target in pairs:
        write(template, target, words)


def add_op_line(name):
    lines = OPS_LIST.read_text(encoding="utf-8").splitlines() if OPS_LIST.exists() else OPS_LIST_HEADER.splitlines()
    line = f"sdx_op({name})"
    places = [i for i, text in enumerate(lines) if text.startswith("sdx_op(")]
    at = next((i for i in places if lines[i] > line), places[-1] + 1 if places else len(lines))
    lines.insert(at, line)
    OPS_LIST.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"added {line} to {OPS_LIST.relative_to(ROOT)}")


def new_op(name, spelling=None):
    if not re.fullmatch(r"[a-z][a-z0-9_]*/[a-z][a-z0-9_]*", name):
        sys.exit(f'new-op wants family/stem in snake_case, such as activation/clip; found "{name}"')
    family, stem = name.split("/")
    words = {"FAMILY": family, "STEM": stem, "NAME": spelling or onnx_name(stem)}
    start("op", ROOT / "src" / "ops" / family, stem, words)
    add_op_line(name)
    print(f"next: fill in the contract and the cases, then: ./dev build && build/dev/bin/test_ops_{family}")


def new_pass(name):
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        sys.exit(f'new-pass wants a name in snake_case, such as fuse_gelu; found "{name}"')
    start("pass", ROOT / "src" / "passes", name, {"STEM": name})
    print(f'next: declare it in src/passes/passes.h and give it a line {{"{name}", {name}}} in src/passes/pipeline.cc')


def main():
    if len(sys.argv) >= 3 and sys.argv[1] == "new-op":
        new_op(*sys.argv[2:4])
    elif len(sys.argv) == 3 and sys.argv[1] == "new-pass":
        new_pass(sys.argv[2])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
