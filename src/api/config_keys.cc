#include "config_keys.h"

#include <algorithm>
#include <numeric>
#include <string_view>

namespace sdx::api {
namespace {

constexpr std::string_view kKeys[] = {
    "ep.context_embed_mode",
    "ep.context_enable",
    "ep.context_file_path",
    "ep.context_model_external_initializers_file_name",
    "ep.context_node_name_prefix",
    "ep.context_source_model_path",
    "ep.cpu.qmoe_deferred_scale",
    "ep.cuda.fpa_intb_dequant_gemm_min_m",
    "ep.cuda.fpa_intb_gemm",
    "ep.cuda.fpa_intb_profile_m",
    "ep.cuda.gqa_workspace_max_total_sequence_length",
    "ep.cuda.matmul_nbits_m_chunk_size",
    "ep.cuda.moe_packed_gpu_experts",
    "ep.cuda.runtime_fusion.causal_conv_with_state",
    "ep.cuda.runtime_fusion.unit_swish",
    "ep.enable_weightless",
    "ep.enable_weightless_ep_context_nodes",
    "ep.enable_weightless_mode",
    "ep.nnapi.partitioning_stop_ops",
    "ep.share_ep_contexts",
    "ep.stop_share_ep_contexts",
    "mlas.disable_kleidiai",
    "mlas.enable_gemm_fastmath_arm64_bfloat16",
    "mlas.kleidiai.conv_igemm_max_work",
    "mlas.nchwc_depthwise_sliding",
    "mlas.nchwc_pointwise_conv_max_input_channel_batch",
    "mlas.qnbit.force_fp32",
    "mlas.use_lut_gemm",
    "optimization.constant_folding_max_output_size_in_bytes",
    "optimization.disable_specified_optimizers",
    "optimization.enable_cast_chain_elimination",
    "optimization.enable_gelu_approximation",
    "optimization.enable_memory_probe_recompute_config",
    "optimization.memory_optimizer_config",
    "optimization.minimal_build_optimizations",
    "sardonyx.explain",
    "sardonyx.kernels",
    "sardonyx.last_rewrite",
    "sardonyx.memory_limit",
    "sardonyx.partition",
    "sardonyx.precision",
    "sardonyx.seed",
    "sardonyx.weights",
    "sardonyx.winograd",
    "session.allow_released_opsets_only",
    "session.collect_node_memory_stats_to_file",
    "session.compile_only",
    "session.debug_layout_transformation",
    "session.disable_aot_function_inlining",
    "session.disable_cpu_ep_fallback",
    "session.disable_double_qdq_remover",
    "session.disable_model_compile",
    "session.disable_prepacking",
    "session.disable_qdq_constant_folding",
    "session.disable_quant_qdq",
    "session.dynamic_block_base",
    "session.enable_cpu_mem_arena",
    "session.enable_dq_matmulnbits_fusion",
    "session.enable_mem_pattern",
    "session.enable_moe_expert_counting",
    "session.enable_moe_expert_statistics",
    "session.enable_profiling",
    "session.enable_quant_qdq_cleanup",
    "session.enable_saved_runtime_optimizations",
    "session.execution_mode",
    "session.external_data_loader.chunk_bytes",
    "session.external_data_loader.min_size_bytes",
    "session.external_data_loader.pinned_memory_bytes",
    "session.external_data_loader.threads",
    "session.fail_on_suboptimal_compiled_model",
    "session.force_spinning_stop",
    "session.function_expansion_byte_limit",
    "session.function_expansion_node_limit",
    "session.gqa_value_layout",
    "session.graph_optimization_level",
    "session.graph_optimizations_loop_level",
    "session.inter_op.allow_spinning",
    "session.inter_op.spin_backoff_max",
    "session.inter_op.spin_duration_us",
    "session.inter_op_num_threads",
    "session.intra_op.allow_spinning",
    "session.intra_op.spin_backoff_max",
    "session.intra_op.spin_duration_us",
    "session.intra_op_num_threads",
    "session.intra_op_thread_affinities",
    "session.kernel_dispatch_policy",
    "session.layer_assignment_settings",
    "session.load_model_format",
    "session.log_id",
    "session.log_severity_level",
    "session.log_verbosity_level",
    "session.max_shape_override",
    "session.model_external_initializers_file_folder_path",
    "session.moe.offload.allow_file_backing",
    "session.moe.offload.async_max_tokens",
    "session.moe.offload.budget_group",
    "session.moe.offload.cpu_execution",
    "session.moe.offload.cpu_threads",
    "session.moe.offload.derived_cache_dir",
    "session.moe.offload.device_expert_bytes",
    "session.moe.offload.device_working_bytes",
    "session.moe.offload.gpu_budget_bytes",
    "session.moe.offload.gpu_device_mem_limit",
    "session.moe.offload.host_expert_bytes",
    "session.moe.offload.host_working_bytes",
    "session.moe.offload.min_expert_weight",
    "session.moe.offload.mode",
    "session.moe.offload.node_overrides",
    "session.moe.offload.pinned_bytes",
    "session.moe.offload.placement",
    "session.moe.offload.popularity_file",
    "session.moe.offload.prefill_wave_experts",
    "session.moe.offload.reserve_device_bytes",
    "session.moe.offload.skip_tail_cold_only",
    "session.moe.offload.skip_zero_cold_doorbell",
    "session.moe.offload.source_root",
    "session.moe.offload.tail_substitution_min_rank",
    "session.moe.offload.tail_substitution_threshold",
    "session.moe_expert_counter_alpha",
    "session.moe_expert_counter_beta",
    "session.moe_expert_counter_state_file",
    "session.name_based_layer_assignment",
    "session.node_partition_config_file",
    "session.optimized_model_external_initializers_file_name",
    "session.optimized_model_external_initializers_min_size_in_bytes",
    "session.optimized_model_filepath",
    "session.prepack.enable_parallel",
    "session.qdq_matmulnbits_accuracy_level",
    "session.qdq_matmulnbits_block_size",
    "session.qdqisint8allowed",
    "session.record_ep_graph_assignment_info",
    "session.resource_cuda_partitioning_settings",
    "session.save_external_prepacked_constant_initializers",
    "session.save_model_format",
    "session.set_denormal_as_zero",
    "session.strict_shape_type_inference",
    "session.strict_workspace_verification",
    "session.use_deterministic_compute",
    "session.use_device_allocator_for_initializers",
    "session.use_env_allocators",
    "session.use_external_initializer_file_buffers_directly",
    "session.use_ort_model_bytes_directly",
    "session.use_ort_model_bytes_for_initializers",
    "session.use_per_session_threads",
    "session.x64quantprecision",
};

size_t edits(std::string_view one, std::string_view other) {
  std::vector<size_t> row(other.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < one.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t k = 0; k < other.size(); ++k) {
      const size_t replaced = diagonal + (one[i] == other[k] ? 0 : 1);
      diagonal = row[k + 1];
      row[k + 1] = std::min({replaced, row[k] + 1, row[k + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string> unknown_keys(const std::map<std::string, std::string>& entries) {
  std::vector<std::string> unknown;
  for (const auto& entry : entries) {
    const std::string_view key = entry.first;
    if (!key.starts_with("ep.") && std::ranges::find(kKeys, key) == std::end(kKeys)) unknown.emplace_back(key);
  }
  return unknown;
}

std::string nearest_key(const std::string& key) {
  if (key.size() > 200) return {};
  std::string_view nearest;
  size_t least = key.size() / 4 + 1;
  for (const std::string_view known : kKeys) {
    const size_t distance = edits(key, known);
    if (distance >= least) continue;
    least = distance;
    nearest = known;
  }
  return std::string(nearest);
}

}  // namespace sdx::api
