#!/usr/bin/env python3
"""Prints how large shared libraries are once stripped, as they are shipped, and fails above the limit.

usage: check_size.py LIBRARY...
"""

import os
import subprocess
import sys
import tempfile

LIMIT = 10_000_000  # bytes


def stripped_size(library):
    with tempfile.TemporaryDirectory() as folder:
        stripped = os.path.join(folder, "stripped.so")
        subprocess.run(["strip", "-o", stripped, library], check=True)
        return os.path.getsize(stripped)


def main():
    failed = 0
    for library in sys.argv[1:]:
        size = stripped_size(library)
        if size > LIMIT:
            print(f"{library}: error: {size / 1e6:.2f} MB stripped, at most {LIMIT / 1e6:.0f} MB are allowed")
            failed += 1
        else:
            print(f"{library}: {size / 1e6:.2f} MB stripped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
