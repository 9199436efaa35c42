#include "base/mapped_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/sha1.h"

namespace sdx {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class mapped_file : public testing::Test {
 protected:
  mapped_file() : path_(fs::temp_directory_path() / ("sdx_mapped_" + std::to_string(getpid()))) {
    std::ofstream(path_, std::ios::binary) << "weights";
  }
  ~mapped_file() override { fs::remove(path_); }
  std::string path_;
};

std::string text_of(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

TEST_F(mapped_file, changes_stay_private) {
  const auto file = MappedFile::open(path_);
  ASSERT_TRUE(file.ok()) << file.status().message();
  (*file)->writable_bytes()[0] = std::byte{'W'};
  (*file)->give_pages_back();  // keeps what was written
  EXPECT_EQ((*file)->bytes()[0], std::byte{'W'});
  EXPECT_EQ(text_of(**file), "Weights");
  const auto other = MappedFile::open(path_);
  ASSERT_TRUE(other.ok());
  EXPECT_EQ(text_of(**other), "weights");
  EXPECT_EQ((*file)->identity(), (*other)->identity());
  EXPECT_EQ((*file)->identity().bytes, 7u);
}

TEST_F(mapped_file, errors_name_the_file) {
  const auto absent = MappedFile::open(path_ + ".gone");
  EXPECT_EQ(absent.status().code(), Code::no_such_file);
  EXPECT_THAT(absent.status().message(), HasSubstr(path_ + ".gone"));
  EXPECT_EQ(MappedFile::open(path_ + "/inside").status().code(), Code::no_such_file);
  EXPECT_THAT(MappedFile::open("/").status().message(), HasSubstr("is a directory"));
  EXPECT_THAT(MappedFile::open("/dev/null").status().message(), HasSubstr("no regular file"));
  const std::string pipe = path_ + ".pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(MappedFile::open(pipe).status().message(), HasSubstr("no regular file"));
  fs::remove(pipe);
  if (geteuid() == 0) return;  // root may read everything
  fs::permissions(path_, fs::perms::none);
  EXPECT_THAT(MappedFile::open(path_).status().message(), HasSubstr("Permission denied"));
}

TEST_F(mapped_file, may_be_empty) {
  fs::resize_file(path_, 0);
  const auto file = MappedFile::open(path_);
  ASSERT_TRUE(file.ok());
  EXPECT_TRUE((*file)->bytes().empty());
}

TEST(lent_memory, is_neither_copied_nor_written) {
  const std::string text = "lent";
  const auto lent = MappedFile::lend(std::as_bytes(std::span(text)));
  EXPECT_EQ(static_cast<const void*>(lent->bytes().data()), text.data());
  EXPECT_FALSE(lent->writable());
  EXPECT_THROW((void)lent->writable_bytes(), InternalError);
  const auto copy = MappedFile::copy_of(lent->bytes());
  ASSERT_TRUE(copy.ok());
  EXPECT_TRUE((*copy)->writable());
  EXPECT_EQ(text_of(**copy), "lent");
}

// The examples that NIST publishes with FIPS 180-4.
TEST(sha1, published_examples) {
  const auto digest = [](const std::string& text) { return sha1_hex(std::as_bytes(std::span(text))); };
  EXPECT_EQ(digest(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(digest("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  EXPECT_EQ(digest(std::string(1000000, 'a')), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

TEST_F(mapped_file, a_part_is_read_through_the_file_while_it_is_the_same) {
  const std::string path = testing::TempDir() + "mapped_file_part";
  const auto write = [&](const std::string& text) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << text;
  };
  write("0123456789");
  auto mapped = MappedFile::open(path);
  ASSERT_TRUE(mapped.ok());
  const std::byte* data = (*mapped)->bytes().data();
  std::string part(4, ' ');
  ASSERT_TRUE((*mapped)->read_part(data + 3, 4, part.data()));
  EXPECT_EQ(part, "3456");
  EXPECT_FALSE((*mapped)->read_part(data + 7, 4, part.data()));  // beyond its end
  EXPECT_FALSE((*mapped)->read_part(part.data(), 4, part.data()));
  ASSERT_EQ(std::remove(path.c_str()), 0);
  write("abcdefghijklm");  // another file of that name
  EXPECT_FALSE((*mapped)->read_part(data + 3, 4, part.data()));
  std::remove(path.c_str());
}

}  // namespace
}  // namespace sdx
