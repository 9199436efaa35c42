#!/usr/bin/env python3
"""Export models with the frameworks' own exporters, with what the frameworks answer.

    python tests/exporters/make.py [--out FOLDER] [--filter REGEX] [--write]

--write makes tests/data/exporters, which is checked in, without what a module names as too much for that; without it FOLDER (.cache/exporters/models) gets them. Wants the packages of
requirements.txt; a framework that is missing is named, and its models are left out. Weights, data and inputs come from fixed seeds.
"""
import argparse
import importlib
import os
import re
import sys
import traceback
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
import case  # noqa: E402

FAMILIES = ("torch_models", "torch_older_models", "transformer_models", "optimum_models", "genai_models", "sklearn_models",
            "boosting_models", "tensorflow_models", "script_models")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--out", default=os.path.join(os.environ.get("SARDONYX_CACHE", os.path.join(ROOT, ".cache")), "exporters", "models"))
    ap.add_argument("--filter", default="", help="only models whose name matches")
    ap.add_argument("--write", action="store_true", help="rewrite the models that are checked in")
    a = ap.parse_args()
    warnings.simplefilter("ignore")
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="-1", TF_ENABLE_ONEDNN_OPTS="0", USE_TF="0", HF_HUB_OFFLINE="1")
    folder = os.path.join(ROOT, "tests", "data", "exporters") if a.write else a.out
    os.makedirs(folder, exist_ok=True)
    if not a.filter:
        for name in os.listdir(folder):
            os.remove(os.path.join(folder, name))
    made = failed = skipped = 0
    for family in FAMILIES:
        try:
            module = importlib.import_module(family)
        except ImportError as e:
            print(f"SKIPPED {family}: {e}")
            skipped += 1
            continue
        for name, make in module.MODELS.items():
            if not re.search(a.filter, name) or (a.write and name in getattr(module, "NOT_CHECKED_IN", ())):
                continue
            try:
                model, runs = make()
                case.write(folder, case.Case(name, model, runs))
                made += 1
            except Exception as e:
                failed += 1
                print(f"FAILED {name}: not exported: {type(e).__name__}: {str(e).splitlines()[0] if str(e) else ''}")
                if a.filter:
                    traceback.print_exc()
    size = sum(os.path.getsize(os.path.join(folder, f)) for f in os.listdir(folder))
    print(f"{folder}: {made} models, {size / 1e6:.2f} MB")
    print(f"{made} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
