#!/usr/bin/env python3
"""For each convolution of the zoo, the time of every way to compute it beside the cost model's pick.

    python tools/bench_choices.py ZOO [--shared ../shared] [--models a,b] [--build build/release] [--over 5] [--json FILE]

Layers are taken from a profile of each model as it runs (all its input variants), float32 alone, each shape once;
build/release/bin/bench_ops_conv times the ways on one thread, interleaved, with weights that are in no cache. Ways of one form can
stand in for each other: blocked channels in and out (direct, depthwise, grouped, winograd), plain in and blocked out (first), plain
(rows, turned, columns: im2col). `loss` is what the pick takes over the fastest of its form; the last column is the fastest way
of another form, without the reorders that it would need: that choice is the layout pass's. The sum counts a layer as often as
models have it. Exit status 1: a loss above --over percent, in layers of 20 us or more.
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

FORMS = {"blocked": ("direct", "depthwise", "grouped", "winograd"), "first": ("first",),
         "plain": ("rows", "turned", "columns")}
LEAST_MICROSECONDS = 20  # below, starting the node is most of it


def attributes_of(model):
    """The attributes of each named Conv."""
    import onnx

    found = {}
    for node in onnx.load(model, load_external_data=False).graph.node:
        if node.op_type == "Conv":
            found[node.name] = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
    return found


def profile(cli, model, inputs, folder):
    """The events of one run."""
    import numpy

    tensors, trace = os.path.join(folder, "inputs.npz"), os.path.join(folder, "trace.json")
    numpy.savez(tensors, **inputs)
    done = subprocess.run([cli, "run", model, "-i", tensors, "-t", "1", f"--profile={trace}"], capture_output=True, text=True)
    if done.returncode != 0:
        return None
    return [e for e in json.load(open(trace)) if e.get("cat") == "Node" and "kernel" in e.get("args", {})]


def shape_of(entry):
    """Of one value in a profile, where it is float32."""
    return entry.get("float")


def layer_of(event, attributes):
    """A line for the bench, or None."""
    a = event["args"]
    if a["op_name"] not in ("BlockedConv", "Conv", "FusedConv"):
        return None
    x, w = (shape_of(entry) for entry in a["input_type_shape"][:2])
    y = shape_of(a["output_type_shape"][0])
    if not x or not w or not y or len(w) > 5:
        return None

    def takes(channels):
        return x[1] == (-(-channels // 16) if len(x) > len(w) else channels)

    own = next((attributes[name] for name in a.get("origins", [])
                if name in attributes and takes(w[1] * attributes[name].get("group", 1))), None)
    if own is None:
        return None
    axes, group = len(w) - 2, own.get("group", 1)
    strides, dilations = own.get("strides", [1] * axes), own.get("dilations", [1] * axes)
    form = "plain" if len(y) == len(w) else "blocked" if len(x) > len(w) else "first"
    pads = list(own.get("pads", [0] * (2 * axes)))
    for i in range(axes):  # a Pad may have been taken in
        total = max(0, (y[2 + i] - 1) * strides[i] + (w[2 + i] - 1) * dilations[i] + 1 - x[2 + i])
        if pads[i] > total or pads[i] + pads[axes + i] < total:
            pads[i] = total // 2
        pads[axes + i] = total - pads[i]
    shape = [x[0], w[1] * group] + x[2:2 + axes]
    return " ".join([form] + ["x".join(map(str, numbers)) for numbers in (shape, w, strides, pads, dilations)] + [str(group)])


def layers_of_zoo(zoo, shared, build, models):
    """{line: {model: how often}}."""
    sys.path.insert(0, os.path.join(shared, "zoo"))
    from inputs import VARIANTS, make_inputs

    found = collections.defaultdict(collections.Counter)
    for path in sorted(pathlib.Path(zoo).glob("*.onnx")):
        name = path.stem
        if name not in VARIANTS or (models and name not in models):
            continue
        attributes = attributes_of(str(path))
        if not attributes:
            continue
        for variant in VARIANTS[name]:
            with tempfile.TemporaryDirectory() as folder:
                inputs = make_inputs(name, variant) if variant != "default" else make_inputs(name)
                events = profile(os.path.join(build, "bin/sardonyx"), str(path), inputs, folder)
            if events is None:
                print(f"{name}:{variant}: the model does not run; left out", file=sys.stderr)
                continue
            counts = collections.Counter(filter(None, (layer_of(event, attributes) for event in events)))
            for line, count in counts.items():
                found[line][name] = max(found[line][name], count)
    return found


def measure(build, lines):
    """The bench's results, some layers a process. Memory stays with the process: new pages cost more than the layers."""
    together, results = 24, []
    environment = os.environ | {"GLIBC_TUNABLES": "glibc.malloc.mmap_threshold=1073741824:glibc.malloc.trim_threshold=4294967296"}
    with tempfile.TemporaryDirectory() as folder:
        listed, out = os.path.join(folder, "layers"), os.path.join(folder, "results.json")
        for first in range(0, len(lines), together):
            pathlib.Path(listed).write_text("\n".join(lines[first:first + together]) + "\n")
            subprocess.run([os.path.join(build, "bin/bench_ops_conv"), "--benchmark_filter=^(blocked|first|plain) ",
                            f"--benchmark_out={out}", "--benchmark_out_format=json"], check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, env=environment | {"SARDONYX_LAYERS": listed})
            results += json.load(open(out))["benchmarks"]
    return results


def row_of(result, models):
    line = result["name"].rsplit("/", 1)[0]
    form, pick = line.split()[0], result.get("label", "none")
    times = {way: result[way] for ways in FORMS.values() for way in ways if way in result}
    own = {way: times[way] for way in FORMS[form] if way in times}
    others = {way: time for way, time in times.items() if way not in own}
    if pick not in own:
        sys.exit(f"{line}: the pick is {pick}, what runs is {', '.join(own) or 'nothing'}")
    best, other = min(own, key=own.get), min(others, key=others.get, default=None)
    return {"layer": line, "models": dict(models), "pick": pick, "best": best, "times": times, "other": other,
            "loss": times[pick] / own[best] - 1, "gflops": result["operations"] / times[pick] / 1e3}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("zoo")
    parser.add_argument("--shared", default=os.environ.get("SARDONYX_SHARED", "../shared"))
    parser.add_argument("--models", default="")
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--over", type=float, default=5)
    parser.add_argument("--json")
    a = parser.parse_args()
    found = layers_of_zoo(a.zoo, a.shared, a.build, set(filter(None, a.models.split(","))))
    if not found:
        sys.exit(f"no convolutions in the models of {a.zoo}")
    rows = [row_of(result, found[result["name"].rsplit("/", 1)[0]]) for result in measure(a.build, sorted(found))]
    rows.sort(key=lambda r: -sum(r["models"].values()) * r["times"][r["pick"]])
    ways = [way for form in FORMS.values() for way in form]
    print(f"{'layer':<62}{'n':>4} " + "".join(f"{way:>10}" for way in ways) + "   pick        loss  other form")
    taken = least = 0.0
    for r in rows:
        count = sum(r["models"].values())
        pick, best = r["times"][r["pick"]], r["times"][r["best"]]
        taken, least = taken + count * pick, least + count * best
        times = "".join(f"{r['times'][way]:>10.1f}" if way in r["times"] else f"{'-':>10}" for way in ways)
        other = f"{r['other']} {r['times'][r['other']] / pick:.2f}" if r["other"] else ""
        print(f"{r['layer']:<62}{count:>4} {times}   {r['pick']:<10}{100 * r['loss']:>5.1f}%  {other}")
    bad = [r for r in rows if 100 * r["loss"] > a.over and r["times"][r["pick"]] >= LEAST_MICROSECONDS]
    print(f"{len(rows)} layers, {taken / 1e3:.1f} ms as picked, {least / 1e3:.1f} ms at best: {100 * (taken / least - 1):.2f} % lost; "
          f"{len(bad)} picks lose more than {a.over:g} %")
    if a.json:
        pathlib.Path(a.json).write_text(json.dumps(rows, indent=1))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
