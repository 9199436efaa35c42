#include "onnx/writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "base/element.h"
#include "onnx/model_file.h"
#include "onnx/reader.h"

namespace sdx::onnx {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class writer : public testing::Test {
 protected:
  writer() : folder_(fs::temp_directory_path() / ("sdx_writer_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~writer() override { fs::remove_all(folder_); }
  std::string path(const char* name) const { return folder_ / name; }

  fs::path folder_;
};

TEST_F(writer, writes_the_bytes_that_the_onnx_package_wrote) {
  for (const char* fixture : {"every_message.onnx", "encodings.onnx"}) {
    const auto model = open_model(std::string("tests/data/onnx/") + fixture);
    ASSERT_TRUE(model.ok()) << model.status().message();
    const auto bytes = write_model_to_string((*model)->proto);
    ASSERT_TRUE(bytes.ok());
    const auto original = (*model)->file->bytes();
    ASSERT_EQ(bytes->size(), original.size());
    EXPECT_EQ(std::memcmp(bytes->data(), original.data(), original.size()), 0) << fixture;

    ASSERT_TRUE(write_model((*model)->proto, path("copy.onnx")).ok());
    const auto copy = open_model(path("copy.onnx"));
    ASSERT_TRUE(copy.ok()) << copy.status().message();
    EXPECT_TRUE(same((*model)->proto, (*copy)->proto));
  }
}

TEST_F(writer, comparison_sees_a_difference_at_any_depth) {
  const auto model = open_model("tests/data/onnx/every_message.onnx");
  ASSERT_TRUE(model.ok());
  const ModelProto& original = (*model)->proto;
  ModelProto changed = original;
  EXPECT_TRUE(same(original, changed));
  for (auto& attribute : changed.graph->node[0].attribute)
    if (attribute.g) attribute.g->node[0].op_type = "Other";
  EXPECT_FALSE(same(original, changed));
  changed = original;
  changed.graph->initializer[0].doc_string = {};
  EXPECT_FALSE(same(original, changed)) << "absent is not empty";
}

TEST_F(writer, numbers_may_move_to_another_field) {
  const std::string dims = "\x08\x05\x08\x7f";
  const auto tensor = read_tensor(std::as_bytes(std::span(dims)));
  ASSERT_TRUE(tensor.ok());
  ModelProto model;
  model.graph.make().node.emplace_back().attribute.emplace_back().ints = tensor->dims;
  const auto bytes = write_model_to_string(model);
  ASSERT_TRUE(bytes.ok());
  const auto again = read_model(std::as_bytes(std::span(*bytes)));
  ASSERT_TRUE(again.ok());
  EXPECT_THAT(again->graph->node[0].attribute[0].ints.values(), testing::ElementsAre(5, 127));
}

TEST_F(writer, moves_large_initializers_to_an_external_file) {
  ModelProto model;
  const Tensor small = scalar_f32(1);
  const std::vector<int64_t> numbers(100, 7);
  const Tensor large = vector_i64(numbers);
  std::vector<float> floats(1000, 0.5f);
  auto& graph = model.graph.make();
  const auto add = [](GraphProto& to, const char* name, const Tensor& tensor) {
    auto& proto = to.initializer.emplace_back();
    proto.name = name;
    proto.data_type = static_cast<int32_t>(tensor.dtype());
    proto.dims = Numbers<int64_t>({tensor.shape().begin(), tensor.shape().end()});
    proto.raw_data = {tensor.bytes(), tensor.byte_size()};
  };
  add(graph, "small", small);
  add(graph, "large", large);
  add(graph.node.emplace_back().attribute.emplace_back().g.make(), "inner", large);

  ASSERT_TRUE(write_model(model, path("m.onnx"), {.external_data_over_bytes = 100}).ok());
  EXPECT_EQ(fs::file_size(path("m.onnx.data")), 4096u + 800u);
  auto copy = open_model(path("m.onnx"));
  ASSERT_TRUE(copy.ok()) << copy.status().message();
  const auto& proto = (*copy)->proto;
  EXPECT_FALSE(proto.graph->initializer[0].is_external());
  EXPECT_TRUE(proto.graph->initializer[1].is_external());
  const auto inner = (*copy)->tensor(proto.graph->node[0].attribute[0].g->initializer[0]);
  ASSERT_TRUE(inner.ok()) << inner.status().message();
  EXPECT_EQ(load_i64(*inner, 99), 7);
  EXPECT_EQ((*copy)->place_of(inner->raw())->offset % 4096, 0u);

  ASSERT_TRUE(write_model(model, path("n.onnx"), {.external_data_over_bytes = 1000}).ok());
  EXPECT_FALSE(fs::exists(path("n.onnx.data"))) << "nothing was large enough";
}

TEST_F(writer, refuses_bad_paths_and_leaves_nothing_behind) {
  ModelProto model;
  model.ir_version = 10;
  EXPECT_THAT(write_model(model, path("none/m.onnx")).message(), HasSubstr("cannot write file"));
  for (const char* name : {"../x", "a/b", "..", "m.onnx"})
    EXPECT_THAT(write_model(model, path("m.onnx"), {.external_data_over_bytes = 0, .external_file = name}).message(),
                HasSubstr("a plain name is wanted"));
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(writer, refuses_what_no_protobuf_reader_takes) {
  // The pages are never touched: sizes alone decide.
  const auto memory = allocate_bytes(size_t{3} << 30);
  if (!memory.ok()) GTEST_SKIP() << memory.status().message();
  ModelProto model;
  auto& tensor = model.graph.make().initializer.emplace_back();
  tensor.raw_data = {static_cast<const std::byte*>(memory->get()), size_t{3} << 30};
  EXPECT_THAT(write_model(model, path("m.onnx")).message(), HasSubstr("write large tensors to an external file"));
  EXPECT_FALSE(write_model_to_string(model).ok());
}

}  // namespace
}  // namespace sdx::onnx
