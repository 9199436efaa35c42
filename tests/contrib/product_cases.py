"""Products of float matrices, and convolutions."""
import numpy as np
from draw import normal, often, pick, result, shape, size, thinner
from elementwise_cases import case

ACTIVATIONS = ("Relu", "Sigmoid", "Tanh", "LeakyRelu", "HardSigmoid", "Clip", "HardSwish")


def fused_matmul(rng):
    m, k, n = size(rng, 9), size(rng, 9), size(rng, 9)
    dtype = pick(rng, np.float32, np.float32, np.float32, np.float64)
    trans_a, trans_b, batch_a, batch_b = (int(often(rng, 0.4)) for _ in range(4))
    lead = shape(rng, 0, 2, 4, 0.0)
    if batch_a or batch_b:
        lead = [size(rng, 4) for _ in range(size(rng, 2))]
    a_lead, b_lead = (lead, lead) if batch_a or batch_b else (lead, thinner(rng, lead)) if often(rng) else (thinner(rng, lead), lead)

    def laid(lead, rows, columns, transposed, batched):
        if batched:  # rows before the batch
            return [rows, *lead, columns] if not transposed else [columns, *lead, rows]
        return [*lead, columns, rows] if transposed else [*lead, rows, columns]

    a, b = normal(rng, laid(a_lead, m, k, trans_a, batch_a), dtype), normal(rng, laid(b_lead, k, n, trans_b, batch_b), dtype)
    attributes = {"transA": trans_a, "transB": trans_b, "transBatchA": batch_a, "transBatchB": batch_b}
    if often(rng):
        attributes["alpha"] = float(rng.uniform(-2, 2))
    return case([("a", a, False), ("b", b, often(rng))], [result(a)], **attributes)


def fused_gemm(rng):
    m, k, n = size(rng, 9), size(rng, 9), size(rng, 9)
    trans_a, trans_b = int(often(rng)), int(often(rng))
    a, b = normal(rng, [k, m] if trans_a else [m, k]), normal(rng, [n, k] if trans_b else [k, n])
    c = normal(rng, pick(rng, [m, n], [n], [1, n], [m, 1], [], [1])) if often(rng, 0.8) else None
    attributes = {"transA": trans_a, "transB": trans_b, "alpha": float(rng.uniform(-2, 2)), "beta": float(rng.uniform(-2, 2))}
    attributes["activation"] = pick(rng, "Relu", "Sigmoid", "Tanh", "LeakyRelu", "HardSigmoid", "Softplus", "Softsign", "Elu", "Selu", "Celu",
                                    "ThresholdedRelu", "ScaledTanh", "ParametricSoftplus")
    attributes.update({f"activation_{p}": float(rng.uniform(0.05, 1.5)) for p in ("alpha", "beta", "gamma")})
    return case([("a", a, False), ("b", b, often(rng)), ("c", c, often(rng))], [result(a)], least=1e-2, **attributes)


def fused_conv(rng):
    rank, groups = size(rng, 2), pick(rng, 1, 1, 2, 3)
    c, m, batch = groups * size(rng, 3), groups * size(rng, 4), size(rng, 2)
    kernel = [size(rng, 3) for _ in range(rank)]
    strides, dilations = [size(rng, 2) for _ in range(rank)], [size(rng, 2) for _ in range(rank)]
    pads = [int(rng.integers(0, 3)) for _ in range(2 * rank)]
    extent = [size(rng, 7) + 4 for _ in range(rank)]
    out = [(e + p + q - d * (k - 1) - 1) // s + 1 for e, p, q, k, s, d in zip(extent, pads, pads[rank:], kernel, strides, dilations)]
    x, w = normal(rng, [batch, c, *extent]), normal(rng, [m, c // groups, *kernel])
    bias = normal(rng, [m]) if often(rng, 0.7) else None
    z = normal(rng, [batch, m, *out]) if often(rng, 0.4) else None
    attributes = {"group": groups, "strides": strides, "dilations": dilations, "pads": pads}
    if often(rng):
        attributes["kernel_shape"] = kernel
    kind = pick(rng, None, *ACTIVATIONS)
    if kind:
        attributes["activation"] = kind
        parameters = {"LeakyRelu": [0.1], "HardSigmoid": [0.3, 0.4], "Clip": [-0.5, 0.7]}.get(kind)
        if parameters:
            attributes["activation_params"] = parameters
    return case([("x", x, False), ("w", w, often(rng, 0.7)), ("bias", bias, often(rng, 0.7)), ("z", z, False)], [result(x)], least=1e-2, **attributes)


def pack(codes, bits):
    """Codes along the last axis, low bits first; its length times bits is a multiple of 8."""
    each = 8 // bits
    codes = codes.reshape(*codes.shape[:-1], -1, each)
    return sum(codes[..., i].astype(np.uint32) << (bits * i) for i in range(each)).astype(np.uint8)


def matmul_nbits(rng):
    bits, block = pick(rng, 4, 4, 4, 8, 8, 2), pick(rng, 16, 32, 32, 64, 128)
    k, n = int(rng.integers(1, 200)), size(rng, 40)
    if often(rng, 0.5):
        k = -(-k // block) * block
    blocks = -(-k // block)
    b = pack(rng.integers(0, 1 << bits, (n, blocks, block)), bits)
    scales = normal(rng, [n, blocks], scale=0.1)
    zero = None
    kind = pick(rng, "none", "packed", "packed", "float")
    if kind == "packed":
        each = 8 // bits
        codes = rng.integers(0, 1 << bits, (n, -(-blocks // each) * each))
        zero = pack(codes, bits)
    elif kind == "float":
        zero = normal(rng, [n, blocks], scale=2) + np.float32(1 << (bits - 1))
    a = normal(rng, [*shape(rng, 0, 2, 4, 0.0), size(rng, 5), k])
    g_idx = (np.arange(k) // block).astype(np.int32) if often(rng, 0.1) and kind != "packed" else None
    bias = normal(rng, [n]) if often(rng, 0.3) else None
    attributes = {"K": k, "N": n, "bits": bits, "block_size": block}
    if often(rng):
        attributes["accuracy_level"] = pick(rng, 0, 1, 4)
    inputs = [("a", a, False), ("b", b, True), ("scales", scales, True), ("zero", zero, True), ("g_idx", g_idx, True), ("bias", bias, True)]
    if g_idx is not None and bits == 2:
        inputs[4] = ("g_idx", None, True)  # onnxruntime's answer is not that of the codes
    if often(rng, 0.15) and attributes.get("accuracy_level") != 4:
        inputs = [(name, value, False) for name, value, _ in inputs]
    if "accuracy_level" not in attributes and often(rng, 0.2):
        inputs = [(name, value.astype(np.float16) if value is not None and value.dtype == np.float32 else value, constant) for name, value, constant in inputs]
        a = inputs[0][1]
    if attributes.get("accuracy_level") == 4:  # a's blocks are rounded to 8 bits in float32: a tie may go either way
        attributes["limit"] = 2e-3
    return case(inputs, [result(a)], **attributes)


CASES = {"FusedMatMul": fused_matmul, "FusedGemm": fused_gemm, "FusedConv": fused_conv, "MatMulNBits": matmul_nbits}
