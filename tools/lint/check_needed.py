#!/usr/bin/env python3
"""Checks what a shared library asks of its user's machine and what it shows: libraries needed, newest glibc version,
soname, exported symbols, machine paths.

usage: check_needed.py LIBRARY...
"""

import os
import pathlib
import re
import subprocess
import sys

NEEDED = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
NEWEST_GLIBC = (2, 36)
ORT = {"OrtGetApiBase", "OrtSessionOptionsAppendExecutionProvider_CPU"}
# File name up to ".so" -> soname, symbols it may export.
LIBRARIES = {
    "libsardonyx": ("libsardonyx.so.0", ORT | {"SdxGetApi"}),
    "libonnxruntime": ("libonnxruntime.so.1", ORT),
}


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def problems(library):
    dynamic = output("readelf", "-dW", library)
    extra = set(re.findall(r"\(NEEDED\).*\[(.+)\]", dynamic)) - NEEDED
    if extra:
        yield f"needs {', '.join(sorted(extra))}; only libc, libm and the loader are allowed"

    versions = {tuple(map(int, v.split("."))) for v in re.findall(r"GLIBC_([0-9.]+)", output("readelf", "-VW", library))}
    if versions and max(versions) > NEWEST_GLIBC:
        yield f"needs glibc {'.'.join(map(str, max(versions)))}, at most {'.'.join(map(str, NEWEST_GLIBC))} is allowed"

    soname, exports = LIBRARIES.get(os.path.basename(library).split(".so")[0], (None, None))
    found = re.findall(r"\(SONAME\).*\[(.+)\]", dynamic)
    if soname and found != [soname]:
        yield f"soname is {found}, {soname} is wanted"
    symbols = {line.split()[-1] for line in output("nm", "-D", "--defined-only", library).splitlines()}
    versioned = sorted(symbol for symbol in symbols if "@" in symbol)
    if versioned:
        yield f"exports versioned symbols: {', '.join(versioned[:5])}"
    if exports is not None and symbols != exports:
        unwanted, missing = sorted(symbols - exports), sorted(exports - symbols)
        if unwanted:
            yield f"exports {len(unwanted)} symbols that it should not: {', '.join(unwanted[:5])}"
        if missing:
            yield f"does not export {', '.join(missing)}"

    root = os.fsencode(str(pathlib.Path(__file__).resolve().parents[2])) + b"/"
    with open(library, "rb") as file:
        if root in file.read():
            yield f"holds the path of the source folder, {os.fsdecode(root)}"


def main():
    failed = 0
    for library in sys.argv[1:]:
        for problem in problems(library):
            print(f"{library}: error: {problem}")
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
