#include "onnx/reader.h"

#include <array>
#include <cstring>
#include <new>
#include <protozero/exception.hpp>
#include <protozero/varint.hpp>

#include "onnx/proto_fields.h"
#include "onnx/wire.h"

namespace sdx::onnx {
namespace {

constexpr size_t kMaxDepth = 100;
// Real models without weights reach a third of this.
constexpr size_t kStructBytesPerByte = 64;
constexpr size_t kStructBytesAtLeast = size_t{1} << 20;

constexpr std::array<const char*, 8> kWireNames = {"varint",    "64-bit", "length-delimited", "group",
                                                   "group end", "32-bit", "unknown",          "unknown"};

// Only between read_root, which catches it, and what it calls.
struct ReadError {
  std::string message;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes)
      : begin_(bytes.data()),
        end_(bytes.data() + bytes.size()),
        budget_(kStructBytesAtLeast + bytes.size() * kStructBytesPerByte) {}

  template <typename M>
  void read(M& message, std::string_view bytes) {
    const char* at = bytes.data();
    const char* const end = at + bytes.size();
    while (at != end) {
      const char* const start = at;
      start_ = start;
      const uint64_t key = varint(at, end);
      const auto number = static_cast<uint32_t>(key >> 3);
      const auto wire = static_cast<Wire>(key & 7);
      if (number == 0 || key > UINT32_MAX) fail("{} is no field number", key >> 3);
      const bool known = std::apply(
          [&](const auto&... field) {
            return ((field.number == number && (value(message, field, wire, at, end), true)) || ...);
          },
          FieldsOf<M>::list);
      if (known) continue;
      skip(wire, number, at, end, 0);
      keep_unknown(message.unknown, {start, static_cast<size_t>(at - start)});
    }
  }

  std::string path() const {
    std::string text;
    for (size_t level = 0; level <= depth_ && level < path_.size(); ++level) {
      if (path_[level].name == nullptr) break;
      if (level > 0) text += '.';
      text += path_[level].name;
      if (path_[level].index >= 0) text += formatted("[{}]", path_[level].index);
    }
    return text.empty() ? "message" : text;
  }
  size_t offset() const { return static_cast<size_t>(start_ - begin_); }

 private:
  struct Step {
    const char* name = nullptr;
    int64_t index = -1;
  };

  template <typename... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> text, const Args&... args) {
    throw ReadError{formatted("{}: {} [at offset {} of {}]", path(),
                              format_args_to_text(text, fmt::make_format_args(args...)), offset(), end_ - begin_)};
  }

  void charge(size_t bytes) {
    if (bytes > budget_) fail("too many messages for a file of this size");
    budget_ -= bytes;
  }

  uint64_t varint(const char*& at, const char* end) { return protozero::decode_varint(&at, end); }

  std::string_view delimited(const char*& at, const char* end) {
    const uint64_t length = varint(at, end);
    if (length > static_cast<size_t>(end - at)) {
      const char* whose = end == end_ ? "the end" : "the end of its message";
      throw ReadError{formatted("{}: length {} at offset {} runs past {} ({} bytes)", path(), length, offset(), whose,
                                end - begin_)};
    }
    const std::string_view content(at, length);
    at += length;
    return content;
  }

  void want(Wire wire, Wire wanted) {
    if (wire != wanted) fail("wire type {}, wanted {}", kWireNames[wire], kWireNames[wanted]);
  }

  // Reads one field, whose tag has been read, into its member.
  template <typename M, typename T>
  void value(M& message, const Field<M, T>& field, Wire wire, const char*& at, const char* end) {
    path_[depth_] = {field.name, -1};
    if (field.rule == FieldRule::one_of) clear_others(message, field.number);
    into(message.*field.member, wire, at, end);
    path_[depth_] = {};
  }

  template <typename M>
  static void clear_others(M& message, uint32_t number) {
    const auto clear = [&](const auto& field) {
      if (field.rule == FieldRule::one_of && field.number != number) message.*field.member = {};
    };
    std::apply([&](const auto&... field) { (clear(field), ...); }, FieldsOf<M>::list);
  }

  void into(Text& text, Wire wire, const char*& at, const char* end) {
    want(wire, kDelimited);
    text = delimited(at, end);
  }
  void into(Bytes& bytes, Wire wire, const char*& at, const char* end) {
    want(wire, kDelimited);
    bytes = std::as_bytes(std::span(delimited(at, end)));
  }
  void into(Texts& texts, Wire wire, const char*& at, const char* end) {
    path_[depth_].index = static_cast<int64_t>(texts.size());
    want(wire, kDelimited);
    charge(sizeof(Text));
    texts.push_back(delimited(at, end));
  }
  template <typename T>
  void into(std::optional<T>& number, Wire wire, const char*& at, const char* end) {
    want(wire, wire_of<T>());
    number = one<T>(at, end);
  }
  template <typename T>
  void into(Numbers<T>& numbers, Wire wire, const char*& at, const char* end) {
    if (wire == kDelimited) {
      const std::string_view content = delimited(at, end);
      add(numbers, NumberForm::packed, content, packed_count<T>(content));
      return;
    }
    want(wire, wire_of<T>());
    const char* const from = start_;
    const std::string_view tag(from, static_cast<size_t>(at - from));
    size_t count = 0;
    while (true) {  // unpacked elements usually follow each other
      one<T>(at, end);
      ++count;
      if (!std::string_view(at, static_cast<size_t>(end - at)).starts_with(tag)) break;
      start_ = at;
      at += tag.size();
    }
    add(numbers, NumberForm::tagged, {from, static_cast<size_t>(at - from)}, count);
  }
  template <typename T>
  void add(Numbers<T>& numbers, NumberForm form, std::string_view content, size_t count) {
    if (!numbers.empty()) charge(count * sizeof(T));  // they may have to be decoded
    numbers.append(form, content, count);
  }
  template <typename M>
  void into(Box<M>& box, Wire wire, const char*& at, const char* end) {
    want(wire, kDelimited);
    if (!box) charge(sizeof(M));
    nested(box.make(), delimited(at, end));
  }
  template <typename M>
  void into(std::vector<M>& messages, Wire wire, const char*& at, const char* end) {
    path_[depth_].index = static_cast<int64_t>(messages.size());
    want(wire, kDelimited);
    const std::string_view content = delimited(at, end);
    charge(sizeof(M));
    nested(messages.emplace_back(), content);
  }
  template <typename M>
  void nested(M& message, std::string_view content) {
    if (depth_ + 1 == kMaxDepth) fail("messages are nested deeper than {} levels", kMaxDepth);
    ++depth_;
    read(message, content);
    --depth_;
  }

  template <typename T>
  T one(const char*& at, const char* end) {
    if constexpr (wire_of<T>() == kVarint) {
      return static_cast<T>(varint(at, end));
    } else {
      if (static_cast<size_t>(end - at) < sizeof(T)) fail("{} bytes are needed, {} are left", sizeof(T), end - at);
      T number;
      std::memcpy(&number, at, sizeof(T));
      at += sizeof(T);
      return number;
    }
  }

  template <typename T>
  size_t packed_count(std::string_view content) {
    if constexpr (wire_of<T>() != kVarint) {
      if (content.size() % sizeof(T) != 0)
        fail("{} bytes are no whole number of {}-byte elements", content.size(), sizeof(T));
      return content.size() / sizeof(T);
    } else {
      size_t count = 0;
      for (const char *at = content.data(), *end = at + content.size(); at != end; ++count) varint(at, end);
      return count;
    }
  }

  void skip(Wire wire, uint32_t number, const char*& at, const char* end, size_t groups) {
    const auto skip_bytes = [&](size_t bytes) {
      if (static_cast<size_t>(end - at) < bytes) fail("{} bytes are needed, {} are left", bytes, end - at);
      at += bytes;
    };
    switch (wire) {
      case kVarint: varint(at, end); return;
      case kFixed64: skip_bytes(8); return;
      case kFixed32: skip_bytes(4); return;
      case kDelimited: delimited(at, end); return;
      case kGroup: break;
      default: fail("field {} has wire type {}", number, kWireNames[wire]);
    }
    if (depth_ + groups + 1 >= kMaxDepth) fail("groups are nested deeper than {} levels", kMaxDepth);
    while (true) {
      const uint64_t key = varint(at, end);
      const auto inner = static_cast<uint32_t>(key >> 3);
      if (inner == 0 || key > UINT32_MAX) fail("{} is no field number", key >> 3);
      if ((key & 7) != kGroupEnd) {
        skip(static_cast<Wire>(key & 7), inner, at, end, groups + 1);
        continue;
      }
      if (inner != number) fail("group {} ends as group {}", number, inner);
      return;
    }
  }

  void keep_unknown(UnknownFields& unknown, std::string_view field) {
    if (!unknown.empty() && unknown.back().data() + unknown.back().size() == field.data()) {
      unknown.back() = {unknown.back().data(), unknown.back().size() + field.size()};
      return;
    }
    charge(sizeof(std::string_view));
    unknown.push_back(field);
  }

  const char* begin_;
  const char* end_;
  const char* start_ = nullptr;  // of the field being read
  size_t budget_;
  size_t depth_ = 0;
  std::array<Step, kMaxDepth> path_;
};

template <typename M>
Result<M> read_root(Bytes bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  Reader reader(text);
  try {
    M message;
    reader.read(message, text);
    return message;
  } catch (const ReadError& error) {
    return Status(Code::invalid_protobuf, error.message);
  } catch (const protozero::end_of_buffer_exception&) {
    return make_error(Code::invalid_protobuf,
                      "{}: a number in the field at offset {} runs past the end of its message ({} bytes)",
                      reader.path(), reader.offset(), text.size());
  } catch (const protozero::exception&) {
    return make_error(Code::invalid_protobuf, "{}: a number in the field at offset {} of {} is longer than 10 bytes",
                      reader.path(), reader.offset(), text.size());
  } catch (const std::bad_alloc&) {
    return make_error(Code::runtime_exception, "{}: out of memory at offset {} of {}", reader.path(), reader.offset(),
                      text.size());
  }
}

}  // namespace

Result<ModelProto> read_model(Bytes bytes) {
  if (bytes.empty()) return Status(Code::invalid_protobuf, "the model is empty (0 bytes)");
  SDX_ASSIGN(ModelProto model, read_root<ModelProto>(bytes));
  if (!model.ir_version && !model.graph && model.opset_import.empty() && model.functions.empty())
    return make_error(Code::invalid_protobuf,
                      "{} bytes that hold no ONNX model: no ir_version, graph, opset_import or functions",
                      bytes.size());
  return model;
}
Result<TensorProto> read_tensor(Bytes bytes) { return read_root<TensorProto>(bytes); }
Result<SparseTensorProto> read_sparse_tensor(Bytes bytes) { return read_root<SparseTensorProto>(bytes); }
Result<SequenceProto> read_sequence(Bytes bytes) { return read_root<SequenceProto>(bytes); }
Result<MapProto> read_map(Bytes bytes) { return read_root<MapProto>(bytes); }
Result<OptionalProto> read_optional(Bytes bytes) { return read_root<OptionalProto>(bytes); }
Result<TypeProto> read_type(Bytes bytes) { return read_root<TypeProto>(bytes); }

}  // namespace sdx::onnx
