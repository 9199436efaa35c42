#!/usr/bin/env python3
"""1x1 and depthwise convolutions as networks have them, each shape beside onnxruntime and OpenVINO.

    python tools/bench_shapes.py [--networks resnet50,shufflenet,mobilenetv2] [--shapes REGEX] [--threads 1] [--rounds 5]
                                 [--seconds 0.05] [--engines sardonyx,onnxruntime,openvino] [--json FILE]

A shape is measured as what it adds to a model: y_i = Relu(Conv_i(x) + y_(i-1)), i = 1..n, each with weights of its own and x from
convolutions too, is timed with n = 2 and with n = 8, and the difference is that of six convolutions. Layouts are
changed at both ends of either model, so they cancel out; weights are as cold as n of them are. All engines run in this process, in turns, in every round; a
time is the least of all rounds, the ratio that of the faster other engine over ours: above 1.00 Sardonyx is faster.
Where the difference is no more than noise, the shape is left out and said so.
"""
import argparse
import json
import math
import os
import re
import sys

os.environ["ORT_DISABLE_TELEMETRY"] = "1"
import numpy as np

from bench_common import geomean, least_time

SHORT, LONG = 2, 8
FRONT = 4  # channels of what x is made of, by a 1x1 and a depthwise convolution
# channels, size of the plane, outputs, kernel, stride, groups
NETWORKS = {
    "resnet50": [
        (64, 56, 64, 1, 1, 1), (64, 56, 256, 1, 1, 1), (256, 56, 64, 1, 1, 1), (256, 56, 128, 1, 1, 1),
        (256, 56, 512, 1, 2, 1), (128, 28, 512, 1, 1, 1), (512, 28, 128, 1, 1, 1), (512, 28, 256, 1, 1, 1),
        (512, 28, 1024, 1, 2, 1), (256, 14, 1024, 1, 1, 1), (1024, 14, 256, 1, 1, 1), (1024, 14, 512, 1, 1, 1),
        (1024, 14, 2048, 1, 2, 1), (512, 7, 2048, 1, 1, 1), (2048, 7, 512, 1, 1, 1)],
    "shufflenet": [
        (24, 56, 112, 1, 1, 4), (112, 56, 112, 3, 2, 112), (136, 28, 136, 1, 1, 4), (136, 28, 136, 3, 1, 136),
        (136, 28, 136, 3, 2, 136), (272, 14, 272, 1, 1, 4), (272, 14, 272, 3, 1, 272), (272, 14, 272, 3, 2, 272),
        (544, 7, 544, 1, 1, 4), (544, 7, 544, 3, 1, 544)],
    "mobilenetv2": [
        (32, 112, 32, 3, 1, 32), (32, 112, 16, 1, 1, 1), (16, 112, 96, 1, 1, 1), (96, 112, 96, 3, 2, 96),
        (96, 56, 24, 1, 1, 1), (24, 56, 144, 1, 1, 1), (144, 56, 144, 3, 1, 144), (144, 56, 24, 1, 1, 1),
        (144, 56, 144, 3, 2, 144), (144, 28, 32, 1, 1, 1), (32, 28, 192, 1, 1, 1), (192, 28, 192, 3, 1, 192),
        (192, 28, 32, 1, 1, 1), (192, 28, 192, 3, 2, 192), (192, 14, 64, 1, 1, 1), (64, 14, 384, 1, 1, 1),
        (384, 14, 384, 3, 1, 384), (384, 14, 64, 1, 1, 1), (384, 14, 96, 1, 1, 1), (96, 14, 576, 1, 1, 1),
        (576, 14, 576, 3, 1, 576), (576, 14, 96, 1, 1, 1), (576, 14, 576, 3, 2, 576), (576, 7, 160, 1, 1, 1),
        (160, 7, 960, 1, 1, 1), (960, 7, 960, 3, 1, 960), (960, 7, 160, 1, 1, 1), (960, 7, 320, 1, 1, 1),
        (320, 7, 1280, 1, 1, 1)],
}


def named(shape):
    channels, size, outputs, kernel, stride, groups = shape
    parts = f"{channels}-{outputs} at {size}x{size}, {kernel}x{kernel}"
    return parts + (f" by {stride}" if stride > 1 else "") + (
        "" if groups == 1 else ", depthwise" if groups == channels else f", {groups} groups")


def model_of(shape, count):
    from onnx import TensorProto, helper, numpy_helper

    channels, size, outputs, kernel, stride, groups = shape
    random = np.random.default_rng(1)
    out = (size + 2 * (kernel // 2) - kernel) // stride + 1
    front = random.standard_normal((channels, FRONT, 1, 1)).astype(np.float32)
    depthwise = random.standard_normal((channels, 1, 3, 3)).astype(np.float32)
    nodes = [helper.make_node("Conv", ["image", "front"], ["wide"]),
             helper.make_node("Conv", ["wide", "depthwise"], ["x"], group=channels, pads=[1] * 4)]
    weights = [numpy_helper.from_array(front, "front"), numpy_helper.from_array(depthwise, "depthwise")]
    before = None
    depth = channels // groups
    for i in range(count):
        w = random.standard_normal((outputs, depth, kernel, kernel)) / math.sqrt(depth * kernel * kernel)
        weights.append(numpy_helper.from_array(w.astype(np.float32), f"w{i}"))
        weights.append(numpy_helper.from_array(random.standard_normal(outputs).astype(np.float32), f"b{i}"))
        nodes.append(helper.make_node("Conv", ["x", f"w{i}", f"b{i}"], [f"c{i}"], group=groups, strides=[stride] * 2,
                                      kernel_shape=[kernel] * 2, pads=[kernel // 2] * 4))
        last = f"c{i}"
        if before is not None:
            nodes.append(helper.make_node("Add", [last, before], [f"s{i}"]))
            last = f"s{i}"
        before = "y" if i + 1 == count else f"r{i}"
        nodes.append(helper.make_node("Relu", [last], [before]))
    graph = helper.make_graph(
        nodes, "shape", [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, FRONT, size, size])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, outputs, out, out])], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8).SerializeToString()


def runner(engine, model, x, threads):
    """A function that runs the model once, and one that gives its output."""
    if engine == "openvino":
        import openvino

        core = openvino.Core()
        compiled = core.compile_model(core.read_model(model), "CPU", {
            "INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": "f32", "PERFORMANCE_HINT": "LATENCY"})
        request = compiled.create_infer_request()
        request.set_input_tensor(openvino.Tensor(x))
        return request.infer, lambda: request.get_output_tensor(0).data
    module = __import__(engine)
    options = module.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    session = module.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    feeds = {"image": x}
    return lambda: session.run(None, feeds), lambda: session.run(None, feeds)[0]


def measure(shape, engines, threads, rounds, seconds):
    x = np.random.default_rng(2).standard_normal((1, FRONT, shape[1], shape[1])).astype(np.float32)
    runs, outputs = {}, {}
    for count in (SHORT, LONG):
        model = model_of(shape, count)
        for engine in engines:
            runs[engine, count], output = runner(engine, model, x, threads)
            runs[engine, count]()
            outputs[engine] = np.array(output())
    for engine in engines[1:]:  # what is compared must compute the same
        np.testing.assert_allclose(outputs[engine], outputs[engines[0]], rtol=1e-3, atol=1e-3, err_msg=engine)
    least = {}
    for _ in range(rounds):
        for key, run in runs.items():
            least[key] = min(least.get(key, math.inf), least_time(run, seconds))
    return {engine: (least[engine, LONG] - least[engine, SHORT]) / (LONG - SHORT) for engine in engines}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", default=",".join(NETWORKS))
    parser.add_argument("--shapes", default="", help="only those whose name the pattern finds")
    parser.add_argument("--engines", default="sardonyx,onnxruntime,openvino")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.05, help="of one engine and model in a round")
    parser.add_argument("--json")
    args = parser.parse_args()
    engines = args.engines.split(",")
    rows = []
    print(f"{'shape':40s}" + "".join(f"{engine + ', us':>17s}" for engine in engines) + f"{'GFLOP/s':>9s}{'ratio':>7s}")
    for network in args.networks.split(","):
        for shape in NETWORKS[network]:
            if not re.search(args.shapes, named(shape)):
                continue
            times = measure(shape, engines, args.threads, args.rounds, args.seconds)
            row = {"network": network, "shape": named(shape), **{engine: times[engine] for engine in engines}}
            rows.append(row)
            line = f"{named(shape):40s}" + "".join(f"{times[engine] * 1e6:17.1f}" for engine in engines)
            if min(times.values()) <= 0:
                print(line + "   noise", flush=True)
                continue
            channels, size, outputs, kernel, stride, groups = shape
            out = (size + 2 * (kernel // 2) - kernel) // stride + 1
            row["gflops"] = 2e-9 * outputs * (channels // groups) * kernel**2 * out**2 / times[engines[0]]
            line += f"{row['gflops']:9.0f}"
            if len(engines) > 1:
                row["ratio"] = min(times[engine] for engine in engines[1:]) / times[engines[0]]
                line += f"{row['ratio']:7.2f}"
            print(line, flush=True)
    ratios = [row["ratio"] for row in rows if "ratio" in row]
    if ratios:
        print(f"{len(ratios)} shapes: geometric mean {geomean(ratios):.2f}, least {min(ratios):.2f}, "
              f"{sum(ratio < 0.97 for ratio in ratios)} below 0.97")
    if args.json:
        with open(args.json, "w") as file:
            json.dump({"threads": args.threads, "rows": rows}, file, indent=1)


if __name__ == "__main__":
    sys.exit(main())
