#include "explain_layout.h"

#include <algorithm>
#include <map>

namespace sdx::api {
namespace {

struct Region {
  int64_t nodes = 0, convolutions = 0;
  bool has_channels_last = false;  // else in blocks
  std::string first, last;         // nodes of the model
};

bool is_own(const Node& node, std::string_view op) { return node.domain == "sardonyx" && node.op == op; }
// A convolution over codes.
bool has_channels_last(const Node& node) {
  if (is_own(node, "ConvIntegerToFloat") || is_own(node, "QLinearConvAdd")) return true;
  return node.op == "QLinearConv" && node.attributes.get_int("channels_last", 0) != 0;
}
std::string origin_of(const Node& node) { return node.origins.empty() ? node.label() : node.origins[0]; }

class Regions {
 public:
  void add(const Node& node) {
    if (is_own(node, "UnblockChannels") || node.op == "Reshape" || node.op == "Transpose") return;
    const bool begins = is_own(node, "BlockChannels") || is_own(node, "BlockedConv") || has_channels_last(node);
    int64_t region = begins ? -1 : kNone;
    for (const ValueId input : node.inputs) {
      const auto at = input == kNoValue ? of_.end() : of_.find(input);
      if (at == of_.end()) continue;
      region = region < 0 ? root(at->second) : join(region, at->second);
    }
    if (region == kNone) return;
    if (region < 0) {
      region = static_cast<int64_t>(parents_.size());
      parents_.push_back(region);
    }
    for (const ValueId output : node.outputs)
      if (output != kNoValue) of_[output] = region;
    nodes_.emplace_back(&node, region);
  }

  std::vector<Region> list() {
    std::map<int64_t, Region> regions;
    for (const auto& [node, region] : nodes_) {
      Region& own = regions[root(region)];
      if (own.nodes++ == 0) own.first = origin_of(*node);
      own.last = origin_of(*node);
      own.convolutions += is_own(*node, "BlockedConv") || has_channels_last(*node) ? 1 : 0;
      own.has_channels_last = own.has_channels_last || has_channels_last(*node);
    }
    std::vector<Region> found;
    for (auto& [id, region] : regions) found.push_back(std::move(region));
    return found;
  }

 private:
  static constexpr int64_t kNone = -2;
  int64_t root(int64_t region) const {
    while (parents_[static_cast<size_t>(region)] != region) region = parents_[static_cast<size_t>(region)];
    return region;
  }
  int64_t join(int64_t a, int64_t b) {
    const int64_t first = std::min(root(a), root(b)), other = std::max(root(a), root(b));
    return parents_[static_cast<size_t>(other)] = first;
  }

  std::map<ValueId, int64_t> of_;
  std::vector<int64_t> parents_;
  std::vector<std::pair<const Node*, int64_t>> nodes_;
};

void write_reorder(JsonText& json, const Graph& graph, const Node& node) {
  const bool blocks = node.op == "BlockChannels";
  const Fact& plain = graph.fact(blocks ? node.inputs[0] : node.outputs[0]);
  json.begin_object().member("node", origin_of(node)).member("to", std::string_view(blocks ? "blocked" : "plain"));
  json.member("channels_last", node.attributes.get_int("channels_last", 0));
  json.member("fact", to_text(plain, graph.symbols())).key("bytes");
  const auto shape = plain.known_shape();
  if (shape) {
    json.value(count_of(*shape) * bit_width(plain.dtype) / 8);
  } else {
    json.null();
  }
  json.end_object();
}

}  // namespace

void write_layout(JsonText& json, const plan::Program& program) {
  const Graph& graph = *program.graph;
  Regions regions;
  int64_t plain = 0;
  for (const plan::Step& step : program.steps) {
    const Node& node = graph.node(step.node);
    regions.add(node);
    if (node.op == "Conv" || node.op == "FusedConv") ++plain;
  }
  json.begin_object().key("regions").begin_array();
  for (const Region& region : regions.list())
    json.begin_object()
        .member("first", region.first)
        .member("last", region.last)
        .member("nodes", region.nodes)
        .member("convolutions", region.convolutions)
        .member("channels_last", static_cast<int64_t>(region.has_channels_last))
        .end_object();
  json.end_array().member("plain_convolutions", plain).key("reorders").begin_array();
  for (const plan::Step& step : program.steps) {
    const Node& node = graph.node(step.node);
    if (is_own(node, "BlockChannels") || is_own(node, "UnblockChannels")) write_reorder(json, graph, node);
  }
  json.end_array().end_object();
}

}  // namespace sdx::api
