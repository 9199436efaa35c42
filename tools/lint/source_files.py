"""The files of the working tree that git tracks or would add."""

import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def source_files(folders, suffixes):
    """Yields (path relative to the root, absolute path), sorted."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", *folders],
        cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in sorted(set(listed.split("\0"))):
        path = ROOT / name
        if name.endswith(tuple(suffixes)) and path.is_file():
            yield name, path
