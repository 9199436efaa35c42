#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "answer.h"
#include "base/cpu.h"
#include "config_keys.h"
#include "onnx/exporter.h"
#include "onnx/value_proto.h"
#include "onnx/writer.h"
#include "providers/custom/custom_provider.h"
#include "runtime/provider_registry.h"
#include "session_handle.h"
#include "thread_pools.h"

namespace sdx::api {
namespace {

std::string_view config_of(const OrtSessionOptions* options, const char* key) {
  if (options == nullptr) return {};
  const auto entry = options->config.find(key);
  return entry == options->config.end() ? std::string_view() : std::string_view(entry->second);
}

Result<onnx::Blobs> files_in_memory(const OrtSessionOptions& options) {
  const bool lend = config_of(&options, "session.use_external_initializer_file_buffers_directly") == "1";
  onnx::Blobs blobs;
  for (const abi::MemoryFile& file : options.memory_files) {
    const auto bytes = std::as_bytes(std::span(file.data, file.size));
    if (lend) {
      blobs[file.name] = MappedFile::lend(bytes);
    } else {
      SDX_ASSIGN(blobs[file.name], MappedFile::copy_of(bytes));
    }
  }
  return blobs;
}

// The model's message now points to the caller's tensor.
Status replace_initializer(onnx::Model& model, onnx::TensorProto& initializer, const OrtValue& given) {
  SDX_ASSIGN(const Value value, given.value());
  if (!value.is_tensor())
    return invalid_argument("initializer \"{}\": {} is given, a tensor is wanted", initializer.name,
                            to_text(value.type()));
  onnx::TensorProto replacement = onnx::tensor_message(value.tensor(), initializer.name);
  if (value.tensor().owner() != nullptr) model.kept.push_back(value.tensor().owner());
  initializer = std::move(replacement);
  return {};
}

Status replace_initializers(onnx::Model& model, const OrtSessionOptions& options) {
  if (options.initializers.empty() && options.external_initializers.empty()) return {};
  size_t found = 0;
  if (model.proto.graph) {
    for (onnx::TensorProto& initializer : model.proto.graph->initializer) {
      const std::string name(initializer.name);
      if (const auto given = options.external_initializers.find(name); given != options.external_initializers.end()) {
        SDX_TRY(replace_initializer(model, initializer, given->second));
        ++found;
      } else if (const auto shared = options.initializers.find(name); shared != options.initializers.end()) {
        SDX_TRY(replace_initializer(model, initializer, shared->second));
      }
    }
  }
  if (found >= options.external_initializers.size()) return {};
  for (const auto& given : options.external_initializers) {
    const auto& list = model.proto.graph->initializer;
    if (std::none_of(list.begin(), list.end(), [&](const auto& weight) { return weight.name == given.first; }))
      return invalid_argument("external initializer \"{}\": the model has no initializer of that name", given.first);
  }
  return {};
}

// Dimensions marked with a denotation that the caller fixed become numbers.
void fix_denoted_dimensions(onnx::Model& model, const OrtSessionOptions& options) {
  if (options.dimensions_by_denotation.empty() || !model.proto.graph) return;
  for (onnx::ValueInfoProto& input : model.proto.graph->input) {
    if (!input.type || !input.type->tensor_type || !input.type->tensor_type->shape) continue;
    for (onnx::DimensionProto& dim : input.type->tensor_type->shape->dim) {
      const auto fixed = options.dimensions_by_denotation.find(std::string(dim.denotation));
      if (fixed == options.dimensions_by_denotation.end() || dim.denotation.empty() || dim.dim_value) continue;
      dim.dim_value = fixed->second;
      dim.dim_param = {};
    }
  }
}

// A model that they change, or whose data they give, is one session's own.
bool concern_model(const OrtSessionOptions& options) {
  return !options.initializers.empty() || !options.external_initializers.empty() || !options.memory_files.empty() ||
         !options.dimensions_by_denotation.empty() ||
         !config_of(&options, "session.model_external_initializers_file_folder_path").empty();
}

Status check_not_cancelled(const OrtSessionOptions* options) {
  if (options != nullptr && options->cancel_load->load())
    return make_error(Code::model_load_canceled, "the load was cancelled: its cancellation flag is set");
  return {};
}

Result<onnx::WriteOptions> write_options(const OrtSessionOptions& options) {
  onnx::WriteOptions write;
  write.external_file = config_of(&options, "session.optimized_model_external_initializers_file_name");
  if (write.external_file.empty()) return write;
  const std::string_view least = config_of(&options, "session.optimized_model_external_initializers_min_size_in_bytes");
  size_t bytes = 1024;
  const auto [end, error] = std::from_chars(least.data(), least.data() + least.size(), bytes);
  if (!least.empty() && (error != std::errc() || end != least.data() + least.size()))
    return invalid_argument(
        "session.optimized_model_external_initializers_min_size_in_bytes is \"{}\", a number is wanted", least);
  write.external_data_over_bytes = bytes == 0 ? 0 : bytes - 1;
  return write;
}

// The graph as the passes left it, at the lowest opset from the model's own on that says it.
Status save_model(const runtime::Session& session, const OrtSessionOptions& options) {
  const auto save = [&]() -> Status {
    SDX_ASSIGN(const onnx::Imported imported, session.exported());
    SDX_ASSIGN(const onnx::Exported exported, onnx::export_model(session.model(), imported));
    SDX_ASSIGN(const onnx::WriteOptions write, write_options(options));
    return onnx::write_model(exported.proto, options.optimized_model_path, write);
  };
  auto written = save();
  if (written.ok()) return {};
  return invalid_argument("the optimized model cannot be saved: {}", written.message());
}

// ONNX Runtime's names of optimizers that are not ours are no error.
passes::PipelineOptions pass_options(const OrtSessionOptions& options) {
  passes::PipelineOptions made;
  switch (options.optimization) {
    case ORT_DISABLE_ALL: made.to = passes::Level::none; break;
    case ORT_ENABLE_BASIC: made.to = passes::Level::basic; break;
    case ORT_ENABLE_EXTENDED: made.to = passes::Level::extended; break;
    default: made.to = passes::Level::layout; break;
  }
  made.disabled = passes::pass_names(config_of(&options, "optimization.disable_specified_optimizers"), ';');
  return made;
}

// With the codes of ONNX Runtime for what is no model at all.
Status load_error(const std::string& path, const Status& status) {
  std::error_code ignored;
  Code code = status.code();
  if (std::filesystem::is_directory(path, ignored)) code = Code::invalid_protobuf;
  if (std::filesystem::is_regular_file(path, ignored) && std::filesystem::is_empty(path, ignored))
    code = Code::invalid_argument;
  return Status(code, formatted("Load model from {} failed: {}", path, status.message()));
}

Result<size_t> memory_limit(const OrtSessionOptions* options) {
  const std::string_view text = config_of(options, "sardonyx.memory_limit");
  if (text.empty()) return SIZE_MAX;
  size_t bytes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  if (error != std::errc() || end != text.data() + text.size())
    return invalid_argument("sardonyx.memory_limit is \"{}\", a number of bytes is wanted", text);
  return bytes == 0 ? SIZE_MAX : bytes;
}

Result<runtime::WeightMemory> weight_memory(const OrtSessionOptions* options) {
  const std::string_view text = config_of(options, "sardonyx.weights");
  if (text.empty()) return runtime::WeightMemory::automatic;
  if (text == "map") return runtime::WeightMemory::map;
  if (text == "copy") return runtime::WeightMemory::copy;
  return invalid_argument("sardonyx.weights is \"{}\", it may be map or copy", text);
}

// What passes and the plan are told by config entries.
Status read_compile_entries(const OrtSessionOptions& options, runtime::SessionOptions& engine) {
  engine.passes = pass_options(options);
  engine.passes.keeps_declines = config_of(&options, "sardonyx.explain") == "1";
  if (const std::string_view text = config_of(&options, "sardonyx.last_rewrite"); !text.empty()) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), engine.passes.last_rewrite);
    if (error != std::errc() || end != text.data() + text.size())
      return invalid_argument("sardonyx.last_rewrite is \"{}\", a number is wanted", text);
  }
  const std::string_view kernels = config_of(&options, "sardonyx.kernels");
  if (!kernels.empty() && kernels != "reference")
    return invalid_argument("sardonyx.kernels is \"{}\", it may be reference", kernels);
  engine.references_only = kernels == "reference";
  const std::string_view precision = config_of(&options, "sardonyx.precision");
  if (!precision.empty() && precision != "double" && precision != "bf16")
    return invalid_argument("sardonyx.precision is \"{}\", it may be double or bf16", precision);
  engine.passes.rounds_products = precision == "bf16";
  engine.in_double = precision == "double";
  const std::string_view winograd = config_of(&options, "sardonyx.winograd");
  if (!winograd.empty() && winograd != "auto" && winograd != "off")
    return invalid_argument("sardonyx.winograd is \"{}\", it may be auto or off", winograd);
  engine.winograd = winograd != "off";
  return {};
}

// In the order in which they were added, each once. The CPU is the last anyway.
Status read_providers(const OrtSessionOptions& options, const OrtLogger& logger, runtime::SessionOptions& engine) {
  if (!options.custom_domains.empty()) {  // first: the operators were registered for what nobody else runs
    const auto custom = std::make_shared<const providers::CustomProvider>(
        options.custom_domains, options.libraries, *OrtGetApiBase()->GetApi(ORT_API_VERSION), &logger);
    engine.type_of_output = [custom](const Node& node, size_t output, std::span<const Fact* const> inputs) {
      return custom->output_type(node, output, inputs);
    };
    engine.infer_opaque = [custom](const Node& node, std::span<const Fact* const> inputs, SymbolTable& symbols,
                                   std::span<Fact> outputs) { return custom->infer(node, inputs, symbols, outputs); };
    engine.providers.push_back(custom);
  }
  for (const abi::ProviderChoice& choice : options.providers) {
    if (choice.name == abi::kCpuProvider) continue;
    auto provider = runtime::find_provider(choice.name);
    if (provider == nullptr) return make_error(Code::fail, "the provider {} is no longer registered", choice.name);
    if (std::ranges::find(engine.providers, provider) == engine.providers.end())
      engine.providers.push_back(std::move(provider));
  }
  const std::string_view partition = config_of(&options, "sardonyx.partition");
  if (!partition.empty() && partition != "cost")
    return invalid_argument("sardonyx.partition is \"{}\", it may be cost", partition);
  engine.partitions_by_cost = partition == "cost";
  return {};
}

void warn_of_unknown_keys(const OrtSessionOptions& options, const Logger& logger) {
  if (!logger.enabled(Severity::warning)) return;
  for (const std::string& key : unknown_keys(options.config)) {
    const std::string near = nearest_key(key);
    SDX_LOG(logger, warning, "the session option \"{}\" is not known and has no effect{}", key,
            near.empty() ? std::string() : formatted("; is \"{}\" meant?", near));
  }
}

// For random operators whose model gives no seed: one that the caller chose, or always the same where runs are to be
// deterministic.
Result<std::optional<uint64_t>> random_seed(const OrtSessionOptions* options) {
  const std::string_view text = config_of(options, "sardonyx.seed");
  if (text.empty()) return options != nullptr && options->deterministic ? std::optional<uint64_t>(0) : std::nullopt;
  uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size())
    return invalid_argument("sardonyx.seed is \"{}\", a whole number of 64 bits is wanted", text);
  return std::optional(seed);
}

std::unique_ptr<OrtSession> make_handle(const OrtEnv& env, const OrtSessionOptions* options) {
  const Logger& base = env.logger;
  if (options == nullptr) return std::make_unique<OrtSession>(base.id(), base.lowest(), base.function(), base.param());
  const Severity lowest = options->log_severity < 0 ? base.lowest() : abi::severity_of(options->log_severity);
  const bool own_function = options->log_function != nullptr;
  return std::make_unique<OrtSession>(options->log_id.empty() ? base.id() : options->log_id, lowest,
                                      own_function ? abi::to_engine(options->log_function) : base.function(),
                                      own_function ? options->log_param : base.param());
}

}  // namespace

std::map<std::string, int64_t> symbol_values(const OrtSessionOptions* options) {
  return options == nullptr ? std::map<std::string, int64_t>() : options->dimensions_by_name;
}

bool strict_shapes(const OrtSessionOptions* options) {
  return config_of(options, "session.strict_shape_type_inference") == "1";
}

Result<std::shared_ptr<onnx::Model>> load_model(const ModelSource& source, const OrtSessionOptions* options) {
  if (config_of(options, "session.load_model_format") == "ORT")
    return not_implemented("session.load_model_format is ORT; only ONNX is supported");
  onnx::OpenOptions open;
  if (options != nullptr) {
    open.external_folder = config_of(options, "session.model_external_initializers_file_folder_path");
    SDX_ASSIGN(open.external_blobs, files_in_memory(*options));
  }
  std::shared_ptr<onnx::Model> model;
  if (source.made != nullptr) {
    model = source.made;
  } else if (source.path != nullptr) {
    auto opened = onnx::open_model(source.path, std::move(open));
    if (!opened.ok()) return load_error(source.path, opened.status());
    model = std::move(opened).value();
  } else {
    const auto bytes = std::span(static_cast<const std::byte*>(source.bytes), source.size);
    SDX_ASSIGN(model, onnx::model_from_bytes(bytes, onnx::Ownership::copy, std::move(open)));
  }
  if (options != nullptr) {
    SDX_TRY(replace_initializers(*model, *options));
    fix_denoted_dimensions(*model, *options);
  }
  return model;
}

namespace {

// Where nothing else is asked for, one that other sessions of the file may have too.
Result<std::shared_ptr<onnx::Model>> load_model_of_session(const ModelSource& source,
                                                           const OrtSessionOptions* options) {
  const bool from_file =
      source.made == nullptr && source.path != nullptr && config_of(options, "session.load_model_format") != "ORT";
  if (!from_file || (options != nullptr && concern_model(*options))) return load_model(source, options);
  auto opened = onnx::open_model_shared(source.path);
  if (!opened.ok()) return load_error(source.path, opened.status());
  return opened;
}

Status load_engine(const OrtEnv& env, const ModelSource& source, const OrtSessionOptions* options,
                   std::shared_ptr<runtime::Profiler> profiler, OrtSession& handle) {
  const int64_t start = runtime::TraceClock::now();
  SDX_ASSIGN(auto model, load_model_of_session(source, options));
  if (profiler != nullptr)
    profiler->add_session_event(
        source.path != nullptr ? runtime::SessionEvent::load_from_path : runtime::SessionEvent::load_from_bytes, start);
  SDX_TRY(check_not_cancelled(options));
  runtime::SessionOptions engine_options;
  SDX_ASSIGN(engine_options.pool, thread_pool_of(env, options));
  engine_options.strict_shapes = strict_shapes(options);
  engine_options.symbol_values = symbol_values(options);
  engine_options.logger = &handle.logger;
  engine_options.profiler = std::move(profiler);
  if (options != nullptr) {
    handle.libraries = options->libraries;
    warn_of_unknown_keys(*options, handle.logger);
    SDX_TRY(read_compile_entries(*options, engine_options));
    SDX_TRY(read_providers(*options, handle.log_handle, engine_options));
  }
  SDX_ASSIGN(engine_options.memory_limit, memory_limit(options));
  SDX_ASSIGN(engine_options.weights, weight_memory(options));
  SDX_ASSIGN(engine_options.random_seed, random_seed(options));
  SDX_ASSIGN(handle.engine, runtime::Session::create(model, engine_options));
  if (options != nullptr && !options->optimized_model_path.empty()) SDX_TRY(save_model(*handle.engine, *options));
  return check_not_cancelled(options);
}

}  // namespace

Status reload_session(const OrtEnv& env, const ModelSource& source, const OrtSessionOptions* options,
                      OrtSession& session) {
  return load_engine(env, source, options, nullptr, session);
}

Result<std::unique_ptr<OrtSession>> load_session(const OrtEnv& env, const ModelSource& source,
                                                 const OrtSessionOptions* options) {
  if (!supported_baseline())
    return not_implemented("this processor ({}) lacks x86-64-v2 (SSE4.2 and POPCNT), which is the least needed",
                           cpu_model());
  SDX_TRY(check_not_cancelled(options));
  auto handle = make_handle(env, options);
  std::shared_ptr<runtime::Profiler> profiler;
  if (options != nullptr && options->profiling)
    profiler = std::make_shared<runtime::Profiler>(options->profile_prefix, handle->logger);
  Status loaded = load_engine(env, source, options, profiler, *handle);
  if (loaded.ok()) return handle;
  if (profiler != nullptr) profiler->discard();
  return loaded;
}

}  // namespace sdx::api
