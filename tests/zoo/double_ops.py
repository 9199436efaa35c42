"""Operators for double.py in double precision: what onnx.reference lacks or computes in float32. Steps that round to integers do so as
the standard's text (DynamicQuantizeLinear) or the operator's contract states them; `Rounding` sees every value that is rounded."""
import numpy as np
from onnx.reference.op_run import OpRun


class Rounding:
    """Counts values that lie within `noise` of a tie, and can disturb what is rounded as a float32 computation would."""

    def __init__(self):
        self.values = self.ties = 0
        self.noise = 2e-6  # of the quantized range: some rounding errors of float32
        self.rng = None  # disturbs where it is set

    def disturb(self, x):
        x = np.asarray(x, np.float64)
        return x if self.rng is None else x * (1 + self.rng.uniform(-1, 1, x.shape) * 2.0**-23)

    def round(self, x, steps):
        self.values += x.size
        self.ties += int(np.count_nonzero(np.abs(np.abs(x - np.floor(x)) - 0.5) < self.noise * steps))
        return np.rint(x)


rounding = Rounding()


def dynamic(x):
    """Codes and scale and zero point of DynamicQuantizeLinear."""
    x = rounding.disturb(x)
    low, high = min(0.0, x.min(initial=0)), max(0.0, x.max(initial=0))
    scale = (high - low) / 255
    if scale == 0:
        return np.zeros(x.shape), 1.0, 0.0
    zero = np.clip(np.rint(-low / scale), 0, 255)
    return np.clip(rounding.round(x / scale, 255) + zero, 0, 255), scale, zero


def attribute(op, name, default):
    value = getattr(op, name, None)
    return default if value is None else value


class DynamicQuantizeLinear(OpRun):
    def _run(self, x):
        codes, scale, zero = dynamic(x)
        return codes.astype(np.uint8), np.array(scale), np.array(zero, np.uint8)


class ConvInteger(OpRun):
    def _run(self, x, w, x_zero=None, w_zero=None, **_):
        x = x.astype(np.float64) - (0 if x_zero is None else np.float64(x_zero))
        w_zero = np.zeros(1) if w_zero is None else np.asarray(w_zero, np.float64)
        w = w.astype(np.float64) - w_zero.reshape([-1, *[1] * (w.ndim - 1)])
        if x.ndim != 4 or attribute(self, "auto_pad", "NOTSET") not in ("NOTSET", b"NOTSET"):
            raise NotImplementedError("only two axes with explicit pads")
        group, strides, dilations = attribute(self, "group", 1), attribute(self, "strides", [1, 1]), attribute(self, "dilations", [1, 1])
        pads = attribute(self, "pads", [0] * 4)
        x = np.pad(x, [(0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])])
        spans = [(k - 1) * d + 1 for k, d in zip(w.shape[2:], dilations)]
        windows = np.lib.stride_tricks.sliding_window_view(x, spans, (2, 3))[:, :, :: strides[0], :: strides[1], :: dilations[0], :: dilations[1]]
        b, c, h, v = windows.shape[:4]
        columns = windows.transpose(0, 2, 3, 1, 4, 5).reshape(b * h * v, group, -1)
        parts = [columns[:, g] @ part.reshape(part.shape[0], -1).T for g, part in enumerate(np.split(w, group))]
        return (np.concatenate(parts, 1).reshape(b, h, v, -1).transpose(0, 3, 1, 2).astype(np.int32),)


def padding(op, sizes, spans, strides):
    """Elements before and behind each axis, of explicit pads or of auto_pad."""
    mode = attribute(op, "auto_pad", "NOTSET")
    mode = mode.decode() if isinstance(mode, bytes) else mode
    if mode in ("SAME_UPPER", "SAME_LOWER"):
        needed = [max(0, (-(-n // s) - 1) * s + k - n) for n, k, s in zip(sizes, spans, strides)]
        return [(n // 2, n - n // 2) if mode == "SAME_UPPER" else (n - n // 2, n // 2) for n in needed]
    pads = attribute(op, "pads", None) if mode == "NOTSET" else None
    return [(0, 0)] * len(sizes) if not pads else list(zip(pads[: len(sizes)], pads[len(sizes):]))


def taps(op, x, kernel, fill):
    """For each place of the kernel: its index, and what of the padded x it meets, per output element."""
    axes = len(kernel)
    strides, dilations = attribute(op, "strides", None) or [1] * axes, attribute(op, "dilations", None) or [1] * axes
    spans = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
    pads = padding(op, x.shape[2:], spans, strides)
    sizes = [(n + a + b - k) // s + 1 for n, (a, b), k, s in zip(x.shape[2:], pads, spans, strides)]
    x = np.pad(x, [(0, 0), (0, 0), *pads], constant_values=fill)
    for index in np.ndindex(*kernel):
        yield index, x[(..., *(slice(i * d, i * d + (n - 1) * s + 1, s) for i, d, n, s in zip(index, dilations, sizes, strides)))]


class Conv(OpRun):
    """A matrix product for each place of the kernel."""

    def _run(self, x, w, b=None, **_):
        group = attribute(self, "group", 1)
        depthwise = w.shape[1] == 1 and w.shape[0] == group
        y = 0
        for index, part in taps(self, x, w.shape[2:], 0):
            weights = w[(..., *index)]
            if depthwise:
                y = y + part * weights.reshape(1, -1, *[1] * (x.ndim - 2))
                continue
            columns = part.reshape(x.shape[0], group, x.shape[1] // group, -1)
            product = weights.reshape(1, group, -1, w.shape[1]) @ columns
            y = y + product.reshape(x.shape[0], w.shape[0], *part.shape[2:])
        return (y if b is None else y + b.reshape(1, -1, *[1] * (x.ndim - 2)),)


class ConvTranspose(OpRun):
    def _run(self, x, w, b=None, **_):
        axes, group = x.ndim - 2, attribute(self, "group", 1)
        if attribute(self, "auto_pad", "NOTSET") not in ("NOTSET", b"NOTSET") or getattr(self, "output_shape", None):
            raise NotImplementedError("only explicit pads")
        strides, dilations = attribute(self, "strides", None) or [1] * axes, attribute(self, "dilations", None) or [1] * axes
        pads, more = attribute(self, "pads", None) or [0] * (2 * axes), attribute(self, "output_padding", None) or [0] * axes
        sizes = [(n - 1) * s + (k - 1) * d + 1 + m for n, s, k, d, m in zip(x.shape[2:], strides, w.shape[2:], dilations, more)]
        y = np.zeros((x.shape[0], group * w.shape[1], *sizes))
        columns = x.reshape(x.shape[0], group, x.shape[1] // group, -1)
        for index in np.ndindex(*w.shape[2:]):
            weights = w[(..., *index)].reshape(1, group, -1, w.shape[1]).swapaxes(2, 3)
            place = (..., *(slice(i * d, i * d + (n - 1) * s + 1, s) for i, d, n, s in zip(index, dilations, x.shape[2:], strides)))
            y[place] += (weights @ columns).reshape(*y.shape[:2], *x.shape[2:])
        y = y[(..., *(slice(a, n - z) for a, n, z in zip(pads[:axes], sizes, pads[axes:])))]
        return (y if b is None else y + b.reshape(1, -1, *[1] * axes),)


class BatchNormalization(OpRun):
    """Of inference; onnx.reference takes moments of x for opsets 9 to 13."""

    def _run(self, x, scale, bias, mean, var, **_):
        if attribute(self, "training_mode", 0):
            raise NotImplementedError("only inference")
        column = [1, -1] + [1] * (x.ndim - 2)
        factor = scale / np.sqrt(var + attribute(self, "epsilon", 1e-5))
        return ((x - mean.reshape(column)) * factor.reshape(column) + bias.reshape(column),)


class MaxPool(OpRun):
    def _run(self, x, **_):
        if attribute(self, "ceil_mode", 0) or len(self.onnx_node.output) > 1:
            raise NotImplementedError("only whole windows, without indices")
        y = -np.inf
        for _index, part in taps(self, x, self.kernel_shape, -np.inf):
            y = np.maximum(y, part)
        return (y,)


class GlobalMaxPool(OpRun):
    """With its axes; onnx.reference loses them but for two."""

    def _run(self, x):
        return (x.max(tuple(range(2, x.ndim)), keepdims=True),)


class DynamicQuantizeLSTM(OpRun):
    op_domain = "com.microsoft"

    def _run(self, x, w, r, b=None, lens=None, h0=None, c0=None, p=None, w_scale=None, w_zero=None, r_scale=None, r_zero=None, **_):
        if lens is not None or p is not None or getattr(self, "clip", None) or getattr(self, "activations", None):
            raise NotImplementedError("only plain cells")
        steps, batch, _ = x.shape
        ways, hidden = w.shape[0], r.shape[1]
        by = lambda a, d: np.asarray(a, np.float64).reshape(ways, -1)[d]  # noqa: E731
        sigmoid = lambda v: 1 / (1 + np.exp(-v))  # noqa: E731
        codes, x_scale, x_zero = dynamic(x)
        values = (codes - x_zero) * x_scale
        y, last_h, last_c = np.zeros((steps, ways, batch, hidden)), np.zeros((ways, batch, hidden)), np.zeros((ways, batch, hidden))
        reverse = attribute(self, "direction", "forward") in ("reverse", b"reverse")
        for d in range(ways):
            weights, back = (w[d] - by(w_zero, d)) * by(w_scale, d), (r[d] - by(r_zero, d)) * by(r_scale, d)
            bias = 0 if b is None else b[d, : 4 * hidden] + b[d, 4 * hidden:]
            h = np.zeros((batch, hidden)) if h0 is None else h0[d]
            c = np.zeros((batch, hidden)) if c0 is None else c0[d]
            for t in range(steps)[:: -1 if reverse or d == 1 else 1]:
                codes, scale, zero = dynamic(h)
                i, o, f, g = np.split(values[t] @ weights + bias + (codes - zero) * scale @ back, 4, 1)
                c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
                h = sigmoid(o) * np.tanh(c)
                y[t, d] = h
            last_h[d], last_c[d] = h, c
        return y, last_h, last_c


class MatMulNBits(OpRun):
    op_domain = "com.microsoft"
    weights = {}  # by the initializer

    def _run(self, a, b, scales, zero=None, g_idx=None, bias=None, **_):
        k, n, bits, block = self.K, self.N, attribute(self, "bits", 4), self.block_size
        if g_idx is not None or (zero is not None and zero.dtype != np.uint8):
            raise NotImplementedError("only weights in their own blocks, with packed zero points")
        blocks = -(-k // block)
        if id(b) not in self.weights:
            unpack = lambda v: np.stack([(v >> (bits * i)) & ((1 << bits) - 1) for i in range(8 // bits)], -1).reshape(*v.shape[:-1], -1)  # noqa: E731
            zeros = np.full((n, blocks), 1 << (bits - 1)) if zero is None else unpack(zero.reshape(n, -1))[:, :blocks]
            codes = unpack(b.reshape(n, blocks, -1)).astype(np.float32) - zeros[..., None]
            self.weights[id(b)] = (codes * np.asarray(scales, np.float64).reshape(n, blocks, 1)).reshape(n, -1)[:, :k].T.copy(), b
        a = np.asarray(a, np.float64)
        if attribute(self, "accuracy_level", 0) == 4:
            rows = rounding.disturb(np.pad(a.reshape(-1, k), [(0, 0), (0, blocks * block - k)])).reshape(-1, blocks, block)
            scale = np.abs(rows).max(-1, keepdims=True) / 127
            codes = rounding.round(rows / np.where(scale == 0, 1, scale), 127)
            a = (codes * scale).reshape(-1, blocks * block)[:, :k].reshape(a.shape)
        y = a @ self.weights[id(b)][0]
        return (y if bias is None else y + bias,)


def root_mean_square(x, epsilon):
    return x / np.sqrt(np.mean(x * x, -1, keepdims=True) + epsilon)


class SimplifiedLayerNormalization(OpRun):
    def _run(self, x, scale, **_):
        return (root_mean_square(x, attribute(self, "epsilon", 1e-5)) * scale,)


class SkipSimplifiedLayerNormalization(OpRun):
    op_domain = "com.microsoft"

    def _run(self, x, skip, gamma, bias=None, **_):
        total = x + skip + (0 if bias is None else bias)
        y = root_mean_square(total, attribute(self, "epsilon", 1e-12)) * gamma
        return (y, np.zeros(1), np.zeros(1), total)[: max(1, len(self.onnx_node.output))]


class GroupQueryAttention(OpRun):
    """Three tensors, a rotary table, equal lengths; a prompt without a past or fresh keys behind one."""

    op_domain = "com.microsoft"

    def _run(self, q, k, v, past_k, past_v, lengths, total, cos=None, sin=None, *more, **_):
        if any(m is not None for m in more) or any(getattr(self, n, None) for n in ("softcap", "smooth_softmax")) or attribute(self, "local_window_size", -1) > 0:
            raise NotImplementedError("only plain causal attention")
        batch, steps, _ = q.shape
        heads, groups = self.num_heads, self.kv_num_heads
        size = q.shape[2] // heads
        past = int(np.ravel(lengths)[0]) + 1 - steps
        if np.any(np.ravel(lengths) != np.ravel(lengths)[0]) or past_k.shape[2] != past:
            raise NotImplementedError("only sequences of one length, in a cache without spare room")
        split = lambda t, n: t.reshape(batch, steps, n, size).transpose(0, 2, 1, 3)  # noqa: E731
        q, k, v = split(q, heads), split(k, groups), split(v, groups)
        if attribute(self, "do_rotary", 0):
            q, k = (self.turn(t, cos[past: past + steps], sin[past: past + steps]) for t in (q, k))
        k, v = np.concatenate([past_k, k], 2), np.concatenate([past_v, v], 2)
        scale = attribute(self, "scale", 0) or size**-0.5
        scores = np.einsum("bhid,bhjd->bhij", q, np.repeat(k, heads // groups, 1), optimize=True) * scale
        scores[..., np.triu(np.ones((steps, past + steps), bool), past + 1)] = -np.inf
        e = np.exp(scores - scores.max(-1, keepdims=True))
        y = np.einsum("bhij,bhjd->bhid", e / e.sum(-1, keepdims=True), np.repeat(v, heads // groups, 1), optimize=True)
        return y.transpose(0, 2, 1, 3).reshape(batch, steps, -1), k, v

    def turn(self, x, cos, sin):
        half = cos.shape[1]
        if attribute(self, "rotary_interleaved", 0) or 2 * half != x.shape[3]:
            raise NotImplementedError("only whole heads, not interleaved")
        a, b = x[..., :half], x[..., half:]
        return np.concatenate([a * cos - b * sin, a * sin + b * cos], -1)


OPERATORS = [BatchNormalization, Conv, ConvTranspose, GlobalMaxPool, MaxPool, DynamicQuantizeLinear, ConvInteger, DynamicQuantizeLSTM, MatMulNBits, SimplifiedLayerNormalization, SkipSimplifiedLayerNormalization,
             GroupQueryAttention]
