"""Every element type and container, in and out."""

import ml_dtypes
import numpy as np
import pytest
import sardonyx
from conftest import model_bytes, one_node, tensor
from onnx import TensorProto, helper, numpy_helper

PLAIN = {
    TensorProto.FLOAT: np.float32,
    TensorProto.DOUBLE: np.float64,
    TensorProto.FLOAT16: np.float16,
    TensorProto.INT8: np.int8,
    TensorProto.INT16: np.int16,
    TensorProto.INT32: np.int32,
    TensorProto.INT64: np.int64,
    TensorProto.UINT8: np.uint8,
    TensorProto.UINT16: np.uint16,
    TensorProto.UINT32: np.uint32,
    TensorProto.UINT64: np.uint64,
    TensorProto.BOOL: np.bool_,
    TensorProto.COMPLEX64: np.complex64,
    TensorProto.COMPLEX128: np.complex128,
    TensorProto.BFLOAT16: ml_dtypes.bfloat16,
    TensorProto.FLOAT8E4M3FN: ml_dtypes.float8_e4m3fn,
    TensorProto.FLOAT8E4M3FNUZ: ml_dtypes.float8_e4m3fnuz,
    TensorProto.FLOAT8E5M2: ml_dtypes.float8_e5m2,
    TensorProto.FLOAT8E5M2FNUZ: ml_dtypes.float8_e5m2fnuz,
    TensorProto.INT4: ml_dtypes.int4,
    TensorProto.UINT4: ml_dtypes.uint4,
    TensorProto.FLOAT4E2M1: ml_dtypes.float4_e2m1fn,
    TensorProto.FLOAT8E8M0: ml_dtypes.float8_e8m0fnu,
    TensorProto.INT2: ml_dtypes.int2,
    TensorProto.UINT2: ml_dtypes.uint2,
}


def identity(element_type, shape=("n",)):
    return sardonyx.InferenceSession(one_node("Identity", element_type, shape))


@pytest.mark.parametrize("element_type", PLAIN, ids=lambda t: TensorProto.DataType.Name(t))
@pytest.mark.parametrize("count", [0, 1, 5])
def test_an_array_goes_in_and_comes_out(element_type, count):
    dtype = np.dtype(PLAIN[element_type])
    x = np.array([1, 0, 1, 1, 0][:count], np.float32).astype(dtype)
    (y,) = identity(element_type).run(None, {"x": x})
    assert y.dtype == dtype and y.shape == x.shape
    assert y.tobytes() == x.tobytes()


@pytest.mark.parametrize("element_type", [TensorProto.INT4, TensorProto.INT8])
def test_negative_numbers_keep_their_sign(element_type):
    x = np.array([-8, -1, 0, 7, -3]).astype(PLAIN[element_type])
    (y,) = identity(element_type).run(None, {"x": x})
    assert y.astype(int).tolist() == [-8, -1, 0, 7, -3]


@pytest.mark.parametrize("array", [
    np.arange(12, dtype=np.float32)[::2],
    np.arange(12, dtype=np.float32).reshape(3, 4).T,
    np.arange(6, dtype=np.float32)[::-1],
    np.arange(6, dtype=">f4"),
    np.frombuffer(b"\0" + np.arange(6, dtype=np.float32).tobytes(), np.uint8)[1:].view(np.float32),
    np.broadcast_to(np.float32(3), (2, 2)),
    np.float32(3) * np.ones(()),
    np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3)),
], ids=["strided", "transposed", "reversed", "big_endian", "unaligned", "broadcast", "rank_0", "fortran"])
def test_any_layout_of_an_array_is_read(array):
    array = array if array.dtype == ">f4" else array.astype(np.float32, copy=False)
    (y,) = identity(TensorProto.FLOAT, [None] * array.ndim).run(None, {"x": array})
    np.testing.assert_array_equal(y, array)
    assert y.shape == array.shape


def test_read_only_arrays_are_read():
    x = np.ones(3, np.float32)
    x.flags.writeable = False
    np.testing.assert_array_equal(identity(TensorProto.FLOAT).run(None, {"x": x})[0], x)


def test_lists_and_numbers_take_the_inputs_type():
    assert identity(TensorProto.FLOAT).run(None, {"x": [1, 2.5]})[0].tolist() == [1, 2.5]
    assert identity(TensorProto.INT64, ()).run(None, {"x": 4})[0].tolist() == 4


@pytest.mark.parametrize("texts", [
    np.array(["a", "", "söme"]),
    np.array(["a", "", "söme"], dtype=object),
    np.array([b"a", b"", "söme".encode()], dtype=object),
    ["a", "", "söme"],
], ids=["unicode", "object", "bytes", "list"])
def test_strings_come_out_as_an_array_of_objects(texts):
    (y,) = identity(TensorProto.STRING).run(None, {"x": texts})
    assert y.dtype == object and y.tolist() == ["a", "", "söme"]


def test_string_arrays_keep_their_shape():
    x = np.array([["a", "b"], ["c", "d"], ["e", "f"]])
    (y,) = identity(TensorProto.STRING, [3, 2]).run(None, {"x": x})
    assert y.shape == (3, 2) and y.tolist() == x.tolist()


def sequence_type(name, element_type=TensorProto.FLOAT):
    return helper.make_value_info(name, helper.make_sequence_type_proto(helper.make_tensor_type_proto(element_type, None)))


def test_sequences_are_lists():
    node = helper.make_node("Identity", ["x"], ["y"])
    session = sardonyx.InferenceSession(model_bytes([node], [sequence_type("x")], [sequence_type("y")]))
    assert session.get_inputs()[0].type == "seq(tensor(float))"
    values = [np.ones(2, np.float32), np.zeros((3, 1), np.float32)]
    (found,) = session.run(None, {"x": values})
    assert isinstance(found, list) and len(found) == 2
    for one, other in zip(found, values, strict=True):
        np.testing.assert_array_equal(one, other)


def test_an_empty_sequence_goes_in():
    node = helper.make_node("SequenceLength", ["x"], ["y"])
    session = sardonyx.InferenceSession(model_bytes([node], [sequence_type("x")], [tensor("y", TensorProto.INT64, ())]))
    assert session.run(None, {"x": []})[0] == 0


def optional_input(name):
    inner = helper.make_tensor_type_proto(TensorProto.FLOAT, None)
    return helper.make_value_info(name, helper.make_optional_type_proto(inner))


def test_optionals_are_none_or_the_value():
    node = helper.make_node("OptionalHasElement", ["x"], ["y"])
    session = sardonyx.InferenceSession(model_bytes([node], [optional_input("x")], [tensor("y", TensorProto.BOOL, ())]))
    assert not session.run(None, {"x": None})[0]
    assert session.run(None, {"x": np.ones(2, np.float32)})[0]


def test_an_optional_output_is_its_value():
    node = helper.make_node("Identity", ["x"], ["y"])
    session = sardonyx.InferenceSession(model_bytes([node], [optional_input("x")], [optional_input("y")]))
    assert session.run(None, {"x": None})[0] is None
    np.testing.assert_array_equal(session.run(None, {"x": np.ones(2, np.float32)})[0], np.ones(2, np.float32))


def test_maps_are_dicts():
    node = helper.make_node("ZipMap", ["x"], ["y"], domain="ai.onnx.ml", classlabels_strings=["no", "yes"])
    value_type = helper.make_map_type_proto(TensorProto.STRING, helper.make_tensor_type_proto(TensorProto.FLOAT, ()))
    output = helper.make_value_info("y", helper.make_sequence_type_proto(value_type))
    session = sardonyx.InferenceSession(model_bytes([node], [tensor("x", shape=("n", 2))], [output]))
    (found,) = session.run(None, {"x": np.array([[0.25, 0.75], [1, 0]], np.float32)})
    assert found == [{"no": 0.25, "yes": 0.75}, {"no": 1.0, "yes": 0.0}]


def test_a_dict_feeds_a_map():
    node = helper.make_node("DictVectorizer", ["x"], ["y"], domain="ai.onnx.ml", string_vocabulary=["a", "b", "c"])
    map_type = helper.make_map_type_proto(TensorProto.STRING, helper.make_tensor_type_proto(TensorProto.FLOAT, ()))
    session = sardonyx.InferenceSession(
        model_bytes([node], [helper.make_value_info("x", map_type)], [tensor("y", shape=(None, None))]))
    (found,) = session.run(None, {"x": {"a": 1.0, "c": 3.0}})
    assert np.ravel(found).tolist() == [1, 0, 3]


@pytest.mark.parametrize("case", ["Resize", "GridSample", "Col2Im"])
@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_complex_numbers_are_interpolated_and_summed_by_parts(case, dtype):
    """The image operators are linear: what comes of the real and the imaginary parts alone must come of both."""
    random = np.random.RandomState(5)
    more = {
        "Resize": ([helper.make_node("Resize", ["x", "", "scales"], ["y"], mode="linear")], {"scales": np.array([1, 1, 1.5, 2], np.float32)}, (1, 2, 4, 3)),
        "GridSample": ([helper.make_node("GridSample", ["x", "grid"], ["y"])], {"grid": random.uniform(-1, 1, (1, 5, 4, 2)).astype(np.float32)}, (1, 2, 4, 3)),
        "Col2Im": ([helper.make_node("Col2Im", ["x", "image", "block"], ["y"])], {"image": np.array([2, 3]), "block": np.array([2, 2])}, (1, 8, 2)),
    }
    nodes, constants, shape = more[case]
    x = (random.uniform(-1, 1, shape) + 1j * random.uniform(-1, 1, shape)).astype(dtype)

    def run(value):
        kind = helper.np_dtype_to_tensor_dtype(value.dtype)
        data = model_bytes(nodes, [tensor("x", kind, shape)], [tensor("y", kind, None)], [numpy_helper.from_array(v, n) for n, v in constants.items()], opset=22)
        return sardonyx.InferenceSession(data).run(None, {"x": value})[0]

    y = run(x)
    assert y.dtype == dtype
    np.testing.assert_allclose(y.real, run(np.ascontiguousarray(x.real)), rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(y.imag, run(np.ascontiguousarray(x.imag)), rtol=1e-6, atol=1e-7)
