#!/usr/bin/env python3
"""Fails when a library has VEX or EVEX instructions outside the namespaces meant for them: such code would kill the
process on a CPU without AVX before any dispatch could help.

usage: check_wide_instructions.py LIBRARY...
"""

import re
import subprocess
import sys

ALLOWED = re.compile(r"^(N_AVX2|N_AVX3|avx2\w*|avx512\w*)$")
SKIPPED_PREFIXES = {"26", "2e", "36", "3e", "64", "65", "67"}  # segment and address size; may stand before VEX
WIDE = {"c4", "c5", "62"}  # in 64-bit code these first bytes are VEX, VEX and EVEX, nothing else
LABEL = re.compile(r"^[0-9a-f]+ <(.+)>:$")
SHOWN = 20


def namespaces(function):
    """The parts of a demangled name before its own arguments: a::b<c::d>(e::f)::g gives a, b, g."""
    plain, depth = [], 0
    text = function.replace("operator()", "operator").replace("operator<", "operator").replace("->", "")
    for letter in text:
        if letter in "(<{[":
            depth += 1
        elif letter in ")>}]":
            depth = max(0, depth - 1)
        elif depth == 0:
            plain.append(letter)
    return [part.strip().split(" ")[-1] for part in "".join(plain).split("::")]


def demangle(names):
    done = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def wide_instructions(library):
    """Maps a mangled function name to (how many, the first one)."""
    found, function = {}, "?"
    objdump = subprocess.Popen(["objdump", "-d", "--insn-width=16", library], stdout=subprocess.PIPE, text=True)
    for line in objdump.stdout:
        if line[:1] != " ":
            label = LABEL.match(line)
            if label:
                function = label.group(1)
            continue
        fields = line.split("\t")
        if len(fields) < 3:
            continue
        code = fields[1]
        if code[:2] not in WIDE:
            if code[:2] not in SKIPPED_PREFIXES:
                continue
            rest = [byte for byte in code.split() if byte not in SKIPPED_PREFIXES]
            if not rest or rest[0] not in WIDE:
                continue
        count, first = found.get(function, (0, fields[2].strip()))
        found[function] = (count + 1, first)
    if objdump.wait() != 0:
        sys.exit(f"{library}: objdump could not read it")
    return found


def main():
    failed = 0
    for library in sys.argv[1:]:
        found = wide_instructions(library)
        names = list(found)
        bad = [(shown, *found[name]) for name, shown in zip(names, demangle(names))
               if not any(ALLOWED.match(part) for part in namespaces(shown))]
        for shown, count, first in sorted(bad)[:SHOWN]:
            print(f"{library}: error: {shown} has {count} wide instructions (first: {first}) "
                  "outside N_AVX2, N_AVX3, avx2* and avx512*")
        if len(bad) > SHOWN:
            print(f"{library}: ... and {len(bad) - SHOWN} more functions")
        failed += len(bad)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
