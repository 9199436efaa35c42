"""Which fused operators must be left of an exporter's model: after the extended passes or after all of them, whichever has more.

0: none may be left after all. Products take Gelu and sums in behind them at the last level, so what the extended passes made counts.
"""
import collections

FUSED = {
    "dynamo_bert": {"ScaledDotProductAttention": 1, "LayerNormalization": 2, "SkipLayerNormalization": 1, "Gelu": 1, "Softmax": 0},
    "dynamo_clip": {"ScaledDotProductAttention": 1, "LayerNormalization": 2, "SkipLayerNormalization": 1, "QuickGelu": 1, "Softmax": 0},
    "dynamo_diffusion": {"ActivatedGroupNormalization": 7, "ScaledDotProductAttention": 1, "QuickGelu": 8, "GroupNormalization": 8, "Softmax": 0, "InstanceNormalization": 0},
    "dynamo_gemma": {"ScaledDotProductAttention": 1, "RotateHalf": 2, "SimplifiedLayerNormalization": 1, "SkipSimplifiedLayerNormalization": 2, "Gelu": 1, "Softmax": 0},
    "dynamo_gemma2": {"ScaledDotProductAttention": 1, "RotateHalf": 2, "SimplifiedLayerNormalization": 3, "SkipSimplifiedLayerNormalization": 2, "Gelu": 1, "Softmax": 0},
    "dynamo_gpt2": {"ScaledDotProductAttention": 1, "SkipLayerNormalization": 3, "FastGelu": 1, "Softmax": 0},
    "dynamo_llama": {"ScaledDotProductAttention": 1, "RotateHalf": 2, "SimplifiedLayerNormalization": 1, "SkipSimplifiedLayerNormalization": 2, "QuickGelu": 1, "Softmax": 0},
    "dynamo_llama_23": {"Attention": 1, "RotaryEmbedding": 2, "RMSNormalization": 3, "QuickGelu": 1, "Softmax": 0},
    "dynamo_llama_half": {"ScaledDotProductAttention": 1, "RotateHalf": 2, "SimplifiedLayerNormalization": 1, "SkipSimplifiedLayerNormalization": 2, "QuickGelu": 1, "Softmax": 0},
    "dynamo_mistral": {"ScaledDotProductAttention": 1, "RotateHalf": 2, "SimplifiedLayerNormalization": 1, "SkipSimplifiedLayerNormalization": 2, "QuickGelu": 1, "Softmax": 0},
    "dynamo_phi": {"ScaledDotProductAttention": 1, "RotateHalf": 2, "LayerNormalization": 1, "SkipLayerNormalization": 1, "FastGelu": 1, "Softmax": 0},
    "dynamo_roberta": {"ScaledDotProductAttention": 1, "LayerNormalization": 2, "SkipLayerNormalization": 1, "Gelu": 1, "Softmax": 0},
    "dynamo_swin": {"ScaledDotProductAttention": 1, "LayerNormalization": 2, "SkipLayerNormalization": 4, "Gelu": 2},
    "dynamo_whisper": {"ScaledDotProductAttention": 3, "SkipLayerNormalization": 7, "Gelu": 4, "Softmax": 0},
    "genai_gemma2": {"GroupQueryAttention": 2, "SimplifiedLayerNormalization": 5, "SkipSimplifiedLayerNormalization": 4, "Gelu": 2, "Softmax": 0},
    "genai_llama": {"GroupQueryAttention": 2, "SimplifiedLayerNormalization": 1, "SkipSimplifiedLayerNormalization": 4, "QuickGelu": 2, "Softmax": 0},
    "genai_llama_int4": {"GroupQueryAttention": 2, "SimplifiedLayerNormalization": 1, "SkipSimplifiedLayerNormalization": 4, "QuickGelu": 2, "Softmax": 0},
    "genai_mistral": {"GroupQueryAttention": 2, "SimplifiedLayerNormalization": 1, "SkipSimplifiedLayerNormalization": 4, "QuickGelu": 2, "Softmax": 0},
    "genai_phi": {"GroupQueryAttention": 2, "LayerNormalization": 1, "SkipLayerNormalization": 2, "Gelu": 2, "Softmax": 0},
    "optimum_bart_merged": {"ScaledDotProductAttention": 4, "SkipLayerNormalization": 8, "BiasGelu": 2, "Softmax": 0},
    "optimum_bert": {"ScaledDotProductAttention": 1, "LayerNormalization": 1, "SkipLayerNormalization": 2, "BiasGelu": 1, "Softmax": 0},
    "optimum_gpt2": {"ScaledDotProductAttention": 1, "SkipLayerNormalization": 3, "FastGelu": 1, "Softmax": 0},
    "optimum_llama": {"ScaledDotProductAttention": 1, "RotateHalf": 2, "SimplifiedLayerNormalization": 1, "SkipSimplifiedLayerNormalization": 2, "QuickGelu": 1, "Softmax": 0},
    "optimum_llama_half": {"ScaledDotProductAttention": 1, "RotateHalf": 2, "SimplifiedLayerNormalization": 1, "SkipSimplifiedLayerNormalization": 2, "QuickGelu": 1, "Softmax": 0},
    "optimum_phi": {"ScaledDotProductAttention": 1, "RotateHalf": 2, "LayerNormalization": 1, "SkipLayerNormalization": 1, "FastGelu": 1, "Softmax": 0},
    "torchscript_bart": {"ScaledDotProductAttention": 3, "SkipLayerNormalization": 7, "BiasGelu": 2, "Softmax": 0},
    "torchscript_bert": {"ScaledDotProductAttention": 1, "LayerNormalization": 1, "SkipLayerNormalization": 2, "BiasGelu": 1, "Softmax": 0},
    "torchscript_bert_half": {"ScaledDotProductAttention": 1, "LayerNormalization": 1, "SkipLayerNormalization": 2, "BiasGelu": 1, "Softmax": 0},
    "torchscript_bert_sdpa": {"ScaledDotProductAttention": 1, "LayerNormalization": 1, "SkipLayerNormalization": 2, "BiasGelu": 1, "Softmax": 0},
    "torchscript_clip": {"ScaledDotProductAttention": 1, "LayerNormalization": 1, "SkipLayerNormalization": 2, "QuickGelu": 1, "Softmax": 0},
    "torchscript_diffusion": {"ActivatedGroupNormalization": 7, "ScaledDotProductAttention": 1, "QuickGelu": 8, "GroupNormalization": 8, "Softmax": 0, "InstanceNormalization": 0},
    "torchscript_diffusion_half": {"ActivatedGroupNormalization": 7, "ScaledDotProductAttention": 1, "QuickGelu": 8, "GroupNormalization": 8, "Softmax": 0, "InstanceNormalization": 0},
    "torchscript_distilbert": {"ScaledDotProductAttention": 1, "LayerNormalization": 1, "SkipLayerNormalization": 2, "BiasGelu": 1, "Softmax": 0},
    "torchscript_t5": {"ScaledDotProductAttention": 3, "SimplifiedLayerNormalization": 2, "SkipSimplifiedLayerNormalization": 5, "Softmax": 0},
    "torchscript_vit": {"ScaledDotProductAttention": 1, "SkipLayerNormalization": 3, "BiasGelu": 1, "Softmax": 0},
}


def operators(engine, model, level):
    options = engine.SessionOptions()
    options.graph_optimization_level = getattr(engine.GraphOptimizationLevel, level)
    return collections.Counter(step["op"] for step in engine.explain(model, options)["steps"])


def check(engine, one):
    """Yields what is wrong with the case."""
    wanted = FUSED.get(one.name)
    if wanted is None:
        return
    last = operators(engine, one.model, "ORT_ENABLE_ALL")
    most = last | operators(engine, one.model, "ORT_ENABLE_EXTENDED")
    for op, count in wanted.items():
        found = (most if count else last)[op]
        if found != count:
            yield f"{found} {op}, {count} wanted"
