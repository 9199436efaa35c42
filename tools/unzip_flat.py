#!/usr/bin/env python3
"""Unpacks the files directly under one folder of a zip archive (a wheel) into a folder.

usage: unzip_flat.py ARCHIVE FOLDER_IN_ARCHIVE/ TARGET
"""

import pathlib
import sys
import zipfile


def main():
    archive, prefix, target = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    with zipfile.ZipFile(archive) as file:
        names = [name for name in file.namelist()
                 if name.startswith(prefix) and name != prefix and "/" not in name[len(prefix):]]
        if not names:
            sys.exit(f"{archive}: has no files under {prefix}")
        for name in names:
            part = target / (name[len(prefix):] + ".part")
            part.write_bytes(file.read(name))
            part.rename(part.with_suffix(""))


if __name__ == "__main__":
    main()
