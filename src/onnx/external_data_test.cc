#include "onnx/external_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/element.h"
#include "onnx/model_file.h"
#include "onnx/writer.h"

namespace sdx::onnx {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const std::string kTwoFloats = std::string("\0\0\x80\x3f\0\0\0\x40", 8);  // 1, 2

using Entries = std::vector<std::pair<std::string, std::string>>;

// A model with one external initializer of two floats.
std::string model_bytes(const Entries& entries) {
  ModelProto model;
  model.ir_version = 10;
  auto& tensor = model.graph.make().initializer.emplace_back();
  tensor.name = "w";
  tensor.data_type = 1;
  tensor.dims = Numbers<int64_t>({2});
  tensor.data_location = 1;
  for (const auto& [key, value] : entries) {
    auto& entry = tensor.external_data.emplace_back();
    entry.key = key;
    entry.value = value;
  }
  return *write_model_to_string(model);
}

Result<Tensor> weight(Result<std::shared_ptr<Model>> model) {
  if (!model.ok()) return std::move(model).status();
  return (*model)->tensor((*model)->proto.graph->initializer[0]);
}

Bytes as_bytes(const std::string& text) { return std::as_bytes(std::span(text)); }

class external_data : public testing::Test {
 protected:
  external_data() : root_(fs::temp_directory_path() / ("sdx_external_" + std::to_string(getpid()))) {
    fs::create_directories(root_ / "model");
    write(root_ / "model/w.bin", kTwoFloats);
    write(root_ / "secret.bin", kTwoFloats);
  }
  ~external_data() override { fs::remove_all(root_); }

  static void write(const fs::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

  std::string error_of(const Entries& entries) {
    write(root_ / "model/m.onnx", model_bytes(entries));
    const auto tensor = weight(open_model(root_ / "model/m.onnx"));
    EXPECT_FALSE(tensor.ok());
    EXPECT_THAT(tensor.status().message(), HasSubstr("initializer \"w\": "));
    return tensor.status().message();
  }
  void expect_found(const fs::path& model, OpenOptions options = {}) {
    const auto tensor = weight(open_model(model, std::move(options)));
    ASSERT_TRUE(tensor.ok()) << tensor.status().message();
    EXPECT_EQ(load_double(*tensor, 1), 2);
  }

  fs::path root_;
};

TEST_F(external_data, is_found_beside_the_model) {
  for (const auto& entries :
       {Entries{{"location", "w.bin"}}, Entries{{"location", "./w.bin"}, {"offset", "0"}, {"length", "8"}}}) {
    write(root_ / "model/m.onnx", model_bytes(entries));
    expect_found(root_ / "model/m.onnx");
  }
  const auto model = open_model(root_ / "model/m.onnx");
  ASSERT_TRUE(model.ok());
  const auto& proto = (*model)->proto.graph->initializer[0];
  const auto a = (*model)->tensor(proto);
  const auto b = (*model)->tensor(proto);
  EXPECT_EQ(a->raw(), b->raw()) << "a file is mapped once";
  EXPECT_EQ((*model)->place_of(a->raw())->file.bytes, 8u);
}

TEST_F(external_data, takes_an_odd_offset) {
  write(root_ / "model/odd.bin", "xyz" + kTwoFloats + "tail");
  write(root_ / "model/m.onnx", model_bytes({{"location", "odd.bin"}, {"offset", "3"}, {"length", "8"}}));
  expect_found(root_ / "model/m.onnx");
}

TEST_F(external_data, never_leaves_the_folder) {
  fs::create_symlink(root_ / "secret.bin", root_ / "model/link.bin");
  fs::create_directory_symlink(root_, root_ / "model/up");
  EXPECT_THAT(error_of({{"location", "../secret.bin"}}), HasSubstr("may not contain \"..\""));
  EXPECT_THAT(error_of({{"location", "up/../w.bin"}}), HasSubstr("may not contain \"..\""));
  EXPECT_THAT(error_of({{"location", (root_ / "model/w.bin").string()}}), HasSubstr("must be relative"));
  EXPECT_THAT(error_of({{"location", "link.bin"}}), HasSubstr("a link that leads out of the model's folder"));
  EXPECT_THAT(error_of({{"location", "up/secret.bin"}}), HasSubstr("a link that leads out"));
  EXPECT_THAT(error_of({{"location", "*/_ORT_MEM_ADDR_/*"}, {"offset", "4096"}}),
              HasSubstr("may not point into memory"));
  EXPECT_THAT(error_of({{"location", std::string("w.bin\0x", 7)}}), HasSubstr("zero byte"));
}

TEST_F(external_data, names_what_is_wrong) {
  EXPECT_THAT(error_of({}), HasSubstr("without a location"));
  EXPECT_THAT(error_of({{"location", "gone.bin"}}), HasSubstr("\"gone.bin\": there is no such file in"));
  EXPECT_THAT(error_of({{"location", "."}}), HasSubstr("external data"));
  EXPECT_THAT(error_of({{"location", "w.bin"}, {"offset", "4"}}),
              HasSubstr("8 bytes at offset 4 run past the end of external data \"w.bin\" (8 bytes)"));
  EXPECT_THAT(error_of({{"location", "w.bin"}, {"offset", "18446744073709551615"}}), HasSubstr("run past the end"));
  EXPECT_THAT(error_of({{"location", "w.bin"}, {"offset", "-4"}}), HasSubstr("offset \"-4\" is no number of bytes"));
  EXPECT_THAT(error_of({{"location", "w.bin"}, {"length", "4"}}),
              HasSubstr("need 8 bytes, its external data say length 4"));
}

// The layout of hub caches: named files are links into one folder of blobs.
TEST_F(external_data, follows_links_into_the_folder_where_the_model_really_lies) {
  fs::create_directories(root_ / "blobs");
  fs::create_directories(root_ / "snapshot");
  write(root_ / "blobs/0123", model_bytes({{"location", "m.onnx_data"}}));
  write(root_ / "blobs/4567", kTwoFloats);
  fs::create_symlink("../blobs/0123", root_ / "snapshot/m.onnx");
  fs::create_symlink("../blobs/4567", root_ / "snapshot/m.onnx_data");
  expect_found(root_ / "snapshot/m.onnx");

  write(root_ / "model/m.onnx", model_bytes({{"location", "w.bin"}}));
  fs::create_symlink("../model/m.onnx", root_ / "snapshot/alias.onnx");
  expect_found(root_ / "snapshot/alias.onnx");
}

TEST_F(external_data, of_a_model_from_bytes_needs_a_folder_or_memory) {
  const std::string bytes = model_bytes({{"location", "w.bin"}});
  const auto none = weight(model_from_bytes(as_bytes(bytes), Ownership::copy));
  EXPECT_THAT(none.status().message(), HasSubstr("a model given as bytes has no folder"));

  const auto folder = weight(model_from_bytes(as_bytes(bytes), Ownership::copy, {.external_folder = root_ / "model"}));
  ASSERT_TRUE(folder.ok()) << folder.status().message();
  EXPECT_EQ(load_double(*folder, 1), 2);

  const auto memory = weight(model_from_bytes(as_bytes(bytes), Ownership::lend,
                                              {.external_blobs = {{"w.bin", MappedFile::lend(as_bytes(kTwoFloats))}}}));
  ASSERT_TRUE(memory.ok()) << memory.status().message();
  EXPECT_EQ(memory->raw(), kTwoFloats.data());

  const auto absent = model_from_bytes(as_bytes(bytes), Ownership::copy, {.external_folder = root_ / "nowhere"});
  EXPECT_EQ(absent.status().code(), Code::no_such_file);
}

TEST_F(external_data, checks_the_checksum_on_request) {
  const std::string digest = "7f6e1d7de3ab2d47658382fc453ea1e6b73e05b1";
  write(root_ / "model/m.onnx", model_bytes({{"location", "w.bin"}, {"checksum", digest}}));
  expect_found(root_ / "model/m.onnx", {.checksums = Checksums::verify});

  write(root_ / "model/m.onnx", model_bytes({{"location", "w.bin"}, {"checksum", "beef"}}));
  expect_found(root_ / "model/m.onnx");
  const auto checked = weight(open_model(root_ / "model/m.onnx", {.checksums = Checksums::verify}));
  EXPECT_THAT(checked.status().message(), HasSubstr("the model wants checksum beef, the file has " + digest));
}

TEST_F(external_data, can_be_brought_inside) {
  write(root_ / "model/m.onnx", model_bytes({{"location", "w.bin"}}));
  auto model = open_model(root_ / "model/m.onnx");
  ASSERT_TRUE(model.ok());
  ASSERT_TRUE(bring_external_data_inside(**model).ok());
  ASSERT_TRUE(write_model((*model)->proto, root_ / "alone.onnx").ok());
  expect_found(root_ / "alone.onnx");
}

}  // namespace
}  // namespace sdx::onnx
