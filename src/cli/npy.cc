// numpy's .npy: magic, version, a header that is a Python dictionary, the elements.
#include <cctype>
#include <cstring>
#include <limits>

#include "cli/exit_code.h"
#include "cli/files.h"

namespace sdx::cli {
namespace {

using sardonyx::DataType;

struct Header {
  std::string descr;
  bool fortran = false;
  sardonyx::Shape shape;
  size_t data = 0;  // offset of the elements
};

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw CliError(kBadFile, path + ": " + what);
}

// The text behind 'key': in the dictionary.
std::string_view field(std::string_view header, std::string_view key, const std::string& path) {
  const size_t at = header.find("'" + std::string(key) + "'");
  const size_t colon = at == std::string_view::npos ? at : header.find(':', at);
  if (colon == std::string_view::npos) fail(path, "the .npy header has no " + std::string(key));
  return header.substr(colon + 1);
}

Header parse_header(std::string_view bytes, const std::string& path) {
  if (bytes.size() < 12 || bytes.substr(0, 6) != std::string_view("\x93NUMPY", 6)) fail(path, "not a .npy file");
  const bool wide = bytes[6] >= 2;
  size_t length = 0;
  for (int i = 0; i < (wide ? 4 : 2); ++i)
    length |= static_cast<size_t>(static_cast<unsigned char>(bytes[8 + static_cast<size_t>(i)])) << (8 * i);
  const size_t start = wide ? 12 : 10;
  if (length > bytes.size() - start) fail(path, "the .npy header is cut off");
  const std::string_view text = bytes.substr(start, length);
  Header header;
  header.data = start + length;
  const std::string_view descr = field(text, "descr", path);
  const size_t open = descr.find('\''), close = descr.find('\'', open + 1);
  if (open == std::string_view::npos || close == std::string_view::npos)
    fail(path, "structured arrays are not supported");
  header.descr = descr.substr(open + 1, close - open - 1);
  std::string_view order = field(text, "fortran_order", path);
  while (!order.empty() && order[0] == ' ') order.remove_prefix(1);
  header.fortran = order.substr(0, 4) == "True";
  std::string_view dims = field(text, "shape", path);
  dims = dims.substr(0, dims.find(')'));
  for (size_t i = 0; i < dims.size();) {
    if (!std::isdigit(static_cast<unsigned char>(dims[i]))) {
      ++i;
      continue;
    }
    int64_t dim = 0;
    for (; i < dims.size() && std::isdigit(static_cast<unsigned char>(dims[i])); ++i)
      if (__builtin_mul_overflow(dim, 10, &dim) || __builtin_add_overflow(dim, dims[i] - '0', &dim))
        fail(path, "a dimension is too large");
    header.shape.push_back(dim);
  }
  return header;
}

struct TypeName {
  const char* descr;
  DataType type;
};
constexpr TypeName kTypes[] = {{"f4", DataType::f32}, {"f8", DataType::f64},  {"f2", DataType::f16},
                               {"i1", DataType::i8},  {"i2", DataType::i16},  {"i4", DataType::i32},
                               {"i8", DataType::i64}, {"u1", DataType::u8},   {"u2", DataType::u16},
                               {"u4", DataType::u32}, {"u8", DataType::u64},  {"b1", DataType::boolean},
                               {"c8", DataType::c64}, {"c16", DataType::c128}};

void append_utf8(std::string& out, uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (code >> 18 & 7));
    out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

std::vector<std::string> parse_strings(std::string_view data, char kind, size_t width, size_t count,
                                       const std::string& path) {
  const size_t bytes = kind == 'U' ? width * 4 : width;
  if (bytes != 0 && data.size() / bytes < count) fail(path, "the elements are cut off");
  std::vector<std::string> texts;
  for (size_t i = 0; i < count; ++i) {
    std::string text;
    for (size_t k = 0; k < width; ++k) {
      uint32_t code = 0;
      if (kind == 'U') {
        std::memcpy(&code, data.data() + i * bytes + k * 4, 4);
      } else {
        code = static_cast<unsigned char>(data[i * bytes + k]);
      }
      if (code == 0) break;  // padding
      if (kind == 'U') {
        append_utf8(text, code);
      } else {
        text += static_cast<char>(code);
      }
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace

sardonyx::Value parse_npy(std::string_view bytes, const std::string& path) {
  const Header header = parse_header(bytes, path);
  if (header.fortran && header.shape.size() > 1)
    fail(path, "Fortran order is not supported: save numpy.ascontiguousarray(x)");
  size_t count = 1;
  for (const int64_t dim : header.shape)
    if (__builtin_mul_overflow(count, static_cast<size_t>(dim), &count)) fail(path, "the shape is too large");
  const std::string_view data = bytes.substr(header.data);
  if (header.descr.size() < 2 || header.descr[0] == '>') fail(path, "type " + header.descr + " is not supported");
  const std::string kind = header.descr.substr(1);
  if (kind[0] == 'U' || kind[0] == 'S') {
    const size_t width = static_cast<size_t>(std::strtoul(kind.c_str() + 1, nullptr, 10));
    if (width > data.size() && count > 0) fail(path, "the elements are cut off");
    return sardonyx::Value::strings(parse_strings(data, kind[0], width, count, path), header.shape);
  }
  for (const TypeName& known : kTypes) {
    if (kind != known.descr) continue;
    const size_t width = static_cast<size_t>(sardonyx::bits(known.type)) / 8;
    if (data.size() / width < count) fail(path, "the elements are cut off");
    return sardonyx::Value::from_bytes(known.type, std::as_bytes(std::span(data.data(), count * width)), header.shape);
  }
  fail(path, "type " + header.descr + " is not supported");
}

std::string format_npy(const sardonyx::Value& tensor) {
  const DataType type = tensor.data_type();
  sardonyx::Shape shape = tensor.shape();
  std::string descr, body;
  if (type == DataType::string) {
    const std::vector<std::string> texts = tensor.strings();
    size_t width = 1;
    for (const std::string& text : texts) width = std::max(width, text.size());
    descr = "|S" + std::to_string(width);
    for (const std::string& text : texts) body += text + std::string(width - text.size(), '\0');
  } else {
    const auto bytes = tensor.bytes();
    body.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    for (const TypeName& known : kTypes)
      if (known.type == type) descr = (sardonyx::bits(type) > 8 ? "<" : "|") + std::string(known.descr);
    if (descr.empty()) {
      descr = sardonyx::bits(type) == 16 ? "<u2" : "|u1";
      if (sardonyx::bits(type) < 8) shape = {static_cast<int64_t>(bytes.size())};
    }
  }
  std::string dims;
  for (const int64_t dim : shape) dims += std::to_string(dim) + ", ";
  std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + dims + "), }";
  header += std::string(63 - (10 + header.size()) % 64, ' ') + "\n";
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(header.size() & 0xFF);
  out += static_cast<char>(header.size() >> 8);
  return out + header + body;
}

}  // namespace sdx::cli
