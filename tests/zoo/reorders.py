#!/usr/bin/env python3
"""Changes of layout in a model's plan, beside the reorder nodes of onnxruntime's.

    ./dev zoo reorders [--set small|main|all] [--models a,b] [--zoo FOLDER]

Counted are BlockChannels and UnblockChannels of ours (`layout.reorders` of explain), and ReorderInput and ReorderOutput in the graph that
onnxruntime saves at its highest level, subgraphs too. A model passes where ours are no more.
"""
import collections
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import zoo  # noqa: E402


def of_sardonyx(path):
    """(reorders, convolutions that are not blocked)."""
    import sardonyx

    layout = sardonyx.explain(path)["layout"]
    return len(layout["reorders"]), layout["plain_convolutions"]


def of_onnxruntime(path):
    import onnx
    import onnxruntime

    with tempfile.TemporaryDirectory() as folder:
        options = onnxruntime.SessionOptions()
        options.log_severity_level, options.intra_op_num_threads = 4, 1
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        options.optimized_model_filepath = os.path.join(folder, "optimized.onnx")
        options.add_session_config_entry("session.optimized_model_external_initializers_file_name", "weights")
        options.add_session_config_entry("session.optimized_model_external_initializers_min_size_in_bytes", "1024")
        onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        model = onnx.load(options.optimized_model_filepath, load_external_data=False)
    count, graphs = collections.Counter(), [model.graph]
    while graphs:
        for node in graphs.pop().node:
            count[node.op_type] += 1
            for attribute in node.attribute:
                graphs += [attribute.g] if attribute.HasField("g") else list(attribute.graphs)
    return count["ReorderInput"] + count["ReorderOutput"]


def main():
    ap = zoo.arguments(__doc__)
    ap.add_argument("--model", help="(of the child)")
    a = ap.parse_args()
    if a.model:
        path = zoo.model_path(a.zoo, a.model)
        print(*of_sardonyx(path), of_onnxruntime(path))
        return 0
    if zoo.skipped():
        return 0
    models, missing = zoo.fetch(a.zoo, a.set, a.models.split(",") if a.models else None)
    passed = failed = 0
    print(f"{'model':26} {'ours':>5} {'onnxruntime':>12} {'plain convolutions':>19}")
    for model in models:
        child = [sys.executable, os.path.abspath(__file__), "--model", model, "--zoo", a.zoo]
        done = subprocess.run(child, capture_output=True, text=True, check=False)
        if done.returncode:
            failed += 1
            print(f"FAILED {model}: {done.stderr.strip()[-300:]}")
            continue
        ours, plain, theirs = map(int, done.stdout.split()[-3:])
        print(f"{model:26} {ours:5} {theirs:12} {plain:19}{'  MORE' if ours > theirs else ''}", flush=True)
        passed += ours <= theirs
        failed += ours > theirs
    print(f"{passed} passed, {failed} failed" + (f", {len(missing)} skipped" if missing else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
