#!/usr/bin/env python3
"""The 3x3 convolutions of a model inside a run of it: operations counted as direct convolution, over the processor's peak.

    python tools/bench_convolutions.py ZOO [--shared ../shared] [--models gen_resnet50,gen_unet_seg] [--build build/release]
                                       [--runs 20] [--kernel 3x3] [--json FILE]

A layer's time is the median over the runs' profiles (one thread), so that its weights come from where a network finds them; the
peak is that of multiply-adds in registers (bench_ops_conv, fma_peak), measured before and after. 1.00 is a direct convolution that
never waits; Winograd's may be above. A model's figure is all its operations over all their time.
"""
import argparse
import collections
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile


def peak_of(build):
    """GFLOP/s of one core."""
    done = subprocess.run([os.path.join(build, "bin/bench_ops_conv"), "--benchmark_filter=^fma_peak$", "--benchmark_format=json",
                           "--benchmark_repetitions=3"], capture_output=True, text=True, check=True)
    results = [b for b in json.loads(done.stdout)["benchmarks"] if b["run_type"] == "iteration"]
    if any("error_message" in b for b in results):
        sys.exit(f"no peak: {results[0]['error_message']}")
    return max(b["GFLOP/s"] for b in results)


def nodes_of(build, model, inputs, runs):
    """{node: (its last event, durations in us)}, of all runs but the first."""
    import numpy

    with tempfile.TemporaryDirectory() as folder:
        tensors, trace = os.path.join(folder, "inputs.npz"), os.path.join(folder, "trace.json")
        numpy.savez(tensors, **inputs)
        subprocess.run([os.path.join(build, "bin/sardonyx"), "run", model, "-i", tensors, "-t", "1", "-n", str(runs + 1),
                        f"--profile={trace}"], check=True, stdout=subprocess.DEVNULL)
        events = [e for e in json.load(open(trace)) if e.get("cat") == "Node" and "kernel" in e.get("args", {})]
    nodes = collections.OrderedDict()
    for event in events:
        nodes.setdefault(event["args"]["node_index"], []).append(event)
    return [(list_[-1], [int(e["args"]["duration_ns"]) / 1e3 for e in list_[1:] or list_]) for list_ in nodes.values()]


def layers_of(nodes, kernel):
    for event, times in nodes:
        a = event["args"]
        if a["op_name"] not in ("BlockedConv", "Conv", "FusedConv"):
            continue
        w = next(iter(a["input_type_shape"][1].values()))
        y = next(iter(a["output_type_shape"][0].values()))
        if w[2:] != kernel:
            continue
        positions = math.prod(y[2:2 + len(kernel)])
        yield {"node": event["name"].removesuffix("_kernel_time"), "kernel": a["kernel"], "w": w, "out": y[2:2 + len(kernel)],
               "operations": 2 * y[0] * math.prod(w) * positions, "us": statistics.median(times)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("zoo")
    parser.add_argument("--shared", default=os.environ.get("SARDONYX_SHARED", "../shared"))
    parser.add_argument("--models", default="gen_resnet50,gen_unet_seg")
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--kernel", default="3x3")
    parser.add_argument("--json")
    a = parser.parse_args()
    sys.path.insert(0, os.path.join(a.shared, "zoo"))
    from inputs import make_inputs

    before = peak_of(a.build)
    kernel = [int(size) for size in a.kernel.split("x")]
    found = {name: list(layers_of(nodes_of(a.build, os.path.join(a.zoo, name + ".onnx"), make_inputs(name), a.runs), kernel))
             for name in a.models.split(",")}
    peak = max(before, peak_of(a.build))
    for name, layers in found.items():
        for r in layers:
            r["over_peak"] = r["operations"] / r["us"] / 1e3 / peak
            print(f"{name}  {r['node']:<32}{'x'.join(map(str, r['w'])):<16}{'x'.join(map(str, r['out'])):<10}{r['us']:>9.1f} us"
                  f"{r['over_peak']:>6.2f}  {r['kernel']}")
        operations, taken = sum(r["operations"] for r in layers), sum(r["us"] for r in layers)
        if layers:
            mean = math.exp(statistics.fmean(math.log(r["over_peak"]) for r in layers))
            print(f"{name}: {len(layers)} layers, {operations / 1e9:.2f} G operations in {taken / 1e3:.2f} ms: "
                  f"{operations / taken / 1e3 / peak:.2f} times the peak of {peak:.0f} GFLOP/s (geometric mean {mean:.2f})")
    if a.json:
        json.dump({"peak": peak, "models": found}, open(a.json, "w"), indent=1)


if __name__ == "__main__":
    main()
