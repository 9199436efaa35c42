#include "cli/model_inputs.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>

#include "cli/exit_code.h"
#include "cli/files.h"

namespace sdx::cli {
namespace {

using sardonyx::DataType;

const sardonyx::InputOutput* find_input(const sardonyx::Session& session, const std::string& name) {
  for (const auto* list : {&session.inputs(), &session.overridable()})
    for (const sardonyx::InputOutput& input : *list)
      if (input.name == name) return &input;
  return nullptr;
}

sardonyx::Shape parse_shape(const std::string& text, const std::string& spec) {
  sardonyx::Shape shape;
  size_t at = 0;
  while (at < text.size()) {
    size_t used = 0;
    try {
      shape.push_back(std::stoll(text.substr(at), &used));
    } catch (const std::exception&) {
      throw CliError(kUsage, "--input " + spec + ": the shape is written like 1x3x224x224");
    }
    if (shape.back() < 0) throw CliError(kUsage, "--input " + spec + ": a dimension is negative");
    at += used;
    if (at < text.size() && text[at++] != 'x')
      throw CliError(kUsage, "--input " + spec + ": the shape is written like 1x3x224x224");
  }
  return shape;
}

sardonyx::Value read_value(const std::string& source, const sardonyx::InputOutput& input, const std::string& spec,
                           uint64_t seed, Draw draw) {
  if (source.starts_with("random:"))
    return random_value(input.type.data_type, parse_shape(source.substr(7), spec), seed, draw);
  if (source.ends_with(".pb")) return sardonyx::Value::from_proto(read_file(source), input.type.kind);
  if (source.ends_with(".npy")) return parse_npy(read_file(source), source);
  throw CliError(kUsage, "--input " + spec + ": a .npy, .pb or .npz file or random:SHAPE is wanted");
}

// Bits of an element: sign, exponent and fraction of a floating type, or an integer. Little-endian.
uint64_t special_bits(DataType type, size_t width, std::mt19937_64& random) {
  int fraction = 0, bias = 0;
  switch (type) {
    case DataType::f32: fraction = 23, bias = 127; break;
    case DataType::f64: fraction = 52, bias = 1023; break;
    case DataType::f16: fraction = 10, bias = 15; break;
    case DataType::bf16: fraction = 7, bias = 127; break;
    case DataType::boolean: return random() & 1;
    default: break;
  }
  const uint64_t sign = (random() & 1) << (width * 8 - 1);
  if (bias == 0) {
    if (random() % 8 == 0) return sign == 0 ? ~(uint64_t{1} << (width * 8 - 1)) : sign;  // the ends, if it has a sign
    return random() % 17 - 8;
  }
  const uint64_t infinity = static_cast<uint64_t>(2 * bias + 1) << fraction, quiet = uint64_t{1} << (fraction - 1);
  switch (random() % 16) {
    case 0: return infinity | quiet;
    case 1: return sign | infinity;
    case 2: return sign;
    case 3: return sign | 1;
    default:  // 1/4 to 4
      return sign | static_cast<uint64_t>(bias - 2 + static_cast<int>(random() % 4)) << fraction |
             (random() & ((uint64_t{1} << fraction) - 1));
  }
}

}  // namespace

sardonyx::Value random_value(DataType type, const sardonyx::Shape& shape, uint64_t seed, Draw draw) {
  std::mt19937_64 random(seed);
  size_t count = 1;
  for (const int64_t dim : shape)
    if (__builtin_mul_overflow(count, static_cast<size_t>(dim), &count))
      throw CliError(kUsage, "the shape of a random input is too large");
  if (type == DataType::string) {
    std::vector<std::string> texts(count);
    for (std::string& text : texts) text = std::string(1, static_cast<char>('a' + random() % 26));
    return sardonyx::Value::strings(texts, shape);
  }
  sardonyx::Value value = sardonyx::Value::allocate(type, shape);
  const auto bytes = value.mutable_bytes();
  if (const size_t width = static_cast<size_t>(sardonyx::bits(type)) / 8;
      draw == Draw::special && std::has_single_bit(width) && width <= 8) {
    for (size_t i = 0; i + width <= bytes.size(); i += width) {
      const uint64_t code = special_bits(type, width, random);
      std::memcpy(&bytes[i], &code, width);
    }
    return value;
  }
  const auto unit = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  if (type == DataType::f32) {
    for (float& v : value.mutable_values<float>()) v = static_cast<float>(unit());
  } else if (type == DataType::f64) {
    for (double& v : value.mutable_values<double>()) v = unit();
  } else if (type == DataType::f16 || type == DataType::bf16) {
    // A quarter to one: an exponent just below that of 1 and a random fraction.
    const int fraction = type == DataType::f16 ? 10 : 7, one = type == DataType::f16 ? 15 : 127;
    for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
      const auto code =
          static_cast<uint16_t>(static_cast<uint64_t>(one - 1 - static_cast<int>(random() & 1)) << fraction |
                                (random() & ((1u << fraction) - 1)));
      bytes[i] = static_cast<std::byte>(code & 0xFF);
      bytes[i + 1] = static_cast<std::byte>(code >> 8);
    }
  } else {
    std::ranges::fill(bytes, std::byte{0});
    const size_t width = static_cast<size_t>(sardonyx::bits(type)) / 8;
    if (width > 0)
      for (size_t i = 0; i < bytes.size(); i += width) bytes[i] = static_cast<std::byte>(random() & 1);
  }
  return value;
}

std::vector<NamedValue> read_inputs(const sardonyx::Session& session, const std::vector<std::string>& specs,
                                    uint64_t seed, Draw draw) {
  std::vector<NamedValue> values;
  for (const std::string& spec : specs) {
    if (spec.ends_with(".npz") && spec.find('=') == std::string::npos) {
      for (const auto& [name, bytes] : read_npz(spec)) {
        if (find_input(session, name) == nullptr)
          throw CliError(kUsage, spec + ": the model has no input \"" + name + "\"");
        values.push_back({name, parse_npy(bytes, spec + ":" + name)});
      }
      continue;
    }
    const size_t equals = spec.find('=');
    if (equals == std::string::npos)
      throw CliError(kUsage, "--input " + spec + ": write NAME=FILE, NAME=random:SHAPE or FILE.npz");
    const std::string name = spec.substr(0, equals);
    const sardonyx::InputOutput* input = find_input(session, name);
    if (input == nullptr) throw CliError(kUsage, "--input " + spec + ": the model has no input \"" + name + "\"");
    values.push_back({name, read_value(spec.substr(equals + 1), *input, spec, seed + values.size(), draw)});
  }
  std::string missing;
  for (const sardonyx::InputOutput& input : session.inputs()) {
    if (std::ranges::any_of(values, [&](const NamedValue& value) { return value.name == input.name; })) continue;
    if (input.type.kind == sardonyx::Kind::optional) continue;
    missing += "\n  --input " + input.name + "=FILE.npy    # " + sardonyx::to_text(input.type);
  }
  if (!missing.empty()) throw CliError(kUsage, "these inputs are missing:" + missing);
  return values;
}

}  // namespace sdx::cli
