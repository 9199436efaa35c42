#include "base/kept_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

namespace sdx {
namespace {

namespace fs = std::filesystem;

class kept_files : public testing::Test {
 protected:
  kept_files() : path_(fs::temp_directory_path() / ("sdx_kept_" + std::to_string(getpid()))) { write("0123456789"); }
  ~kept_files() override { std::remove(path_.c_str()); }
  void write(const std::string& text) const { std::ofstream(path_) << text; }

  std::string path_;
};

ptrdiff_t open_files() {
  const fs::directory_iterator all("/proc/self/fd");
  return std::distance(begin(all), end(all));
}

std::string read(const MappedFile& file, size_t at, size_t bytes) {
  std::string part(bytes, ' ');
  return file.read_part(file.bytes().data() + at, bytes, part.data()) ? part : "nothing";
}

TEST_F(kept_files, a_file_is_open_until_the_last_scope_ends) {
  const auto mapped = MappedFile::open(path_);
  ASSERT_TRUE(mapped.ok());
  const auto before = open_files();
  EXPECT_EQ(read(**mapped, 3, 4), "3456");
  EXPECT_EQ(open_files(), before);
  std::optional<KeptFiles> outer(std::in_place);
  {
    const KeptFiles inner;
    EXPECT_EQ(read(**mapped, 3, 4), "3456");
    EXPECT_EQ(read(**mapped, 5, 2), "56");
    EXPECT_EQ(open_files(), before + 1);
  }
  EXPECT_EQ(open_files(), before + 1);
  outer.reset();
  EXPECT_EQ(open_files(), before);
}

TEST_F(kept_files, what_was_mapped_is_read_whatever_the_path_names_now) {
  const auto mapped = MappedFile::open(path_);
  ASSERT_TRUE(mapped.ok());
  const KeptFiles kept;
  EXPECT_EQ(read(**mapped, 0, 2), "01");
  ASSERT_EQ(std::remove(path_.c_str()), 0);
  write("abcdefghijklm");
  EXPECT_EQ(read(**mapped, 2, 2), "23");
}

TEST_F(kept_files, a_file_that_was_written_to_is_not_read) {
  const auto mapped = MappedFile::open(path_);
  ASSERT_TRUE(mapped.ok());
  const KeptFiles kept;
  EXPECT_EQ(read(**mapped, 0, 2), "01");
  write("abcdefghijklm");
  EXPECT_EQ(read(**mapped, 2, 2), "nothing");
}

}  // namespace
}  // namespace sdx
