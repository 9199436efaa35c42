// The messages of onnx.proto (up to IR version 14) as plain structs, as they stand in the file: nothing is interpreted,
// nothing large is copied. Strings and raw data point into the file's bytes, or into what the maker of a message keeps
// alive. Absent: a string or bytes whose data() is null, an empty std::optional, an empty Box. Field numbers:
// proto_fields.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "onnx/box.h"
#include "onnx/numbers.h"

namespace sdx::onnx {

using Text = std::string_view;  // usually UTF-8; never checked
using Texts = std::vector<Text>;
using Bytes = std::span<const std::byte>;
using UnknownFields = std::vector<std::string_view>;  // tags included; written back as they are

struct GraphProto;
struct TypeProto;

struct StringStringEntryProto {
  Text key;
  Text value;
  UnknownFields unknown;
};
using Metadata = std::vector<StringStringEntryProto>;

struct SegmentProto {
  std::optional<int64_t> begin;
  std::optional<int64_t> end;
  UnknownFields unknown;
};

enum class DataLocation : int32_t { in_message = 0, external = 1 };

struct TensorProto {
  Numbers<int64_t> dims;
  std::optional<int32_t> data_type;
  Box<SegmentProto> segment;
  Numbers<float> float_data;
  Numbers<int32_t> int32_data;
  Texts string_data;
  Numbers<int64_t> int64_data;
  Text name;
  Bytes raw_data;
  Numbers<double> double_data;
  Numbers<uint64_t> uint64_data;
  Text doc_string;
  Metadata external_data;
  std::optional<int32_t> data_location;
  Metadata metadata_props;
  UnknownFields unknown;

  bool is_external() const { return data_location == static_cast<int32_t>(DataLocation::external); }
};

struct SparseTensorProto {
  Box<TensorProto> values;
  Box<TensorProto> indices;
  Numbers<int64_t> dims;
  UnknownFields unknown;
};

struct DimensionProto {  // one of dim_value, dim_param, neither
  std::optional<int64_t> dim_value;
  Text dim_param;
  Text denotation;
  UnknownFields unknown;
};

struct TensorShapeProto {
  std::vector<DimensionProto> dim;
  UnknownFields unknown;
};

struct TensorTypeProto {  // dense and sparse
  std::optional<int32_t> elem_type;
  Box<TensorShapeProto> shape;  // absent: the rank is unknown
  UnknownFields unknown;
};

struct ElementTypeProto {  // sequence and optional
  Box<TypeProto> elem_type;
  UnknownFields unknown;
};

struct MapTypeProto {
  std::optional<int32_t> key_type;
  Box<TypeProto> value_type;
  UnknownFields unknown;
};

struct OpaqueTypeProto {
  Text domain;
  Text name;
  UnknownFields unknown;
};

struct TypeProto {  // at most one of the first six
  Box<TensorTypeProto> tensor_type;
  Box<ElementTypeProto> sequence_type;
  Box<MapTypeProto> map_type;
  Box<OpaqueTypeProto> opaque_type;
  Box<TensorTypeProto> sparse_tensor_type;
  Box<ElementTypeProto> optional_type;
  Text denotation;
  UnknownFields unknown;
};

struct ValueInfoProto {
  Text name;
  Box<TypeProto> type;
  Text doc_string;
  Metadata metadata_props;
  UnknownFields unknown;
};

struct AttributeProto {
  Text name;
  std::optional<float> f;
  std::optional<int64_t> i;
  Text s;
  Box<TensorProto> t;
  Box<GraphProto> g;
  Numbers<float> floats;
  Numbers<int64_t> ints;
  Texts strings;
  std::vector<TensorProto> tensors;
  std::vector<GraphProto> graphs;
  Text doc_string;
  Box<TypeProto> tp;
  std::vector<TypeProto> type_protos;
  std::optional<int32_t> type;  // an AttributeKind; absent before IR version 2
  Text ref_attr_name;
  Box<SparseTensorProto> sparse_tensor;
  std::vector<SparseTensorProto> sparse_tensors;
  UnknownFields unknown;
};

struct IntIntListEntryProto {
  std::optional<int64_t> key;
  Numbers<int64_t> value;
  UnknownFields unknown;
};

struct SimpleShardedDimProto {
  std::optional<int64_t> dim_value;
  Text dim_param;
  std::optional<int64_t> num_shards;
  UnknownFields unknown;
};

struct ShardedDimProto {
  std::optional<int64_t> axis;
  std::vector<SimpleShardedDimProto> simple_sharding;
  UnknownFields unknown;
};

struct ShardingSpecProto {
  Text tensor_name;
  Numbers<int64_t> device;
  std::vector<IntIntListEntryProto> index_to_device_group_map;
  std::vector<ShardedDimProto> sharded_dim;
  UnknownFields unknown;
};

struct NodeDeviceConfigurationProto {
  Text configuration_id;
  std::vector<ShardingSpecProto> sharding_spec;
  std::optional<int32_t> pipeline_stage;
  UnknownFields unknown;
};

struct NodeProto {
  Texts input;
  Texts output;
  Text name;
  Text op_type;
  std::vector<AttributeProto> attribute;
  Text doc_string;
  Text domain;
  Text overload;
  Metadata metadata_props;
  std::vector<NodeDeviceConfigurationProto> device_configurations;
  UnknownFields unknown;
};

struct TensorAnnotation {
  Text tensor_name;
  Metadata quant_parameter_tensor_names;
  UnknownFields unknown;
};

struct GraphProto {
  std::vector<NodeProto> node;
  Text name;
  std::vector<TensorProto> initializer;
  Text doc_string;
  std::vector<ValueInfoProto> input;
  std::vector<ValueInfoProto> output;
  std::vector<ValueInfoProto> value_info;
  std::vector<TensorAnnotation> quantization_annotation;
  std::vector<SparseTensorProto> sparse_initializer;
  Metadata metadata_props;
  UnknownFields unknown;
};

struct OperatorSetIdProto {
  Text domain;
  std::optional<int64_t> version;
  UnknownFields unknown;
};

struct TrainingInfoProto {
  Box<GraphProto> initialization;
  Box<GraphProto> algorithm;
  Metadata initialization_binding;
  Metadata update_binding;
  UnknownFields unknown;
};

struct FunctionProto {
  Text name;
  Texts input;
  Texts output;
  Texts attribute;
  std::vector<NodeProto> node;
  Text doc_string;
  std::vector<OperatorSetIdProto> opset_import;
  Text domain;
  std::vector<AttributeProto> attribute_proto;
  std::vector<ValueInfoProto> value_info;
  Text overload;
  Metadata metadata_props;
  UnknownFields unknown;
};

struct DeviceConfigurationProto {
  Text name;
  std::optional<int32_t> num_devices;
  Texts device;
  UnknownFields unknown;
};

struct ModelProto {
  std::optional<int64_t> ir_version;
  Text producer_name;
  Text producer_version;
  Text domain;
  std::optional<int64_t> model_version;
  Text doc_string;
  Box<GraphProto> graph;
  std::vector<OperatorSetIdProto> opset_import;
  Metadata metadata_props;
  std::vector<TrainingInfoProto> training_info;
  std::vector<FunctionProto> functions;
  std::vector<DeviceConfigurationProto> configuration;
  UnknownFields unknown;
};

// onnx-data.proto: what test data and saved values are made of.
enum class ElementKind : int32_t { undefined = 0, tensor = 1, sparse_tensor = 2, sequence = 3, map = 4, optional = 5 };

struct SequenceProto;
struct OptionalProto;

struct MapProto {
  Text name;
  std::optional<int32_t> key_type;
  Numbers<int64_t> keys;
  Texts string_keys;
  Box<SequenceProto> values;
  UnknownFields unknown;
};

struct SequenceProto {
  Text name;
  std::optional<int32_t> elem_type;  // an ElementKind
  std::vector<TensorProto> tensor_values;
  std::vector<SparseTensorProto> sparse_tensor_values;
  std::vector<SequenceProto> sequence_values;
  std::vector<MapProto> map_values;
  std::vector<OptionalProto> optional_values;
  UnknownFields unknown;
};

struct OptionalProto {
  Text name;
  std::optional<int32_t> elem_type;  // an ElementKind
  Box<TensorProto> tensor_value;
  Box<SparseTensorProto> sparse_tensor_value;
  Box<SequenceProto> sequence_value;
  Box<MapProto> map_value;
  Box<OptionalProto> optional_value;
  UnknownFields unknown;
};

}  // namespace sdx::onnx
