"""Activations and normalisations."""
import numpy as np
from draw import FLOAT, normal, often, pick, result, shape, size


def case(inputs, outputs, **attributes):
    more = {k: attributes.pop(k) for k in ("domain", "least", "limit") if k in attributes}
    return {"inputs": inputs, "outputs": outputs, "attributes": attributes, "least": 1e-2, **more}


def values(rng, dims, dtype):
    x = normal(rng, dims, dtype, 3)
    if x.size and often(rng, 0.2):
        x.flat[rng.integers(x.size)] = pick(rng, np.inf, -np.inf, np.nan, -0.0, 1e-40, 60.0, -60.0)
    return x


def gelu(rng):
    x = values(rng, shape(rng), pick(rng, np.float32, np.float32, np.float16, np.float64))
    return case([("x", x, False)], [result(x)])


def quick_gelu(rng):
    x = values(rng, shape(rng), pick(rng, np.float32, np.float32, np.float16))
    return case([("x", x, False)], [result(x)], least=0.1, **({"alpha": float(rng.uniform(-2, 3))} if often(rng) else {}))


def bias_gelu(rng):
    x = values(rng, shape(rng, 1), pick(rng, np.float32, np.float32, np.float16))
    return case([("x", x, False), ("b", normal(rng, x.shape[-1:], x.dtype), often(rng))], [result(x)])


def fast_gelu(rng):
    x = values(rng, shape(rng, 1), pick(rng, np.float32, np.float32, np.float16))
    b = normal(rng, x.shape[-1:], x.dtype) if often(rng) else None
    return case([("x", x, False), ("b", b, often(rng))], [result(x)], least=0.1)  # 1 + tanh of large values is lost in rounding


def skip_norm(simplified):
    def make(rng):
        batch, steps, width = size(rng, 3), size(rng, 5), size(rng, 20)
        dtype = pick(rng, np.float32, np.float32, np.float16)
        dims = [batch, steps, width] if often(rng, 0.8) else [steps, width]
        skip = dims if len(dims) == 2 else pick(rng, dims, dims, [1, steps, width], [steps, width])
        vector = lambda: normal(rng, [width], dtype)  # noqa: E731
        maybe = lambda chance: vector() if often(rng, chance) else None  # noqa: E731
        inputs = [("x", normal(rng, dims, dtype), False), ("skip", normal(rng, skip, dtype), False), ("gamma", vector(), often(rng))]
        if not simplified:
            inputs.append(("beta", maybe(0.7), often(rng)))
        inputs.append(("bias", maybe(0.5), often(rng)))
        kind = result(inputs[0][1])
        outputs = [kind] + ([None, None, kind] if often(rng) else [])
        return case(inputs, outputs, **({"epsilon": float(10.0 ** rng.integers(-12, -1))} if often(rng) else {}))

    return make


def simplified_norm(rng):
    dims = shape(rng, 1, 4, 9, 0.0)
    axis = int(rng.integers(-len(dims), len(dims)))
    dtype = pick(rng, np.float32, np.float32, np.float64, np.float16)
    x, scale = normal(rng, dims, dtype), normal(rng, dims[axis % len(dims):], dtype)
    outputs = [result(x)] + ([FLOAT] if often(rng, 0.3) and dtype != np.float64 else [])
    return case([("x", x, False), ("scale", scale, often(rng))], outputs, domain="", axis=axis, **({"epsilon": 1e-3} if often(rng) else {}))


def embed(rng):
    batch, steps, width, words, places, kinds = size(rng, 3), size(rng, 6), size(rng, 12), size(rng, 20), size(rng, 6) + 5, size(rng, 3)
    dtype = pick(rng, np.float32, np.float32, np.float16)
    ids = lambda high, dims: rng.integers(0, high, dims).astype(np.int32)  # noqa: E731
    segments = often(rng, 0.7)
    inputs = [
        ("ids", ids(words, [batch, steps]), False),
        ("segment_ids", ids(kinds, [batch, steps]) if segments else None, False),
        ("words", normal(rng, [words, width], dtype), True),  # onnxruntime wants their sizes
        ("places", normal(rng, [places, width], dtype), True),
        ("segments", normal(rng, [kinds, width], dtype) if segments else None, True),
        ("gamma", normal(rng, [width], dtype), True),
        ("beta", normal(rng, [width], dtype), True),
        ("mask", ids(2, [batch, steps]) if often(rng) else None, False),
        ("position_ids", ids(places, pick(rng, [batch, steps], [1, steps])) if often(rng, 0.4) else None, False),
    ]
    kind = result(inputs[2][1])
    outputs = [kind, 6] + ([kind] if often(rng) else [])  # 6: int32
    return case(inputs, outputs, **({"epsilon": 1e-5} if often(rng) else {}))


CASES = {
    "Gelu": gelu,
    "QuickGelu": quick_gelu,
    "BiasGelu": bias_gelu,
    "FastGelu": fast_gelu,
    "SkipLayerNormalization": skip_norm(simplified=False),
    "SkipSimplifiedLayerNormalization": skip_norm(simplified=True),
    "SimplifiedLayerNormalization": simplified_norm,
    "EmbedLayerNormalization": embed,
}
