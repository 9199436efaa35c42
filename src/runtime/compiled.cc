#include "runtime/compiled.h"

#include <algorithm>
#include <cstring>

#include "base/knobs.h"
#include "base/log.h"
#include "graph/verify.h"
#include "onnx/saved_view.h"
#include "passes/element_recipe.h"
#include "passes/widen_floats.h"
#include "plan/insert_copies.h"
#include "plan/memory.h"
#include "providers/cpu/cpu_provider.h"

namespace sdx::runtime {
namespace {

// What the caller asks for and what the knobs say.
passes::PipelineOptions with_knobs(passes::PipelineOptions options) {
  options.disabled.merge(passes::pass_names(knob::passes_disabled(), ','));
  options.verifies = options.verifies || knob::passes_verified();
  options.last_rewrite = std::min<uint64_t>(options.last_rewrite, knob::passes_last_rewrite());
  return options;
}

Status run_passes(Graph& graph, passes::PipelineOptions options, passes::Level from, passes::Level to,
                  passes::PipelineReport& report) {
  options.from = from;
  options.to = std::min(options.to, to);
  return passes::optimize(graph, options, report);
}

void print(const passes::PipelineReport& report) {
  for (const passes::PassCount& count : report.counts)
    SDX_LOG(default_logger(), warning, "pass {}: {} rewrites, {} us", count.pass, count.rewrites, count.ns / 1000);
  for (const passes::Rewritten& rewrite : report.journal.rewrites)
    SDX_LOG(default_logger(), warning, "{}: {} [{}]", rewrite.pass, rewrite.what,
            join(rewrite.origins, ", ", [](const std::string& origin) { return origin; }));
}

// Kernels see the attribute; it is no part of what is saved.
void switch_winograd_off(Graph& graph) {
  for (NodeId id = 0; id < graph.node_slots(); ++id) {
    Node& node = graph.node(id);
    if (node.op == "BlockedConv") node.attributes.set("winograd", int64_t{0});
    for_each_subgraph(node, [](Graph& inner, const std::string&) { switch_winograd_off(inner); });
  }
}

}  // namespace

Result<std::shared_ptr<const Compiled>> Compiled::create(std::shared_ptr<onnx::Model> model,
                                                         const CompileOptions& options) {
  const std::shared_ptr<Compiled> compiled(new Compiled());
  compiled->model_ = std::move(model);
  SDX_ASSIGN(compiled->imported_, onnx::import_model(*compiled->model_, options.import));
  Graph& graph = compiled->imported_.graph;
  if (options.in_double) SDX_TRY(passes::widen_floats(graph));
  passes::PipelineOptions passes = with_knobs(options.passes);
  passes.widens_halves = options.purpose == CompileOptions::For::runs && options.providers.empty() &&
                         passes.to == passes::Level::layout && passes.last_rewrite >= UINT32_MAX &&
                         !passes.disabled.contains("widen_halves");
  compiled->providers_ = options.providers;
  std::vector<const providers::Provider*> providers;
  for (const auto& provider : compiled->providers_) providers.push_back(provider.get());
  providers.push_back(&providers::cpu_provider());
  SDX_TRY(run_passes(graph, passes, passes::Level::basic, passes::Level::basic, compiled->passes_));
  SDX_TRY(compiled->partition_graph(providers, options));
  if (passes.verifies && providers.size() > 1) SDX_TRY(verify(graph).with_context("after the partition"));
  SDX_TRY(run_passes(graph, passes, passes::Level::extended, passes::Level::layout, compiled->passes_));
  if (knob::passes_printed()) print(compiled->passes_);
  if (options.purpose == CompileOptions::For::saving) return std::shared_ptr<const Compiled>(compiled);
  if (!options.winograd) switch_winograd_off(graph);
  compiled->copies_ = plan::insert_copies(graph, providers, compiled->partition_);
  if (passes.verifies && compiled->copies_ > 0) SDX_TRY(verify(graph).with_context("after copies were inserted"));
  auto program = plan::make_program(graph, providers,
                                    {options.threads, compiled.get(), options.references_only, &compiled->partition_});
  if (!program.ok()) return passes::with_last_rewrite(std::move(program).status(), compiled->passes_);
  compiled->program_ = std::move(program).value();
  const plan::WeightBytes bytes = plan::weight_bytes(*compiled->program_, plan::Branches::all);
  compiled->weight_bytes_ = bytes.packed + bytes.in_place;
  if (options.weights == WeightMemory::copy) compiled->copied_below_ = SIZE_MAX;
  if (options.weights == WeightMemory::automatic)
    compiled->copied_below_ = bytes.in_place <= kCopiedAtMost ? SIZE_MAX : kCopiedAlone;
  compiled->table_copied_below_ =
      options.weights == WeightMemory::automatic ? std::min(compiled->copied_below_, kTable) : compiled->copied_below_;
  compiled->model_->give_pages_back();
  return std::shared_ptr<const Compiled>(compiled);
}

// Claims are asked for on the graph as it would be saved; where that cannot be said, on the graph as it is.
Status Compiled::partition_graph(plan::ProviderList providers, const CompileOptions& options) {
  if (providers.size() == 1) return {};
  plan::PartitionOptions partition;
  partition.by_cost = options.partitions_by_cost;
  partition.keeps_verdicts = options.passes.keeps_declines;
  partition.assigns_only = options.purpose == CompileOptions::For::saving;
  partition.weights = this;
  std::map<const Graph*, plan::ClaimView> views;
  std::optional<onnx::SavedView> saved;
  if (std::ranges::any_of(providers, [](const auto* provider) { return provider->makes_claims(); })) {
    if (auto made = onnx::make_saved_view(*model_, imported_); made.ok()) saved = std::move(made).value();
    if (saved)
      for (auto& [graph, part] : saved->parts) views[graph] = {part.graph, std::move(part.stands_for)};
    partition.views = &views;
  }
  return plan::partition(imported_.graph, providers, partition, partition_);
}

std::vector<std::string> Compiled::provider_names() const {
  std::vector<std::string> names;
  for (const auto& provider : providers_) names.emplace_back(provider->name());
  names.emplace_back(providers::cpu_provider().name());
  return names;
}

namespace {

Status give_contents(Graph& graph, const passes::LazyWeights& weights) {
  for (ValueId id = 0; id < graph.value_slots(); ++id) {
    Tensor& constant = graph.value(id).fact.constant;
    if (!constant.defined()) continue;
    SDX_ASSIGN(constant, weights.content(constant));
  }
  Status status;
  for (NodeId id = 0; id < graph.node_slots(); ++id)
    for_each_subgraph(graph.node(id), [&](Graph& inner, const std::string&) {
      if (status.ok()) status = give_contents(inner, weights);
    });
  return status;
}

}  // namespace

Result<onnx::Imported> Compiled::imported() const {
  onnx::Imported copy = imported_;
  SDX_TRY(give_contents(copy.graph, *passes_.journal.weights));
  return copy;
}

std::string Compiled::identity(const Tensor& weight) const {
  if (const auto recipe = passes_.journal.weights->recipe_of(weight))
    return recipe->identity([this](const Tensor& source) { return plan::told_apart(*this, source); });
  const auto place = model_->place_of(weight.raw());
  if (!place) return {};
  const FileIdentity& file = place->file;
  return formatted("{:x}:{:x}:{:x}:{:x}+{:x} {}{}", file.device, file.inode, file.bytes, file.modified_ns,
                   place->offset, name(weight.dtype()), to_text(weight.shape()));
}

void Compiled::release(const Tensor& weight) { model_->give_pages_back(weight.raw(), weight.byte_size()); }

bool Compiled::read_part(const std::byte* data, size_t bytes, std::byte* to) const {
  return model_->read_part(data, bytes, to);
}

namespace {

const passes::ElementRecipe* element_recipe(const passes::Recipe& recipe) {
  return recipe.sources.size() == 1 ? recipe.make.target<passes::ElementRecipe>() : nullptr;
}

}  // namespace

bool Compiled::gives_parts(const Tensor& weight) const {
  auto recipe = passes_.journal.weights->recipe_of(weight);
  const Tensor* source = &weight;
  while (recipe != nullptr) {
    if (element_recipe(*recipe) == nullptr) return false;
    source = &recipe->sources[0].weight;
    recipe = recipe->sources[0].recipe;
  }
  return model_->place_of(source->raw()).has_value();
}

void Compiled::read_elements(const Tensor& weight, int64_t first, int64_t count, std::byte* to) const {
  const auto recipe = passes_.journal.weights->recipe_of(weight);
  const auto size = [](DType type) { return static_cast<size_t>(bit_width(type) / 8); };
  const size_t bytes = static_cast<size_t>(count) * size(weight.dtype());
  if (recipe == nullptr) {
    const std::byte* from = weight.bytes() + static_cast<size_t>(first) * size(weight.dtype());
    if (!model_->read_part(from, bytes, to)) std::memcpy(to, from, bytes);
    return;
  }
  const passes::ElementRecipe* element = element_recipe(*recipe);
  const Tensor& source = recipe->sources[0].weight;
  if (size(element->from) <= size(element->type)) {
    std::byte* end = to + static_cast<size_t>(count) * (size(element->type) - size(element->from));
    read_elements(source, first, count, end);
    return element->part(end, first, count, to);
  }
  std::vector<std::byte> elements(static_cast<size_t>(count) * size(element->from));
  read_elements(source, first, count, elements.data());
  element->part(elements.data(), first, count, to);
}

Result<Tensor> Compiled::content(const Tensor& weight) const {
  const auto recipe = passes_.journal.weights->recipe_of(weight);
  if (recipe == nullptr) return weight;
  auto made = passes_.journal.weights->content(weight);
  recipe->for_each_weight([&](const Tensor& source) { model_->give_pages_back(source.raw(), source.byte_size()); });
  return made;
}

bool Compiled::copies(const Tensor& weight, Reading reading) const {
  if (is_made(weight)) return true;
  const size_t below = reading == Reading::rows ? table_copied_below_ : copied_below_;
  return weight.byte_size() < below && model_->place_of(weight.raw());
}

}  // namespace sdx::runtime
