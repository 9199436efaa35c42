#!/usr/bin/env python3
"""Starts an operator from the files in tools/templates/op/.

usage: scaffold.py new-op FAMILY/STEM [ONNX_NAME [DOMAIN]]
"""

import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
TEMPLATES = ROOT / "tools" / "templates"
OPS_LIST = ROOT / "src" / "ops" / "CMakeLists.txt"
FACTS = ROOT / "src" / "ops" / "operator_facts.tsv"


def newest_form(stem, spelling, domain):
    """(name, domain, since): layer_normalization is LayerNormalization; the facts know odd spellings such as LRN, and
    the opset of the newest form. An operator outside the standard begins at 1."""
    wanted = spelling or stem.replace("_", "")
    for line in FACTS.read_text(encoding="utf-8").splitlines():
        fields = line.split("\t")
        if line.startswith("#") or "newest" not in fields[3].split(",") or domain not in (None, fields[0]):
            continue
        if fields[1] == spelling or (spelling is None and fields[1].lower() == wanted):
            return fields[1], "" if fields[0] == "ai.onnx" else fields[0], fields[2]
    return spelling or "".join(part.capitalize() for part in stem.split("_")), domain or "", "1"


def write(template, target, words):
    text = template.read_text(encoding="utf-8")
    for word, value in words.items():
        text = text.replace(f"@{word}@", value)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    print(f"wrote {target.relative_to(ROOT)}")


def start(folder, stem, words):
    # name.cc.in -> <stem>.cc, name_test.cc.in -> <stem>_test.cc
    pairs = [(template, folder / template.name.replace("name", stem, 1).removesuffix(".in"))
             for template in sorted((TEMPLATES / "op").iterdir())]
    for _, target in pairs:
        if target.exists():
            sys.exit(f"{target.relative_to(ROOT)} exists already; nothing was written")
    for template, target in pairs:
        write(template, target, words)
    if shutil.which("clang-format"):
        subprocess.run(["clang-format", "-i", *(target for _, target in pairs)], cwd=ROOT, check=True)


def add_op_line(name):
    lines = OPS_LIST.read_text(encoding="utf-8").splitlines()
    line = f"sdx_op({name})"
    places = [i for i, text in enumerate(lines) if text.startswith("sdx_op(")]
    at = next((i for i in places if lines[i] > line), places[-1] + 1 if places else len(lines))
    lines.insert(at, line)
    OPS_LIST.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"added {line} to {OPS_LIST.relative_to(ROOT)}")


def new_op(path, spelling=None, domain=None):
    if not re.fullmatch(r"[a-z][a-z0-9_]*/[a-z][a-z0-9_]*", path):
        sys.exit(f'new-op wants family/stem in snake_case, such as activation/clip; found "{path}"')
    family, stem = path.split("/")
    name, domain, since = newest_form(stem, spelling, domain)
    start(ROOT / "src" / "ops" / family, stem, {
        "STEM": stem, "NAME": name, "SINCE": since,
        "DOMAIN_LINE": f'\n    .domain = "{domain}",' if domain else "",
        "DOMAIN_ARGUMENT": f'"{domain}", ' if domain else "",
        "CASES": "OP_CASES_IN" if domain else "OP_CASES",
        "SWEEP": "OP_SWEEP_IN" if domain else "OP_SWEEP",
    })
    add_op_line(path)
    print(f"next: fill in the contract and the cases, then\n"
          f"  ./dev build dev test_ops_{family} && build/dev/bin/test_ops_{family} --gtest_filter='{name}.*'")


def main():
    if 3 <= len(sys.argv) <= 5 and sys.argv[1] == "new-op":
        new_op(*sys.argv[2:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
