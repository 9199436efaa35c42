// The passes, defined in a file each.
#pragma once

#include "passes/pass.h"

namespace sdx::passes {

extern constinit const Pass fold_constants;
extern constinit const Pass gather_first;
extern constinit const Pass eliminate_no_ops;
extern constinit const Pass expand_einsum;
extern constinit const Pass merge_chains;
extern constinit const Pass push_transposes;
extern constinit const Pass share_equal_nodes;
extern constinit const Pass inline_branches;
extern constinit const Pass absorb_scales;
extern constinit const Pass absorb_pads;
extern constinit const Pass remove_dead_nodes;
extern constinit const Pass unturn_weights;
extern constinit const Pass turn_products;
extern constinit const Pass hoist_invariants;
extern constinit const Pass fuse_rotary;
extern constinit const Pass fuse_attention;
extern constinit const Pass shape_first;
extern constinit const Pass widen_halves;
extern constinit const Pass block_layout;
extern constinit const Pass fuse_blocked;
extern constinit const Pass narrow_weights;
extern constinit const Pass fuse_shuffles;
extern constinit const Pass fold_orders;
extern constinit const Pass fuse_bias;
extern constinit const Pass round_products;
extern constinit const Pass fuse_epilogues;
extern constinit const Pass fuse_elementwise;
extern constinit const Pass fuse_normalization;
extern constinit const Pass fuse_group_norm;
extern constinit const Pass fuse_gelu;
extern constinit const Pass fuse_hard_swish;
extern constinit const Pass fuse_activations;
extern constinit const Pass scatter_rows;
extern constinit const Pass fuse_integer_products;
extern constinit const Pass fuse_quantized_products;
extern constinit const Pass fuse_nbits;
extern constinit const Pass keep_codes;
extern constinit const Pass fuse_quantized_maps;
extern constinit const Pass channels_last;
extern constinit const Pass fold_dequantized;

}  // namespace sdx::passes
