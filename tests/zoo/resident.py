#!/usr/bin/env python3
"""What of a model stays in memory: pages of its file after the first run, and what a second session of it adds.

    python tests/zoo/resident.py --zoo FOLDER [--models a,b] [--threads 2]

FOLDER holds a folder a model, as make_reference.py writes them: model.onnx, and a folder an input variant. After a run less than
5 MB of the file may be resident, but for weights that kernels read where they are (session option sardonyx.weights: larger
than 64 MB in all), and a second session with its run may add less than 10 % of what the first took.
"""
import argparse
import gc
import pathlib
import subprocess
import sys

MB = 1 << 20
IN_PLACE = 64 * MB


def resident():
    for line in open("/proc/self/status"):
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    return 0


def resident_of(path):
    total, inside = 0, False
    for line in open("/proc/self/smaps"):
        first = line.split()[0]
        if "-" in first and not first.endswith(":"):
            inside = line.rstrip().endswith(str(path))
        elif inside and first == "Rss:":
            total += int(line.split()[1]) * 1024
    return total


def feeds_of(variant):
    import onnx

    feeds = {}
    for file in sorted(variant.glob("input_*.pb")):
        proto = onnx.TensorProto.FromString(file.read_bytes())
        feeds[proto.name] = onnx.numpy_helper.to_array(proto)
    return feeds


def child(model, variant, threads):
    import sardonyx

    model = pathlib.Path(model).resolve()
    feeds = feeds_of(pathlib.Path(variant))
    options = sardonyx.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 4

    def session():
        made = sardonyx.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        made.run(None, {i.name: feeds[i.name] for i in made.get_inputs() if i.name in feeds})
        return made

    gc.collect()
    before = resident()
    first = session()
    gc.collect()
    after, of_file = resident(), resident_of(model)
    second = session()
    gc.collect()
    print(before, after, of_file, resident(), bool(first) and bool(second))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zoo", required=True)
    parser.add_argument("--models", default="")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        child(arguments.child[0], arguments.child[1], int(arguments.child[2]))
        return 0
    wrong = 0
    for folder in sorted(pathlib.Path(arguments.zoo).iterdir()):
        model = folder / "model.onnx"
        variants = sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
        if not model.exists() or not variants or (arguments.models and folder.name not in arguments.models.split(",")):
            continue
        done = subprocess.run([sys.executable, __file__, "--zoo", arguments.zoo, "--child", str(model), str(variants[0]),
                               arguments.threads], capture_output=True, text=True, timeout=600)
        if done.returncode != 0:
            print(f"{folder.name:<28} error {done.stderr.strip()[-120:]}")
            wrong += 1
            continue
        before, after, of_file, second = map(int, done.stdout.split()[:4])
        took, added = after - before, second - after
        bad = []
        if of_file > 5 * MB and of_file < IN_PLACE:
            bad.append("the file's pages stay")
        if added > 0.1 * took:
            bad.append("a second session takes too much")
        wrong += bool(bad)
        print(f"{folder.name:<28} took {took / MB:7.1f} MB, of the file {of_file / MB:6.1f} MB, second session "
              f"{added / MB:+6.1f} MB  {', '.join(bad) or 'holds'}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
