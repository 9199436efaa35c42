"""Tiny language models with random weights, in the form that onnxruntime-genai's model builder writes: a folder with model.onnx and
genai_config.json. What they say means nothing, but every engine should say the same."""

import json
import os

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

VOCABULARY, HIDDEN, HEADS, KV_HEADS, HEAD, LAYERS, INNER = 512, 64, 4, 2, 16, 2, 128


class _Builder:
    def __init__(self, seed):
        self.nodes, self.weights, self.draw = [], [], np.random.default_rng(seed)

    def weight(self, name, shape, scale):
        array = (self.draw.standard_normal(shape) * scale).astype(np.float32)
        return self.constant(name, array)

    def constant(self, name, array):
        self.weights.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def node(self, op, inputs, outputs, domain="", **attributes):
        outputs = [outputs] if isinstance(outputs, str) else outputs
        self.nodes.append(helper.make_node(op, inputs, outputs, name=f"/{op}_{len(self.nodes)}", domain=domain, **attributes))
        return outputs[0]


def _decoder(builder, longest):
    b, ms = builder, "com.microsoft"
    angles = np.outer(np.arange(longest), 10000.0 ** (-np.arange(0, HEAD, 2) / HEAD))
    b.constant("cos_cache", np.cos(angles).astype(np.float32)), b.constant("sin_cache", np.sin(angles).astype(np.float32))
    # seqlens_k = sum of the mask - 1; total_sequence_length = the mask's length
    b.constant("one", np.array([1], np.int64)), b.constant("axis_one", np.array([1], np.int64))
    b.node("ReduceSum", ["attention_mask", "axis_one"], "mask_sum", keepdims=0)
    b.node("Cast", [b.node("Sub", ["mask_sum", "one"], "mask_less")], "seqlens_k", to=TensorProto.INT32)
    b.node("Shape", ["attention_mask"], "mask_shape")
    b.constant("index_one", np.array(1, np.int64))
    b.node("Cast", [b.node("Gather", ["mask_shape", "index_one"], "mask_length")], "total", to=TensorProto.INT32)
    b.node("Gather", [b.weight("embed", (VOCABULARY, HIDDEN), 1.0), "input_ids"], "h0")
    b.constant("norm_0", np.ones(HIDDEN, np.float32))
    normed, residual = b.node("SimplifiedLayerNormalization", ["h0", "norm_0"], "n0", axis=-1, epsilon=1e-5, stash_type=1), "h0"
    for i in range(LAYERS):
        q = b.node("MatMul", [normed, b.weight(f"q{i}", (HIDDEN, HEADS * HEAD), 0.2)], f"query{i}")
        k = b.node("MatMul", [normed, b.weight(f"k{i}", (HIDDEN, KV_HEADS * HEAD), 0.2)], f"key{i}")
        v = b.node("MatMul", [normed, b.weight(f"v{i}", (HIDDEN, KV_HEADS * HEAD), 0.2)], f"value{i}")
        b.node("GroupQueryAttention", [q, k, v, f"past_key_values.{i}.key", f"past_key_values.{i}.value", "seqlens_k", "total", "cos_cache",
                                       "sin_cache"], [f"attn{i}", f"present.{i}.key", f"present.{i}.value"], ms, num_heads=HEADS,
               kv_num_heads=KV_HEADS, do_rotary=1, scale=1 / HEAD**0.5, local_window_size=-1)
        out = b.node("MatMul", [f"attn{i}", b.weight(f"o{i}", (HEADS * HEAD, HIDDEN), 0.2)], f"out{i}")
        b.constant(f"norm_a{i}", np.ones(HIDDEN, np.float32)), b.constant(f"norm_b{i}", np.ones(HIDDEN, np.float32))
        b.node("SkipSimplifiedLayerNormalization", [residual, out, f"norm_a{i}"], [f"na{i}", "", "", f"ra{i}"], ms, epsilon=1e-5)
        gate = b.node("MatMul", [f"na{i}", b.weight(f"gate{i}", (HIDDEN, INNER), 0.2)], f"g{i}")
        up = b.node("MatMul", [f"na{i}", b.weight(f"up{i}", (HIDDEN, INNER), 0.2)], f"u{i}")
        silu = b.node("Mul", [gate, b.node("Sigmoid", [gate], f"sg{i}")], f"silu{i}")
        down = b.node("MatMul", [b.node("Mul", [silu, up], f"gu{i}"), b.weight(f"down{i}", (INNER, HIDDEN), 0.2)], f"d{i}")
        b.node("SkipSimplifiedLayerNormalization", [f"ra{i}", down, f"norm_b{i}"], [f"nb{i}", "", "", f"rb{i}"], ms, epsilon=1e-5)
        normed, residual = f"nb{i}", f"rb{i}"
    b.node("MatMul", [normed, b.weight("head", (HIDDEN, VOCABULARY), 0.3)], "logits")


def write(folder, longest, seed=1, shared=True):
    """`longest`: tokens of a context. `shared`: past and present in one buffer."""
    os.makedirs(folder, exist_ok=True)
    builder = _Builder(seed)
    _decoder(builder, longest)
    value, f32, i64 = helper.make_tensor_value_info, TensorProto.FLOAT, TensorProto.INT64
    cache = lambda name, length: [value(f"{name}.{i}.{part}", f32, ["batch_size", KV_HEADS, length, HEAD])  # noqa: E731
                                  for i in range(LAYERS) for part in ("key", "value")]
    inputs = [value("input_ids", i64, ["batch_size", "sequence_length"]), value("attention_mask", i64, ["batch_size", "total_sequence_length"]),
              *cache("past_key_values", "past_sequence_length")]
    outputs = [value("logits", f32, ["batch_size", "sequence_length", VOCABULARY]), *cache("present", "total_sequence_length")]
    graph = helper.make_graph(builder.nodes, "tiny", inputs, outputs, builder.weights)
    opsets = [helper.make_opsetid("", 14 + 3), helper.make_opsetid("com.microsoft", 1)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=9), os.path.join(folder, "model.onnx"))
    names = {part: f"past_key_values.%d.{part}" for part in ("key", "value")}
    config = {
        "model": {
            "bos_token_id": 1, "eos_token_id": VOCABULARY - 1, "pad_token_id": 0, "context_length": longest, "vocab_size": VOCABULARY, "type": "llama",
            "decoder": {
                "session_options": {"log_id": "onnxruntime-genai", "provider_options": []}, "filename": "model.onnx", "head_size": HEAD,
                "hidden_size": HIDDEN, "num_attention_heads": HEADS, "num_hidden_layers": LAYERS, "num_key_value_heads": KV_HEADS,
                "inputs": {"input_ids": "input_ids", "attention_mask": "attention_mask", "past_key_names": names["key"],
                           "past_value_names": names["value"]},
                "outputs": {"logits": "logits", "present_key_names": "present.%d.key", "present_value_names": "present.%d.value"},
            },
        },
        "search": {"diversity_penalty": 0.0, "do_sample": False, "early_stopping": True, "length_penalty": 1.0, "max_length": longest, "min_length": 0,
                   "no_repeat_ngram_size": 0, "num_beams": 1, "num_return_sequences": 1, "past_present_share_buffer": shared,
                   "repetition_penalty": 1.0, "temperature": 1.0, "top_k": 50, "top_p": 1.0},
    }
    with open(os.path.join(folder, "genai_config.json"), "w") as file:
        json.dump(config, file)
