"""Spectra and windows, images, optimizers, dropout."""
import math
import struct
import zlib

import numpy as np
from case import Case, element_type
from draw import DTYPES, f32, wide
from families.linalg import sum_error
from registry import sweep


def scalar(value, dtype=np.int64):
    return np.array(value, dtype)


def parts(z):
    return np.stack([z.real, z.imag], -1)


@sweep("DFT")
def dft(draw):
    dtype = draw.float_type("T1")
    shape = list(draw.shape(1, 3, zero=0, count=300))
    inverse, onesided = draw.choice([None, 0, 1]), draw.choice([None, 0, 1])
    is_complex = draw.chance() and not (onesided and not inverse) or bool(onesided and inverse)
    rank = len(shape) + 1
    axis = draw.integer(0, rank - 2)
    if onesided and inverse:
        shape[axis] = max(2, shape[axis])
    x = draw.plain(dtype, (*shape, 2 if is_complex else 1))
    n = draw.choice([None, draw.integer(1, 20)])
    z = wide(x)[..., 0] + (1j * wide(x)[..., 1] if is_complex else 0)
    if onesided and inverse:
        count = n or 2 * (shape[axis] - 1)
        y = np.fft.irfft(z, count, axis)[..., None]
    else:
        count = n or shape[axis]
        y = parts((np.fft.ifft if inverse else np.fft.fft)(z, count, axis))
        if onesided:
            y = np.take(y, range(count // 2 + 1), axis)
    given = axis - rank * draw.chance() if axis != rank - 2 or draw.chance() else None
    inputs = [x, None if n is None else scalar(n, draw.dtype("T2")), None if given is None else scalar(given)]
    size = 4.0 * (1 if inverse else count)
    return Case(inputs, [y], {"inverse": inverse, "onesided": onesided}, ulps=sum_error(count), scale=size, types=[dtype])


@sweep("STFT")
def stft(draw):
    dtype = draw.float_type("T1")
    onesided = draw.choice([None, 0, 1])
    is_complex = onesided == 0 and draw.chance()
    batch, length, step = draw.integer(1, 3), draw.integer(4, 40), draw.integer(1, 6)
    frame = draw.integer(1, length)
    x = draw.plain(dtype, (batch, length, 2 if is_complex else 1))
    window = draw.plain(dtype, (frame,), 0, 1) if draw.chance(0.7) else None
    given = scalar(frame, draw.dtype("T2")) if window is None or draw.chance() else None
    z = wide(x)[..., 0] + (1j * wide(x)[..., 1] if is_complex else 0)
    gain = 1 if window is None else wide(window)
    frames = (length - frame) // step + 1
    y = parts(np.fft.fft(np.stack([z[:, i * step:i * step + frame] * gain for i in range(frames)], 1), axis=-1))
    if onesided != 0:
        y = y[:, :, :frame // 2 + 1]
    step_type = np.dtype(given.dtype if given is not None else draw.dtype("T2"))
    return Case([x, scalar(step, step_type), window, given], [y], {"onesided": onesided}, ulps=sum_error(frame), scale=4.0 * frame, types=[dtype])


@sweep("HannWindow", "HammingWindow", "BlackmanWindow")
def window(draw, name):
    size, periodic = draw.integer(1, 40), draw.choice([None, 0, 1])
    names = [t[7:-1] for t in draw.types["T2"] if t[7:-1] in ("float", "double", "float16", "bfloat16")]
    out = draw.choice([None, *names])
    dtype = np.dtype(DTYPES[out or "float"])
    count = size - 1 if periodic == 0 else size
    if count == 0:
        return window(draw, name)  # 0 / 0
    a = {"HannWindow": (0.5, 0.5, 0), "HammingWindow": (25 / 46, 1 - 25 / 46, 0), "BlackmanWindow": (0.42, 0.5, 0.08)}[name]
    angle = 2 * math.pi * np.arange(size) / count
    y = a[0] - a[1] * np.cos(angle) + a[2] * np.cos(2 * angle)
    return Case([scalar(size, draw.dtype("T1"))], [y], {"periodic": periodic, "output_datatype": None if out is None else element_type(dtype)}, ulps=4, scale=1.0, types=[dtype])


@sweep("MelWeightMatrix")
def mel(draw):
    """Triangles between points that are even on the mel scale, as places of the spectrum, rounded down. The text does not say
    how many steps lie between the edges; the standard's own case and onnx.reference take the number of points."""
    bins, length, rate = draw.integer(1, 12), draw.choice([16, 31, 64, 100]), draw.choice([8000, 8192, 16000])
    low, high = draw.real(0, 300), draw.real(1000, rate / 2)
    spectrum = length // 2 + 1
    to_mel = lambda f: 2595 * np.log10(1 + f / 700)  # noqa: E731
    points = 700 * (10 ** ((to_mel(low) + np.arange(bins + 2) * (to_mel(high) - to_mel(low)) / (bins + 2)) / 2595) - 1)
    exact = (length + 1) * points / rate
    if np.any(np.abs(exact - np.rint(exact)) < 1e-3):
        return mel(draw)
    at = np.floor(exact).astype(int)
    y = np.zeros((spectrum, bins))
    for b in range(bins):
        first, middle, last = at[b:b + 3]
        if first == middle:
            y[middle, b] = 1
        else:
            for j in range(first, middle + 1):
                y[j, b] = (j - first) / (middle - first)
        if last > middle:
            for j in range(middle, last):
                y[j, b] = (last - j) / (last - middle)
    names = [t[7:-1] for t in draw.types["T3"] if t[7:-1] in ("float", "double")]
    out = draw.choice([None, *names])
    ints, reals = draw.choice([np.int32, np.int64]), draw.choice([np.float32, np.float64])
    inputs = [scalar(v, ints) for v in (bins, length, rate)] + [scalar(v, reals) for v in (low, high)]
    return Case(inputs, [y], {"output_datatype": None if out is None else element_type(DTYPES[out])}, ulps=2, types=[np.dtype(DTYPES[out or "float"])])


def cubic(d, a):
    d = abs(d)
    if d <= 1:
        return (a + 2) * d**3 - (a + 3) * d**2 + 1
    return a * d**3 - 5 * a * d**2 + 8 * a * d - 4 * a if d < 2 else 0.0


def origin(x, mode, n, out, scale, start, end):
    if mode == "half_pixel" or (mode == "pytorch_half_pixel" and out > 1):
        return (x + 0.5) / scale - 0.5
    if mode == "pytorch_half_pixel":
        return 0.0
    if mode == "half_pixel_symmetric":
        return n / 2 * (1 - out / (n * scale)) + (x + 0.5) / scale - 0.5
    if mode == "align_corners":
        # The length that a scale gives may be a fraction: the standard's cases have it so.
        return x * (n - 1) / (n * scale - 1) if out > 1 and n * scale != 1 else 0.0
    if mode == "asymmetric":
        return x / scale
    return start * (n - 1) + x * (end - start) * (n - 1) / (out - 1) if out > 1 else 0.5 * (start + end) * (n - 1)


def near_an_edge(x):
    """Of a decision between two neighbours, which float rounding would make."""
    return min(abs(x - math.floor(x) - e) for e in (0, 0.5, 1)) < 1e-4 and x * 2 != round(x * 2)


def axis_matrix(n, out, scale, attributes, start, end):
    """(out x n weights, which rows lie outside), or None where a rounding decides."""
    mode, transform = attributes.get("mode") or "nearest", attributes.get("coordinate_transformation_mode") or "half_pixel"
    rule, a = attributes.get("nearest_mode") or "round_prefer_floor", attributes.get("cubic_coeff_a", -0.75)
    matrix, outside = np.zeros((out, n)), np.zeros(out, bool)
    for row in range(out):
        x = origin(row, transform, n, out, scale, start, end)
        outside[row] = x < 0 or x > n - 1
        if transform == "tf_crop_and_resize" and min(abs(x), abs(x - n + 1)) < 1e-4 and not (x == 0 or x == n - 1):
            return None
        if mode == "nearest":
            if near_an_edge(x):
                return None
            place = {"round_prefer_floor": math.ceil(x - 0.5), "round_prefer_ceil": math.floor(x + 0.5), "floor": math.floor(x), "ceil": math.ceil(x)}[rule]
            matrix[row, min(max(place, 0), n - 1)] = 1
            continue
        shrink = min(scale, 1.0) if attributes.get("antialias") else 1.0
        reach = (1 if mode == "linear" else 2) / shrink
        taps = range(math.floor(x - reach), math.ceil(x + reach) + 1)
        weights = {t: (max(0.0, 1 - abs(t - x) * shrink) if mode == "linear" else cubic((t - x) * shrink, a)) for t in taps}
        if attributes.get("exclude_outside"):
            weights = {t: (w if 0 <= t < n else 0.0) for t, w in weights.items()}
        total = sum(weights.values())
        for t, w in weights.items():
            matrix[row, min(max(t, 0), n - 1)] += w / total
    return matrix, outside


@sweep("Resize")
def resize(draw):
    dtype = draw.float_type("T1")
    rank = draw.integer(1, 4)
    shape = [draw.integer(1, 6) for _ in range(rank)]
    x = draw.plain(dtype, shape)
    axes = sorted(draw.rng.permutation(rank)[: draw.integer(1, rank)].tolist()) if draw.chance() else None
    places = list(range(rank)) if axes is None else axes
    attributes = {"mode": draw.choice([None, "nearest", "linear", "cubic"]), "coordinate_transformation_mode": draw.choice([None, "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize"])}
    if attributes["mode"] in (None, "nearest"):
        attributes["nearest_mode"] = draw.choice([None, "round_prefer_floor", "round_prefer_ceil", "floor", "ceil"])
    else:
        attributes["antialias"] = draw.choice([None, 0, 1])
        attributes["exclude_outside"] = draw.choice([None, 0, 1]) if attributes["mode"] == "cubic" else None
    if attributes["mode"] == "cubic" and draw.chance():
        attributes["cubic_coeff_a"] = draw.real(-1, -0.3)
    crop = attributes["coordinate_transformation_mode"] == "tf_crop_and_resize"
    roi, outer = None, 0.0
    starts, ends = [0.0] * len(places), [1.0] * len(places)
    if crop:
        starts = [f32(draw.integer(-2, 3) / 8) for _ in places]
        ends = [f32(s + draw.integer(2, 8) / 8) for s in starts]
        roi = np.array(starts + ends, np.float32)
        if draw.chance():
            outer = attributes["extrapolation_value"] = draw.real(-3, 3)
    by_scale = draw.chance()
    if by_scale:
        scales = [float(draw.choice([0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 0.6])) for _ in places]
        scales = [f32(s) for s in scales]
        sizes = [math.floor(shape[p] * s * (e - b if crop else 1)) for p, s, b, e in zip(places, scales, starts, ends)]
        if any(abs(shape[p] * s * (e - b if crop else 1) % 1 - 1) < 1e-4 for p, s, b, e in zip(places, scales, starts, ends)) or not all(sizes):
            return resize(draw)
    else:
        sizes = [draw.integer(1, 9) for _ in places]
        policy = None if crop else draw.choice([None, "stretch", "not_larger", "not_smaller"])
        attributes["keep_aspect_ratio_policy"] = policy
        scales = [s / shape[p] for s, p in zip(sizes, places)]
        asked = list(sizes)
        if policy in ("not_larger", "not_smaller"):
            scale = (min if policy == "not_larger" else max)(scales)
            sizes = [math.floor(scale * shape[p] + 0.5) for p in places]
            if any(abs(scale * shape[p] % 1 - 0.5) < 1e-3 for p in places) or not all(sizes):
                return resize(draw)
            scales = [scale] * len(places)
    y, outside = wide(x), np.zeros([1] * rank, bool)
    for p, s, scale, begin, end in zip(places, sizes, scales, starts, ends):
        if s == shape[p] and not crop and scale == 1:
            continue
        made = axis_matrix(shape[p], s, scale, attributes, begin, end)
        if made is None:
            return resize(draw)
        y = np.moveaxis(np.tensordot(made[0], y, (1, p)), 0, p)
        outside = outside | made[1].reshape([-1 if d == p else 1 for d in range(rank)])
    if crop:
        y = np.where(outside, outer, y)
    given = None if axes is None else [a - rank * draw.chance() for a in axes]
    inputs = [x, roi, np.array(scales, np.float32) if by_scale else None, None if by_scale else np.array(asked, np.int64)]
    ulps = 0 if attributes["mode"] in (None, "nearest") else 64
    return Case(inputs, [y], {**attributes, "axes": given}, ulps=ulps, scale=8.0, types=[dtype])


@sweep("Upsample")
def upsample(draw):
    dtype = np.dtype(np.float32) if draw.chance() else draw.dtype("T", without=("string", "complex64", "complex128", "bool"))
    linear = draw.chance() and dtype == np.float32
    shape = [draw.integer(1, 5) for _ in range(4)]
    scales = [1.0, 1.0] + [float(draw.choice([1, 2, 3, 1.5])) for _ in range(2)]
    x = draw.plain(dtype, shape)
    sizes = [math.floor(n * s) for n, s in zip(shape, scales)]
    y = wide(x)
    attributes = {"mode": "linear" if linear else "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
    for axis in range(2, 4):
        made = axis_matrix(shape[axis], sizes[axis], scales[axis], attributes, 0, 1)
        if made is None:
            return upsample(draw)
        y = np.moveaxis(np.tensordot(made[0], y, (1, axis)), 0, axis)
    mode = "linear" if linear else draw.choice([None, "nearest"])
    return Case([x, np.array(scales, np.float32)], [y if dtype == np.float32 else y.astype(np.int64).astype(dtype) if dtype.kind in "iu" else y], {"mode": mode}, ulps=16 if linear else 0, scale=8.0, types=[dtype], opset=9)


def sample(plane, place, mode, padding, align):
    """plane (channels, ...), place in pixels."""
    dims = plane.shape[1:]

    def folded(index, n):
        low, high = (0, n - 1) if align else (-0.5, n - 0.5)
        span = high - low
        if span <= 0:
            return 0
        d = (index - low) % (2 * span)
        return low + (2 * span - d if d > span else d)

    def pixel(index):
        index = list(index)
        for k, n in enumerate(dims):
            if padding == "border":
                index[k] = min(max(index[k], 0), n - 1)
            elif padding == "reflection":
                index[k] = min(max(int(round(folded(index[k], n))), 0), n - 1)
            elif not 0 <= index[k] < n:
                return np.zeros(plane.shape[0])
        return plane[(slice(None), *index)]

    if padding == "border" and mode != "cubic":
        place = [min(max(p, 0), n - 1) for p, n in zip(place, dims)]
    if padding == "reflection" and mode != "cubic":
        place = [folded(p, n) for p, n in zip(place, dims)]
        place = [min(max(p, 0), n - 1) for p, n in zip(place, dims)]
    if mode == "nearest":
        return pixel([round(p) for p in place])
    base = [math.floor(p) for p in place]
    spans = [(-1, 0, 1, 2) if mode == "cubic" else (0, 1)] * len(place)
    total = np.zeros(plane.shape[0])
    for corner in np.ndindex(*[len(s) for s in spans]):
        index = [b + s[c] for b, s, c in zip(base, spans, corner)]
        weight = math.prod(cubic(p - i, -0.75) if mode == "cubic" else 1 - abs(p - i) for p, i in zip(place, index))
        total += weight * pixel(index)
    return total


@sweep("GridSample")
def grid_sample(draw):
    dtype = draw.float_type("T1")
    rank = draw.choice([2, 2, 3])
    mode = draw.choice([None, "linear", "nearest", "cubic"]) if rank == 2 else draw.choice([None, "linear", "nearest"])
    padding, align = draw.choice([None, "zeros", "border", "reflection"]), draw.choice([None, 0, 1])
    n, c = draw.integer(1, 2), draw.integer(1, 3)
    dims, out = [draw.integer(2, 5) for _ in range(rank)], [draw.integer(1, 3) for _ in range(rank)]
    x = draw.plain(dtype, (n, c, *dims))
    grid_type = draw.float_type("T2")
    grid = (draw.rng.integers(-22, 23, (n, *out, rank)) / 16 + 1 / 64).astype(grid_type)
    y = np.zeros((n, c, *out))
    for at in np.ndindex(n, *out):
        place = []
        for k, size in enumerate(dims):
            v = float(grid[(*at, rank - 1 - k)])
            place.append((v + 1) / 2 * (size - 1) if align else ((v + 1) * size - 1) / 2)
        if any(abs(p * 2 - round(p * 2)) < 1e-3 for p in place):
            return grid_sample(draw)  # a rounding would decide
        y[(at[0], slice(None), *at[1:])] = sample(wide(x)[at[0]], place, mode or "linear", padding or "zeros", bool(align))
    attributes = {"mode": mode, "padding_mode": padding, "align_corners": align}
    return Case([x, grid], [y], attributes, ulps=0 if mode == "nearest" else 64, scale=8.0, types=[dtype])


def png(pixels):
    h, w, c = pixels.shape
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))  # noqa: E731
    rows = b"".join(b"\0" + pixels[i].tobytes() for i in range(h))
    head = struct.pack(">IIBBBBB", w, h, 8, 2 if c == 3 else 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def bmp(pixels):
    h, w, _ = pixels.shape
    rows = b"".join(row[:, ::-1].tobytes() + b"\0" * (-3 * w % 4) for row in pixels[::-1])
    return b"BM" + struct.pack("<IHHI", 54 + len(rows), 0, 0, 54) + struct.pack("<IiiHHIIiiII", 40, w, h, 1, 24, 0, len(rows), 2835, 2835, 0, 0) + rows


def pnm(pixels):
    h, w, c = pixels.shape
    return f"P{6 if c == 3 else 5}\n{w} {h}\n255\n".encode() + pixels.tobytes()


@sweep("ImageDecoder")
def image_decoder(draw):
    h, w = draw.integer(1, 9), draw.integer(1, 9)
    way = draw.choice([None, "RGB", "BGR", "Grayscale"])
    channels = 1 if way == "Grayscale" else draw.choice([1, 3])
    pixels = draw.rng.integers(0, 256, (h, w, channels)).astype(np.uint8)
    codec = draw.choice([png, pnm] if channels == 1 else [png, pnm, bmp])
    y = pixels if way == "Grayscale" else np.broadcast_to(pixels, (h, w, 3))
    y = y[..., ::-1] if way == "BGR" else y
    return Case([np.frombuffer(codec(pixels), np.uint8)], [np.ascontiguousarray(y)], {"pixel_format": way})


@sweep("Dropout")
def dropout(draw):
    dtype = draw.float_type()
    x = draw.tensor(dtype, draw.shape())
    ratio = draw.plain(draw.float_type("T1"), (), 0, 0.9) if draw.chance() else None
    training = draw.choice([None, np.array(False)])
    if ratio is not None and draw.chance(0.3):
        training, ratio = np.array(True), np.zeros((), ratio.dtype)  # nothing is dropped
    return Case([x, ratio, training], [x, np.ones(x.shape, bool) if draw.chance() else None], {"seed": draw.choice([None, 7])}, bits=True)


def optimized(draw, states):
    """(rate, count, tensors as [X..., G..., states...], per variable)"""
    dtype = np.dtype(draw.choice([np.float32, np.float64]))
    count = draw.integer(1, 3)
    shapes = [draw.shape(0, 3, count=60) for _ in range(count)]
    rows = [[draw.plain(dtype, s, -2, 2) for s in shapes], [draw.plain(dtype, s, -2, 2) for s in shapes]]
    rows += [[draw.plain(dtype, s, 0.1, 2) for s in shapes] for _ in range(states)]
    rate, step = draw.plain(draw.choice([np.float32, np.float64]), (), 0, 0.5), np.array(draw.integer(0, 5), np.int64)
    return dtype, rate, step, rows


def floats(draw, **ranges):
    """Attributes with defaults: {name: (default, low, high)}, and their values."""
    given = {k: draw.real(*r[1:]) for k, r in ranges.items() if r[0] is None or draw.chance(0.6)}
    return given, {k: f32(given.get(k, r[0])) for k, r in ranges.items()}


TRAINING = "ai.onnx.preview.training"


@sweep("Adam", domain=TRAINING)
def adam(draw):
    dtype, rate, step, rows = optimized(draw, 2)
    given, a = floats(draw, alpha=(0.9, 0.5, 0.95), beta=(0.999, 0.5, 0.99), epsilon=(1e-6, 1e-4, 1e-2), norm_coefficient=(0, 0, 0.5), norm_coefficient_post=(0, 0, 0.5))
    outputs = [[], [], []]
    for x, g, v, h in zip(*rows):
        x, g, v, h = map(wide, (x, g, v, h))
        g = a["norm_coefficient"] * x + g
        v = a["alpha"] * v + (1 - a["alpha"]) * g
        h = a["beta"] * h + (1 - a["beta"]) * g * g
        r, t = float(rate), int(step)
        r = r * math.sqrt(1 - a["beta"] ** t) / (1 - a["alpha"] ** t) if t > 0 else r
        outputs[0].append((1 - a["norm_coefficient_post"]) * (x - r * v / (np.sqrt(h) + a["epsilon"])))
        outputs[1].append(v)
        outputs[2].append(h)
    flat = sum(outputs, [])
    return Case([rate, step, *sum(rows, [])], flat, given, ulps=32, scale=8.0, types=[dtype] * len(flat))


@sweep("Momentum", domain=TRAINING)
def momentum(draw):
    dtype, rate, step, rows = optimized(draw, 1)
    given, a = floats(draw, alpha=(None, 0.5, 0.95), beta=(None, 0.5, 1), norm_coefficient=(None, 0, 0.5))
    mode = draw.choice(["standard", "nesterov"])
    outputs = [[], []]
    for x, g, v in zip(*rows):
        x, g, v = map(wide, (x, g, v))
        g = a["norm_coefficient"] * x + g
        v = a["alpha"] * v + (a["beta"] if int(step) > 0 else 1) * g
        outputs[0].append(x - float(rate) * (g + a["alpha"] * v if mode == "nesterov" else v))
        outputs[1].append(v)
    flat = sum(outputs, [])
    return Case([rate, step, *sum(rows, [])], flat, {**given, "mode": mode}, ulps=16, scale=8.0, types=[dtype] * len(flat))


@sweep("Adagrad", domain=TRAINING)
def adagrad(draw):
    dtype, rate, step, rows = optimized(draw, 1)
    given, a = floats(draw, decay_factor=(0, 0, 0.5), epsilon=(1e-6, 1e-4, 1e-2), norm_coefficient=(0, 0, 0.5))
    outputs = [[], []]
    for x, g, h in zip(*rows):
        x, g, h = map(wide, (x, g, h))
        r = float(rate) / (1 + int(step) * a["decay_factor"])
        g = a["norm_coefficient"] * x + g
        h = h + g * g
        outputs[0].append(x - r * g / (np.sqrt(h) + a["epsilon"]))
        outputs[1].append(h)
    flat = sum(outputs, [])
    return Case([rate, step, *sum(rows, [])], flat, given, ulps=16, scale=8.0, types=[dtype] * len(flat))
