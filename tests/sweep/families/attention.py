"""Attention and its relatives, rotary embeddings, stateful convolutions."""
import math

import numpy as np
from case import Case
from draw import wide
from families.reduce import softmax
from onnx import helper
from registry import sweep


def heads(x, count):
    """(batch, steps, count * size) to (batch, count, steps, size)."""
    return x.reshape(*x.shape[:2], count, -1).transpose(0, 2, 1, 3)


def packed(x):
    return x.transpose(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], -1)


def guarded(scores):
    """Softmax whose rows that are masked whole are 0."""
    top = np.max(scores, -1, keepdims=True)
    e = np.where(np.isneginf(top), 0, np.exp(scores - np.where(np.isneginf(top), 0, top)))
    total = np.sum(e, -1, keepdims=True)
    return np.where(total == 0, 0, e / np.where(total == 0, 1, total))


@sweep("Attention")
def attention(draw):
    dtype = draw.float_type("T1")
    batch, kv, ratio = draw.integer(1, 2), draw.integer(1, 2), draw.integer(1, 3)
    steps, keys, size, v_size = (draw.integer(1, 6) for _ in range(4))
    size = draw.choice([size, 8, 16])
    count = kv * ratio
    flat = draw.chance()
    plain = lambda *shape: draw.plain(dtype, shape, -1.5, 1.5)  # noqa: E731
    q, k, v = plain(batch, count, steps, size), plain(batch, kv, keys, size), plain(batch, kv, keys, v_size)
    cache = draw.choice(["none", "none", "past", "external"])
    past = draw.integer(0, 4) if cache == "past" else 0
    past_k, past_v = (plain(batch, kv, past, size), plain(batch, kv, past, v_size)) if cache == "past" else (None, None)
    lens = draw.rng.integers(1, keys, batch, endpoint=True).astype(np.int64) if cache == "external" else None
    total = past + keys
    attributes = {"is_causal": draw.choice([None, 0, 1]), "scale": draw.choice([None, draw.real(0.1, 1)]), "softcap": draw.choice([None, 0.0, draw.real(0.5, 3)])}
    left, right = (draw.choice([None, None, -1, draw.integer(0, 4)]) for _ in range(2))
    attributes |= {"left_window_size": left, "right_window_size": right}
    # Two heads' sizes must be told where they are packed.
    if flat:
        attributes |= {"q_num_heads": count, "kv_num_heads": kv}
    mask = None
    if draw.chance():
        shape = [draw.choice([1, batch]), draw.choice([1, count]), steps, total]
        shape = shape[draw.integer(0, 2):]
        low = max(1, int(lens.max()) if lens is not None else total)
        shape[-1] = draw.integer(low, total) if lens is not None else total
        mask = draw.tensor(bool, shape) if draw.chance() else draw.plain(dtype, shape, -2, 2)
    kk, vv = (wide(t) if p is None else np.concatenate([wide(p), wide(t)], 2) for t, p in ((k, past_k), (v, past_v)))
    scale = attributes["scale"] if attributes["scale"] is not None else 1 / math.sqrt(size)
    raw = np.einsum("bhqd,bhkd->bhqk", wide(q) * math.sqrt(scale), np.repeat(kk, ratio, 1) * math.sqrt(scale))
    soft = attributes["softcap"]
    capped = soft * np.tanh(raw / soft) if soft else raw
    bias = np.zeros((batch, count, steps, total))
    if mask is not None:
        full = np.where(mask, 0, -np.inf) if mask.dtype == bool else wide(mask)
        full = np.concatenate([full, np.full((*full.shape[:-1], total - full.shape[-1]), -np.inf)], -1)
        bias = bias + full
    j, i = np.arange(total), np.arange(steps)[:, None]
    for b in range(batch):
        offset = past if cache == "past" else int(lens[b]) - steps if cache == "external" else 0
        position = i + offset
        ok = np.ones((steps, total), bool)
        if attributes["is_causal"]:
            ok &= j <= position
        if left is not None and left >= 0:
            ok &= j >= position - left
        if right is not None and right >= 0:
            ok &= j <= position + right
        if lens is not None:
            ok &= j < lens[b]
        bias[b] = np.where(ok, bias[b], -np.inf)
    weights = guarded(capped + bias)
    y = np.einsum("bhqk,bhkd->bhqd", weights, np.repeat(vv, ratio, 1))
    mode = draw.choice([None, 0, 1, 2, 3])
    debug = {0: raw, 1: capped, 2: capped + bias, 3: weights}[mode or 0] if draw.chance(0.3) else None
    attributes["qk_matmul_output_mode"] = mode if debug is not None else None
    present = cache == "past"
    outputs = [packed(y) if flat else y, kk if present else None, vv if present else None, debug]
    inputs = [packed(t) if flat else t for t in (q, k, v)] + [mask, past_k, past_v, lens]
    # The scores are sums of `size` products near 1; an error of them multiplies the weights.
    return Case([None if t is None else np.ascontiguousarray(t) for t in inputs], outputs, attributes, ulps=8 + size, scale=4.0, types=[dtype] * 4)


@sweep("FlexAttention", domain="ai.onnx.preview")
def flex_attention(draw):
    dtype = draw.float_type("T1")
    batch, kv, ratio = draw.integer(1, 2), draw.integer(1, 2), draw.integer(1, 3)
    steps, keys, size, v_size = (draw.integer(1, 6) for _ in range(4))
    q, k, v = (draw.plain(dtype, s, -1.5, 1.5) for s in ((batch, kv * ratio, steps, size), (batch, kv, keys, size), (batch, kv, keys, v_size)))
    precise = np.float64 if dtype == np.float64 else np.float32
    attributes = {"scale": draw.choice([None, draw.real(0.1, 1)])}
    if dtype.itemsize == 2:
        attributes["softmax_precision"] = 1

    def modifier(op):
        from case import tensor_type
        infos = [helper.make_value_info(n, tensor_type(precise)) for n in ("a", "b")]
        return helper.make_graph([helper.make_node(op, ["a"], ["b"])], op, infos[:1], infos[1:])

    scores = np.einsum("bhqd,bhkd->bhqk", wide(q), np.repeat(wide(k), ratio, 1)) * (attributes["scale"] or 1 / math.sqrt(size))
    if draw.chance():
        attributes["score_mod"], scores = modifier("Tanh"), np.tanh(scores)
    weights = softmax(scores, -1)
    if draw.chance():
        attributes["prob_mod"], weights = modifier("Sqrt"), np.sqrt(weights)
    y = np.einsum("bhqk,bhkd->bhqd", weights, np.repeat(wide(v), ratio, 1))
    return Case([q, k, v], [y], attributes, ulps=8 + size, scale=4.0, types=[dtype])


@sweep("LinearAttention")
def linear_attention(draw):
    dtype = draw.float_type()
    batch, steps, kv, ratio, dk, dv = draw.integer(1, 2), draw.integer(1, 4), draw.integer(1, 2), draw.integer(1, 2), draw.integer(1, 4), draw.integer(1, 4)
    rule = draw.choice([None, "linear", "gated", "delta", "gated_delta"])
    kind = rule or "gated_delta"
    state_type = draw.float_type("S")
    plain = lambda *shape: draw.plain(dtype, shape, -0.7, 0.7)  # noqa: E731
    q, k, v = plain(batch, steps, kv * ratio * dk), plain(batch, steps, kv * dk), plain(batch, steps, kv * dv)
    past = draw.plain(state_type, (batch, kv, dk, dv), -1, 1) if draw.chance() else None
    if past is None:
        state_type = dtype if "S" in draw.types else dtype
    decay = draw.plain(dtype, (batch, steps, kv * (dk if draw.chance() else 1)), -1, 0) if "gated" in kind else None
    beta = draw.plain(dtype, (batch, steps, draw.choice([1, kv])), 0, 1) if "delta" in kind else None
    scale = draw.choice([None, draw.real(0.2, 1)])
    s = np.zeros((batch, kv, dk, dv)) if past is None else wide(past).copy()
    y = np.zeros((batch, steps, kv * ratio, dv))
    qq, kk, vv = (wide(t).reshape(batch, steps, -1, d) for t, d in ((q, dk), (k, dk), (v, dv)))
    for b in range(batch):
        for t in range(steps):
            for h in range(kv):
                state = s[b, h]
                if decay is not None:
                    g = wide(decay)[b, t].reshape(kv, -1)[h]
                    state = np.exp(g)[:, None] * state
                step = vv[b, t, h]
                if beta is not None:
                    rate = wide(beta)[b, t][h if beta.shape[2] == kv else 0]
                    step = rate * (step - state.T @ kk[b, t, h])
                state = state + np.outer(kk[b, t, h], step)
                s[b, h] = state
                for r in range(ratio):
                    y[b, t, h * ratio + r] = (scale or 1 / math.sqrt(dk)) * qq[b, t, h * ratio + r] @ state
    attributes = {"q_num_heads": kv * ratio, "kv_num_heads": kv, "update_rule": rule, "scale": scale, "chunk_size": draw.choice([None, 2])}
    return Case([q, k, v, past, decay, beta], [y.reshape(batch, steps, -1), s], attributes, ulps=64, scale=2.0, types=[dtype, state_type])


@sweep("CausalConvWithState")
def causal_conv(draw):
    dtype = draw.float_type()
    batch, channels, length, size = draw.integer(1, 3), draw.integer(1, 5), draw.integer(1, 7), draw.integer(1, 4)
    x, w = draw.plain(dtype, (batch, channels, length)), draw.plain(dtype, (channels, 1, size))
    b = draw.plain(dtype, (channels,)) if draw.chance() else None
    past = draw.plain(dtype, (batch, channels, size - 1)) if draw.chance() else None
    activation = draw.choice([None, "none", "silu", "swish"])
    before = np.zeros((batch, channels, size - 1)) if past is None else wide(past)
    line = np.concatenate([before, wide(x)], -1)
    y = sum(line[:, :, t:t + length] * wide(w)[:, 0, t][:, None] for t in range(size)) + (0 if b is None else wide(b)[:, None])
    if activation in ("silu", "swish"):
        y = y / (1 + np.exp(-y))
    return Case([x, w, b, past], [y, line[:, :, length:]], {"activation": activation}, ulps=16, scale=8.0, types=[dtype, dtype])


@sweep("RotaryEmbedding")
def rotary(draw):
    dtype = draw.float_type()
    batch, steps, count, size = draw.integer(1, 2), draw.integer(1, 5), draw.integer(1, 3), 2 * draw.integer(1, 5)
    part = draw.choice([None, 0, 2 * draw.integer(1, size // 2)])
    half = (part or size) // 2
    flat, interleaved = draw.chance(), draw.choice([None, 0, 1])
    x = draw.plain(dtype, (batch, count, steps, size))
    if draw.chance():
        places = draw.rng.integers(0, 8, (batch, steps)).astype(np.int64)
        cos, sin = draw.plain(dtype, (8, half), -1, 1), draw.plain(dtype, (8, half), -1, 1)
        c, s = wide(cos)[places], wide(sin)[places]
    else:
        places = None
        cos, sin = draw.plain(dtype, (batch, steps, half), -1, 1), draw.plain(dtype, (batch, steps, half), -1, 1)
        c, s = wide(cos), wide(sin)
    c, s, y = c[:, None], s[:, None], wide(x).copy()
    first = slice(0, 2 * half, 2) if interleaved else slice(0, half)
    second = slice(1, 2 * half, 2) if interleaved else slice(half, 2 * half)
    a, b = y[..., first].copy(), y[..., second].copy()
    y[..., first], y[..., second] = c * a - s * b, s * a + c * b
    attributes = {"interleaved": interleaved, "rotary_embedding_dim": part, "num_heads": count if flat or draw.chance(0.3) else None}
    return Case([np.ascontiguousarray(packed(x) if flat else x), cos, sin, places], [packed(y) if flat else y], attributes, ulps=4, scale=8.0, types=[dtype])
