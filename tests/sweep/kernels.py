#!/usr/bin/env python3
"""Every CPU kernel against its operator's reference: runs the operators' tests, each case also at RESIZED other sizes, and
fails for a kernel that no case and no sweep has reached.

    python tests/sweep/kernels.py [--bin build/dev/bin] [--resized 20]
"""
import argparse
import collections
import glob
import os
import subprocess
import sys
import tempfile


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--bin", default=os.path.join(root, "build", "dev", "bin"))
    ap.add_argument("--resized", type=int, default=20, help="other sizes of each case")
    options = ap.parse_args()
    counts, failed = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "coverage")
        environment = {**os.environ, "SARDONYX_KERNEL_COVERAGE": path, "SARDONYX_RESIZED": str(options.resized)}
        for binary in sorted(glob.glob(os.path.join(options.bin, "test_ops_*"))):
            done = subprocess.run([binary, "--gtest_brief=1"], env=environment, cwd=root, capture_output=True, text=True)
            if done.returncode != 0:
                failed += 1
                print(f"FAILED {os.path.basename(binary)}\n{done.stdout[-3000:]}")
        with open(path, encoding="utf-8") as f:
            for line in f:
                operator, kernel, count = line.rstrip("\n").split("\t")
                counts[operator, kernel] += int(count)
    missing = sorted(k for k, n in counts.items() if n == 0)
    for operator, kernel in missing:
        print(f"NOT COMPARED {operator} {kernel}: no case of the operator reaches this kernel")
    print(f"{sum(counts.values())} comparisons of {len(counts)} kernels with their references")
    print(f"{len(counts) - len(missing)} passed, {failed + len(missing)} failed")
    return 1 if failed or missing else 0


if __name__ == "__main__":
    sys.exit(main())
