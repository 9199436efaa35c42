"""python -m sardonyx: programs that import onnxruntime, on Sardonyx."""

import argparse
import os
import runpy
import shutil
import sys

from ._shim import install_as_onnxruntime, library_path

_PACKAGE = '''"""onnxruntime, as Sardonyx provides it."""

import sys

import sardonyx

del sys.modules[__name__]
sardonyx.install_as_onnxruntime()
import onnxruntime  # noqa: E402

sys.modules[__name__] = onnxruntime
'''


def _exec(arguments):
    """Runs a program or module with the arguments after it, as Python itself would."""
    is_module = arguments[:1] == ["-m"]
    rest = arguments[1:] if is_module else arguments
    if not rest:
        raise SystemExit("python -m sardonyx exec: a program's file, or -m and a module's name, is wanted")
    install_as_onnxruntime()
    sys.argv[:] = rest
    if is_module:
        sys.path[0] = os.getcwd()
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        sys.path[0] = os.path.dirname(os.path.abspath(rest[0]))
        runpy.run_path(rest[0], run_name="__main__")


def _provide(folder):
    """Writes DIR/onnxruntime: importable, and with capi/libonnxruntime.so for programs that look for the file."""
    package = os.path.join(folder, "onnxruntime")
    capi = os.path.join(package, "capi")
    os.makedirs(capi, exist_ok=True)
    source = os.path.dirname(library_path())
    for name in sorted(os.listdir(source)):
        target = "libonnxruntime.so" if name == os.path.basename(library_path()) else name
        shutil.copyfile(os.path.join(source, name), os.path.join(capi, target))
    link = os.path.join(capi, "libonnxruntime.so.1")
    if not os.path.lexists(link):
        os.symlink("libonnxruntime.so", link)
    for path, content in ((package, _PACKAGE), (capi, "")):
        with open(os.path.join(path, "__init__.py"), "w", encoding="utf-8") as file:
            file.write(content)
    print(os.path.join(capi, "libonnxruntime.so"))


def main(arguments):
    parser = argparse.ArgumentParser(
        prog="python -m sardonyx", description="Runs programs that import onnxruntime on Sardonyx instead.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser("exec", help="run a program: exec app.py ARGS, or exec -m module ARGS")
    run.add_argument("rest", nargs=argparse.REMAINDER, metavar="[-m] PROGRAM ...")
    provide = commands.add_parser("provide-onnxruntime", help="write a folder with onnxruntime/capi/libonnxruntime.so")
    provide.add_argument("folder", metavar="DIR")
    if arguments[:1] == ["exec"] and arguments[1:2] not in (["-h"], ["--help"]):
        return _exec(arguments[1:])
    chosen = parser.parse_args(arguments)
    return _provide(chosen.folder)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
