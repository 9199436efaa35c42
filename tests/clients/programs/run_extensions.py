"""Custom operators of onnxruntime-extensions: what each answers."""

import json
import sys

import numpy as np
import onnxruntime
from onnx import TensorProto, helper
from onnxruntime_extensions import get_library_path

DOMAIN = "ai.onnx.contrib"


def session(nodes, inputs, outputs, weights=()):
    value = helper.make_tensor_value_info
    graph = helper.make_graph(nodes, "g", [value(*i) for i in inputs], [value(*o) for o in outputs], list(weights))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid(DOMAIN, 1)], ir_version=8)
    options = onnxruntime.SessionOptions()
    options.register_custom_ops_library(get_library_path())
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def node(op, inputs, outputs, **attributes):
    return helper.make_node(op, inputs, outputs, name=op, domain=DOMAIN, **attributes)


S, F, I = TensorProto.STRING, TensorProto.FLOAT, TensorProto.INT64
texts = np.array(["Hello World", "onnx RUNTIME", "", "Grüße"], dtype=object)
answers = {}


def plain(array):
    return np.asarray(array).tolist()


def answer(name, made, feed):
    answers[name] = [plain(x) for x in made.run(None, feed)]


answer("StringUpper", session([node("StringUpper", ["x"], ["y"])], [("x", S, ["n"])], [("y", S, ["n"])]), {"x": texts})
answer("StringLower", session([node("StringLower", ["x"], ["y"])], [("x", S, ["n"])], [("y", S, ["n"])]), {"x": texts})
answer("StringLength", session([node("StringLength", ["x"], ["y"])], [("x", S, ["n"])], [("y", I, ["n"])]), {"x": texts})
regex = [helper.make_tensor("p", S, [1], [b"[aeiou]"]), helper.make_tensor("r", S, [1], [b"*"])]
answer("StringRegexReplace", session([node("StringRegexReplace", ["x", "p", "r"], ["y"])], [("x", S, ["n"])], [("y", S, ["n"])], regex),
       {"x": texts})
joined = [helper.make_tensor("sep", S, [1], [b"-"]), helper.make_tensor("axis", I, [1], [0])]
answer("StringJoin", session([node("StringJoin", ["x", "sep", "axis"], ["y"])], [("x", S, ["n"])], [("y", S, None)], joined), {"x": texts})
answer("StringToHashBucketFast", session([node("StringToHashBucketFast", ["x", "b"], ["y"])], [("x", S, ["n"])], [("y", I, ["n"])],
                                         [helper.make_tensor("b", I, [1], [1000])]), {"x": texts})
answer("StringConcat", session([node("StringConcat", ["x", "z"], ["y"])], [("x", S, ["n"]), ("z", S, ["n"])], [("y", S, ["n"])]),
       {"x": texts, "z": texts[::-1].copy()})
answer("SegmentSum", session([node("SegmentSum", ["x", "s"], ["y"])], [("x", F, ["n", 2]), ("s", I, ["n"])], [("y", F, None)]),
       {"x": np.arange(8, dtype=np.float32).reshape(4, 2), "s": np.array([0, 0, 1, 2])})
answer("Inverse", session([node("Inverse", ["x"], ["y"])], [("x", F, [2, 2])], [("y", F, [2, 2])]),
       {"x": np.array([[4, 7], [2, 6]], np.float32)})
answer("VectorToString", session([node("VectorToString", ["x"], ["y"], map="a\t1 2\nb\t3 4", unk="?")], [("x", I, None)], [("y", S, None)]),
       {"x": np.array([[1, 2], [3, 4], [5, 6]])})
vocabulary = "\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "hello", "world", "on", "##nx", "run", "##time", "the", "##s"])
answer("BertTokenizer", session([node("BertTokenizer", ["x"], ["ids", "types", "mask"], vocab_file=vocabulary, do_lower_case=1)],
                                [("x", S, ["n"])], [("ids", I, None), ("types", I, None), ("mask", I, None)]),
       {"x": np.array(["Hello World onnx runtime"], dtype=object)})
wrong = [helper.make_tensor("sep", S, [1], [b"-"]), helper.make_tensor("axis", I, [1], [5])]
try:
    session([node("StringJoin", ["x", "sep", "axis"], ["y"])], [("x", S, ["n"])], [("y", S, None)], wrong).run(None, {"x": texts})
except Exception as error:
    answers["an error"] = [type(error).__name__, "axis" in str(error).lower()]
json.dump(answers, open(sys.argv[1], "w"))
