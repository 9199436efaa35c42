"""Makes the files in this folder with the onnx package: python tests/data/onnx/make.py"""

import pathlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HERE = pathlib.Path(__file__).parent


def save(name, message):
    data = message.SerializeToString(deterministic=True)
    assert len(data) < 4096, (name, len(data))
    (HERE / name).write_bytes(data)


def encodings():
    """Each element type twice: <type>_typed and <type>_raw hold the same values."""
    graph = onnx.GraphProto(name="encodings")
    rows = {
        "FLOAT": [0.0, -1.5, 3e38],
        "DOUBLE": [0.0, -1.5, 1e300],
        "COMPLEX64": [1 + 2j, -3.5j, 0],
        "COMPLEX128": [1 + 2j, -3.5j, 1e300],
        "INT8": [-128, 0, 127],
        "INT16": [-32768, 0, 32767],
        "INT32": [-(2**31), -1, 2**31 - 1],
        "INT64": [-(2**63), -1, 2**63 - 1],
        "UINT8": [0, 128, 255],
        "UINT16": [0, 32768, 65535],
        "UINT32": [0, 2**31, 2**32 - 1],
        "UINT64": [0, 2**63, 2**64 - 1],
        "BOOL": [True, False, True],
        "FLOAT16": [0.5, -2.0, 65504.0],
        "BFLOAT16": [0.5, -2.0, 3e38],
        "FLOAT8E4M3FN": [0.5, -2.0, 448.0],
        "FLOAT8E4M3FNUZ": [0.5, -2.0, 240.0],
        "FLOAT8E5M2": [0.5, -2.0, 57344.0],
        "FLOAT8E5M2FNUZ": [0.5, -2.0, 57344.0],
        "FLOAT8E8M0": [0.5, 2.0, 1024.0],
        "FLOAT4E2M1": [0.5, -2.0, 6.0],
        "INT4": [-8, 3, 7],
        "UINT4": [0, 9, 15],
        "INT2": [-2, 1, -1],
        "UINT2": [0, 3, 2],
    }
    for name, values in rows.items():
        kind = getattr(TensorProto, name)
        array = np.array(values, np.uint64 if name == "UINT64" else None).astype(helper.tensor_dtype_to_np_dtype(kind))
        low = name.lower()
        graph.initializer.append(helper.make_tensor(low + "_typed", kind, [3], array))
        raw = numpy_helper.from_array(array, low + "_raw")
        assert raw.data_type == kind and raw.HasField("raw_data")
        graph.initializer.append(raw)
    graph.initializer.append(helper.make_tensor("string", TensorProto.STRING, [2, 1], [b"", "größe".encode()]))
    save("encodings.onnx", helper.make_model(graph, ir_version=13, opset_imports=[helper.make_opsetid("", 25)]))


def every_message():
    tensor = numpy_helper.from_array(np.arange(6, dtype=np.float32).reshape(2, 3), "w")
    tensor.doc_string = ""
    helper.set_metadata_props(tensor, {"made": "here"})
    sparse = onnx.SparseTensorProto(
        values=helper.make_tensor("sparse_w", TensorProto.FLOAT, [2], [1.0, 2.0]),
        indices=helper.make_tensor("", TensorProto.INT64, [2, 2], [0, 1, 2, 0]),
        dims=[3, 4],
    )
    f32 = helper.make_tensor_type_proto(TensorProto.FLOAT, [2, "n", None])
    types = [
        f32,
        helper.make_sequence_type_proto(f32),
        helper.make_map_type_proto(TensorProto.STRING, f32),
        helper.make_optional_type_proto(helper.make_sequence_type_proto(f32)),
        helper.make_sparse_tensor_type_proto(TensorProto.FLOAT, [3, 4]),
        onnx.TypeProto(opaque_type=onnx.TypeProto.Opaque(domain="d", name="o"), denotation="D"),
    ]
    types[0].tensor_type.shape.dim[0].denotation = "DATA_BATCH"
    branch = helper.make_graph(
        [helper.make_node("Identity", ["x"], ["b"])], "branch", [], [helper.make_value_info("b", types[0])]
    )
    attributes = dict(
        f=1.5, i=-7, s="text", t=tensor, g=branch, floats=[1.0, 2.0], ints=[1, -2, 3], strings=["a", ""],
        tensors=[tensor], graphs=[branch, branch], tp=types[1], type_protos=types[2:4], sparse=sparse, sparses=[sparse],
    )
    node = helper.make_node("Everything", ["x", "", "w"], ["y"], "node", domain="test", overload="o", **attributes)
    reference = helper.make_node("Scale", ["x"], ["y"])
    reference.attribute.append(helper.make_attribute_ref("alpha", onnx.AttributeProto.FLOAT))
    reference.attribute[0].ref_attr_name = "beta"
    device = node.device_configurations.add(configuration_id="dev", pipeline_stage=1)
    spec = device.sharding_spec.add(tensor_name="x", device=[0, 1])
    spec.index_to_device_group_map.add(key=-1, value=[2, 3])
    spec.sharded_dim.add(axis=-1).simple_sharding.add(dim_param="n", num_shards=2)
    function = helper.make_function(
        "test", "Fn", ["x"], ["y"], [reference], [helper.make_opsetid("", 20)], ["beta"],
        [helper.make_attribute("gamma", 2)], "doc", "over",
        value_info=[helper.make_value_info("x", types[0])],
    )
    helper.set_metadata_props(function, {"k": "v"})
    graph = helper.make_graph(
        [node], "graph", [helper.make_value_info(f"in{i}", t) for i, t in enumerate(types)],
        [helper.make_value_info("y", types[0], "doc")], [tensor], sparse_initializer=[sparse],
    )
    graph.quantization_annotation.add(tensor_name="x").quant_parameter_tensor_names.add(key="SCALE_TENSOR", value="s")
    model = helper.make_model(
        graph, functions=[function], ir_version=14, producer_name="p", producer_version="1", domain="dom", model_version=9,
        doc_string="doc", opset_imports=[helper.make_opsetid("", 27), helper.make_opsetid("test", 1)],
    )
    helper.set_model_props(model, {"author": "nobody"})
    training = model.training_info.add()
    training.algorithm.name = "step"
    training.update_binding.add(key="w", value="w2")
    model.configuration.add(name="dev", num_devices=2, device=["a", "b"])
    save("every_message.onnx", model)


def values():
    array = np.array([[1, 2, 3]], dtype=np.int32)
    save("sequence.pb", numpy_helper.from_list([array, array + 1], "s"))
    save("map_i64.pb", numpy_helper.from_dict({3: np.array(1.5, np.float32), -4: np.array(2.5, np.float32)}, "m"))
    text = numpy_helper.from_dict({1: array, 2: array}, "m")
    text.key_type = TensorProto.STRING
    del text.keys[:]
    text.string_keys.extend([b"one", b"two"])
    save("map_string.pb", text)
    save("optional.pb", numpy_helper.from_optional([array], "o"))
    save("optional_empty.pb", numpy_helper.from_optional(None, "o", onnx.OptionalProto.TENSOR))


if __name__ == "__main__":
    encodings()
    every_message()
    values()
