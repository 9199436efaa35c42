#!/usr/bin/env python3
"""Makes the three models that tests/robust/ damages, their inputs, and their outputs as onnx.reference computes them.

    python tests/data/robust/make.py

functions: weights in a file beside the model, model-local functions that call each other.
control:   If, Loop, Scan, sequences, optionals, and shapes that are computed.
ml:        ai.onnx.ml and strings.
"""
from pathlib import Path

import numpy as np
import onnx
import onnx.inliner
import onnx.shape_inference
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

HERE = Path(__file__).resolve().parent
F, I, B, S = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL, TensorProto.STRING
node = helper.make_node
info = helper.make_tensor_value_info
UNKNOWN_TO_REFERENCE = {"CategoryMapper", "ZipMap"}
rng = np.random.default_rng(7)


def ints(name, *values):
    return numpy_helper.from_array(np.array(values, np.int64), name)


def number(name, value, dtype=np.int64):
    return numpy_helper.from_array(np.array(value, dtype), name)


def random(name, *shape):
    return numpy_helper.from_array(rng.standard_normal(shape).astype(np.float32), name)


def with_reference(made, name, **values):
    """An attribute of a node in a function that takes its value from the caller."""
    for attribute, (refers_to, kind) in values.items():
        made.attribute.append(onnx.AttributeProto(name=attribute, ref_attr_name=refers_to, type=kind))
    return made


def functions_model():
    opset = [helper.make_opsetid("", 19), helper.make_opsetid("local", 1)]
    scale = helper.make_function("local", "Scale", ["x"], ["y"], [
        with_reference(node("Constant", [], ["k"], name="k"), "k", value_float=("by", onnx.AttributeProto.FLOAT)),
        node("Mul", ["x", "k"], ["y"], name="times"),
    ], opset, attribute_protos=[helper.make_attribute("by", 0.5)])
    block = helper.make_function("local", "Block", ["x", "w", "b"], ["y"], [
        node("Conv", ["x", "w", "b"], ["c"], name="conv", kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
        with_reference(node("Scale", ["c"], ["s"], name="scale", domain="local"), "s", by=("by", onnx.AttributeProto.FLOAT)),
        node("Relu", ["s"], ["y"], name="relu"),
    ], opset, attributes=["by"])
    nodes = [
        node("Block", ["x", "w1", "b1"], ["h1"], name="block_1", domain="local", by=0.25),
        node("Block", ["h1", "w2", "b2"], ["h2"], name="block_2", domain="local", by=2.0),
        node("BatchNormalization", ["h2", "gamma", "beta", "mean", "var"], ["n"], name="norm", epsilon=1e-3),
        node("MaxPool", ["n"], ["p"], name="pool", kernel_shape=[2, 2], strides=[2, 2]),
        node("AveragePool", ["p"], ["q"], name="average", kernel_shape=[2, 2], pads=[0, 0, 1, 1], count_include_pad=1),
        node("ConvTranspose", ["q", "wt"], ["up"], name="deconv", strides=[2, 2], kernel_shape=[2, 2]),
        node("Pad", ["up", "pads"], ["padded"], name="pad", mode="reflect"),
        node("Slice", ["padded", "starts", "ends", "axes", "steps"], ["cut"], name="slice"),
        node("Resize", ["cut", "", "scales"], ["big"], name="resize", mode="linear", coordinate_transformation_mode="half_pixel"),
        node("GlobalAveragePool", ["big"], ["g"], name="gap"),
        node("Flatten", ["g"], ["flat"], name="flatten", axis=1),
        node("Gemm", ["flat", "wg", "bg"], ["logits"], name="gemm", transB=1, alpha=0.5),
        node("Scale", ["logits"], ["scaled"], name="scale_default", domain="local"),
        node("Softmax", ["scaled"], ["probabilities"], name="softmax", axis=-1),
        node("TopK", ["probabilities", "k"], ["best", "indices"], name="topk", axis=-1),
        node("Unsqueeze", ["flat", "axes0"], ["sequence"], name="unsqueeze"),
        node("LSTM", ["sequence", "lw", "lr", "lb"], ["ly"], name="lstm", hidden_size=3, direction="bidirectional"),
        node("Transpose", ["ly"], ["lt"], name="transpose", perm=[2, 0, 1, 3]),
        node("Reshape", ["lt", "shape"], ["lf"], name="reshape"),
        node("LayerNormalization", ["lf", "lns", "lnb"], ["ln"], name="layer_norm", axis=-1),
        node("MatMul", ["ln", "wm"], ["m"], name="matmul"),
        node("Einsum", ["m", "m"], ["e"], name="einsum", equation="bij,bkj->bik"),
        node("ReduceSum", ["e", "raxes"], ["r"], name="reduce", keepdims=0),
        node("Concat", ["r", "best"], ["joined"], name="concat", axis=1),
        node("QuantizeLinear", ["joined", "qs", "qz"], ["quantized"], name="quantize"),
        node("DequantizeLinear", ["quantized", "qs", "qz"], ["y"], name="dequantize"),
    ]
    weights = [
        random("w1", 4, 2, 3, 3), random("b1", 4), random("w2", 4, 4, 3, 3), random("b2", 4),
        numpy_helper.from_array(np.array([1, 2, 0.5, 1], np.float32), "gamma"), random("beta", 4), random("mean", 4),
        numpy_helper.from_array(np.array([1, 2, 3, 4], np.float32), "var"), random("wt", 4, 4, 2, 2),
        random("wg", 5, 4), random("bg", 5), random("lw", 2, 12, 4), random("lr", 2, 12, 3), random("lb", 2, 24),
        random("lns", 6), random("lnb", 6), random("wm", 6, 5),
    ]
    small = [
        ints("pads", 0, 0, 1, 1, 0, 0, 1, 1), ints("starts", 0, -1), ints("ends", 6, -100), ints("axes", 2, 3), ints("steps", 1, -2),
        numpy_helper.from_array(np.array([1, 1, 1.5, 2], np.float32), "scales"), ints("k", 2), ints("axes0", 0),
        ints("shape", 0, -1, 6), ints("raxes", 1), number("qs", 0.05, np.float32), number("qz", 120, np.uint8),
    ]
    graph = helper.make_graph(nodes, "functions", [info("x", F, ["batch", 2, 8, 8])], [
        info("y", F, ["batch", None]), info("indices", I, ["batch", 2])], weights + small)
    model = helper.make_model(graph, opset_imports=opset, functions=[scale, block], ir_version=9)
    return model, {"x": rng.standard_normal((3, 2, 8, 8)).astype(np.float32)}, [weight.name for weight in weights]


def control_model():
    loop_body = helper.make_graph([
        node("Identity", ["go"], ["go_out"], name="keep_going"),
        node("Cast", ["i"], ["fi"], name="to_float", to=F),
        node("Mul", ["fi", "x"], ["xi"], name="scaled"),
        node("Add", ["acc", "xi"], ["acc_out"], name="add"),
        node("SequenceInsert", ["seq", "acc_out"], ["seq_out"], name="insert"),
        node("ReduceMax", ["acc_out", "axis0"], ["top"], name="top", keepdims=0),
    ], "body", [info("i", I, []), info("go", B, []), info("acc", F, ["n", 3]),
                helper.make_tensor_sequence_value_info("seq", F, None)],
        [info("go_out", B, []), info("acc_out", F, ["n", 3]), helper.make_tensor_sequence_value_info("seq_out", F, None),
         info("top", F, [3])])
    while_body = helper.make_graph([
        node("Add", ["j", "one"], ["j_out"], name="count"),
        node("Less", ["j_out", "limit"], ["more"], name="more"),
    ], "while", [info("it", I, []), info("c", B, []), info("j", I, [])], [info("more", B, []), info("j_out", I, [])])
    inner_then = helper.make_graph([node("Neg", ["total"], ["it"], name="neg")], "inner_then", [], [info("it", F, None)])
    inner_else = helper.make_graph([node("Identity", ["total"], ["ie"], name="same")], "inner_else", [], [info("ie", F, None)])
    then_branch = helper.make_graph([
        node("Greater", ["total", "zero"], ["positive"], name="positive"),
        node("If", ["positive"], ["t"], name="inner_if", then_branch=inner_then, else_branch=inner_else),
        node("Add", ["t", "x"], ["then_out"], name="broadcast"),
    ], "then", [], [info("then_out", F, None)])
    else_branch = helper.make_graph([node("Expand", ["total", "one_three"], ["else_out"], name="expand")], "else", [],
                                    [info("else_out", F, None)])
    scan_body = helper.make_graph([
        node("Add", ["state", "row"], ["state_out"], name="sum"),
        node("Mul", ["state_out", "two"], ["scanned"], name="double"),
    ], "scan", [info("state", F, [3]), info("row", F, [3])], [info("state_out", F, [3]), info("scanned", F, [3])])
    nodes = [
        node("Shape", ["x"], ["xs"], name="shape"),
        node("Gather", ["xs", "first"], ["n0"], name="gather", axis=0),
        node("Unsqueeze", ["n0", "axis0"], ["n1"], name="unsqueeze"),
        node("Concat", ["n1", "three"], ["target"], name="concat", axis=0),
        node("ConstantOfShape", ["target"], ["zeros"], name="zeros", value=numpy_helper.from_array(np.array([0.5], np.float32))),
        node("SequenceEmpty", [], ["empty"], name="empty", dtype=F),
        node("Loop", ["trips", "yes", "zeros", "empty"], ["acc_last", "seq_last", "tops"], name="loop", body=loop_body),
        node("Loop", ["", "yes", "n0"], ["counted"], name="while", body=while_body),
        node("ConcatFromSequence", ["seq_last"], ["stacked"], name="stack", axis=0, new_axis=1),
        node("SequenceLength", ["seq_last"], ["length"], name="length"),
        node("SequenceAt", ["seq_last", "first"], ["at"], name="at"),
        node("ReduceSum", ["acc_last"], ["total"], name="total", keepdims=0),
        node("Greater", ["total", "zero"], ["cond"], name="cond"),
        node("If", ["cond"], ["branch"], name="if", then_branch=then_branch, else_branch=else_branch),
        node("Scan", ["state0", "x"], ["state_last", "rows"], name="scan", body=scan_body, num_scan_inputs=1,
             scan_input_axes=[0]),
        node("Range", ["first", "counted", "one"], ["range"], name="range"),
        node("Tile", ["range", "repeats"], ["tiled"], name="tile"),
        node("OneHot", ["tiled", "depth", "onoff"], ["hot"], name="one_hot", axis=-1),
        node("NonZero", ["hot"], ["where"], name="non_zero"),
        node("SplitToSequence", ["x", "one"], ["parts"], name="split_to_sequence", axis=0),
        node("SequenceErase", ["parts", "first"], ["rest"], name="erase"),
        node("ConcatFromSequence", ["rest"], ["glued"], name="glue", axis=0),
        node("Optional", ["glued"], ["maybe"], name="optional"),
        node("OptionalHasElement", ["maybe"], ["has"], name="has"),
        node("OptionalGetElement", ["maybe"], ["got"], name="get"),
        node("Reshape", ["got", "flat"], ["line"], name="reshape"),
        node("Split", ["line"], ["left", "right"], name="split", axis=0, num_outputs=2),
        node("CumSum", ["left", "first"], ["sums"], name="cumsum", exclusive=1),
        node("ScatterND", ["x", "where_to", "updates"], ["scattered"], name="scatter_nd"),
        node("GatherElements", ["scattered", "picks"], ["picked"], name="gather_elements", axis=1),
        node("Trilu", ["picked", "first"], ["lower"], name="trilu", upper=0),
        node("DepthToSpace", ["image", ], ["space"], name="depth_to_space", blocksize=2),
        node("Unique", ["tiled"], ["unique"], name="unique"),
    ]
    initial = [
        number("first", 0), ints("axis0", 0), ints("three", 3), number("trips", 4), number("yes", True, np.bool_),
        number("one", 1), number("limit", 6), number("zero", 0, np.float32), ints("one_three", 1, 3), number("two", 2, np.float32),
        numpy_helper.from_array(np.zeros(3, np.float32), "state0"), ints("repeats", 2), number("depth", 7),
        numpy_helper.from_array(np.array([0, 1], np.float32), "onoff"), ints("flat", -1),
        numpy_helper.from_array(np.array([[0], [2]], np.int64), "where_to"), random("updates", 2, 3),
        numpy_helper.from_array(np.array([[0, 1], [2, -1], [1, 1], [0, -3]], np.int64), "picks"), random("image", 1, 4, 2, 2),
    ]
    outputs = [info(name, kind, None) for name, kind in [
        ("branch", F), ("stacked", F), ("length", I), ("at", F), ("tops", F), ("state_last", F), ("rows", F), ("where", I),
        ("has", B), ("sums", F), ("right", F), ("lower", F), ("space", F), ("unique", I), ("xs", I)]]
    graph = helper.make_graph(nodes, "control", [info("x", F, ["n", 3])], outputs, initial)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    return model, {"x": rng.standard_normal((4, 3)).astype(np.float32)}, []


def ml_model():
    tree = dict(
        nodes_treeids=[0] * 5 + [1] * 3, nodes_nodeids=[0, 1, 2, 3, 4, 0, 1, 2], nodes_featureids=[0, 0, 1, 0, 0, 2, 0, 0],
        nodes_values=[0.5, 0.0, -0.5, 0.0, 0.0, 0.1, 0.0, 0.0],
        nodes_modes=["BRANCH_LEQ", "LEAF", "BRANCH_LEQ", "LEAF", "LEAF", "BRANCH_LEQ", "LEAF", "LEAF"],
        nodes_truenodeids=[1, 0, 3, 0, 0, 1, 0, 0], nodes_falsenodeids=[2, 0, 4, 0, 0, 2, 0, 0],
        nodes_missing_value_tracks_true=[0] * 8)
    ml = "ai.onnx.ml"
    nodes = [
        node("Scaler", ["x"], ["scaled"], name="scaler", domain=ml, offset=[0.5, 0.0, -1.0], scale=[2.0, 1.0, 0.5]),
        node("Imputer", ["scaled"], ["imputed"], name="imputer", domain=ml, imputed_value_floats=[0.25], replaced_value_float=float("nan")),
        node("Normalizer", ["imputed"], ["normal"], name="normalizer", domain=ml, norm="L2"),
        node("TreeEnsembleRegressor", ["normal"], ["regressed"], name="forest", domain=ml, n_targets=1, target_treeids=[0, 0, 0, 1, 1],
             target_nodeids=[1, 3, 4, 1, 2], target_ids=[0] * 5, target_weights=[1.0, 2.0, 3.0, -1.0, 0.5], **tree),
        node("TreeEnsembleClassifier", ["normal"], ["label", "scores"], name="classifier", domain=ml, classlabels_strings=["ant", "bee", "cow"],
             class_treeids=[0, 0, 0, 1, 1], class_nodeids=[1, 3, 4, 1, 2], class_ids=[0, 1, 2, 1, 0],
             class_weights=[1.0, 1.0, 1.0, 0.5, 0.75], post_transform="NONE", **tree),
        node("LinearClassifier", ["normal"], ["linear_label", "linear_scores"], name="linear", domain=ml, classlabels_ints=[3, 5],
             coefficients=[0.5, -1.0, 2.0, -0.5, 1.0, -2.0], intercepts=[0.1, -0.1], multi_class=0, post_transform="SOFTMAX"),
        node("LinearRegressor", ["normal"], ["line"], name="regressor", domain=ml, coefficients=[1.0, 2.0, 3.0], intercepts=[0.5], targets=1),
        node("SVMRegressor", ["normal"], ["svm"], name="svm", domain=ml, kernel_type="RBF", kernel_params=[0.5, 0.0, 3.0], n_supports=2,
             support_vectors=[0.1, 0.2, 0.3, -0.1, 0.4, 0.5], coefficients=[1.0, -1.0], rho=[0.25]),
        node("LabelEncoder", ["words"], ["codes"], name="to_codes", domain=ml, keys_strings=["red", "green", "blue"], values_int64s=[1, 2, 3],
             default_int64=-1),
        node("LabelEncoder", ["codes"], ["names"], name="to_names", domain=ml, keys_int64s=[1, 2, -1], values_strings=["r", "g", "none"],
             default_string="other"),
        node("LabelEncoder", ["words"], ["weights_of_words"], name="to_weights", domain=ml, keys_strings=["red", "green", "blue", "white"],
             values_floats=[0.5, -1.5, 2.25, 8.0], default_float=-0.25),
        node("FeatureVectorizer", ["normal", "weights_of_words"], ["features"], name="features", domain=ml, inputdimensions=[3, 1]),
        node("CategoryMapper", ["words"], ["mapped"], name="mapper", domain=ml, cats_strings=["red", "blue"], cats_int64s=[10, 20], default_int64=0),
        node("OneHotEncoder", ["codes"], ["hot"], name="one_hot", domain=ml, cats_int64s=[1, 2, 3], zeros=1),
        node("Binarizer", ["normal"], ["binary"], name="binarizer", domain=ml, threshold=0.2),
        node("ArrayFeatureExtractor", ["normal", "picks"], ["picked"], name="extract", domain=ml),
        node("Concat", ["regressed", "line"], ["both"], name="concat", axis=1),
        node("Squeeze", ["words", "axis1"], ["list"], name="squeeze"),
        node("StringNormalizer", ["list"], ["upper"], name="upper", case_change_action="UPPER", stopwords=["GREEN"]),
        node("StringConcat", ["words", "words"], ["twice"], name="twice"),
        node("Equal", ["twice", "twice"], ["equal"], name="equal"),
        node("Cast", ["numbers"], ["parsed"], name="parse", to=F),
        node("StringSplit", ["list"], ["split", "counts"], name="split", delimiter="e"),
        node("TfIdfVectorizer", ["codes"], ["tfidf"], name="tfidf", mode="TF", max_gram_length=1, min_gram_length=1, max_skip_count=0,
             ngram_counts=[0], ngram_indexes=[0, 1, 2], pool_int64s=[1, 2, 3]),
        node("ZipMap", ["scores"], ["zipped"], name="zipmap", domain=ml, classlabels_strings=["ant", "bee", "cow"]),
    ]
    outputs = [info(name, kind, None) for name, kind in [
        ("both", F), ("label", S), ("scores", F), ("linear_label", I), ("linear_scores", F), ("svm", F), ("names", S), ("mapped", I),
        ("hot", F), ("binary", F), ("picked", F), ("upper", S), ("twice", S), ("equal", B), ("parsed", F), ("split", S), ("counts", I),
        ("tfidf", F), ("features", F)]]
    zipped = onnx.ValueInfoProto(name="zipped", type=helper.make_sequence_type_proto(
        helper.make_map_type_proto(S, helper.make_tensor_type_proto(F, []))))
    initial = [ints("picks", 2, 0), ints("axis1", 1),
               helper.make_tensor("numbers", S, [3], [b"1.5", b"-2", b"1e3"])]
    graph = helper.make_graph(nodes, "ml", [info("x", F, ["n", 3]), info("words", S, ["n", 1])], outputs + [zipped], initial)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid(ml, 4)], ir_version=10)
    return model, {"x": np.array([[0.1, float("nan"), 2], [1, -1, 0.5], [-2, 3, 1], [0.3, 0.3, 0.3]], np.float32),
                   "words": np.array([["red"], ["green"], ["pink"], ["blue"]], object)}, []


def for_reference(model):
    """What onnx.reference can run: it has no defaults of functions' attributes, and takes an optional for a list."""
    model = onnx.ModelProto.FromString(model.SerializeToString())
    kept = [made for made in model.graph.node if made.op_type not in UNKNOWN_TO_REFERENCE]
    lost = {name for made in model.graph.node if made.op_type in UNKNOWN_TO_REFERENCE for name in made.output}
    outputs = [output for output in model.graph.output if output.name not in lost]
    del model.graph.node[:], model.graph.output[:]
    model.graph.node.extend(kept)
    model.graph.output.extend(outputs)
    for made in model.graph.node:
        if made.name == "scale_default":
            made.attribute.append(helper.make_attribute("by", 0.5))
        if made.op_type in ("Optional", "OptionalGetElement"):
            made.op_type = "Identity"
    return onnx.inliner.inline_local_functions(model)


def move_outside(model, names, folder):
    content = b""
    for tensor in model.graph.initializer:
        if tensor.name not in names:
            continue
        for key, value in [("location", "weights.bin"), ("offset", len(content)), ("length", len(tensor.raw_data))]:
            tensor.external_data.add(key=key, value=str(value))
        content += tensor.raw_data
        tensor.ClearField("raw_data")
        tensor.data_location = TensorProto.EXTERNAL
    if content:
        (folder / "weights.bin").write_bytes(content)


def main():
    for name, make in [("functions", functions_model), ("control", control_model), ("ml", ml_model)]:
        folder = HERE / name
        folder.mkdir(exist_ok=True)
        model, inputs, outside = make()
        model = onnx.shape_inference.infer_shapes(model)  # as exporters write them: with declared shapes
        reference = for_reference(model)
        wanted = [output.name for output in reference.graph.output]
        results = ReferenceEvaluator(reference).run(wanted, inputs)
        move_outside(model, outside, folder)
        for made in model.graph.node:
            made.metadata_props.add(key="source", value=f"robust/{name}/{made.name}")
        data = model.SerializeToString()
        (folder / "model.onnx").write_bytes(data)
        for kind, values in [("inputs", inputs.items()), ("outputs", zip(wanted, results))]:
            message = onnx.GraphProto(name=kind)
            message.initializer.extend(numpy_helper.from_array(np.asarray(value), key) for key, value in values)
            (folder / f"{kind}.pb").write_bytes(onnx.ModelProto(ir_version=9, graph=message).SerializeToString())
        print(f"{name}: {len(data)} bytes, {len(model.graph.node)} nodes, {len(wanted)} outputs")


if __name__ == "__main__":
    main()
