#include <cctype>
#include <cmath>

#include "base/element.h"
#include "graph/text.h"

namespace sdx {
namespace {

bool is_plain(std::string_view name) {
  if (name.empty() || name == "_" || std::isdigit(static_cast<unsigned char>(name[0]))) return false;
  for (const char c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '.' && c != '/' && c != ':' && c != '#')
      return false;
  return name.back() != ':' && name[0] != '#';
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += formatted("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

// A name before ':' keeps its own colons only inside quotes.
std::string name_text(std::string_view name) {
  return is_plain(name) && name.find(':') == std::string_view::npos ? std::string(name) : quoted(name);
}

std::string number_text(double value, DType type) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return type == DType::f32 ? formatted("{}", static_cast<float>(value)) : formatted("{}", value);
}

class Printer {
 public:
  Printer(const TextOptions& options, std::string& out) : options_(options), out_(out) {}

  // `outer` (null at the root) is the graph that encloses this one: captures name its values.
  void graph(const Graph& graph, const Graph* outer, int depth) {
    const std::string indent(static_cast<size_t>(depth) * 2 + 2, ' ');
    out_ += "graph " + quoted(graph.name) + " {\n";
    for (const Capture& capture : graph.captures())
      out_ += formatted("{}capture {} as {}\n", indent, name_text(outer->value(capture.outer).name),
                        value_text(graph, capture.inner));
    for (const ValueId id : graph.inputs()) {
      out_ += formatted("{}input {}", indent, value_text(graph, id));
      const ValueInfo& value = graph.value(id);
      if (value.is_initializer && value.initial.is_tensor()) out_ += " = " + elements(value.initial.tensor());
      out_ += "\n";
    }
    for (ValueId id = 0; id < graph.value_slots(); ++id) {
      const ValueInfo& value = graph.value(id);
      if (!value.is_initializer || value.is_input) continue;
      out_ += formatted("{}init {} = {}\n", indent, value_text(graph, id), elements(value.fact.constant));
    }
    const auto order = graph.topological_order();
    if (order.ok()) {
      for (const NodeId id : *order) node(graph, graph.node(id), indent, depth);
    } else {
      out_ += indent + "// " + order.status().message() + "\n";
    }
    for (const ValueId id : graph.outputs())
      out_ += formatted("{}output {}\n", indent, name_text(graph.value(id).name));
    out_ += std::string(static_cast<size_t>(depth) * 2, ' ') + "}";
  }

 private:
  std::string value_text(const Graph& graph, ValueId id) {
    const Fact& fact = graph.fact(id);
    std::string text = name_text(graph.value(id).name) + ": " + to_text(fact, graph.symbols());
    if (fact.elements && !fact.is_constant())
      text += " <" + join(*fact.elements, ", ", [&](const Dim& dim) { return graph.symbols().to_text(dim); }) + ">";
    return text;
  }

  void node(const Graph& graph, const Node& node, const std::string& indent, int depth) {
    out_ += indent;
    out_ +=
        join(node.outputs, ", ", [&](ValueId id) { return id == kNoValue ? std::string("_") : value_text(graph, id); });
    out_ += formatted(" = {}{}(", node.domain.empty() ? "" : node.domain + ".", node.op);
    out_ += join(node.inputs, ", ",
                 [&](ValueId id) { return id == kNoValue ? std::string("_") : name_text(graph.value(id).name); });
    out_ += ")";
    if (!node.attributes.list().empty()) {
      out_ += " {";
      bool first = true;
      for (const Attribute& attribute : node.attributes.list()) {
        if (!first) out_ += ", ";
        first = false;
        out_ += name_text(attribute.name) + " = ";
        this->attribute(graph, attribute, depth);
      }
      out_ += "}";
    }
    if (!node.name.empty()) out_ += " #" + quoted(node.name);
    out_ += "\n";
  }

  void attribute(const Graph& owner, const Attribute& attribute, int depth) {
    const auto list = [&](const auto& values, auto text) { out_ += "[" + join(values, ", ", text) + "]"; };
    const auto tensor_text = [&](const Tensor& t) {
      return formatted("tensor {}{} {}", name(t.dtype()), to_text(t.shape()), elements(t));
    };
    const auto sparse_text = [&](const SparseTensor& s) {
      return formatted("sparse {} {} {}", to_text(s.dense_shape), tensor_text(s.values), tensor_text(s.indices));
    };
    const auto float_text = [](float v) {
      const std::string text = number_text(v, DType::f32);
      return text.find_first_of(".enai") == std::string::npos ? text + ".0" : text;
    };
    const auto fact_text = [&](const Fact& fact) { return "type " + to_text(fact, owner.symbols()); };
    switch (attribute.kind()) {
      case AttributeKind::f: out_ += float_text(std::get<float>(attribute.content)); return;
      case AttributeKind::i: out_ += std::to_string(std::get<int64_t>(attribute.content)); return;
      case AttributeKind::s: out_ += quoted(std::get<std::string>(attribute.content)); return;
      case AttributeKind::tensor: out_ += tensor_text(std::get<Tensor>(attribute.content)); return;
      case AttributeKind::graph: graph(*std::get<GraphBox>(attribute.content), &owner, depth + 1); return;
      case AttributeKind::floats:
        out_ += "floats ";
        return list(std::get<std::vector<float>>(attribute.content), float_text);
      case AttributeKind::ints:
        out_ += "ints ";
        return list(std::get<std::vector<int64_t>>(attribute.content), [](int64_t v) { return std::to_string(v); });
      case AttributeKind::strings:
        out_ += "strings ";
        return list(std::get<std::vector<std::string>>(attribute.content),
                    [](const std::string& s) { return quoted(s); });
      case AttributeKind::tensors:
        out_ += "tensors ";
        return list(std::get<std::vector<Tensor>>(attribute.content), tensor_text);
      case AttributeKind::graphs: {
        out_ += "graphs [";
        bool first = true;
        for (const GraphBox& box : std::get<std::vector<GraphBox>>(attribute.content)) {
          if (!first) out_ += ", ";
          first = false;
          graph(*box, &owner, depth + 1);
        }
        out_ += "]";
        return;
      }
      case AttributeKind::sparse_tensor: out_ += sparse_text(std::get<SparseTensor>(attribute.content)); return;
      case AttributeKind::sparse_tensors:
        out_ += "sparses ";
        return list(std::get<std::vector<SparseTensor>>(attribute.content), sparse_text);
      case AttributeKind::type: out_ += fact_text(std::get<Fact>(attribute.content)); return;
      case AttributeKind::types:
        out_ += "types ";
        return list(std::get<std::vector<Fact>>(attribute.content), fact_text);
      case AttributeKind::undefined: return;
    }
  }

  std::string elements(const Tensor& tensor) {
    if (!tensor.defined() || tensor.count() > options_.max_elements) return "...";
    std::string text = "{";
    for (int64_t i = 0; i < tensor.count(); ++i) {
      if (i > 0) text += ", ";
      if (tensor.dtype() == DType::string) {
        text += quoted(tensor.string_at(i));
      } else if (is_complex(tensor.dtype())) {
        const auto value = load_complex(tensor.dtype(), tensor.raw(), i);
        const DType part = tensor.dtype() == DType::c64 ? DType::f32 : DType::f64;
        text += number_text(value.real(), part) + ", " + number_text(value.imag(), part);
      } else if (is_floating(tensor.dtype())) {
        text += number_text(load_double(tensor, i), tensor.dtype());
      } else if (tensor.dtype() == DType::u64) {
        text += std::to_string(static_cast<uint64_t>(load_i64(tensor, i)));
      } else {
        text += std::to_string(load_i64(tensor, i));
      }
    }
    return text + "}";
  }

  const TextOptions& options_;
  std::string& out_;
};

}  // namespace

std::string to_text(const Graph& graph, const TextOptions& options) {
  std::string text;
  Printer(options, text).graph(graph, nullptr, 0);
  return text + "\n";
}

}  // namespace sdx
