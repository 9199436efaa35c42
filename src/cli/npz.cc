// numpy's .npz: a ZIP archive of .npy files. Read through the central directory; deflate by zlib.
#include <zlib.h>

#include <cstring>

#include "cli/exit_code.h"
#include "cli/files.h"

namespace sdx::cli {
namespace {

constexpr uint32_t kEndSignature = 0x06054b50, kEntrySignature = 0x02014b50, kLocalSignature = 0x04034b50;

class Reader {
 public:
  Reader(const std::string& bytes, const std::string& path) : bytes_(bytes), path_(path) {}

  uint64_t number(size_t at, size_t width) const {
    if (at > bytes_.size() || width > bytes_.size() - at) fail("is cut off");
    uint64_t value = 0;
    for (size_t i = 0; i < width; ++i)
      value |= static_cast<uint64_t>(static_cast<unsigned char>(bytes_[at + i])) << (8 * i);
    return value;
  }
  std::string_view text(size_t at, size_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at) fail("is cut off");
    return std::string_view(bytes_).substr(at, size);
  }
  size_t find_end() const {
    for (size_t at = bytes_.size() < 22 ? 0 : bytes_.size() - 22; bytes_.size() >= 22; --at) {
      if (number(at, 4) == kEndSignature) return at;
      if (at == 0) break;
    }
    fail("is no ZIP archive");
  }
  [[noreturn]] void fail(const std::string& what) const { throw CliError(kBadFile, path_ + " " + what); }

 private:
  const std::string& bytes_;
  const std::string& path_;
};

std::string inflate_whole(std::string_view packed, size_t size, const Reader& reader) {
  if (size > packed.size() * 1100 + 64)
    reader.fail("has a member with an impossible size");  // deflate packs 1032 to 1 at best
  std::string out(size, '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) reader.fail("cannot be unpacked");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(size);
  const int result = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  if (result != Z_STREAM_END || stream.avail_out != 0) reader.fail("has a damaged member");
  return out;
}

}  // namespace

std::map<std::string, std::string> read_npz(const std::string& path) {
  const std::string bytes = read_file(path);
  const Reader reader(bytes, path);
  const size_t end = reader.find_end();
  const auto entries = reader.number(end + 10, 2);
  size_t at = reader.number(end + 16, 4);
  std::map<std::string, std::string> members;
  for (uint64_t i = 0; i < entries; ++i) {
    if (reader.number(at, 4) != kEntrySignature) reader.fail("has a damaged directory");
    const auto method = reader.number(at + 10, 2);
    const size_t packed = reader.number(at + 20, 4), size = reader.number(at + 24, 4);
    const size_t name_size = reader.number(at + 28, 2), extra = reader.number(at + 30, 2),
                 comment = reader.number(at + 32, 2);
    const size_t local = reader.number(at + 42, 4);
    std::string name(reader.text(at + 46, name_size));
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
    if (reader.number(local, 4) != kLocalSignature) reader.fail("has a damaged member");
    const size_t data = local + 30 + reader.number(local + 26, 2) + reader.number(local + 28, 2);
    const std::string_view content = reader.text(data, packed);
    if (method != 0 && method != 8) reader.fail("has a member packed by method " + std::to_string(method));
    members.emplace(std::move(name), method == 0 ? std::string(content) : inflate_whole(content, size, reader));
    at += 46 + name_size + extra + comment;
  }
  return members;
}

}  // namespace sdx::cli
