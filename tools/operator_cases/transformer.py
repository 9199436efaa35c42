"""Operators of transformers, com.microsoft's too."""
import numpy as np

from operator_cases import Case, Constant, integers, ints, normal

HEADS, HIDDEN, SEQUENCE = 12, 768, 128
X = normal(1, SEQUENCE, HIDDEN)


def contrib(name, op, inputs, outputs=1, **attributes):
    return Case(f"{op} {name}", op, inputs, attributes, outputs, domain="com.microsoft")


def grouped(sequence, past, heads=16, kept=4, size=64):
    inputs = [normal(1, sequence, heads * size), normal(1, sequence, kept * size), normal(1, sequence, kept * size),
              normal(1, kept, past, size), normal(1, kept, past, size),
              np.array([[past + sequence - 1]], np.int32).reshape(1), np.array([past + sequence], np.int32).reshape(())]
    return contrib(f"{sequence} behind {past}", "GroupQueryAttention", inputs, 3, num_heads=heads, kv_num_heads=kept)


GAMMA, BETA = Constant(normal(HIDDEN)), Constant(normal(HIDDEN))

CASES = [
    Case("LayerNormalization 128x768", "LayerNormalization", [X, GAMMA, BETA], opset=17),
    Case("LayerNormalization 3136x96", "LayerNormalization",
         [normal(1, 3136, 96), Constant(normal(96)), Constant(normal(96))], opset=17),
    Case("RMSNormalization 128x768", "RMSNormalization", [X, GAMMA], opset=23),
    Case("Softmax 12x128x128", "Softmax", [normal(1, 12, 128, 128)], dict(axis=-1), opset=13),
    Case("Attention 12x128x64", "Attention", [normal(1, HEADS, SEQUENCE, 64) for _ in range(3)], opset=23),
    Case("Attention 12x128x64, causal", "Attention", [normal(1, HEADS, SEQUENCE, 64) for _ in range(3)],
         dict(is_causal=1), opset=23),
    contrib("128x768", "SkipLayerNormalization", [X, X[::-1].copy(), GAMMA, BETA]),
    contrib("128x768", "SkipSimplifiedLayerNormalization", [X, X[::-1].copy(), GAMMA]),
    contrib("128x3072", "BiasGelu", [normal(1, SEQUENCE, 3072), Constant(normal(3072))]),
    contrib("128x3072", "FastGelu", [normal(1, SEQUENCE, 3072), Constant(normal(3072))]),
    contrib("128x3072", "QuickGelu", [normal(1, SEQUENCE, 3072)]),
    contrib("128x768", "MultiHeadAttention", [X, X.copy(), X.copy()], num_heads=HEADS),
    contrib("128x768", "Attention", [X, Constant(0.05 * normal(HIDDEN, 3 * HIDDEN)), Constant(normal(3 * HIDDEN))],
            num_heads=HEADS),
    contrib("1x128", "EmbedLayerNormalization", [
        integers(1000, 1, 128, dtype=np.int32), np.zeros((1, 128), np.int32), Constant(normal(1000, HIDDEN)),
        Constant(normal(512, HIDDEN)), Constant(normal(2, HIDDEN)), GAMMA, BETA], 2),
    grouped(1, 512),
    grouped(64, 64),
    contrib("128 of 12x64", "RotaryEmbedding", [
        normal(1, HEADS, SEQUENCE, 64), np.arange(SEQUENCE)[None], Constant(normal(256, 32)), Constant(normal(256, 32))]),
    contrib("128x768x768, transposed, alpha", "FusedMatMul", [X, Constant(normal(HIDDEN, HIDDEN))], transB=1, alpha=0.125),
    contrib("12x128x64, both inputs, transposed", "FusedMatMul", [normal(12, 128, 64), normal(12, 128, 64)], transB=1),
    Case("Gather 128 of 30000x768", "Gather", [Constant(normal(30000, HIDDEN)), integers(30000, 1, SEQUENCE)], opset=13),
    Case("Transpose 1x128x12x64 by heads", "Transpose", [normal(1, 128, 12, 64)], dict(perm=[0, 2, 1, 3]), opset=13),
    Case("Expand 1x4x1x64x64 to 4 each", "Expand", [normal(1, 4, 1, 64, 64), Constant(ints(1, 4, 4, 64, 64))], opset=13),
    contrib("128x768x768", "DynamicQuantizeMatMul", [
        X, Constant(integers(255, HIDDEN, HIDDEN, dtype=np.uint8)), Constant(np.float32(0.01)), Constant(np.uint8(128))]),
    *(contrib(f"{rows}x2048x2048, 4 bits", "MatMulNBits", [
        normal(1, rows, 2048), Constant(integers(256, 2048, 64, 16, dtype=np.uint8)), Constant(abs(normal(2048 * 64)))],
        K=2048, N=2048, bits=4, block_size=32) for rows in (1, 64)),
]
