#!/usr/bin/env python3
"""Checks every #include of our own headers against the module table of ARCHITECTURE.md, section 2, and keeps
third-party headers out of headers."""

import re
import sys

from source_files import source_files

# Module -> what it may include. What a listed module may include is allowed too. A file name stands for that file
# alone. "include" is the public headers.
MAY_INCLUDE = {
    "base": [],
    "graph": ["base"],
    "kernel": ["base", "graph"],
    "ops": ["base", "graph", "kernel", "modules/regex/regex_module.h", "modules/image/image_module.h"],
    "onnx": ["base", "graph", "ops"],
    "passes": ["base", "graph", "ops"],
    "providers": ["base", "graph", "kernel", "ops"],
    "providers/plugin": ["providers", "abi", "onnx"],
    "providers/custom": ["providers", "abi", "onnx"],
    "plan": ["base", "graph", "kernel", "ops", "providers/provider.h"],
    "package": ["base", "plan"],
    "runtime": ["onnx", "passes", "plan", "package", "providers/provider.h", "providers/cpu/cpu_provider.h"],
    "modules": [],
    "abi": ["base", "graph", "kernel", "include"],
    "api": ["runtime", "abi", "providers/custom/custom_provider.h"],
    "cli": ["include"],
    "server": ["include"],
    "include": [],
}

# Libraries that stay out of headers, and where they may be included at all.
THIRD_PARTY = {
    "spdlog/": r"^src/(cli|server)/.*\.cc$",
    "nlohmann/": r"^(src/(cli|server)|examples)/.*\.cc$|_test\.cc$",
    "CLI/": r"^src/(cli|server)/.*$",
    "protozero/": r"^src/(onnx|providers/custom|providers/plugin)/.*\.cc$",
    "flatbuffers/": r"^src/package/.*\.cc$",
    "re2/": r"^src/modules/.*\.cc$",
    "jpeglib.h": r"^src/modules/.*\.cc$",
    "openjpeg.h": r"^src/modules/.*\.cc$",
    "png.h": r"^src/modules/.*\.cc$",
    "tiffio.h": r"^src/modules/.*\.cc$",
    "webp/": r"^src/modules/.*\.cc$",
    "hwy/": r"^src/kernel/|^src/base/simd_|_cpu\.cc$|_inl\.h$|^src/.*_test\.cc$",
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')
TEST_SUPPORT = re.compile(r"(^|/)(testing|conformance)/")
TEST = re.compile(r"_(test|bench|fuzz)\.cc$")


def module_of(path):
    """The longest module name that holds `path` (relative to src/), or None."""
    folder = path.rsplit("/", 1)[0] if "/" in path else ""
    while folder:
        if folder in MAY_INCLUDE:
            return folder
        folder = folder.rpartition("/")[0]
    return None


def closure(module):
    seen, todo = set(), [module]
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += MAY_INCLUDE.get(name, [])
    return seen


def check_own(name, target, public):
    """What is wrong with `name` (under src/) including `target`, or None."""
    path = name.removeprefix("src/")
    module = module_of(path)
    if module is None:
        return "is in no module of the table in tools/lint/check_includes.py"
    if TEST_SUPPORT.search(path) or (TEST.search(path) and TEST_SUPPORT.search(target)):
        return None
    other = "include" if target in public else module_of(target)
    allowed = closure(module)
    if other is None or other in allowed or target in allowed:
        return None
    return f"includes {target}, but {module} may include only {', '.join(sorted(allowed))}"


def main():
    public = {name.removeprefix("include/") for name, _ in source_files(["include"], [".h", ".hpp"])}
    own = {name.removeprefix("src/") for name, _ in source_files(["src"], [".h", ".hpp", ".inc"])}
    failed = 0
    for name, path in source_files(["src", "include", "examples"], [".cc", ".h", ".hpp", ".cu", ".inc"]):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            target = match.group(2)
            beside = f"{name.rpartition('/')[0]}/{target}"
            if match.group(1) == '"' and target not in own and beside.removeprefix("src/") in own:
                target = beside.removeprefix("src/")  # a file of the same folder may go without its path
            problem = None
            if name.startswith("src/") and (target in own or target in public):
                problem = check_own(name, target, public)
            elif not name.startswith("src/") and target in own:
                problem = f"includes {target}, which is not a public header"
            for library, where in THIRD_PARTY.items():
                if target.startswith(library) and not re.search(where, name):
                    problem = f"includes {target}; {library.rstrip('/')} may be included only where /{where}/ matches"
            if problem:
                print(f"{name}:{number}: error: {problem}")
                failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
