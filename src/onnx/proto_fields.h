// Field numbers, names and members of every message in proto.h: one table that reading, writing and comparing share.
// A new field is a member in proto.h and a line here. Rows are in the order of their numbers, which is the order of
// writing.
#pragma once

#include <tuple>

#include "onnx/proto.h"

namespace sdx::onnx {

enum class FieldRule : uint8_t {
  plain,
  packed,  // numbers written packed; reading takes both forms
  one_of,  // setting one clears the others
};

template <typename Message, typename Member>
struct Field {
  uint32_t number;
  const char* name;
  Member Message::*member;
  FieldRule rule = FieldRule::plain;
};
template <typename Message, typename Member>
Field(uint32_t, const char*, Member Message::*) -> Field<Message, Member>;
template <typename Message, typename Member>
Field(uint32_t, const char*, Member Message::*, FieldRule) -> Field<Message, Member>;

template <typename Message>
struct FieldsOf;

#define SDX_PROTO_FIELDS(Message, ...)                         \
  template <>                                                  \
  struct FieldsOf<Message> {                                   \
    using M = Message;                                         \
    static constexpr auto list = std::make_tuple(__VA_ARGS__); \
  }

SDX_PROTO_FIELDS(StringStringEntryProto, Field{1, "key", &M::key}, Field{2, "value", &M::value});
SDX_PROTO_FIELDS(SegmentProto, Field{1, "begin", &M::begin}, Field{2, "end", &M::end});
SDX_PROTO_FIELDS(TensorProto, Field{1, "dims", &M::dims}, Field{2, "data_type", &M::data_type},
                 Field{3, "segment", &M::segment}, Field{4, "float_data", &M::float_data, FieldRule::packed},
                 Field{5, "int32_data", &M::int32_data, FieldRule::packed}, Field{6, "string_data", &M::string_data},
                 Field{7, "int64_data", &M::int64_data, FieldRule::packed}, Field{8, "name", &M::name},
                 Field{9, "raw_data", &M::raw_data}, Field{10, "double_data", &M::double_data, FieldRule::packed},
                 Field{11, "uint64_data", &M::uint64_data, FieldRule::packed}, Field{12, "doc_string", &M::doc_string},
                 Field{13, "external_data", &M::external_data}, Field{14, "data_location", &M::data_location},
                 Field{16, "metadata_props", &M::metadata_props});
SDX_PROTO_FIELDS(SparseTensorProto, Field{1, "values", &M::values}, Field{2, "indices", &M::indices},
                 Field{3, "dims", &M::dims});
SDX_PROTO_FIELDS(DimensionProto, Field{1, "dim_value", &M::dim_value, FieldRule::one_of},
                 Field{2, "dim_param", &M::dim_param, FieldRule::one_of}, Field{3, "denotation", &M::denotation});
SDX_PROTO_FIELDS(TensorShapeProto, Field{1, "dim", &M::dim});
SDX_PROTO_FIELDS(TensorTypeProto, Field{1, "elem_type", &M::elem_type}, Field{2, "shape", &M::shape});
SDX_PROTO_FIELDS(ElementTypeProto, Field{1, "elem_type", &M::elem_type});
SDX_PROTO_FIELDS(MapTypeProto, Field{1, "key_type", &M::key_type}, Field{2, "value_type", &M::value_type});
SDX_PROTO_FIELDS(OpaqueTypeProto, Field{1, "domain", &M::domain}, Field{2, "name", &M::name});
SDX_PROTO_FIELDS(TypeProto, Field{1, "tensor_type", &M::tensor_type, FieldRule::one_of},
                 Field{4, "sequence_type", &M::sequence_type, FieldRule::one_of},
                 Field{5, "map_type", &M::map_type, FieldRule::one_of}, Field{6, "denotation", &M::denotation},
                 Field{7, "opaque_type", &M::opaque_type, FieldRule::one_of},
                 Field{8, "sparse_tensor_type", &M::sparse_tensor_type, FieldRule::one_of},
                 Field{9, "optional_type", &M::optional_type, FieldRule::one_of});
SDX_PROTO_FIELDS(ValueInfoProto, Field{1, "name", &M::name}, Field{2, "type", &M::type},
                 Field{3, "doc_string", &M::doc_string}, Field{4, "metadata_props", &M::metadata_props});
SDX_PROTO_FIELDS(AttributeProto, Field{1, "name", &M::name}, Field{2, "f", &M::f}, Field{3, "i", &M::i},
                 Field{4, "s", &M::s}, Field{5, "t", &M::t}, Field{6, "g", &M::g}, Field{7, "floats", &M::floats},
                 Field{8, "ints", &M::ints}, Field{9, "strings", &M::strings}, Field{10, "tensors", &M::tensors},
                 Field{11, "graphs", &M::graphs}, Field{13, "doc_string", &M::doc_string}, Field{14, "tp", &M::tp},
                 Field{15, "type_protos", &M::type_protos}, Field{20, "type", &M::type},
                 Field{21, "ref_attr_name", &M::ref_attr_name}, Field{22, "sparse_tensor", &M::sparse_tensor},
                 Field{23, "sparse_tensors", &M::sparse_tensors});
SDX_PROTO_FIELDS(IntIntListEntryProto, Field{1, "key", &M::key}, Field{2, "value", &M::value});
SDX_PROTO_FIELDS(SimpleShardedDimProto, Field{1, "dim_value", &M::dim_value, FieldRule::one_of},
                 Field{2, "dim_param", &M::dim_param, FieldRule::one_of}, Field{3, "num_shards", &M::num_shards});
SDX_PROTO_FIELDS(ShardedDimProto, Field{1, "axis", &M::axis}, Field{2, "simple_sharding", &M::simple_sharding});
SDX_PROTO_FIELDS(ShardingSpecProto, Field{1, "tensor_name", &M::tensor_name}, Field{2, "device", &M::device},
                 Field{3, "index_to_device_group_map", &M::index_to_device_group_map},
                 Field{4, "sharded_dim", &M::sharded_dim});
SDX_PROTO_FIELDS(NodeDeviceConfigurationProto, Field{1, "configuration_id", &M::configuration_id},
                 Field{2, "sharding_spec", &M::sharding_spec}, Field{3, "pipeline_stage", &M::pipeline_stage});
SDX_PROTO_FIELDS(NodeProto, Field{1, "input", &M::input}, Field{2, "output", &M::output}, Field{3, "name", &M::name},
                 Field{4, "op_type", &M::op_type}, Field{5, "attribute", &M::attribute},
                 Field{6, "doc_string", &M::doc_string}, Field{7, "domain", &M::domain},
                 Field{8, "overload", &M::overload}, Field{9, "metadata_props", &M::metadata_props},
                 Field{10, "device_configurations", &M::device_configurations});
SDX_PROTO_FIELDS(TensorAnnotation, Field{1, "tensor_name", &M::tensor_name},
                 Field{2, "quant_parameter_tensor_names", &M::quant_parameter_tensor_names});
SDX_PROTO_FIELDS(GraphProto, Field{1, "node", &M::node}, Field{2, "name", &M::name},
                 Field{5, "initializer", &M::initializer}, Field{10, "doc_string", &M::doc_string},
                 Field{11, "input", &M::input}, Field{12, "output", &M::output},
                 Field{13, "value_info", &M::value_info},
                 Field{14, "quantization_annotation", &M::quantization_annotation},
                 Field{15, "sparse_initializer", &M::sparse_initializer},
                 Field{16, "metadata_props", &M::metadata_props});
SDX_PROTO_FIELDS(OperatorSetIdProto, Field{1, "domain", &M::domain}, Field{2, "version", &M::version});
SDX_PROTO_FIELDS(TrainingInfoProto, Field{1, "initialization", &M::initialization},
                 Field{2, "algorithm", &M::algorithm}, Field{3, "initialization_binding", &M::initialization_binding},
                 Field{4, "update_binding", &M::update_binding});
SDX_PROTO_FIELDS(FunctionProto, Field{1, "name", &M::name}, Field{4, "input", &M::input},
                 Field{5, "output", &M::output}, Field{6, "attribute", &M::attribute}, Field{7, "node", &M::node},
                 Field{8, "doc_string", &M::doc_string}, Field{9, "opset_import", &M::opset_import},
                 Field{10, "domain", &M::domain}, Field{11, "attribute_proto", &M::attribute_proto},
                 Field{12, "value_info", &M::value_info}, Field{13, "overload", &M::overload},
                 Field{14, "metadata_props", &M::metadata_props});
SDX_PROTO_FIELDS(DeviceConfigurationProto, Field{1, "name", &M::name}, Field{2, "num_devices", &M::num_devices},
                 Field{3, "device", &M::device});
SDX_PROTO_FIELDS(ModelProto, Field{1, "ir_version", &M::ir_version}, Field{2, "producer_name", &M::producer_name},
                 Field{3, "producer_version", &M::producer_version}, Field{4, "domain", &M::domain},
                 Field{5, "model_version", &M::model_version}, Field{6, "doc_string", &M::doc_string},
                 Field{7, "graph", &M::graph}, Field{8, "opset_import", &M::opset_import},
                 Field{14, "metadata_props", &M::metadata_props}, Field{20, "training_info", &M::training_info},
                 Field{25, "functions", &M::functions}, Field{26, "configuration", &M::configuration});
SDX_PROTO_FIELDS(MapProto, Field{1, "name", &M::name}, Field{2, "key_type", &M::key_type}, Field{3, "keys", &M::keys},
                 Field{4, "string_keys", &M::string_keys}, Field{5, "values", &M::values});
SDX_PROTO_FIELDS(SequenceProto, Field{1, "name", &M::name}, Field{2, "elem_type", &M::elem_type},
                 Field{3, "tensor_values", &M::tensor_values},
                 Field{4, "sparse_tensor_values", &M::sparse_tensor_values},
                 Field{5, "sequence_values", &M::sequence_values}, Field{6, "map_values", &M::map_values},
                 Field{7, "optional_values", &M::optional_values});
SDX_PROTO_FIELDS(OptionalProto, Field{1, "name", &M::name}, Field{2, "elem_type", &M::elem_type},
                 Field{3, "tensor_value", &M::tensor_value}, Field{4, "sparse_tensor_value", &M::sparse_tensor_value},
                 Field{5, "sequence_value", &M::sequence_value}, Field{6, "map_value", &M::map_value},
                 Field{7, "optional_value", &M::optional_value});
#undef SDX_PROTO_FIELDS

}  // namespace sdx::onnx
