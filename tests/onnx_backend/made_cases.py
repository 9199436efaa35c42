"""Cases for versions of operators that the standard has no cases of: inputs, attributes and what numpy makes of them by the standard's
text. `opset` is the version whose form a case is in; forms.py says it in others."""
import numpy as np
from forms import Case, type_of
from onnx import TensorProto, helper

F32, I64 = np.float32, np.int64
ML = "ai.onnx.ml"


def numbers(seed, *shape):
    return np.random.RandomState(seed).uniform(-2, 2, shape).astype(F32)


def strings(*values):
    return np.array(values, object)


def sequence_type(value):
    return helper.make_sequence_type_proto(type_of(value))


def map_type(key, value):
    return helper.make_map_type_proto(key, helper.make_tensor_type_proto(value, []))


def make(op, opset, inputs, expected, attributes=None, domain="", input_types=None, output_types=None, **more):
    name = f"{op}_{opset}_" + "_".join(f"{k}" for k in sorted(attributes or {}))
    inputs = [np.asarray(x) if isinstance(x, np.generic) else x for x in inputs]
    input_types = input_types or [None if x is None else type_of(x) for x in inputs]
    output_types = output_types or [type_of(y) for y in expected]
    return Case(name.rstrip("_"), domain, op, opset, inputs, dict(attributes or {}), expected, input_types, output_types,
                [f"y{i}" for i in range(len(expected))], **more)


def ml(op, inputs, expected, attributes=None, opset=1, **more):
    return make(op, opset, inputs, expected, attributes, ML, **more)


def casts():
    x = np.array([[1.5, -2.0], [0.0, 3.25]], F32)
    yield make("Cast", 1, [x], [x.astype(np.int32)], {"to": "INT32"})
    yield make("Cast", 1, [x], [x.astype(np.float64)], {"to": "DOUBLE"})
    yield make("Cast", 1, [x], [x != 0], {"to": "BOOL"})


def sequences():
    a, b = numbers(1, 2, 3), numbers(2, 2, 3)
    seq, typed = [a, b], [sequence_type(a)]
    position, typed_at = np.array(-1, I64), [sequence_type(a), type_of(np.array(-1, I64))]
    yield make("ConcatFromSequence", 11, [seq], [np.concatenate(seq, 1)], {"axis": 1}, input_types=typed)
    yield make("ConcatFromSequence", 11, [seq], [np.stack(seq, -1)], {"axis": -1, "new_axis": 1}, input_types=typed)
    yield make("SequenceAt", 11, [seq, position], [b], input_types=typed_at)
    yield make("SequenceConstruct", 11, seq, [seq], output_types=typed)
    yield make("SequenceErase", 11, [seq, position], [[a]], input_types=typed_at, output_types=typed)
    yield make("SequenceErase", 11, [seq], [[a]], input_types=typed, output_types=typed)
    yield make("SequenceLength", 11, [seq], [np.array(2, I64)], input_types=typed)
    yield make("SequenceEmpty", 11, [], [[]], {"dtype": TensorProto.INT64}, output_types=[sequence_type(np.zeros(1, I64))])


def optionals():
    a = numbers(3, 2, 2)
    typed = [helper.make_optional_type_proto(type_of(a))]
    yield make("Optional", 15, [a], [a], output_types=typed)
    yield make("Optional", 15, [], [None], {"type": type_of(a)}, output_types=typed)


def pools():
    x = numbers(4, 2, 3, 4, 5)
    for p in (1, 2, 3):
        norm = (np.abs(x.astype(float)) ** p).sum((2, 3), keepdims=True) ** (1 / p)
        yield make("GlobalLpPool", 2, [x], [norm.astype(F32)], {"p": p})
        yield make("GlobalLpPool", 1, [x], [norm.astype(F32)], {"p": float(p)})
        windows = np.lib.stride_tricks.sliding_window_view(np.abs(x.astype(float)) ** p, (2, 3), (2, 3))
        yield make("LpPool", 1, [x], [(windows.sum((4, 5)) ** (1 / p)).astype(F32)], {"p": float(p), "kernel_shape": [2, 3]})
    rois = np.array([[0, 0, 0, 3, 3], [1, 1, 2, 4, 3]], F32)  # batch, x1, y1, x2, y2: the corners belong to the region
    parts = []
    for batch, x1, y1, x2, y2 in rois.astype(int):
        region = x[batch, :, y1:y2 + 1, x1:x2 + 1]
        height, width = region.shape[1] // 2, region.shape[2] // 2
        parts.append([[[channel[i * height:(i + 1) * height, j * width:(j + 1) * width].max() for j in range(2)] for i in range(2)]
                      for channel in region])
    yield make("MaxRoiPool", 1, [x, rois], [np.array(parts, F32)], {"pooled_shape": [2, 2]})


def normalizations():
    x, scale, bias = numbers(5, 2, 4, 3), numbers(6, 2), numbers(7, 2)
    groups = x.astype(float).reshape(2, 2, 6)
    normal = (groups - groups.mean(-1, keepdims=True)) / np.sqrt(groups.var(-1, keepdims=True) + 1e-5)
    wanted = normal * scale[:, None] + bias[:, None]
    yield make("GroupNormalization", 18, [x, scale, bias], [wanted.reshape(x.shape).astype(F32)], {"num_groups": 2})


def randoms():
    shape = [4, 5]
    for op, drawn in (("RandomUniform", lambda s: s.rand(*shape) * 3 - 1), ("RandomNormal", lambda s: s.randn(*shape) * 3 - 1)):
        how = {"low": -1.0, "high": 2.0} if op == "RandomUniform" else {"mean": -1.0, "scale": 3.0}
        wanted = [drawn(np.random.RandomState(7)).astype(F32)]
        yield make(op, 1, [], wanted, {"shape": shape, "seed": 7.0, **how}, rtol=1e-5, atol=1e-6)
        yield make(op + "Like", 1, [np.zeros(shape, F32)], wanted, {"seed": 7.0, **how}, rtol=1e-5, atol=1e-6)
    certain = np.log(np.array([[1e-30, 1, 1e-30], [1, 1e-30, 1e-30]])).astype(F32)
    yield make("Multinomial", 7, [certain], [np.array([[1] * 9, [0] * 9], I64)], {"sample_size": 9, "dtype": 7})


def loops():
    def info(name, kind, shape):
        return helper.make_tensor_value_info(name, kind, shape)

    body = helper.make_graph(
        [helper.make_node("Add", ["v", "v"], ["twice"]), helper.make_node("Identity", ["go"], ["go_on"]), helper.make_node("Identity", ["v"], ["seen"])],
        "body", [info("i", TensorProto.INT64, []), info("go", TensorProto.BOOL, []), info("v", TensorProto.FLOAT, [2])],
        [info("go_on", TensorProto.BOOL, []), info("twice", TensorProto.FLOAT, [2]), info("seen", TensorProto.FLOAT, [2])])
    v = np.array([1, 3], F32)
    yield make("Loop", 1, [np.array(3, I64), np.array(True), v], [v * 8, np.stack([v, v * 2, v * 4])], {"body": body})


def shapes():
    x = numbers(8, 2, 3)
    yield make("Tile", 1, [x, np.array(3, F32), np.array(1, F32)], [np.tile(x, (1, 3))])
    order = np.argsort(-x, 1)[:, :2]
    yield make("TopK", 1, [x], [np.take_along_axis(x, order, 1), order.astype(I64)], {"k": 2})
    image = numbers(9, 1, 2, 2, 3)
    yield make("Upsample", 1, [image], [image.repeat(2, 2).repeat(3, 3)], {"height_scale": 2.0, "width_scale": 3.0})
    scales = np.array([1, 1, 2, 3], F32)
    yield make("Upsample", 10, [image, scales], [image.repeat(2, 2).repeat(3, 3)])
    yield make("Resize", 10, [image, scales], [image.repeat(2, 2).repeat(3, 3)])
    yield make("Resize", 10, [image, np.array([1, 1, 0.5, 1], F32)], [image[:, :, ::2]])
    scattered = x.copy()
    scattered[1, 0], scattered[0, 1] = 5, 6
    yield make("Scatter", 11, [x, np.array([[1, 0]], I64), np.array([[5, 6]], F32)], [scattered])
    for op, slope in (("PRelu", np.array([0.5, 0.25, 2], F32)), ("PRelu", np.array([0.25], F32))):
        y = numbers(10, 2, 3, 4)
        yield make(op, 6, [y, slope], [np.where(y < 0, y * slope.reshape(-1, 1), y)])


def feature_operators():
    x = np.array([[1.0, np.nan, 3.0], [-4.0, 5.0, -6.0]], F32)
    yield ml("Imputer", [x], [np.where(np.isnan(x), F32([7, 8, 9]), x)], {"imputed_value_floats": [7.0, 8.0, 9.0], "replaced_value_float": float("nan")})
    counts = np.array([[1, 2, 3]], I64)
    yield ml("Imputer", [counts], [np.array([[1, 5, 3]], I64)], {"imputed_value_int64s": [5], "replaced_value_int64": 2})
    x = np.nan_to_num(x, nan=2.0)
    yield ml("Scaler", [x], [(x - F32([1, 2, 3])) * F32([2, 3, 4])], {"offset": [1.0, 2.0, 3.0], "scale": [2.0, 3.0, 4.0]})
    by_row = {"L1": x / np.abs(x).sum(1, keepdims=True), "L2": x / np.sqrt((x * x).sum(1, keepdims=True))}
    for norm, wanted in by_row.items():
        yield ml("Normalizer", [x], [wanted], {"norm": norm})
    positive = np.abs(x)
    yield ml("Normalizer", [positive], [positive / positive.max(1, keepdims=True)], {"norm": "MAX"})
    y = numbers(11, 2, 2)
    yield ml("FeatureVectorizer", [x, y], [np.concatenate([x, y], 1)], {"inputdimensions": [3, 2]})
    hot = np.array([[[0, 1], [1, 0], [0, 0]]], F32)
    yield ml("OneHotEncoder", [np.array([[5, 3, 9]], I64)], [hot], {"cats_int64s": [3, 5]})
    yield ml("OneHotEncoder", [strings("b", "a", "c")], [hot[0]], {"cats_strings": ["a", "b"]})
    yield ml("CategoryMapper", [strings("b", "x", "a")], [np.array([5, -3, 4], I64)], {"cats_strings": ["a", "b"], "cats_int64s": [4, 5], "default_int64": -3})
    yield ml("CategoryMapper", [np.array([5, 0, 4], I64)], [strings("b", "none", "a")], {"cats_strings": ["a", "b"], "cats_int64s": [4, 5], "default_string": "none"})
    yield ml("LabelEncoder", [strings("b", "x", "a")], [np.array([1, -3, 0], I64)], {"classes_strings": ["a", "b"], "default_int64": -3})
    yield ml("LabelEncoder", [np.array([1, 7, 0], I64)], [strings("b", "none", "a")], {"classes_strings": ["a", "b"], "default_string": "none"})


def maps():
    typed = [map_type(TensorProto.INT64, TensorProto.FLOAT)]
    yield ml("CastMap", [{3: 1.5, 1: -2.0}], [np.array([[-2.0, 1.5]], F32)], input_types=typed)
    yield ml("CastMap", [{3: 1.5, 1: -2.0}], [np.array([[0, -2.0, 0, 1.5, 0]], F32)], {"map_form": "SPARSE", "max_map": 5}, input_types=typed)
    typed = [map_type(TensorProto.STRING, TensorProto.FLOAT)]
    yield ml("DictVectorizer", [{"b": 2.0, "a": 1.0}], [np.array([[1.0, 0.0, 2.0]], F32)], {"string_vocabulary": ["a", "c", "b"]}, input_types=typed)
    scores = np.array([[0.25, 0.75], [0.5, 0.5]], F32)
    rows = [{"a": r[0], "b": r[1]} for r in scores.tolist()]
    yield ml("ZipMap", [scores], [rows], {"classlabels_strings": ["a", "b"]},
             output_types=[helper.make_sequence_type_proto(map_type(TensorProto.STRING, TensorProto.FLOAT))])


def linear_models():
    x, weights, bias = numbers(12, 4, 3), numbers(13, 2, 3), numbers(14, 2)
    scores = x @ weights.T + bias
    flat = {"coefficients": weights.reshape(-1).tolist(), "intercepts": bias.tolist()}
    yield ml("LinearRegressor", [x], [scores], {**flat, "targets": 2})
    yield ml("LinearClassifier", [x], [np.array([7, 9], I64)[scores.argmax(1)], scores], {**flat, "classlabels_ints": [7, 9], "multi_class": 0})
    e = np.exp(scores - scores.max(1, keepdims=True))
    yield ml("LinearClassifier", [x], [strings(*np.array(["p", "q"])[scores.argmax(1)]), e / e.sum(1, keepdims=True)],
             {**flat, "classlabels_strings": ["p", "q"], "post_transform": "SOFTMAX"})


def support_vectors():
    x, vectors, weights = numbers(15, 4, 3), numbers(16, 2, 3), numbers(17, 2)
    kernels = {"LINEAR": x @ vectors.T, "POLY": (0.5 * (x @ vectors.T) + 0.25) ** 2,
               "RBF": np.exp(-0.5 * ((x[:, None] - vectors[None]) ** 2).sum(-1)), "SIGMOID": np.tanh(0.5 * (x @ vectors.T) + 0.25)}
    for kind, kernel in kernels.items():
        yield ml("SVMRegressor", [x], [(kernel @ weights + 0.125)[:, None].astype(F32)],
                 {"kernel_type": kind, "kernel_params": [0.5, 0.25, 2.0], "support_vectors": vectors.reshape(-1).tolist(), "n_supports": 2,
                  "coefficients": weights.tolist(), "rho": [0.125]})
    rows, bias = numbers(18, 3, 3), numbers(19, 3)
    scores = x @ rows.T + bias[0]  # three classes, no support vectors: a linear model with one intercept
    yield ml("SVMClassifier", [x], [np.array([4, 5, 6], I64)[scores.argmax(1)], scores],
             {"kernel_type": "LINEAR", "coefficients": rows.reshape(-1).tolist(), "rho": [float(bias[0])], "classlabels_ints": [4, 5, 6]})


def trees():
    """x[0] <= 0.5: (x[1] <= -0.25: leaf 2, else leaf 3), else leaf 4."""
    x = np.array([[0, -1], [0.5, 0], [0.75, 3], [0.5, -0.25]], F32)
    leaves = np.array([2, 3, 4, 2])
    nodes = {"nodes_treeids": [0] * 5, "nodes_nodeids": [0, 1, 2, 3, 4], "nodes_featureids": [0, 1, 0, 0, 0],
             "nodes_modes": ["BRANCH_LEQ", "BRANCH_LEQ", "LEAF", "LEAF", "LEAF"], "nodes_truenodeids": [1, 2, 0, 0, 0],
             "nodes_falsenodeids": [4, 3, 0, 0, 0], "nodes_values": [0.5, -0.25, 0.0, 0.0, 0.0]}
    values = {2: 1.5, 3: -2.0, 4: 4.0}
    wanted = np.array([[values[leaf]] for leaf in leaves], F32)
    regression = {**nodes, "target_treeids": [0] * 3, "target_nodeids": [2, 3, 4], "target_ids": [0] * 3, "target_weights": [1.5, -2.0, 4.0], "n_targets": 1}
    votes = {**nodes, "class_treeids": [0] * 3, "class_nodeids": [2, 3, 4], "class_ids": [0, 1, 2], "class_weights": [1.0, 1.0, 1.0],
             "classlabels_int64s": [10, 20, 30]}
    scores = (leaves[:, None] == np.array([2, 3, 4])).astype(F32)
    for opset in (1, 5):
        yield ml("TreeEnsembleRegressor", [x], [wanted], regression, opset)
        yield ml("TreeEnsembleClassifier", [x], [np.array([10, 20, 30], I64)[scores.argmax(1)], scores], votes, opset)


def all_cases():
    for family in (casts, sequences, optionals, pools, normalizations, randoms, loops, shapes, feature_operators, maps, linear_models, support_vectors, trees):
        yield from family()
