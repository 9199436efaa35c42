"""The model zoo in ../shared (or $SARDONYX_SHARED): where it is, how its models are fetched and fed, how close is close enough."""
import argparse
import importlib
import os
import subprocess
import sys

try:
    import numpy as np
except ImportError:
    sys.exit("the zoo needs numpy, onnx and onnxruntime: run it with the project's .venv")

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SHARED = os.environ.get("SARDONYX_SHARED", os.path.join(os.path.dirname(ROOT), "shared"))
TOLERANCE = 1e-4  # of an output's largest magnitude

# How far onnxruntime is from itself with and without optimisation, where that is more than a third of TOLERANCE (ZOO.md).
NOISE = {
    "basic_pitch": 1.1e-3,
    "gen_bert_base_int8": 5.0e-2,
    "gen_resnet50_fp16": 8.9e-4,
    "gen_resnet50_qdq": 2.9e-2,
}
LENGTH_ONLY = {"kokoro_int8": 0.05}  # audio length follows from rounded durations


def available():
    return os.path.exists(os.path.join(SHARED, "zoo", "fetch_zoo.py"))


def arguments(description):
    """A parser with what every script over the zoo takes."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", choices=("small", "main", "all"), default="small")
    parser.add_argument("--models", help="these only, separated by commas")
    parser.add_argument("--zoo", default=os.path.join(ROOT, ".cache", "zoo"), help="folder of the models (fetched if missing)")
    parser.add_argument("--json", help="write every result here")
    return parser


def skipped():
    """Says so, and is true, where there is no zoo."""
    if available():
        return False
    print(f"SKIPPED: the model zoo is not in {SHARED} (SARDONYX_SHARED names another place)")
    print("0 passed, 0 failed, 1 skipped")
    return True


def tools():
    """The zoo's own module of inputs: make_inputs(model, variant) and VARIANTS."""
    sys.path.insert(0, os.path.join(SHARED, "zoo"))
    return importlib.import_module("inputs")


def fetch(folder, set_name, models=None):
    """Returns (the models of the set that are in the folder, those that could not be had)."""
    script = os.path.join(SHARED, "zoo", "fetch_zoo.py")
    pick = ["--only", *models] if models else ["--set", set_name]
    names = subprocess.run([sys.executable, script, folder, *pick, "--list"], check=True, capture_output=True, text=True).stdout.split()
    if not all(os.path.exists(model_path(folder, n)) for n in names):
        cache = os.path.join(folder, "wheels")
        subprocess.run([sys.executable, script, folder, *pick, "--cache", cache], check=False)
    here = [n for n in names if os.path.exists(model_path(folder, n))]
    return here, [n for n in names if n not in here]


def model_path(folder, name):
    return os.path.join(folder, name + ".onnx")


def limit(model):
    return max(TOLERANCE, 3 * NOISE.get(model, 0.0))


def reference_session(path, threads=1):
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 4
    return ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def distance(found, wanted, where=""):
    """(largest difference over the largest magnitude, or inf; what is wrong). Integers and strings must be equal, but one in a
    thousand of a large integer output (a mask of classes) may differ."""
    if isinstance(wanted, dict):
        if not isinstance(found, dict) or sorted(found) != sorted(wanted):
            return float("inf"), f"{where} has other keys"
        return worst(distance(found[k], wanted[k], f"{where}[{k}]") for k in wanted)
    if isinstance(wanted, (list, tuple)):
        if not isinstance(found, (list, tuple)) or len(found) != len(wanted):
            return float("inf"), f"{where} is not a sequence of {len(wanted)}"
        return worst(distance(f, w, f"{where}[{i}]") for i, (f, w) in enumerate(zip(found, wanted, strict=True)))
    found, wanted = np.asarray(found), np.asarray(wanted)
    if found.shape != wanted.shape:
        return float("inf"), f"{where} has shape {list(found.shape)}, {list(wanted.shape)} wanted"
    if found.dtype != wanted.dtype:
        return float("inf"), f"{where} has type {found.dtype}, {wanted.dtype} wanted"
    if wanted.dtype.kind != "f":
        bad = int(np.count_nonzero(found != wanted))
        return (0.0, "") if bad <= wanted.size // 1000 else (float("inf"), f"{where} differs at {bad} of {wanted.size} elements")
    finite = np.isfinite(wanted)
    if not np.array_equal(found[~finite], wanted[~finite], equal_nan=True):
        return float("inf"), f"{where} has other NaNs or infinities"
    if not finite.any():
        return 0.0, ""
    found, wanted = found[finite].astype(np.float64), wanted[finite].astype(np.float64)
    error = np.max(np.abs(found - wanted)) / max(np.max(np.abs(wanted)), 1e-30)
    return (float(error), f"{where} is {error:.1e} off") if error == error else (float("inf"), f"{where} has NaNs")


def worst(pairs):
    return max(pairs, default=(0.0, ""))


def compare(model, found, wanted, names):
    """(distance, what is wrong or '')."""
    if model in LENGTH_ONLY:
        a, b = found[0].size, wanted[0].size
        off = abs(a - b) / b
        wrong = "" if off <= LENGTH_ONLY[model] and np.isfinite(found[0]).all() else f"{a} samples, {b} wanted"
        return off, wrong
    error, text = worst(distance(f, w, n) for f, w, n in zip(found, wanted, names, strict=True))
    return error, "" if error <= limit(model) else text
