"""A small model for each planted fault: one place where the rewrite is right (where it can be), and one where it is wrong."""
import dataclasses

import ml_dtypes
import numpy as np
from onnx import TensorProto, helper, numpy_helper

F32, I32, I64 = np.float32, np.int32, np.int64
NAN = np.nan


@dataclasses.dataclass
class Planted:
    nodes: list
    feed: dict
    outputs: dict  # name: (type, rank)
    wrong: set  # the model's nodes that the wrong rewrite takes
    weights: dict = dataclasses.field(default_factory=dict)
    case: str = ""  # what of ../shared/cases it re-creates
    only: str = ""  # the only kind of input that it changes
    unloadable: bool = False  # with the fault


def node(op, inputs, output, **attributes):
    return helper.make_node(op, inputs, [output], name=f"{output}_node", **attributes)


def numbers(*shape):
    return np.random.default_rng(7).standard_normal(shape).astype(F32)


def div_mul():
    nodes = [node("Div", ["onef", "a"], "ra"), node("Mul", ["ra", "b"], "p"), node("Div", ["one", "x"], "r"), node("Mul", ["r", "y"], "o")]
    feed = {"a": numbers(3), "b": numbers(3), "x": np.array([2, 4, 1, -3], I32), "y": np.array([8, 12, 5, 7], I32)}
    return Planted(nodes, feed, {"p": (F32, 1), "o": (I32, 1)}, {"r_node", "o_node"}, {"onef": F32(1), "one": I32(1)}, "case01", "integers")


def div_mul_of_removed():
    nodes = [node("Identity", ["y"], "y1"), node("Div", ["one", "x"], "r"), node("Mul", ["r", "y1"], "o")]
    feed = {"x": np.array([2, 4, 8], F32), "y": np.array([1, 2, 3], F32)}
    return Planted(nodes, feed, {"o": (F32, 1)}, {"r_node", "y1_node", "o_node"}, {"one": F32(1)}, "case02")


def halved():
    nodes = [node("Div", ["a", "two"], "p"), node("Div", ["x", "two"], "o")]
    feed = {"a": np.array([1, 2, 7], I32), "x": np.array([-1, -3, 5], I32)}
    return Planted(nodes, feed, {"p": (I32, 1), "o": (I32, 1)}, {"o_node"}, {"two": I32(2)}, only="integers")


def cast_to_bool():
    nodes = [node("Cast", ["a"], "i8", to=TensorProto.INT8), node("Cast", ["i8"], "p", to=TensorProto.BOOL)]
    nodes += [node("Cast", ["x"], "i", to=TensorProto.INT32), node("Cast", ["i"], "o", to=TensorProto.BOOL)]
    feed = {"a": np.array([0, 1, -3], F32), "x": np.array([-1.5, -0.2, 0, 0.2, 1.5], F32)}
    return Planted(nodes, feed, {"p": (np.bool_, 1), "o": (np.bool_, 1)}, {"i_node", "o_node"}, {}, "case32")


def max_without_nan():
    nodes = [node("Max", ["a", "ten"], "p"), node("Max", ["x", "ten"], "o")]
    feed = {"a": np.array([[1], [20]], F32), "x": np.array([[NAN], [1], [20]], F32)}
    return Planted(nodes, feed, {"p": (F32, 2), "o": (F32, 2)}, {"o_node"}, {"ten": np.array([10], F32)}, "case41", "NaN")


def max_of_bools():
    nodes = [node("ReduceMax", ["a", "axis"], "p", keepdims=1), node("ReduceMax", ["x", "axis"], "o", keepdims=1)]
    feed = {"a": np.array([[True, False], [False, False]]), "x": np.zeros((2, 0, 3), bool)}
    return Planted(nodes, feed, {"p": (np.bool_, 2), "o": (np.bool_, 3)}, {"o_node"}, {"axis": np.array([1])}, "case25", "empty")


def row_zero_points():
    nodes = [node("MatMulInteger", ["a", "b", "same"], "p"), node("MatMulInteger", ["a", "b", "points"], "o")]
    feed = {"a": np.array([[200, 3, 9], [4, 250, 1]], np.uint8), "b": np.array([[100, -100], [127, -128], [5, 6]], np.int8)}
    weights = {"points": np.array([128, 5], np.uint8), "same": np.array([7, 7], np.uint8)}
    return Planted(nodes, feed, {"p": (I32, 2), "o": (I32, 2)}, {"o_node"}, weights, "case16")


def range_to_slice():
    nodes = [node("Range", ["nought", "end", "one"], "ia"), node("Gather", ["x", "ia"], "p", axis=2)]
    nodes += [node("Range", ["start", "end", "one"], "i"), node("Gather", ["x", "i"], "o", axis=2)]
    feed = {"x": numbers(2, 3, 4), "end": np.array(2)}
    weights = {"nought": I64(0), "one": I64(1), "start": I64(-1)}
    return Planted(nodes, feed, {"p": (F32, 3), "o": (F32, 3)}, {"i_node", "o_node"}, weights, "case03")


def transposes_around_pad():
    nodes = [node("Transpose", ["a"], "ta", perm=[2, 1, 0]), node("Pad", ["ta", "pads", "", "middle"], "ra"), node("Transpose", ["ra"], "p", perm=[2, 1, 0])]
    nodes += [node("Transpose", ["x"], "t", perm=[2, 0, 1]), node("Pad", ["t", "pads", "", "last"], "r"), node("Transpose", ["r"], "o", perm=[1, 2, 0])]
    feed = {"a": numbers(2, 3, 3), "x": numbers(2, 3, 3)}
    weights = {"pads": np.array([1, -1]), "middle": np.array([1]), "last": np.array([2])}
    return Planted(nodes, feed, {"p": (F32, 3), "o": (F32, 3)}, {"t_node", "r_node", "o_node"}, weights, "case09")


def transposes_around_add():
    nodes = [node("Transpose", ["a"], "ta"), node("Add", ["ta", "same"], "ra"), node("Transpose", ["ra"], "p")]
    nodes += [node("Transpose", ["x"], "t"), node("Add", ["t", "other"], "r"), node("Transpose", ["r"], "o")]
    other = np.arange(9, dtype=F32).reshape(3, 3)
    weights = {"same": other + other.T, "other": other}
    return Planted(nodes, {"a": numbers(3, 3), "x": numbers(3, 3)}, {"p": (F32, 2), "o": (F32, 2)}, {"t_node", "r_node", "o_node"}, weights)


def transposed_gemm():
    nodes = [node("Transpose", ["v"], "ta", perm=[1, 0]), node("Gemm", ["x", "ta"], "p")]
    nodes += [node("Transpose", ["w"], "t", perm=[0, 1]), node("Gemm", ["x", "t"], "o")]
    feed = {"x": numbers(1, 3), "v": numbers(3, 3), "w": np.arange(9, dtype=F32).reshape(3, 3)}
    return Planted(nodes, feed, {"p": (F32, 2), "o": (F32, 2)}, {"t_node", "o_node"}, {}, "case34")


def reshape_by_reshape():
    nodes = [node("Reshape", ["x", "flat"], "f"), node("Reshape", ["f", "tall"], "p")]
    nodes += [node("Reshape", ["s", "one"], "t"), node("Reshape", ["x", "t"], "o")]
    feed = {"x": numbers(2, 2), "s": np.array(4)}
    weights = {"flat": np.array([-1]), "tall": np.array([4, 1]), "one": np.array([1])}
    return Planted(nodes, feed, {"p": (F32, 2), "o": (F32, 1)}, {"t_node", "o_node"}, weights, "case35")


def average_of_pads():
    nodes = [node("Pad", ["x", "pads"], "q"), node("AveragePool", ["q"], "p", kernel_shape=[3], strides=[2], ceil_mode=1)]
    nodes.insert(0, node("AveragePool", ["x"], "u", kernel_shape=[3], strides=[2], pads=[1, 1], ceil_mode=1, count_include_pad=1))
    feed = {"x": np.array([[[1, 2, 3, 4]]], F32)}
    return Planted(nodes, feed, {"u": (F32, 3), "p": (F32, 3)}, {"q_node", "p_node"}, {"pads": np.array([0, 0, 1, 0, 0, 1])}, "case37")


def quantize_above_transpose():
    nodes = []
    for v, t, q, y in (("va", "ta", "qa", "p"), ("v", "t", "q", "o")):
        nodes += [node("Neg", ["x"], v), node("Transpose", [v], t), node("QuantizeLinear", [t, "s", "z"], q)]
        nodes.append(node("DequantizeLinear", [q, "s", "z"], y))
    nodes[0] = node("Abs", ["x"], "va")
    feed = {"x": np.array([[1.26, -0.43, 0.11], [-1.87, 0.29, 30.0]], F32)}
    weights = {"s": F32(0.1), "z": np.uint8(0)}
    wrong = {"v_node", "t_node", "q_node", "o_node"}
    return Planted(nodes, feed, {"p": (F32, 2), "o": (F32, 2), "v": (F32, 2)}, wrong, weights, "case11")


def norm(prefix, x, power, keepdims, axes, shift="shift"):
    p = prefix
    nodes = [node("ReduceMean", [x, axes], p + "m", keepdims=keepdims), node("Sub", [x, p + "m"], p + "d"), node("Pow", [p + "d", power], p + "q")]
    nodes += [node("ReduceMean", [p + "q", axes], p + "v", keepdims=keepdims), node("Add", [p + "v", "eps"], p + "e"), node("Sqrt", [p + "e"], p + "s")]
    nodes += [node("Div", [p + "d", p + "s"], p + "n"), node("Mul", [p + "n", "scale"], p + "k"), node("Add", [p + "k", shift], p + "o")]
    return nodes


def norms(nodes, wrong):
    weights = {"ax": np.array([-1]), "two": F32(2), "four": F32(4), "eps": F32(1), "scale": np.array([1, 2, 3], F32), "shift": np.array([3, 2, 1], F32)}
    feed = {"x": np.array([[1, 5, -2], [0, 3, 4], [7, -1, 2]], F32)}
    return Planted(nodes, feed, {"ao": (F32, 2), "bo": (F32, 2)}, {n.name for n in wrong}, weights)


def norm_without_axes():
    right, wrong = norm("a", "x", "two", 1, "ax"), norm("b", "x", "two", 0, "ax")
    return dataclasses.replace(norms(right + wrong, wrong), case="case05")


def norm_of_any_power():
    right, wrong = norm("a", "x", "two", 1, "ax"), norm("b", "x", "four", 1, "ax")
    return dataclasses.replace(norms(right + wrong, wrong), case="case06")


def norm_that_expands():
    nodes = []
    for p, x, scale in (("a", "a", "one"), ("b", "x", "wide")):
        nodes += [node("Pow", [x, "two"], p + "q"), node("ReduceMean", [p + "q", "ax"], p + "v"), node("Add", [p + "v", "eps"], p + "e")]
        nodes += [node("Sqrt", [p + "e"], p + "s"), node("Div", [x, p + "s"], p + "n"), node("Mul", [p + "n", scale], p + "o")]
    weights = {"ax": np.array([-1]), "two": F32(2), "eps": F32(1e-5), "one": np.array([3], F32), "wide": np.array([3, 4], F32)}
    feed = {"a": np.array([[2]], F32), "x": np.array([[2]], F32)}
    return Planted(nodes, feed, {"ao": (F32, 2), "bo": (F32, 2)}, {n.name for n in nodes[6:]}, weights, "case07")


def causal_from_the_end():
    nodes = [node("Attention", ["k", "k", "v"], "p", is_causal=1), node("Attention", ["q", "k", "v"], "o", is_causal=1)]
    feed = {"q": numbers(1, 1, 1, 4), "k": numbers(1, 1, 4, 4), "v": numbers(1, 1, 4, 4)}
    return Planted(nodes, feed, {"p": (F32, 4), "o": (F32, 4)}, {"o_node"}, {}, "case51")


def masked_rows():
    nodes = [node("Attention", ["q", "k", "v", "some"], "p"), node("Attention", ["q", "k", "v", "m"], "o")]
    m = np.array([[True, False, True], [False, False, False], [True, True, True]])
    feed = {"q": numbers(1, 1, 3, 4), "k": numbers(1, 1, 3, 4)[..., ::-1].copy(), "v": numbers(1, 1, 3, 4), "m": m, "some": m | np.eye(3, dtype=bool)}
    return Planted(nodes, feed, {"p": (F32, 4), "o": (F32, 4)}, {"o_node"}, {}, "case52")


def negated_capture():
    inner = helper.make_tensor_value_info
    then = helper.make_graph([node("Exp", ["n"], "te")], "then", [], [inner("te", 1, [None])])
    other = helper.make_graph([node("Abs", ["x"], "oe")], "else", [], [inner("oe", 1, [None])])
    nodes = [node("Neg", ["a"], "na"), node("Abs", ["na"], "p"), node("Neg", ["x"], "n"), node("Abs", ["n"], "o")]
    nodes.append(node("If", ["c"], "y", then_branch=then, else_branch=other))
    feed = {"a": numbers(3), "x": numbers(3), "c": np.array(True)}
    return Planted(nodes, feed, {"p": (F32, 1), "o": (F32, 1), "y": (F32, 1)}, {"n_node"}, {}, only="outer scope")


def loop_runs_once():
    inner, nodes = helper.make_tensor_value_info, []
    for p, count in (("a", "some"), ("b", "none")):
        made = [node("Identity", [p + "c"], p + "co"), node("Add", ["k", "k"], p + "vo")]
        body = helper.make_graph(made, p, [inner(p + "i", 7, []), inner(p + "c", 9, []), inner(p + "v", 1, [None])], [inner(p + "co", 9, []), inner(p + "vo", 1, [None])])
        nodes.append(node("Loop", [count, "", "x"], p + "o", body=body))
    feed = {"some": np.array(2), "none": np.array(0), "x": numbers(2), "k": np.ones(2, F32)}
    return Planted(nodes, feed, {"ao": (F32, 1), "bo": (F32, 1)}, {"bo_node"}, {}, "case40", "no turn of a loop")


def activation_of_itself():
    nodes = [node("Relu", ["x"], "r"), node("Relu", ["r"], "o")]
    return Planted(nodes, {"x": numbers(3)}, {"o": (F32, 1)}, {"r_node", "o_node"}, unloadable=True)


def hoisted_division():
    inner, nodes = helper.make_tensor_value_info, []
    for p, count, by in (("a", "some", "k"), ("b", "none", "z")):
        made = [node("Identity", [p + "c"], p + "co"), node("Div", ["k", by], p + "q"), node("Add", [p + "v", p + "q"], p + "vo")]
        body = helper.make_graph(made, p, [inner(p + "i", 7, []), inner(p + "c", 9, []), inner(p + "v", 6, [2])], [inner(p + "co", 9, []), inner(p + "vo", 6, [2])])
        nodes.append(node("Loop", [count, "", "x"], p + "o", body=body))
    feed = {"some": np.array(2), "none": np.array(0), "x": np.array([7, 8], I32), "k": np.array([6, 9], I32), "z": np.array([0, 3], I32)}
    return Planted(nodes, feed, {"ao": (I32, 1), "bo": (I32, 1)}, {"bq_node"}, {}, only="no turn of a loop")


def turned_batches():
    nodes = [node("Transpose", ["b"], "ta", perm=[0, 1, 3, 2]), node("MatMul", ["a", "ta"], "p")]
    nodes += [node("Transpose", ["y"], "t", perm=[1, 0, 3, 2]), node("MatMul", ["x", "t"], "o")]
    feed = {"a": numbers(2, 2, 3, 4), "b": numbers(2, 2, 5, 4), "x": numbers(2, 2, 3, 4), "y": numbers(2, 2, 5, 4)}
    return Planted(nodes, feed, {"p": (F32, 4), "o": (F32, 4)}, {"t_node", "o_node"})


def einsum_in_order():
    nodes = [node("Einsum", ["x", "y"], "p", equation="ai,ib"), node("Einsum", ["x", "y"], "o", equation="bi,ia")]
    return Planted(nodes, {"x": numbers(3, 3), "y": numbers(3, 3) - 1}, {"p": (F32, 2), "o": (F32, 2)}, {"o_node"})


def codes_without_zero():
    nodes, weights = [], {}
    for p, kind, codes in (("p", "int4", np.arange(32) % 16 - 8), ("o", "uint4", np.arange(32) % 16)):
        weights[p + "w"] = codes.reshape(2, 16).astype(getattr(ml_dtypes, kind))
        weights[p + "s"] = np.array([[0.5], [0.25]], F32)
        nodes += [node("DequantizeLinear", [p + "w", p + "s"], p + "f", axis=1, block_size=16), node("Transpose", [p + "f"], p + "t", perm=[1, 0]), node("MatMul", ["x", p + "t"], p)]
    return Planted(nodes, {"x": numbers(3, 16)}, {"p": (F32, 2), "o": (F32, 2)}, {"of_node", "ot_node", "o_node"}, weights)


def rounded_bias():
    nodes = [node("Gemm", ["x", "w", "few"], "p"), node("Gemm", ["x", "w", "many"], "o")]
    weights = {"w": numbers(3, 2), "few": np.array([1.5, -3], F32), "many": np.array([257, -1.0039], F32)}
    return Planted(nodes, {"x": numbers(2, 3)}, {"p": (F32, 2), "o": (F32, 2)}, {"o_node"}, weights)


def absorbed_fill():
    nodes = []
    for fill, padded, y in (("zero", "pa", "p"), ("one", "q", "o")):
        nodes += [node("Pad", ["x", "pads", fill], padded), node("Conv", [padded, "w"], y)]
    weights = {"pads": np.array([0, 0, 1, 0, 0, 2]), "w": numbers(2, 2, 3), "zero": F32(0), "one": F32(1)}
    return Planted(nodes, {"x": numbers(1, 2, 4)}, {"p": (F32, 3), "o": (F32, 3)}, {"q_node", "o_node"}, weights)


def pushed_axis():
    nodes = [node("Transpose", ["x"], "ta", perm=[1, 0, 2]), node("Softmax", ["ta"], "p", axis=-1)]
    nodes += [node("Transpose", ["x"], "t", perm=[0, 2, 1]), node("Softmax", ["t"], "o", axis=-1)]
    return Planted(nodes, {"x": numbers(2, 3, 4)}, {"p": (F32, 3), "o": (F32, 3)}, {"t_node", "o_node"})


def rotated_halves():
    nodes = []
    for p, halves in (("p", ("p1", "p2")), ("o", ("o2", "o1"))):  # the second half is negated, and the first
        nodes.append(helper.make_node("Split", ["x"], list(halves), name=p + "s_node", axis=3, num_outputs=2))
        nodes += [node("Neg", [p + "2"], p + "n"), node("Concat", [p + "n", p + "1"], p + "t", axis=3), node("Mul", ["x", "c"], p + "c")]
        nodes += [node("Mul", [p + "t", "s"], p + "m"), node("Add", [p + "c", p + "m"], p)]
    feed = {"x": numbers(1, 2, 3, 4), "c": numbers(1, 1, 3, 4), "s": numbers(1, 1, 3, 4) + 1}
    return Planted(nodes, feed, {"p": (F32, 4), "o": (F32, 4)}, {f"o{k}_node" for k in ("s", "n", "t", "c", "m", "")})


def hard_swish_of_two():
    nodes = []
    for y, other in (("p", "x"), ("o", "z")):
        nodes += [node("Add", ["x", "three"], y + "a"), node("Clip", [y + "a", "zero", "six"], y + "c"), node("Mul", [other, y + "c"], y + "m"), node("Div", [y + "m", "six"], y)]
    weights = {"zero": F32(0), "three": F32(3), "six": F32(6)}
    return Planted(nodes, {"x": numbers(5) * 3, "z": np.arange(5, dtype=F32)}, {"p": (F32, 1), "o": (F32, 1)}, {f"o{k}_node" for k in ("a", "c", "m", "")}, weights)


def shuffled_groups():
    nodes, weights = [], {}
    for y, x, groups, channels in (("p", "x", 2, 2), ("o", "z", 2, 3)):
        weights |= {y + "1": np.array([1, groups, channels, 2, 2]), y + "2": np.array([1, groups * channels, 2, 2])}
        nodes += [node("Reshape", [x, y + "1"], y + "r"), node("Transpose", [y + "r"], y + "t", perm=[0, 2, 1, 3, 4]), node("Reshape", [y + "t", y + "2"], y)]
    return Planted(nodes, {"x": numbers(1, 4, 2, 2), "z": numbers(1, 6, 2, 2)}, {"p": (F32, 4), "o": (F32, 4)}, {"or_node", "ot_node", "o_node"}, weights)


def shape_before_transpose():
    nodes = [node("Expand", ["x", "s"], "e"), node("Transpose", ["e"], "t", perm=[0, 2, 1]), node("Shape", ["t"], "d")]
    nodes += [node("Gather", ["d", "nought"], "p"), node("Gather", ["d", "one"], "o")]
    weights = {"nought": I64(0), "one": I64(1)}
    return Planted(nodes, {"x": numbers(1, 1, 1), "s": np.array([2, 3, 4])}, {"p": (I64, 0), "o": (I64, 0)}, {"o_node"}, weights)


MODELS = [div_mul, div_mul_of_removed, halved, cast_to_bool, max_without_nan, max_of_bools, row_zero_points, range_to_slice, transposes_around_pad,
          transposes_around_add, transposed_gemm, reshape_by_reshape, average_of_pads, quantize_above_transpose, norm_without_axes, norm_of_any_power, norm_that_expands,
          causal_from_the_end, masked_rows, negated_capture, loop_runs_once, hoisted_division, activation_of_itself,
          turned_batches, einsum_in_order, codes_without_zero, rounded_bias, absorbed_fill,
          pushed_axis, rotated_halves, hard_swish_of_two, shuffled_groups, shape_before_transpose]  # fmt: skip


FOUND_BY_CHANCE = [halved, cast_to_bool, max_without_nan]  # verify --special finds them without being given an input


def company():
    """What other passes rewrite, before and behind the planted one: constants, a node that does nothing, a cast, a fused activation."""
    nodes = [node("Add", ["c1", "c2"], "c3"), node("Identity", ["side"], "s1"), node("Mul", ["s1", "c3"], "s2"), node("Cast", ["s2"], "s3", to=1)]
    nodes += [node("Sigmoid", ["s3"], "s4"), node("Mul", ["s3", "s4"], "s5"), node("Neg", ["s5"], "s6"), node("Neg", ["s5"], "s7"), node("Add", ["s6", "s7"], "company")]
    return nodes, {"c1": F32(1), "c2": F32(1)}, numbers(2, 3)


def build(make):
    planted = make()
    nodes, weights, side = company()
    feed = dict(planted.feed, side=side)
    kind = lambda a: helper.np_dtype_to_tensor_dtype(np.dtype(a))  # noqa: E731
    inputs = [helper.make_tensor_value_info(k, kind(v.dtype), list(v.shape)) for k, v in feed.items()]
    outputs = [helper.make_tensor_value_info(k, kind(t), [None] * r) for k, (t, r) in dict(planted.outputs, company=(F32, 2)).items()]
    weights = [numpy_helper.from_array(np.asarray(v), k) for k, v in dict(planted.weights, **weights).items()]
    graph = helper.make_graph(planted.nodes + nodes, make.__name__, inputs, outputs, weights)
    return planted, helper.make_model(graph, opset_imports=[helper.make_opsetid("", 24)], ir_version=10), feed
