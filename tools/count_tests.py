#!/usr/bin/env python3
"""Prints "PASSED FAILED SKIPPED" for one phase of ./dev test.

usage: count_tests.py ctest FOLDER      (ctest.xml, and <test>.json of each GoogleTest binary that ended normally)
       count_tests.py pytest FILE       (JUnit XML)
       count_tests.py script FILE RC    (output whose last line is "N passed, N failed[, N skipped]")
"""

import json
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree


def count_gtest(report):
    passed = failed = skipped = 0
    for suite in report.get("testsuites", []):
        for test in suite.get("testsuite", []):
            if test.get("failures"):
                failed += 1
            elif test.get("status") == "RUN" and test.get("result") == "COMPLETED":
                passed += 1
            else:
                skipped += 1
    return passed, failed, skipped


def count_ctest(folder):
    total = [0, 0, 0]
    listing = folder / "ctest.xml"
    if not listing.exists():
        return 0, 1, 0
    for case in ElementTree.parse(listing).getroot().iter("testcase"):
        ran_well = case.get("status") == "run"
        report = folder / f"{case.get('name')}.json"
        if report.exists():
            counts = count_gtest(json.loads(report.read_text(encoding="utf-8")))
            if not ran_well and counts[1] == 0:
                counts = counts[0], 1, counts[2]  # died after its last test
        else:
            counts = (1, 0, 0) if ran_well else (0, 1, 0)
        total = [a + b for a, b in zip(total, counts)]
    return tuple(total)


def count_pytest(file):
    if not file.exists():
        return 0, 1, 0
    passed = failed = skipped = 0
    for case in ElementTree.parse(file).getroot().iter("testcase"):
        kinds = {child.tag for child in case}
        if kinds & {"failure", "error"}:
            failed += 1
        elif "skipped" in kinds:
            skipped += 1
        else:
            passed += 1
    return passed, failed, skipped


def count_script(file, exit_code):
    lines = file.read_text(encoding="utf-8", errors="replace").rstrip().splitlines()
    match = re.fullmatch(r"(\d+) passed, (\d+) failed(?:, (\d+) skipped)?", lines[-1].strip() if lines else "")
    passed, failed, skipped = (int(n or 0) for n in match.groups()) if match else (0, 0, 0)
    if failed == 0 and (exit_code != 0 or not match):
        failed = 1
    return passed, failed, skipped


def main():
    kind, path = sys.argv[1], pathlib.Path(sys.argv[2])
    if kind == "ctest":
        counts = count_ctest(path)
    elif kind == "pytest":
        counts = count_pytest(path)
    else:
        counts = count_script(path, int(sys.argv[3]))
    print(*counts)


if __name__ == "__main__":
    main()
