#!/usr/bin/env python3
"""Warns about code files over 500 lines and fails over 800: a file is what one must hold in the head."""

import sys

from source_files import source_files

FOLDERS = ["src", "include", "python", "tests", "tools", "examples", "bench", "dev"]
SUFFIXES = [".cc", ".h", ".hpp", ".cu", ".py", ".sh", ".cmake", "dev"]
EXEMPT = {"include/onnxruntime_c_api.h"}  # one ABI, one header
WARN, FAIL = 500, 800


def main():
    failed = 0
    for name, path in source_files(FOLDERS, SUFFIXES):
        if name in EXEMPT:
            continue
        with path.open("rb") as file:
            lines = sum(1 for _ in file)
        if lines > FAIL:
            print(f"{name}: error: {lines} lines, at most {FAIL} are allowed; split it by topic")
            failed += 1
        elif lines > WARN:
            print(f"{name}: warning: {lines} lines; over {WARN} needs a reason in review")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
