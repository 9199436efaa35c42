#!/usr/bin/env python3
"""Changes of layout in a model's plan, beside onnxruntime's.

    ./dev zoo reorders [--set small|main|all] [--models a,b] [--zoo FOLDER]

Counted are BlockChannels and UnblockChannels of ours (`layout.reorders` of explain), those of them that do the work of one of the model's
Transposes as well (channels_last), and the Transposes that are left; ReorderInput, ReorderOutput and Transpose in the graph that onnxruntime
saves at its highest level, subgraphs too; `sum` is both kinds together. A model passes where ours without a Transpose's work are no
more than onnxruntime's reorders, and our sum is no more than its.
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
    """(reorders, those that do a Transpose's work, Transposes)."""
    import sardonyx

    explained = sardonyx.explain(path)
    reorders = explained["layout"]["reorders"]
    transposes = sum(step["op"] == "Transpose" for step in explained["steps"])
    return len(reorders), sum(bool(r["channels_last"]) for r in reorders), transposes


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
    return count["ReorderInput"] + count["ReorderOutput"], count["Transpose"]


def main():
    ap = zoo.arguments(__doc__)
    ap.add_argument("--model", help="(of the child)")
    a = ap.parse_args()
    if a.model:
        path = zoo.model_path(a.zoo, a.model)
        print(*of_sardonyx(path), *of_onnxruntime(path))
        return 0
    if zoo.skipped():
        return 0
    models, missing = zoo.fetch(a.zoo, a.set, a.models.split(",") if a.models else None)
    passed = failed = 0
    print(f"{'model':26} {'ours':>5} {'(turning)':>9} {'Transposes':>10} {'sum':>5}   {'onnxruntime':>11} {'Transposes':>10} {'sum':>5}")
    for model in models:
        child = [sys.executable, os.path.abspath(__file__), "--model", model, "--zoo", a.zoo]
        done = subprocess.run(child, capture_output=True, text=True, check=False)
        if done.returncode:
            failed += 1
            print(f"FAILED {model}: {done.stderr.strip()[-300:]}")
            continue
        ours, turning, left, theirs, turned = map(int, done.stdout.split()[-5:])
        holds = ours - turning <= theirs and ours + left <= theirs + turned
        print(f"{model:26} {ours:5} {turning:9} {left:10} {ours + left:5}   {theirs:11} {turned:10} "
              f"{theirs + turned:5}{'' if holds else '  MORE'}", flush=True)
        passed += holds
        failed += not holds
    print(f"{passed} passed, {failed} failed" + (f", {len(missing)} skipped" if missing else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
