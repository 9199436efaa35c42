#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/element.h"
#include "graph/text.h"

namespace sdx {
namespace {

constexpr int kMaxDepth = 64;

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Graph> parse() {
    Graph root;
    SDX_TRY(graph(root, nullptr, 0));
    skip();
    if (at_ != text_.size()) return fail("unexpected text after the graph");
    return root;
  }

 private:
  Status fail(std::string_view what) const {
    size_t line = 1;
    for (size_t i = 0; i < at_ && i < text_.size(); ++i) line += text_[i] == '\n';
    return invalid_argument("graph text, line {}: {} (at \"{}\")", line, what,
                            text_.substr(std::min(at_, text_.size()), 24));
  }
  void skip() {
    while (at_ < text_.size()) {
      if (text_.substr(at_, 2) == "//") {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (std::isspace(static_cast<unsigned char>(text_[at_]))) {
        ++at_;
      } else {
        return;
      }
    }
  }
  bool take(std::string_view token) {
    skip();
    if (text_.substr(at_, token.size()) != token) return false;
    const bool word = std::isalnum(static_cast<unsigned char>(token.back())) != 0;
    const size_t end = at_ + token.size();
    if (word && end < text_.size() &&
        (std::isalnum(static_cast<unsigned char>(text_[end])) || text_[end] == '_' || text_[end] == '.'))
      return false;
    at_ = end;
    return true;
  }
  Status expect(std::string_view token) {
    if (!take(token)) return fail(formatted("'{}' is expected", token));
    return {};
  }

  Result<std::string> string() {
    SDX_TRY(expect("\""));
    std::string out;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\' && at_ + 3 < text_.size() && text_[at_ + 1] == 'x') {
        out += static_cast<char>(std::strtol(std::string(text_.substr(at_ + 2, 2)).c_str(), nullptr, 16));
        at_ += 4;
        continue;
      }
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      out += text_[at_++];
    }
    if (at_ >= text_.size()) return fail("a string does not end");
    ++at_;
    return out;
  }

  Result<std::string> name() {
    skip();
    if (at_ < text_.size() && text_[at_] == '"') return string();
    const size_t first = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) ||
                                  std::string_view("_./#").find(text_[at_]) != std::string_view::npos))
      ++at_;
    if (at_ == first) return fail("a name is expected");
    return std::string(text_.substr(first, at_ - first));
  }

  // The text up to the next of `ends` outside parentheses and quotes.
  std::string_view until(std::string_view ends) {
    skip();
    const size_t first = at_;
    int depth = 0;
    bool quoted = false;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"') quoted = !quoted;
      if (quoted) continue;
      if (depth == 0 && ends.find(c) != std::string_view::npos) break;
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    }
    return text_.substr(first, at_ - first);
  }

  Result<double> number() {
    skip();
    const std::string token(until(",}] \n"));
    char* end = nullptr;
    const double value = std::strtod(token.c_str(), &end);
    if (token.empty() || *end != '\0') return fail(formatted("'{}' is no number", token));
    return value;
  }

  Result<Fact> fact(SymbolTable& symbols, int depth = 0) {
    if (depth > kMaxDepth) return fail("a type is nested too deep");
    if (take("?")) {
      if (at_ < text_.size() && text_[at_] == '[') return tensor_fact(DType::undefined, symbols);
      return Fact();
    }
    for (const auto& [word, kind] : {std::pair("seq(", ValueKind::sequence), std::pair("opt(", ValueKind::optional)}) {
      if (!take(word)) continue;
      SDX_ASSIGN(Fact inner, fact(symbols, depth + 1));
      SDX_TRY(expect(")"));
      return kind == ValueKind::sequence ? Fact::sequence(std::move(inner)) : Fact::optional(std::move(inner));
    }
    if (take("map(")) {
      Fact made;
      made.kind = ValueKind::map;
      SDX_ASSIGN(made.dtype, dtype());
      SDX_TRY(expect(","));
      SDX_ASSIGN(Fact inner, fact(symbols, depth + 1));
      made.inner.push_back(std::move(inner));
      SDX_TRY(expect(")"));
      return made;
    }
    const bool sparse = take("sparse");
    SDX_ASSIGN(const DType type, dtype());
    SDX_ASSIGN(Fact made, tensor_fact(type, symbols));
    if (sparse) made.kind = ValueKind::sparse;
    return made;
  }

  Result<DType> dtype() {
    SDX_ASSIGN(const std::string word, name());
    const auto type = dtype_from_name(word);
    if (!type) return fail(formatted("unknown element type {}", word));
    return *type;
  }

  Result<Fact> tensor_fact(DType type, SymbolTable& symbols) {
    SDX_TRY(expect("["));
    Fact made = Fact::tensor(type);
    if (take("...]")) return made;
    SDX_ASSIGN(made.shape, dims(symbols, "]"));
    return made;
  }

  Result<std::vector<Dim>> dims(SymbolTable& symbols, std::string_view end) {
    std::vector<Dim> list;
    if (take(end)) return list;
    while (true) {
      SDX_ASSIGN(Dim dim, symbols.parse(trimmed(until("," + std::string(end)))));
      list.push_back(std::move(dim));
      if (take(end)) return list;
      SDX_TRY(expect(","));
    }
  }
  static std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
  }

  // {1, 2, 3} of a type and shape.
  Result<Tensor> elements(DType type, const Shape& shape) {
    SDX_TRY(expect("{"));
    const auto count = checked_count(shape);
    if (!count) return fail("an impossible shape");
    if (type == DType::string) {
      StringTensorBuilder builder;
      for (int64_t i = 0; i < *count; ++i) {
        if (i > 0) SDX_TRY(expect(","));
        SDX_ASSIGN(const std::string text, string());
        builder.append(text);
      }
      SDX_TRY(expect("}"));
      return builder.finish(shape);
    }
    SDX_ASSIGN(Tensor tensor, Tensor::allocate(type, shape));
    for (int64_t i = 0; i < *count; ++i) {
      if (i > 0) SDX_TRY(expect(","));
      if (is_integer(type) || type == DType::boolean) {
        const std::string token(until(",}"));
        store_i64(tensor, i,
                  type == DType::u64 ? static_cast<int64_t>(std::strtoull(token.c_str(), nullptr, 10))
                                     : std::strtoll(token.c_str(), nullptr, 10));
        continue;
      }
      SDX_ASSIGN(const double value, number());
      if (is_complex(type)) {
        SDX_TRY(expect(","));
        SDX_ASSIGN(const double imaginary, number());
        store_complex(type, tensor.raw(), i, {value, imaginary});
      } else {
        store_double(tensor, i, value);
      }
    }
    SDX_TRY(expect("}"));
    return tensor;
  }

  struct Declared {
    std::string name;
    Fact fact;
  };
  // name: fact <elements>
  Result<Declared> declared(SymbolTable& symbols) {
    Declared made;
    SDX_ASSIGN(made.name, name());
    SDX_TRY(expect(":"));
    SDX_ASSIGN(made.fact, fact(symbols));
    if (take("<")) {
      SDX_ASSIGN(made.fact.elements, dims(symbols, ">"));
    }
    return made;
  }

  Result<Tensor> weight(const Declared& value) {
    const auto shape = value.fact.known_shape();
    if (!shape) return fail("a constant has a symbolic shape");
    return elements(value.fact.dtype, *shape);
  }

  Result<ValueId> use(const Graph& graph) {
    if (take("_") && !std::isalnum(static_cast<unsigned char>(at_ < text_.size() ? text_[at_] : ' '))) return kNoValue;
    SDX_ASSIGN(const std::string word, name());
    const auto id = graph.find_value(word);
    if (!id) return fail(formatted("no value is named {}", word));
    return *id;
  }

  Status graph(Graph& graph, Graph* outer, int depth) {
    if (depth > kMaxDepth) return fail("graphs are nested too deep");
    SDX_TRY(expect("graph"));
    SDX_ASSIGN(graph.name, string());
    SDX_TRY(expect("{"));
    while (!take("}")) {
      if (take("capture")) {
        if (outer == nullptr) return fail("a root graph captures nothing");
        SDX_ASSIGN(const ValueId from, use(*outer));
        SDX_TRY(expect("as"));
        SDX_ASSIGN(Declared inner, declared(graph.symbols()));
        graph.add_capture(from, inner.name, std::move(inner.fact));
      } else if (take("input")) {
        SDX_ASSIGN(Declared value, declared(graph.symbols()));
        const ValueId id = graph.add_input(value.name, value.fact);
        if (take("=")) {
          SDX_ASSIGN(Tensor initial, weight(value));
          graph.value(id).is_initializer = true;
          graph.value(id).initial = std::move(initial);
        }
      } else if (take("init")) {
        SDX_ASSIGN(const Declared value, declared(graph.symbols()));
        SDX_TRY(expect("="));
        SDX_ASSIGN(Tensor tensor, weight(value));
        graph.add_initializer(value.name, std::move(tensor));
      } else if (take("output")) {
        SDX_ASSIGN(const ValueId id, use(graph));
        graph.add_output(id);
      } else {
        SDX_TRY(node(graph, depth));
      }
    }
    return {};
  }

  Status node(Graph& graph, int depth) {
    Node made;
    do {
      if (take("_")) {
        made.outputs.push_back(kNoValue);
      } else {
        SDX_ASSIGN(Declared value, declared(graph.symbols()));
        if (graph.find_value(value.name)) return fail(formatted("the value {} is defined twice", value.name));
        made.outputs.push_back(graph.add_value(value.name, std::move(value.fact)));
      }
    } while (take(","));
    SDX_TRY(expect("="));
    SDX_ASSIGN(std::string op, name());
    const size_t dot = op.rfind('.');
    if (dot != std::string::npos) made.domain = op.substr(0, dot);
    made.op = dot == std::string::npos ? op : op.substr(dot + 1);
    SDX_TRY(expect("("));
    if (!take(")")) {
      do {
        SDX_ASSIGN(const ValueId id, use(graph));
        made.inputs.push_back(id);
      } while (take(","));
      SDX_TRY(expect(")"));
    }
    if (take("{")) {
      do {
        SDX_ASSIGN(std::string key, name());
        SDX_TRY(expect("="));
        SDX_ASSIGN(Attribute::Content content, attribute(graph, made, depth));
        made.attributes.list().push_back({std::move(key), std::move(content)});
      } while (take(","));
      SDX_TRY(expect("}"));
    }
    if (take("#")) {
      SDX_ASSIGN(made.name, string());
    }
    if (!made.name.empty()) made.origins = {made.name};
    graph.add_node(std::move(made));
    return {};
  }

  template <typename T, typename F>
  Result<std::vector<T>> list(F element) {
    SDX_TRY(expect("["));
    std::vector<T> values;
    if (take("]")) return values;
    do {
      SDX_ASSIGN(T value, element());
      values.push_back(std::move(value));
    } while (take(","));
    SDX_TRY(expect("]"));
    return values;
  }

  Result<Tensor> tensor() {
    SDX_TRY(expect("tensor"));
    SDX_ASSIGN(const DType type, dtype());
    SDX_ASSIGN(const Shape shape, numbers());
    return elements(type, shape);
  }
  Result<Shape> numbers() {
    SDX_ASSIGN(const std::vector<int64_t> values, list<int64_t>([&] { return integer(); }));
    return Shape(std::span<const int64_t>(values));
  }
  Result<int64_t> integer() {
    const std::string token(until(",}] \n"));
    char* end = nullptr;
    const int64_t value = std::strtoll(token.c_str(), &end, 10);
    if (token.empty() || *end != '\0') return fail(formatted("'{}' is no integer", token));
    return value;
  }
  Result<SparseTensor> sparse() {
    SDX_TRY(expect("sparse"));
    SparseTensor made;
    SDX_ASSIGN(made.dense_shape, numbers());
    SDX_ASSIGN(made.values, tensor());
    SDX_ASSIGN(made.indices, tensor());
    return made;
  }
  Result<float> real() {
    SDX_ASSIGN(const double value, number());
    return static_cast<float>(value);
  }
  Result<Fact> type(Graph& graph) {
    SDX_TRY(expect("type"));
    return fact(graph.symbols());
  }
  Result<GraphBox> subgraph(Graph& outer, Node& node, int depth) {
    auto inner = std::make_unique<Graph>(outer.symbols());
    SDX_TRY(graph(*inner, &outer, depth + 1));
    for (const Capture& capture : inner->captures())
      if (std::find(node.captures.begin(), node.captures.end(), capture.outer) == node.captures.end())
        node.captures.push_back(capture.outer);
    return GraphBox(std::move(inner));
  }

  template <typename T>
  static Result<Attribute::Content> content(Result<T> value) {
    if (!value.ok()) return std::move(value).status();
    return Attribute::Content(std::move(value).value());
  }

  Result<Attribute::Content> attribute(Graph& graph, Node& node, int depth) {
    skip();
    const std::string_view rest = text_.substr(std::min(at_, text_.size()));
    const auto begins = [&](std::string_view word) { return rest.substr(0, word.size()) == word; };
    if (begins("\"")) return content(string());
    if (begins("tensor ")) return content(tensor());
    if (begins("sparse ")) return content(sparse());
    if (begins("type ")) return content(type(graph));
    if (begins("graph ")) return content(subgraph(graph, node, depth));
    if (take("floats")) return content(list<float>([&] { return real(); }));
    if (take("ints")) return content(list<int64_t>([&] { return integer(); }));
    if (take("strings")) return content(list<std::string>([&] { return string(); }));
    if (take("tensors")) return content(list<Tensor>([&] { return tensor(); }));
    if (take("sparses")) return content(list<SparseTensor>([&] { return sparse(); }));
    if (take("types")) return content(list<Fact>([&] { return type(graph); }));
    if (take("graphs")) return content(list<GraphBox>([&] { return subgraph(graph, node, depth); }));
    const std::string token(until(",}] \n"));
    if (token.find_first_of(".enai") != std::string::npos) {
      char* end = nullptr;
      const float value = std::strtof(token.c_str(), &end);
      if (*end != '\0') return fail(formatted("'{}' is no number", token));
      return Attribute::Content(value);
    }
    at_ -= token.size();
    return content(integer());
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

Result<Graph> parse_graph(std::string_view text) { return Parser(text).parse(); }

}  // namespace sdx
