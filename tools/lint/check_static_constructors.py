#!/usr/bin/env python3
"""Fails when a library runs code of ours while it is loaded: constructors of objects at namespace scope, whose order nobody knows and which every
program pays for. Those that the toolchain's own libraries bring are allowed.

usage: check_static_constructors.py LIBRARY...
"""

import re
import subprocess
import sys

# Of crtbegin and of libstdc++ 12, which is linked into the library.
ALLOWED = {
    "frame_dummy",
    *(
        f"_GLOBAL__sub_I_{name}.cc"
        for name in "cxx11_ios_failure cxx11_locale_inst cxx11_wlocale_inst eh_alloc locale_inst memory_resource system_error wlocale_inst".split()
    ),
}
SECTION = re.compile(r"\]\s+(\.(?:init_array|preinit_array|ctors)\S*)\s+\S+\s+([0-9a-f]+)\s+[0-9a-f]+\s+([0-9a-f]+)")
RELOCATION = re.compile(r"^([0-9a-f]{8,})\s+[0-9a-f]+\s+R_\w+_RELATIVE\w*\s+([0-9a-f]+)")


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def constructors(library):
    """Names of the functions that run while the library is loaded."""
    sections = [(name, int(at, 16), int(size, 16)) for name, at, size in SECTION.findall(output_of("readelf", "-SW", library))]
    names = {}
    for line in output_of("nm", "--defined-only", library).splitlines():
        address, kind, name = line.split(" ", 2)
        if kind in "tTwW":
            names.setdefault(int(address, 16), name)
    found = []
    for line in output_of("readelf", "-rW", library).splitlines():
        relocation = RELOCATION.match(line)
        if not relocation:
            continue
        place, target = (int(number, 16) for number in relocation.groups())
        if any(at <= place < at + size for _, at, size in sections):
            found.append(names.get(target, f"{target:#x}, which has no name"))
    wanted = sum(size for _, _, size in sections) // 8
    if len(found) != wanted:
        raise SystemExit(f"{library}: {wanted} entries of {', '.join(name for name, _, _ in sections)}, but {len(found)} functions are found for them")
    return found


def main():
    bad = 0
    for library in sys.argv[1:]:
        for name in constructors(library):
            if name not in ALLOWED:
                bad += 1
                plain = subprocess.run(["c++filt"], input=name.removeprefix("_GLOBAL__sub_I_"), capture_output=True, text=True, check=True).stdout.strip()
                print(f"{library}: a static constructor: {plain} ({name})")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
