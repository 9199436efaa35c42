#!/usr/bin/env python3
"""Run the standard's own node cases, changed: other values, other sizes, other axes, another opset, as a seed chooses; compare with what
onnx.reference makes of the same model.

    python tests/onnx_backend/changed.py [--seed N] [--count N] [--filter REGEX] [--all]

Every operator gets its turn before one gets a second. A change that onnx.reference or the standard's own checker does not take is
another one's turn; what onnx.reference is known to get wrong is in changes.py, with the reason.
"""
import argparse
import os
import random
import re
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import changes  # noqa: E402
import forms  # noqa: E402

USUAL, MANY = 400, 3000


def pick_and_check(sardonyx, cases, rng, history):
    """(what was changed, what is wrong or None), or None where no change was taken."""
    for _ in range(12):
        case = rng.choice(cases)
        try:
            change = changes.make(case, rng)
        except changes.NotTaken:
            continue
        if change.key in history:
            continue
        history.add(change.key)
        try:
            session = sardonyx.InferenceSession(change.model.SerializeToString(), providers=["CPUExecutionProvider"])
            found = session.run(None, change.feeds)
        except Exception as error:  # noqa: BLE001
            return change, f"{type(error).__name__}: {error}"
        names = [o.name for o in change.model.graph.output]
        wrongs = (changes.difference(f, w, change) for f, w in zip(found, change.expected, strict=True))
        return change, next((f"output {n} {w}" for n, w in zip(names, wrongs, strict=True) if w), None)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="0 is another one each time; it is printed")
    parser.add_argument("--count", type=int, default=None)
    parser.add_argument("--filter", default="")
    parser.add_argument("--all", action="store_true", help=f"{MANY} cases, not {USUAL}")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    import sardonyx

    sardonyx.set_default_logger_severity(4)
    seed = options.seed or random.SystemRandom().randrange(1, 2**31)
    print(f"seed {seed}")
    wanted = options.count or (MANY if options.all else USUAL)
    cases = forms.standard_cases()
    operators = sorted(key for key in cases if re.search(options.filter, f"{key[0] or 'ai.onnx'}.{key[1]}"))
    passed, failed, kinds, history, empty = 0, 0, {}, set(), {}
    rounds = 0
    while passed + failed < wanted and len(empty) < len(operators):
        for key in operators:
            if passed + failed >= wanted or key in empty:
                continue
            # A case is known by seed, operator and round alone: what other operators draw does not matter.
            rng = random.Random(f"{seed} {key} {rounds}")
            np.random.seed(rng.randrange(2**31))
            result = pick_and_check(sardonyx, cases[key], rng, history)
            if result is None:
                empty[key] = True
                continue
            change, wrong = result
            for kind in change.kinds:
                kinds[kind] = kinds.get(kind, 0) + 1
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong:
                print(f"FAILED {change.name}: {wrong}")
            elif options.list:
                print(f"passed {change.name}")
        rounds += 1
    print(f"{passed + failed} changed cases of {len(operators)} operators (seed {seed}): " + ", ".join(f"{n} with other {k}" for k, n in sorted(kinds.items())))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
