#!/usr/bin/env python3
"""Two builds of Sardonyx on the zoo's models, interleaved in one run.

    python tools/bench_against.py NEW OLD ZOO [--shared ../shared] [--models a,b] [--threads 1,2] [--rounds 7]
                                  [--seconds 0.4] [--starts 3] [--variants] [--json FILE]

NEW and OLD are folders that hold the Python module of one build each: `./dev bench --against REV` makes them. Each build runs
in its own process; in every round each runs once, the other waits. All factors are old over new: above 1.00 the new build is
the better one. speed is the median over rounds of the least times; start the least of several loads, each with its first run;
memory the peak of a process beyond what Python has; diff the largest difference of an output over its largest magnitude.
"""
import argparse
import json
import os
import sys

from bench_common import geomean


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


def measure(peers, modules, path, name, variant, threads, rounds, seconds, starts):
    with open(path, "rb") as file:  # both find it in the page cache
        while file.read(1 << 24):
            pass
    load = {key: [] for key in modules}
    for turn in range(starts):
        builds = {}
        for key in list(modules)[:: 1 if turn % 2 else -1]:
            builds[key] = child_of(peers, modules[key], path, name, variant, threads)
            if "load" in builds[key].facts:
                load[key].append(builds[key].facts["load"] + builds[key].facts["first"])
        if turn + 1 < starts:
            for build in builds.values():
                end(build)
    row = {"model": name, "variant": variant, "threads": threads}
    broken = any("error" in build.facts for build in builds.values())
    for _ in range(0 if broken else rounds):
        for build in builds.values():
            build.round(seconds)
    if not broken:
        row["diff"] = peers.difference(builds["new"].facts["outputs"], builds["old"].facts["outputs"])
    for key, build in builds.items():
        end(build)
        facts = {k: v for k, v in build.facts.items() if k != "outputs"}
        if build.rounds and all("least" in r for r in build.rounds):
            facts["least"] = min(r["least"] for r in build.rounds)
        if load[key]:
            facts["start"] = min(load[key])
        row[key] = facts
    new, old = row["new"], row["old"]
    if "least" in new and "least" in old:
        row["ratio"] = median([o["least"] / n["least"] for o, n in zip(builds["old"].rounds, builds["new"].rounds)])
        row["start"] = old["start"] / new["start"]
        row["memory"] = max(old["peak"], 1) / max(new["peak"], 1)
    return row


def end(build):
    build.close()
    if "outputs" in build.facts and os.path.exists(build.facts["outputs"]):
        os.unlink(build.facts["outputs"])


HEAD = f"{'model':<36} {'threads':>7} {'old ms':>10} {'new ms':>10} {'speed':>7} {'start':>7} {'memory':>7} {'diff':>7}"


def show(row):
    tag = f"{row['model'] + (':' + row['variant'] if row['variant'] else ''):<36} {row['threads']:>7}"
    if "ratio" not in row:
        wrong = {key: row[key].get("error", "died while running") for key in ("old", "new") if "least" not in row[key]}
        print(tag, "  ".join(f"{key}: {error}" for key, error in wrong.items()), flush=True)
        return
    factors = " ".join(f"{row[key]:>7.2f}" for key in ("ratio", "start", "memory"))
    diff = "same" if row["diff"] == 0 else f"{row['diff']:.0e}"
    print(f"{tag} {row['old']['least'] * 1e3:>10.3f} {row['new']['least'] * 1e3:>10.3f} {factors} {diff:>7}", flush=True)


def summarize(rows):
    summary = {}
    for threads in sorted({r["threads"] for r in rows}):
        own = [r for r in rows if r["threads"] == threads and "ratio" in r]
        if not own:
            continue
        means = {key: geomean([r[key] for r in own]) for key in ("ratio", "start", "memory")}
        print(f"{'geometric mean of ' + str(len(own)):<36} {threads:>7} {'':>21} " + " ".join(f"{v:>7.2f}" for v in means.values()))
        summary[threads] = dict(means, models=len(own))
    own = sorted((r for r in rows if "ratio" in r), key=lambda r: r["ratio"])
    for what, worth in (("slower", [r for r in own if r["ratio"] < 0.97]), ("faster", [r for r in own[::-1] if r["ratio"] > 1.03])):
        if worth:
            print(f"{what} by more than 3 %: " + ", ".join(f"{r['model']} {r['ratio']:.2f}" for r in worth[:10]))
    return summary


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
    ap.add_argument("--starts", type=int, default=3)
    ap.add_argument("--variants", action="store_true")
    ap.add_argument("--json")
    args = ap.parse_args()
    sys.path.insert(0, os.path.join(args.shared, "bench"))
    import peers
    from inputs import VARIANTS

    present = sorted(f[:-5] for f in os.listdir(args.zoo) if f.endswith(".onnx"))
    chosen = args.models.split(",") if args.models else [m for m in present if m in VARIANTS]
    for module in (args.new, args.old):  # else Python would take another one that it finds
        if not os.path.isfile(os.path.join(module, "sardonyx", "__init__.py")):
            ap.error(f"{module} has no module sardonyx")
    if missing := sorted(set(chosen) - set(present)):
        ap.error(f"{args.zoo} has no {', '.join(missing)}")
    rows = []
    print(HEAD)
    for threads in map(int, args.threads.split(",")):
        for name in chosen:
            for variant in list(VARIANTS.get(name) or [None]) if args.variants else [None]:
                path = os.path.join(args.zoo, name + ".onnx")
                rows.append(measure(peers, {"new": args.new, "old": args.old}, path, name, variant, threads,
                                    args.rounds, args.seconds, max(args.starts, 1)))
                show(rows[-1])
    summary = summarize(rows)
    if args.json:
        with open(args.json, "w") as file:
            json.dump({"models": rows, "geometric_mean": summary}, file, indent=1)
    return 0 if all("ratio" in r for r in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
