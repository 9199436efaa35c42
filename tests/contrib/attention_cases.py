"""Attention in its several forms."""
import numpy as np
from draw import normal, often, pick, result, scalar, size, whole
from elementwise_cases import case


def key_mask(rng, batch, queries, keys, causal):
    """A mask of any form that Attention's text names, with at least one key left to see in each row."""
    kind = pick(rng, "none", "none", "ends", "starts", "three", "keys", "queries")  # onnxruntime's CPU takes no [batch, 1, most, most]
    if kind == "none":
        return None
    if kind == "ends":
        return rng.integers(1, keys + 1, batch).astype(np.int32)
    if kind == "starts":
        ends = rng.integers(1, keys + 1, batch)
        most = np.minimum(ends, keys - queries + 1) if causal else ends  # the first query sees past keys and its own
        return np.concatenate([ends, rng.integers(0, most)]).astype(np.int32)
    if kind == "three":
        ends = rng.integers(1, keys + 1, batch)
        return np.concatenate([ends, np.arange(batch + 1) * queries, np.arange(batch + 1) * keys]).astype(np.int32)
    dims = {"keys": [batch, keys], "queries": [batch, queries, keys]}[kind]
    made = rng.integers(0, 2, dims).astype(np.int32)
    made[..., 0] = 1
    return made


def score_bias(rng, batch, heads, queries, keys, dtype):
    return normal(rng, [pick(rng, 1, batch), pick(rng, 1, heads), queries, keys], dtype) if often(rng, 0.3) else None


def chosen(rng, attributes):
    if often(rng, 0.3):
        attributes["scale"] = float(rng.uniform(0.1, 1.5))
    if often(rng, 0.3):
        attributes["mask_filter_value"] = float(pick(rng, -10000.0, -50.0, -1e9))
    return attributes


def sizes(rng):
    heads, head = size(rng, 4), pick(rng, 1, 3, 4, 8, 16)
    return size(rng, 3), size(rng, 6), heads, head


def attention(rng):
    batch, steps, heads, head = sizes(rng)
    depth, past, dtype = size(rng, 12), pick(rng, 0, 0, size(rng, 5)), pick(rng, np.float32, np.float32, np.float32)
    value = head * heads if past or often(rng, 0.7) else heads * size(rng, 6)
    width = 2 * heads * head + value
    attributes = chosen(rng, {"num_heads": heads, "unidirectional": int(often(rng, 0.3))})
    if value != heads * head or often(rng, 0.3):
        attributes["qkv_hidden_sizes"] = [heads * head, heads * head, value]
    kept = normal(rng, [2, batch, heads, past, head], dtype) if past else None
    mask = key_mask(rng, batch, steps, steps + past, attributes["unidirectional"])
    inputs = [("x", normal(rng, [batch, steps, depth], dtype), False), ("w", normal(rng, [depth, width], dtype), often(rng, 0.8)),
              ("bias", normal(rng, [width], dtype), often(rng, 0.8)), ("mask", mask, False), ("past", kept, False),
              ("score_bias", score_bias(rng, batch, heads, steps, steps + past, dtype), False)]
    kind = result(inputs[0][1])
    wants_present = value == heads * head and (past or often(rng, 0.4))
    return case(inputs, [kind] + [kind] * bool(wants_present), **attributes)


def qattention(rng):
    batch, steps, heads, head = sizes(rng)
    depth, past = size(rng, 12), pick(rng, 0, 0, size(rng, 5))
    width = 3 * heads * head
    x_type, w_type = pick(rng, (np.uint8, np.uint8), (np.uint8, np.int8))
    by_column = often(rng, 0.3)
    attributes = {"num_heads": heads, "unidirectional": int(often(rng, 0.4))}
    mask = key_mask(rng, batch, steps, steps + past, attributes["unidirectional"])
    constant = often(rng, 0.8)
    w_zero = None if often(rng, 0.3) else whole(rng, [width] if by_column else [], w_type)
    inputs = [("x", whole(rng, [batch, steps, depth], x_type), False), ("w", whole(rng, [depth, width], w_type), constant), ("bias", normal(rng, [width]), True),
              ("x_scale", scalar(2.0 ** rng.uniform(-8, -4)), True), ("w_scale", (2.0 ** rng.uniform(-8, -4, [width] if by_column else [])).astype(np.float32) if by_column else scalar(2.0 ** rng.uniform(-8, -4)), True),
              ("mask", mask, False), ("x_zero", whole(rng, [], x_type) if often(rng, 0.8) else None, True), ("w_zero", w_zero, True),
              ("past", normal(rng, [2, batch, heads, past, head]) if past else None, False)]
    return case(inputs, [1] + [1] * bool(past or often(rng, 0.3)), **attributes)


def multi_head(rng):
    batch, steps, heads, head = sizes(rng)
    dtype = np.float32
    kind = pick(rng, "plain", "plain", "cross", "ready", "past", "room")  # onnxruntime's CPU takes no packed tensors
    keys = size(rng, 7) if kind in ("cross", "ready") else steps
    value = heads * head if kind not in ("plain", "cross") or often(rng, 0.7) else heads * size(rng, 6)
    past = size(rng, 5) if kind in ("past", "room") else 0
    room = past + (steps + size(rng, 3) if kind == "room" else 0)
    n = lambda *dims: normal(rng, dims, dtype)  # noqa: E731
    if kind == "ready":
        q, k, v = n(batch, steps, heads * head), n(batch, heads, keys, head), n(batch, heads, keys, head)
    else:
        q, k, v = n(batch, steps, heads * head), n(batch, keys, heads * head), n(batch, keys, value)
    total = past + keys
    bias = n(2 * heads * head + value) if often(rng, 0.4) else None
    mask = pick(rng, None, None, rng.integers(1, total + 1, batch).astype(np.int32), np.concatenate([np.ones((batch, 1)), rng.integers(0, 2, (batch, total - 1))], 1).astype(np.int32),
                np.concatenate([np.ones((batch, steps, 1)), rng.integers(0, 2, (batch, steps, total - 1))], 2).astype(np.int32))
    inputs = [("q", q, False), ("k", k, False), ("v", v, False), ("bias", bias, often(rng)), ("mask", mask, False),
              ("score_bias", score_bias(rng, batch, heads, steps, total, dtype), False)]
    if past:
        inputs += [("past_k", n(batch, heads, room, head), False), ("past_v", n(batch, heads, room, head), False)]
    if kind == "room":
        inputs.append(("past_length", np.array([past], np.int32), False))
    attributes = chosen(rng, {"num_heads": heads, "unidirectional": int(keys == steps and often(rng, 0.3))})
    outputs = [1] + ([1, 1] if past or (kind in ("plain", "cross") and value == heads * head and often(rng, 0.3)) else [])
    if often(rng, 0.15) and kind != "room":
        outputs = outputs + [None] * (3 - len(outputs)) + [1]
    return case(inputs, outputs, **attributes)


def tables(rng, rows, width):
    angle = np.arange(rows)[:, None] * 10.0 ** -np.arange(width)
    return np.cos(angle).astype(np.float32), np.sin(angle).astype(np.float32)


def group_query(rng):
    batch, heads_kv, group, head = size(rng, 3), size(rng, 2), size(rng, 3), pick(rng, 16, 16, 32)
    heads = heads_kv * group
    prompt = often(rng)
    steps = size(rng, 6) if prompt else pick(rng, 1, 1, size(rng, 4))
    room = pick(rng, 0, steps + 3) if prompt else size(rng, 8) + steps
    if not prompt and steps > 1:
        batch = 1
    n = lambda *dims: normal(rng, dims)  # noqa: E731
    if prompt:
        lengths = np.full(batch, steps) if often(rng, 0.7) else rng.integers(1, steps + 1, batch)
        total = steps
    else:
        past = rng.integers(0 if steps == 1 else 1, room - steps + 1, batch) if steps == 1 else np.full(batch, rng.integers(1, room - steps + 1))
        lengths = past + steps
        total = int(lengths.max())
        if total == steps:
            lengths, total = lengths + 1, total + 1
            room = max(room, total)
    packed = often(rng, 0.4)
    q = n(batch, steps, (heads + 2 * heads_kv) * head) if packed else n(batch, steps, heads * head)
    k, v = (None, None) if packed else (n(batch, steps, heads_kv * head), n(batch, steps, heads_kv * head))
    rotary = often(rng)
    rows = max(room, total) + 3
    half = head // 2 if often(rng, 0.7) else 8
    cos, sin = tables(rng, rows, half) if rotary else (None, None)
    caches = [n(batch, heads_kv, room, head), n(batch, heads_kv, room, head)] if room else [None, None]
    attributes = {"num_heads": heads, "kv_num_heads": heads_kv}
    if rotary:
        attributes.update(do_rotary=1, rotary_interleaved=int(often(rng, 0.4)))
    if often(rng, 0.3):
        attributes["scale"] = float(rng.uniform(0.1, 1))
    if often(rng, 0.3):
        attributes["softcap"] = float(rng.uniform(0.5, 5))
    if often(rng, 0.3) and (lengths == total).all():  # onnxruntime's rows beyond a sequence are of chance there
        attributes["local_window_size"] = size(rng, 5)
    if often(rng, 0.2):
        attributes["smooth_softmax"] = 1
    places = None
    if rotary and often(rng, 0.3):
        first = np.zeros(batch, int) if prompt else lengths - steps
        places = (first[:, None] + np.arange(steps)).astype(np.int64)
    sink = n(heads) if often(rng, 0.2) and not attributes.get("smooth_softmax") else None
    bias = n(pick(rng, 1, batch), pick(rng, 1, heads), steps, total) if often(rng, 0.25) else None
    inputs = [("q", q, False), ("k", k, False), ("v", v, False), ("past_k", caches[0], False), ("past_v", caches[1], False), ("lens", (lengths - 1).astype(np.int32), False),
              ("total", np.array([total], np.int32) if often(rng) else scalar(total, np.int32), often(rng)), ("cos", cos, often(rng)), ("sin", sin, often(rng)), ("places", places, False),
              ("bias", bias, False), ("sink", sink, True)]
    outputs = [1, 1, 1]
    if often(rng, 0.15):
        inputs = [(name, value.astype(np.float16) if value is not None and value.dtype == np.float32 else value, constant) for name, value, constant in inputs]
        outputs = [10, 10, 10]  # 10: float16
    elif often(rng, 0.2):
        attributes["qk_output"] = pick(rng, 1, 2)
        outputs.append(1)
    elif "local_window_size" not in attributes and often(rng, 0.15):
        attributes["causal"] = 0
    return case(inputs, outputs, **attributes)


def rotary(rng):
    batch, steps, heads, head = size(rng, 3), size(rng, 6), size(rng, 3), 2 * size(rng, 6)
    part = often(rng, 0.3)
    turned = 2 * size(rng, head // 2) if part else head
    rows = steps + size(rng, 5)
    cos, sin = tables(rng, rows, turned // 2)
    dtype = pick(rng, np.float32, np.float32, np.float16)
    x = normal(rng, [batch, heads, steps, head] if often(rng, 0.4) else [batch, steps, heads * head], dtype)
    places = rng.integers(0, rows, (batch, steps)) if often(rng) else rng.integers(0, rows - steps + 1, 1)
    attributes = {"interleaved": int(often(rng))}
    if part or often(rng, 0.2):
        attributes.update(num_heads=heads, rotary_embedding_dim=turned)
    constant = often(rng)
    return case([("x", x, False), ("places", places.astype(np.int64), False), ("cos", cos.astype(dtype), constant), ("sin", sin.astype(dtype), constant)], [result(x)], **attributes)


CASES = {"Attention": attention, "QAttention": qattention, "MultiHeadAttention": multi_head, "GroupQueryAttention": group_query, "RotaryEmbedding": rotary}
