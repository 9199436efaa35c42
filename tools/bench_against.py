#!/usr/bin/env python3
"""Two builds of Sardonyx on the zoo's models, interleaved in one run.

    python tools/bench_against.py NEW OLD ZOO [--shared ../shared] [--models a,b] [--threads 1,2] [--rounds 7]
                                  [--seconds 0.4] [--variants] [--json FILE]

NEW and OLD are folders that hold the Python module of one build each: `./dev bench --against REV` makes them. Each build runs
in its own process; in every round each runs once, the other waits. The ratio is the median over rounds of the old least time
over the new one: above 1.00 the new build is faster. Start is load and first run, old over new; memory the peak, new over old.
"""
import argparse
import json
import math
import os
import sys


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def median(values):
    return sorted(values)[len(values) // 2]


def child_of(peers, module, *what):
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.path.abspath(module)
    try:
        return peers.Engine("sardonyx", *what)
    finally:
        os.environ.pop("PYTHONPATH")
        if before is not None:
            os.environ["PYTHONPATH"] = before


def measure(peers, modules, path, name, variant, threads, rounds, seconds):
    with open(path, "rb") as file:  # both find it in the page cache
        while file.read(1 << 24):
            pass
    builds = {key: child_of(peers, module, path, name, variant, threads) for key, module in modules.items()}
    row = {"model": name, "variant": variant, "threads": threads}
    broken = {key: build.facts["error"] for key, build in builds.items() if "error" in build.facts}
    for _ in range(0 if broken else rounds):
        for build in builds.values():
            build.round(seconds)
    for key, build in builds.items():
        build.close()
        facts = {k: v for k, v in build.facts.items() if k != "outputs"}
        if "outputs" in build.facts:
            os.unlink(build.facts["outputs"])
        if build.rounds and all("least" in r for r in build.rounds):
            facts["least"] = min(r["least"] for r in build.rounds)
        row[key] = facts
    if not broken and "least" in row["new"] and "least" in row["old"]:
        row["ratio"] = median([o["least"] / n["least"] for o, n in zip(builds["old"].rounds, builds["new"].rounds)])
        row["start"] = (row["old"]["load"] + row["old"]["first"]) / (row["new"]["load"] + row["new"]["first"])
        row["memory"] = row["new"]["peak"] / max(row["old"]["peak"], 1)
    return row


def show(row):
    tag = row["model"] + (f":{row['variant']}" if row["variant"] else "") + f" [{row['threads']}t]"
    if "ratio" not in row:
        wrong = {key: row[key].get("error", "died while running") for key in ("new", "old") if "least" not in row[key]}
        print(f"{tag:<40} {wrong}", flush=True)
        return
    print(f"{tag:<40} x{row['ratio']:.3f}  {row['old']['least'] * 1e3:.3f} -> {row['new']['least'] * 1e3:.3f} ms"
          f"  start x{row['start']:.2f}  memory x{row['memory']:.2f}", flush=True)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("new")
    ap.add_argument("old")
    ap.add_argument("zoo")
    ap.add_argument("--shared", default=os.environ.get("SARDONYX_SHARED", "../shared"))
    ap.add_argument("--models", default="")
    ap.add_argument("--threads", default="1,2")
    ap.add_argument("--rounds", type=int, default=7)
    ap.add_argument("--seconds", type=float, default=0.4)
    ap.add_argument("--variants", action="store_true")
    ap.add_argument("--json")
    args = ap.parse_args()
    sys.path.insert(0, os.path.join(args.shared, "bench"))
    import peers
    from inputs import VARIANTS

    present = sorted(f[:-5] for f in os.listdir(args.zoo) if f.endswith(".onnx"))
    chosen = args.models.split(",") if args.models else [m for m in present if m in VARIANTS]
    rows = []
    for threads in map(int, args.threads.split(",")):
        for name in chosen:
            for variant in list(VARIANTS.get(name) or [None]) if args.variants else [None]:
                path = os.path.join(args.zoo, name + ".onnx")
                rows.append(measure(peers, {"new": args.new, "old": args.old}, path, name, variant, threads,
                                    args.rounds, args.seconds))
                show(rows[-1])
    for threads in sorted({r["threads"] for r in rows}):
        own = [r for r in rows if r["threads"] == threads and "ratio" in r]
        if own:
            print(f"{threads} threads: x{geomean([r['ratio'] for r in own]):.3f} (geometric mean of {len(own)}, least "
                  f"x{min(r['ratio'] for r in own):.2f}), start x{geomean([r['start'] for r in own]):.2f}")
    if args.json:
        with open(args.json, "w") as file:
            json.dump(rows, file, indent=1)
    return 0 if all("ratio" in r for r in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
