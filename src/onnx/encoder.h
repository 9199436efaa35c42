// Messages to protobuf bytes, by the field tables. Sizes are found in one walk and used up by a second one that writes.
#pragma once

#include <map>

#include "onnx/proto_fields.h"
#include "onnx/sink.h"
#include "onnx/wire.h"

namespace sdx::onnx {

// What is written instead of a tensor that moved to the external file.
using Replaced = std::map<const TensorProto*, TensorProto>;

// Negative int32 take ten bytes, as int64 do.
template <typename T>
uint64_t widen(T number) {
  return static_cast<uint64_t>(static_cast<int64_t>(number));
}
template <typename T>
size_t number_size(T number) {
  if constexpr (wire_of<T>() == kVarint) return varint_size(widen(number));
  return sizeof(T);
}

// Sizes are found in one walk, kept in the order of the walk, and used up by a second walk that writes.
class Encoder {
 public:
  explicit Encoder(const Replaced& replaced) : replaced_(replaced) {}

  template <typename M>
  size_t measure(const M& message) {
    const M& real = instead(message);
    const size_t slot = sizes_.size();
    sizes_.push_back(0);
    size_t total = 0;
    std::apply([&](const auto&... field) { ((total += measure_field(field, real.*field.member)), ...); },
               FieldsOf<M>::list);
    for (const auto& piece : real.unknown) total += piece.size();
    sizes_[slot] = total;
    return total;
  }

  template <typename M>
  void write(const M& message, Sink& sink) {
    const M& real = instead(message);
    ++next_;
    std::apply([&](const auto&... field) { (write_field(field, real.*field.member, sink), ...); }, FieldsOf<M>::list);
    for (const auto& piece : real.unknown) sink.put(piece);
  }

 private:
  template <typename M>
  const M& instead(const M& message) const {
    if constexpr (std::is_same_v<M, TensorProto>) {
      if (const auto found = replaced_.find(&message); found != replaced_.end()) return found->second;
    }
    return message;
  }

  static size_t tag_size(uint32_t number) { return varint_size(uint64_t{number} << 3); }
  static void put_tag(uint32_t number, Wire wire, Sink& sink) { sink.put_varint(uint64_t{number} << 3 | wire); }
  static size_t delimited_size(uint32_t number, size_t length) {
    return tag_size(number) + varint_size(length) + length;
  }
  static void put_delimited(uint32_t number, std::string_view content, Sink& sink) {
    put_tag(number, kDelimited, sink);
    sink.put_varint(content.size());
    sink.put(content);
  }
  static std::string_view as_text(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

  template <typename F>
  size_t measure_field(const F& field, const Text& text) {
    return text.data() == nullptr ? 0 : delimited_size(field.number, text.size());
  }
  template <typename F>
  size_t measure_field(const F& field, const Bytes& bytes) {
    return measure_field(field, as_text(bytes));
  }
  template <typename F>
  size_t measure_field(const F& field, const Texts& texts) {
    size_t total = 0;
    for (const Text text : texts) total += delimited_size(field.number, text.size());
    return total;
  }
  template <typename F, typename T>
  size_t measure_field(const F& field, const std::optional<T>& number) {
    return number ? tag_size(field.number) + number_size(*number) : 0;
  }
  template <typename F, typename M>
  size_t measure_field(const F& field, const Box<M>& box) {
    return box ? delimited_size(field.number, measure(*box)) : 0;
  }
  template <typename F, typename M>
  size_t measure_field(const F& field, const std::vector<M>& messages) {
    size_t total = 0;
    for (const auto& message : messages) total += delimited_size(field.number, measure(message));
    return total;
  }
  template <typename F, typename T>
  size_t measure_field(const F& field, const Numbers<T>& numbers) {
    if (numbers.empty()) return 0;
    if (has_tag(numbers, field.number)) return numbers.encoded().size();
    if (numbers.form() == NumberForm::packed) return delimited_size(field.number, numbers.encoded().size());
    if (field.rule == FieldRule::packed) return delimited_size(field.number, native_size(numbers));
    return native_size(numbers) + numbers.size() * tag_size(field.number);
  }
  // Whether the encoded elements carry the tag of this very field: they may have been copied from another one.
  template <typename T>
  static bool has_tag(const Numbers<T>& numbers, uint32_t number) {
    if (numbers.form() != NumberForm::tagged) return false;
    std::string tag;
    Sink sink(tag);
    put_tag(number, wire_of<T>(), sink);
    return numbers.encoded().starts_with(tag);
  }
  template <typename T>
  static size_t native_size(const Numbers<T>& numbers) {
    if constexpr (wire_of<T>() != kVarint) return numbers.size() * sizeof(T);
    size_t total = 0;
    for (const T number : numbers.values()) total += number_size(number);
    return total;
  }

  template <typename F>
  void write_field(const F& field, const Text& text, Sink& sink) {
    if (text.data() != nullptr) put_delimited(field.number, text, sink);
  }
  template <typename F>
  void write_field(const F& field, const Bytes& bytes, Sink& sink) {
    write_field(field, as_text(bytes), sink);
  }
  template <typename F>
  void write_field(const F& field, const Texts& texts, Sink& sink) {
    for (const Text text : texts) put_delimited(field.number, text, sink);
  }
  template <typename F, typename T>
  void write_field(const F& field, const std::optional<T>& number, Sink& sink) {
    if (!number) return;
    put_tag(field.number, wire_of<T>(), sink);
    put_number(*number, sink);
  }
  template <typename F, typename M>
  void write_field(const F& field, const Box<M>& box, Sink& sink) {
    if (box) write_nested(field.number, *box, sink);
  }
  template <typename F, typename M>
  void write_field(const F& field, const std::vector<M>& messages, Sink& sink) {
    for (const auto& message : messages) write_nested(field.number, message, sink);
  }
  template <typename M>
  void write_nested(uint32_t number, const M& message, Sink& sink) {
    put_tag(number, kDelimited, sink);
    sink.put_varint(sizes_[next_]);
    write(message, sink);
  }
  template <typename F, typename T>
  void write_field(const F& field, const Numbers<T>& numbers, Sink& sink) {
    if (numbers.empty()) return;
    if (has_tag(numbers, field.number)) return sink.put(numbers.encoded());
    if (numbers.form() == NumberForm::packed) return put_delimited(field.number, numbers.encoded(), sink);
    const bool packed = field.rule == FieldRule::packed;
    if (packed) {
      put_tag(field.number, kDelimited, sink);
      sink.put_varint(native_size(numbers));
    }
    for (const T number : numbers.values()) {
      if (!packed) put_tag(field.number, wire_of<T>(), sink);
      put_number(number, sink);
    }
  }
  template <typename T>
  static void put_number(T number, Sink& sink) {
    if constexpr (wire_of<T>() == kVarint) {
      sink.put_varint(widen(number));
    } else {
      sink.put({reinterpret_cast<const char*>(&number), sizeof(T)});
    }
  }

  const Replaced& replaced_;
  std::vector<size_t> sizes_;
  size_t next_ = 0;
};

}  // namespace sdx::onnx
