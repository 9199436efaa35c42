#!/usr/bin/env python3
"""Write Unicode's simple case mappings as runs (first, last, step, delta), from Python's unicodedata. Standard library only.

    python3 tools/gen_case_map.py > src/ops/text/case_map.inc
"""
import sys
import unicodedata


def simple(c, to):
    mapped = to(c)
    if len(mapped) == 1:
        return mapped
    if to is str.upper and len(c.title()) == 1:  # its long uppercase has a simple titlecase beside it
        return c.title()
    return "i" if c == "\u0130" else c


def runs(to):
    pairs = [(p, ord(simple(chr(p), to)) - p) for p in range(sys.maxunicode + 1)
             if not 0xD800 <= p < 0xE000 and simple(chr(p), to) != chr(p)]
    out = []
    for point, delta in pairs:
        if out:
            first, last, step, d = out[-1]
            gap = point - last
            if d == delta and gap <= 2 and (first == last or gap == step):
                out[-1] = (first, point, gap, d)
                continue
        out.append((point, point, 1, delta))
    return out


def main():
    print(f"// Simple case mappings of Unicode {unicodedata.unidata_version}, written by tools/gen_case_map.py: first, last, step, delta.")
    for name, to in (("kToLower", str.lower), ("kToUpper", str.upper)):
        print(f"constexpr CaseRun {name}[] = {{")
        for first, last, step, delta in runs(to):
            print(f"    {{{first:#x}, {last:#x}, {step}, {delta}}},")
        print("};")


main()
