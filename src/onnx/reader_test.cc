#include "onnx/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <protozero/pbf_writer.hpp>

#include "graph/attribute.h"
#include "onnx/model_file.h"
#include "onnx/proto_walk.h"
#include "onnx/writer.h"

namespace sdx::onnx {
namespace {

using protozero::pbf_writer;
using testing::ElementsAre;
using testing::HasSubstr;

const char* const kFixtures[] = {"tests/data/onnx/every_message.onnx", "tests/data/onnx/encodings.onnx"};

Bytes as_bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

std::string error_of(std::string_view bytes) {
  const auto model = read_model(as_bytes(bytes));
  EXPECT_FALSE(model.ok());
  EXPECT_EQ(model.status().code(), Code::invalid_protobuf) << model.status().message();
  return model.status().message();
}

// A model whose graph is what `fill` writes.
template <typename F>
std::string model_with_graph(F fill) {
  std::string bytes;
  pbf_writer model(bytes);
  {
    pbf_writer graph(model, 7);
    fill(graph);
  }
  return bytes;
}

TEST(reader, reads_what_the_onnx_package_wrote) {
  const auto file = open_model(kFixtures[0]);
  ASSERT_TRUE(file.ok()) << file.status().message();
  const ModelProto& model = (*file)->proto;
  EXPECT_EQ(model.ir_version, 14);
  EXPECT_EQ(model.producer_name, "p");
  EXPECT_EQ(model.model_version, 9);
  ASSERT_EQ(model.opset_import.size(), 2u);
  EXPECT_EQ(model.opset_import[1].domain, "test");
  EXPECT_EQ(model.configuration.at(0).num_devices, 2);
  EXPECT_EQ(model.training_info.at(0).update_binding.at(0).value, "w2");
  EXPECT_EQ(model.metadata_props.at(0).key, "author");

  const GraphProto& graph = *model.graph;
  const NodeProto& node = graph.node.at(0);
  EXPECT_THAT(node.input, ElementsAre("x", "", "w"));
  EXPECT_EQ(node.overload, "o");
  EXPECT_EQ(node.device_configurations.at(0).pipeline_stage, 1);
  const auto& spec = node.device_configurations[0].sharding_spec.at(0);
  EXPECT_THAT(spec.device.values(), ElementsAre(0, 1));
  EXPECT_EQ(spec.index_to_device_group_map.at(0).key, -1);
  EXPECT_EQ(spec.sharded_dim.at(0).simple_sharding.at(0).dim_param, "n");

  const TypeProto& type = *graph.input.at(0).type;
  const auto& dims = type.tensor_type->shape->dim;
  ASSERT_EQ(dims.size(), 3u);
  EXPECT_EQ(dims[0].dim_value, 2);
  EXPECT_EQ(dims[0].denotation, "DATA_BATCH");
  EXPECT_EQ(dims[1].dim_param, "n");
  EXPECT_FALSE(dims[1].dim_value);
  EXPECT_FALSE(dims[2].dim_value);
  EXPECT_EQ(dims[2].dim_param.data(), nullptr);
  EXPECT_TRUE(graph.input.at(1).type->sequence_type->elem_type->tensor_type);
  EXPECT_EQ(graph.input.at(2).type->map_type->key_type, 8);
  EXPECT_TRUE(graph.input.at(3).type->optional_type->elem_type->sequence_type);
  EXPECT_EQ(graph.input.at(4).type->sparse_tensor_type->elem_type, 1);
  EXPECT_EQ(graph.input.at(5).type->opaque_type->name, "o");
  EXPECT_EQ(graph.quantization_annotation.at(0).quant_parameter_tensor_names.at(0).key, "SCALE_TENSOR");
  EXPECT_THAT(graph.sparse_initializer.at(0).dims.values(), ElementsAre(3, 4));

  const FunctionProto& function = model.functions.at(0);
  EXPECT_EQ(function.overload, "over");
  EXPECT_THAT(function.attribute, ElementsAre("beta"));
  EXPECT_EQ(function.attribute_proto.at(0).i, 2);
  EXPECT_EQ(function.value_info.at(0).name, "x");
  const AttributeProto& reference = function.node.at(0).attribute.at(0);
  EXPECT_EQ(reference.ref_attr_name, "beta");
  EXPECT_FALSE(reference.f);
}

TEST(reader, reads_every_kind_of_attribute) {
  const auto file = open_model(kFixtures[0]);
  ASSERT_TRUE(file.ok());
  std::map<std::string_view, const AttributeProto*> named;
  for (const auto& attribute : (*file)->proto.graph->node[0].attribute) named[attribute.name] = &attribute;
  EXPECT_EQ(named["f"]->f, 1.5f);
  EXPECT_EQ(named["i"]->i, -7);
  EXPECT_EQ(named["i"]->type, static_cast<int32_t>(AttributeKind::i));
  EXPECT_EQ(named["s"]->s, "text");
  EXPECT_EQ(named["t"]->t->raw_data.size(), 24u);
  EXPECT_EQ(named["t"]->t->doc_string, "");
  EXPECT_NE(named["t"]->t->doc_string.data(), nullptr) << "present, though empty";
  EXPECT_EQ(named["g"]->g->node.at(0).op_type, "Identity");
  EXPECT_THAT(named["floats"]->floats.values(), ElementsAre(1.0f, 2.0f));
  EXPECT_THAT(named["ints"]->ints.values(), ElementsAre(1, -2, 3));
  EXPECT_THAT(named["strings"]->strings, ElementsAre("a", ""));
  EXPECT_EQ(named["tensors"]->tensors.size(), 1u);
  EXPECT_EQ(named["graphs"]->graphs.size(), 2u);
  EXPECT_TRUE(named["tp"]->tp->sequence_type);
  EXPECT_EQ(named["type_protos"]->type_protos.size(), 2u);
  EXPECT_TRUE(named["sparse"]->sparse_tensor->values);
  EXPECT_EQ(named["sparses"]->sparse_tensors.size(), 1u);
}

TEST(reader, takes_packed_unpacked_and_mixed_numbers) {
  const std::string packed = "\x0a\x02\x03\x04";
  const std::string unpacked = "\x08\x05\x08\x06";
  for (const auto& [bytes, wanted] :
       std::vector<std::pair<std::string, std::vector<int64_t>>>{{packed, {3, 4}},
                                                                 {unpacked, {5, 6}},
                                                                 {packed + unpacked, {3, 4, 5, 6}},
                                                                 {unpacked + packed + unpacked, {5, 6, 3, 4, 5, 6}},
                                                                 {unpacked + "\x10\x01" + unpacked, {5, 6, 5, 6}},
                                                                 {packed + packed, {3, 4, 3, 4}}}) {
    const auto tensor = read_tensor(as_bytes(bytes));
    ASSERT_TRUE(tensor.ok()) << tensor.status().message();
    EXPECT_EQ(tensor->dims.values(), wanted);
    EXPECT_EQ(tensor->dims.size(), wanted.size());
  }
}

TEST(reader, merges_a_message_given_twice_and_lets_the_last_scalar_win) {
  std::string bytes;
  pbf_writer model(bytes);
  for (const char* name : {"first", "second"}) {
    pbf_writer graph(model, 7);
    graph.add_string(2, name);
    pbf_writer node(graph, 1);
    node.add_string(4, name);
  }
  const auto read = read_model(as_bytes(bytes));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->graph->name, "second");
  EXPECT_EQ(read->graph->node.size(), 2u);
}

TEST(reader, keeps_only_the_last_of_a_oneof) {
  std::string bytes;
  pbf_writer type(bytes);
  type.add_message(1, std::string());
  type.add_message(4, std::string());
  const auto read = read_type(as_bytes(bytes));
  ASSERT_TRUE(read.ok());
  EXPECT_FALSE(read->tensor_type);
  EXPECT_TRUE(read->sequence_type);
}

TEST(reader, keeps_unknown_fields) {
  const std::string graph = model_with_graph([](pbf_writer& writer) {
    writer.add_string(2, "g");
    writer.add_uint64(100, 7);
    writer.add_string(101, "later");
    writer.add_fixed32(102, 1);
  });
  const std::string group = "\xdb\x06\x08\x01\xe3\x06\xe4\x06\xdc\x06";  // 107 { 1: 1, 108 {} }
  const std::string bytes = graph + group;
  const auto model = read_model(as_bytes(bytes));
  ASSERT_TRUE(model.ok()) << model.status().message();
  EXPECT_EQ(model->graph->unknown.size(), 1u) << "fields in a row are one piece";
  EXPECT_THAT(model->unknown, ElementsAre(group));
  const auto written = write_model_to_string(*model);
  ASSERT_TRUE(written.ok());
  EXPECT_EQ(*written, bytes);
}

TEST(reader, errors_name_the_field_and_the_offset) {
  EXPECT_THAT(error_of(""), HasSubstr("empty"));
  EXPECT_EQ(error_of("\x3a\x88\x27"), "graph: length 5000 at offset 0 runs past the end (3 bytes)");
  EXPECT_THAT(error_of("\x0a\x01x"),
              HasSubstr("ir_version: wire type length-delimited, wanted varint [at offset 0 of 3]"));
  EXPECT_THAT(error_of("\x08\x80"), HasSubstr("ir_version: a number in the field at offset 0 runs past the end"));
  EXPECT_THAT(error_of("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), HasSubstr("longer than 10 bytes"));
  EXPECT_THAT(error_of(std::string("\0\0", 2)), HasSubstr("0 is no field number"));
  EXPECT_THAT(error_of("\x0f"), HasSubstr("wire type unknown"));
  EXPECT_THAT(error_of("\xdb\x06\xe4\x06"), HasSubstr("group 107 ends as group 108"));
  EXPECT_THAT(error_of("\x9a\x06\x01x"), HasSubstr("no ONNX model"));

  const std::string deep = model_with_graph([](pbf_writer& graph) {
    for (int i = 0; i < 2; ++i) graph.add_message(1, std::string());
    pbf_writer node(graph, 1);
    node.add_message(5, std::string());
    pbf_writer attribute(node, 5);
    attribute.add_string(5, "\x4a\x7f");
  });
  EXPECT_THAT(error_of(deep), HasSubstr("graph.node[2].attribute[1].t.raw_data: length 127 at offset "));
}

TEST(reader, bounds_the_depth) {
  std::string sequence;
  for (int i = 0; i < 150; ++i) {
    std::string outer;
    pbf_writer(outer).add_message(5, sequence);
    sequence = outer;
    EXPECT_EQ(read_sequence(as_bytes(sequence)).ok(), i < 99) << i;
  }
  std::string groups = std::string(5000, '\x0b') + std::string(5000, '\x0c');
  EXPECT_THAT(read_tensor(as_bytes("\xa3\x06" + groups + "\xa4\x06")).status().message(), HasSubstr("deeper than 100"));
}

TEST(reader, bounds_the_memory_by_the_size_of_the_file) {
  const std::string hostile = model_with_graph([](pbf_writer& graph) {
    for (int i = 0; i < 100'000; ++i) graph.add_message(1, std::string());
  });
  EXPECT_THAT(error_of(hostile), HasSubstr("too many messages"));
}

// Reads and, where that works, decodes and writes again; only crashes and broken promises matter here.
void exercise(const std::string& bytes) {
  auto model = model_from_bytes(as_bytes(bytes), Ownership::lend);
  if (!model.ok()) return;
  for_each_message<TensorProto>((*model)->proto, [&](const TensorProto& tensor) { (void)(*model)->tensor(tensor); });
  for_each_message<SparseTensorProto>(
      (*model)->proto, [&](const SparseTensorProto& sparse) { (void)sparse_from_proto(sparse, (*model)->source()); });
  const auto written = write_model_to_string((*model)->proto);
  ASSERT_TRUE(written.ok());
  const auto again = read_model(as_bytes(*written));
  ASSERT_TRUE(again.ok()) << again.status().message();
  ASSERT_TRUE(same((*model)->proto, *again));
}

TEST(reader, survives_truncation_at_every_byte) {
  for (const char* path : kFixtures) {
    const auto file = MappedFile::open(path);
    ASSERT_TRUE(file.ok());
    const std::string_view bytes(reinterpret_cast<const char*>((*file)->bytes().data()), (*file)->bytes().size());
    for (size_t length = 0; length < bytes.size(); ++length) exercise(std::string(bytes.substr(0, length)));
  }
}

TEST(reader, survives_every_flipped_bit) {
  for (const char* path : kFixtures) {
    const auto file = MappedFile::open(path);
    ASSERT_TRUE(file.ok());
    std::string bytes(reinterpret_cast<const char*>((*file)->bytes().data()), (*file)->bytes().size());
    for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
      exercise(bytes);
      bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    }
  }
}

}  // namespace
}  // namespace sdx::onnx
