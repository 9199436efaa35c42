"""PyTorch modules through torch.onnx.export (torch.export and onnxscript behind it). What is wanted is the module's own forward."""
import io

import onnx
import torch
from torch import nn
from torch.export import Dim
from torch.nn import functional as F


def arrays(values):
    flat = values if isinstance(values, (tuple, list)) else (values,)
    return [v.detach().numpy() for v in flat]


def exported(build, *inputs, dynamic=None, more=(), opset=None):
    """build() gives the module; `inputs` are what it is traced with, `more` further tuples of inputs; dynamic: dimensions by input."""

    def make():
        torch.manual_seed(0)
        module = build().eval()
        first = tuple(i() for i in inputs)
        names = [f"x{i}" for i in range(len(first))]
        shapes = tuple({d: Dim.DYNAMIC for d in axes} for axes in dynamic) if dynamic else None
        program = torch.onnx.export(module, first, None, input_names=names, dynamic_shapes=shapes, opset_version=opset, dynamo=True,
                                    verbose=False)
        out = io.BytesIO()
        program.save(out)
        runs = []
        with torch.no_grad():
            for given in (first, *(tuple(i() for i in m) for m in more)):
                runs.append(({n: g.numpy() for n, g in zip(names, given)}, arrays(module(*given))))
        return without_traces(out.getvalue()), runs

    return make


def without_traces(model):
    """The exporter writes the folders of this machine into each node, and what it was made of: more than the model itself."""
    proto = onnx.load_from_string(model)
    for graph in (proto.graph, *proto.functions):
        for node in graph.node:
            del node.metadata_props[:]
        for value in graph.value_info:
            del value.metadata_props[:]
    return proto.SerializeToString()


def normal(*shape, dtype=torch.float32):
    return lambda: torch.randn(*shape).to(dtype)


def integers(high, *shape, low=0, dtype=torch.int64):
    return lambda: torch.randint(low, high, shape, dtype=dtype)


class Function(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *x):
        return self.function(*x)


def function(f):
    return lambda: Function(f)


def mlp():
    return nn.Sequential(nn.Linear(6, 16), nn.GELU(), nn.Dropout(0.5), nn.Linear(16, 16), nn.SiLU(), nn.LayerNorm(16), nn.Linear(16, 4),
                         nn.LogSoftmax(-1))


class Residual(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.a, self.b = nn.Conv2d(channels, channels, 3, padding=1, bias=False), nn.Conv2d(channels, channels, 3, padding=1, groups=2)
        self.norm_a, self.norm_b = nn.BatchNorm2d(channels), nn.BatchNorm2d(channels)
        for norm in (self.norm_a, self.norm_b):
            nn.init.normal_(norm.running_mean, 0, 0.3)
            nn.init.uniform_(norm.running_var, 0.5, 2)

    def forward(self, x):
        return F.relu(x + self.norm_b(self.b(F.relu(self.norm_a(self.a(x))))))


def cnn():
    return nn.Sequential(nn.Conv2d(3, 8, 5, stride=2, padding=2), nn.ReLU(), nn.MaxPool2d(3, 2, 1, ceil_mode=True), Residual(8),
                         nn.AvgPool2d(2, count_include_pad=False, padding=1), Residual(8), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 5))


class Mobile(nn.Module):
    """An inverted residual with squeeze and excitation."""

    def __init__(self):
        super().__init__()
        self.expand, self.depth = nn.Conv2d(4, 16, 1), nn.Conv2d(16, 16, 5, padding=4, groups=16, dilation=2)
        self.less, self.back, self.project = nn.Conv2d(16, 4, 1), nn.Conv2d(4, 16, 1), nn.Conv2d(16, 4, 1)

    def forward(self, x):
        y = F.hardswish(self.depth(F.relu6(self.expand(x))))
        y = y * F.hardsigmoid(self.back(F.relu(self.less(y.mean((2, 3), keepdim=True)))))
        return x + self.project(y)


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.middle = nn.Conv2d(2, 6, 3, 2, 1), nn.Conv2d(6, 8, 3, 2, 1)
        self.up, self.last = nn.ConvTranspose2d(8, 6, 3, 2, 1, output_padding=1), nn.Conv2d(14, 2, 3, padding=1, padding_mode="reflect")

    def forward(self, x):
        a = F.leaky_relu(self.down(x), 0.2)
        b = self.up(F.elu(self.middle(a)))
        y = torch.cat([F.interpolate(a, scale_factor=2, mode="bilinear", align_corners=False),
                       F.interpolate(b, scale_factor=2, mode="nearest"), x], 1)
        y = F.interpolate(self.last(y), size=(11, 7), mode="bicubic", align_corners=True)
        return F.pad(y, (1, 2, 0, 3), mode="replicate").sigmoid()


class Recurrent(nn.Module):
    def __init__(self, kind, **more):
        super().__init__()
        self.layer = kind(5, 7, batch_first=True, **more)

    def forward(self, x):
        y, state = self.layer(x)
        return (y, *state) if isinstance(state, tuple) else (y, state)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.place = nn.Embedding(40, 16), nn.Parameter(torch.randn(12, 16))
        layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True, activation="gelu", norm_first=True)
        self.layers = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)

    def forward(self, tokens):
        hidden = tokens == 0
        return self.layers(self.embed(tokens) + self.place[: tokens.shape[1]], src_key_padding_mask=hidden).mean(1)


class Decoder(nn.Module):
    """One step of a decoder with rotary positions, grouped heads and a cache."""

    def __init__(self, width=16, heads=4, groups=2):
        super().__init__()
        self.heads, self.groups, self.size = heads, groups, width // heads
        self.embed, self.norm, self.norm_2 = nn.Embedding(50, width), nn.RMSNorm(width), nn.RMSNorm(width)
        self.q, self.k = nn.Linear(width, width, bias=False), nn.Linear(width, groups * self.size, bias=False)
        self.v, self.o = nn.Linear(width, groups * self.size, bias=False), nn.Linear(width, width, bias=False)
        self.gate, self.up, self.down = nn.Linear(width, 40, bias=False), nn.Linear(width, 40, bias=False), nn.Linear(40, width, bias=False)

    def turn(self, x, start):
        angle = torch.arange(start, start + x.shape[2]).float()[:, None] * 10000 ** (-torch.arange(0, self.size, 2) / self.size)
        cos, sin = angle.cos(), angle.sin()
        a, b = x.chunk(2, -1)
        return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)

    def forward(self, tokens, past_k, past_v):
        x = self.embed(tokens)
        y = self.norm(x)
        split = lambda t, n: t.unflatten(-1, (n, self.size)).transpose(1, 2)  # noqa: E731
        start = past_k.shape[2]
        q, k = self.turn(split(self.q(y), self.heads), start), self.turn(split(self.k(y), self.groups), start)
        k, v = torch.cat([past_k, k], 2), torch.cat([past_v, split(self.v(y), self.groups)], 2)
        mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool).tril(start)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True)
        x = x + self.o(y.transpose(1, 2).flatten(2))
        y = self.norm_2(x)
        return (x + self.down(F.silu(self.gate(y)) * self.up(y))) @ self.embed.weight.T, k, v


class Norms(nn.Module):
    def __init__(self):
        super().__init__()
        self.group, self.one, self.layer = nn.GroupNorm(3, 6), nn.InstanceNorm2d(6, affine=True), nn.LayerNorm([6, 5, 4])
        nn.init.normal_(self.group.weight)

    def forward(self, x):
        return self.group(x), self.one(x), self.layer(x), F.normalize(x, dim=1), F.local_response_norm(x, 3)


class Volumes(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Conv3d(2, 4, (3, 2, 3), stride=(1, 2, 1), padding=1), nn.Conv1d(4, 6, 3, dilation=2, groups=2)
        self.c = nn.ConvTranspose1d(6, 4, 4, stride=3, groups=2, dilation=2)

    def forward(self, x):
        y = F.max_pool3d(self.a(x), 2, stride=1).flatten(2)
        return self.c(self.b(y)), F.avg_pool1d(y, 3, 2), F.adaptive_max_pool1d(y, 1)


def activations(x):
    return (F.elu(x, 0.7), F.selu(x), F.celu(x, 1.3), F.mish(x), F.softplus(x, 2.0), F.hardtanh(x, -0.5, 0.6), F.hardsigmoid(x), F.gelu(x),
            F.gelu(x, approximate="tanh"), F.glu(x), F.softsign(x), F.tanhshrink(x), F.hardshrink(x), F.softshrink(x), F.logsigmoid(x), F.prelu(x, torch.tensor(0.3)))


def indexing(x, index, mask):
    y = x.clone()
    y[index, 1] = -1.0
    z = torch.zeros(6, 4).scatter_add(0, index[:, None].expand(-1, 4), x[: index.shape[0]])
    return (y, z, x[index], x[:, [2, 0]], torch.gather(x, 1, index[: x.shape[0], None] % 4), x.masked_fill(mask, 9.0), torch.where(mask, x, -x), x[::2, 1:-1],
            torch.index_select(x, 0, index), x.flip(0), torch.roll(x, 2, 1), x[mask])


def ordering(x):
    values, places = torch.topk(x, 3, dim=1)
    ordered, order = torch.sort(x, dim=0, descending=True)
    return values, places, ordered, order, x.argmax(1), x.argmin(0, keepdim=True), torch.cumsum(x, 1), x.amax((0, 1)), torch.nonzero(x > 0.4), torch.unique((x * 2).round())


def sums(x, y):
    return (torch.einsum("bij,bkj->bik", x, y), torch.einsum("bij->bj", x), x.prod(1), x.var(2), x.std((1, 2), unbiased=False), torch.logsumexp(x, 1),
            x.norm(dim=1), torch.baddbmm(x[:, :, :3], x, y[:, :3].transpose(1, 2), beta=0.5), torch.kron(x[0], y[0]), torch.tril(x, -1), torch.linalg.vector_norm(y, 1, 2))


def whole_numbers(a, b):
    return (a + b, a // b, a % b, torch.div(a, b, rounding_mode="trunc"), torch.fmod(a, b), a & b, a | b, a ^ b, a << 2, a.abs(), a.sign(), a > b,
            (a.float() / b), torch.bitwise_not(a), a.to(torch.uint8), torch.clamp(a, -3, 4), torch.maximum(a, b), a ** 2)


def elementary(x):
    p = x.abs() + 0.1
    return (p.log(), p.log2(), p.log10(), p.log1p(), p.sqrt(), p.rsqrt(), x.exp(), x.expm1(), x.sin(), x.cos(), x.tan(), x.asinh(), p.reciprocal(),
            x.erf(), x.floor(), x.ceil(), x.round(), x.trunc(), x.frac(), torch.atan2(x, p), x.sinh(), x.clamp(-0.5, 0.5).acos(), x.tanh().atanh(),
            p.pow(1.7), torch.remainder(x, 0.7), x.isnan(), torch.nan_to_num(x / 0.0), p.cosh(), (p + 1).acosh(), x.atan(), x.clamp(-1, 1).asin())


def warped(x, theta):
    grid = F.affine_grid(theta, [2, 3, 6, 5], align_corners=False)
    return F.grid_sample(x, grid, mode="bilinear", padding_mode="border", align_corners=False), F.grid_sample(x, grid, mode="nearest", padding_mode="zeros", align_corners=True)


def pixels(x):
    return F.pixel_shuffle(x, 2), F.pixel_unshuffle(x, 2), F.unfold(x, 3, padding=1), F.channel_shuffle(x, 2), F.fold(F.unfold(x, 2, stride=2), (4, 6), 2, stride=2)


class Branch(nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda t: t.sin() * 2, lambda t: t.cos() - 1, (x,))


def spectrum(x):
    s = torch.stft(x, 16, 4, window=torch.hann_window(16), return_complex=True, center=True)
    return torch.view_as_real(s), torch.view_as_real(torch.fft.rfft(x)), torch.view_as_real(torch.fft.fft(x, dim=0))


def halves():
    return nn.Sequential(nn.Conv2d(2, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(64, 6), nn.Softmax(-1)).half()


class Brain(nn.Module):
    """bfloat16 inside, float32 outside."""

    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor([0.5, 2.0, -4.0], dtype=torch.bfloat16))

    def forward(self, x):
        return (x.to(torch.bfloat16) * self.scale).float(), (x.to(torch.bfloat16) + self.scale).float().round()


def faked(x):
    return (torch.fake_quantize_per_tensor_affine(x, 0.05, 3, -128, 127),
            torch.fake_quantize_per_channel_affine(x, torch.tensor([0.1, 0.02, 0.5]), torch.tensor([0, 5, -7], dtype=torch.int32), 1, -128, 127))


def padded(x):
    return (F.pad(x, (2, 1, 1, 2), mode="reflect"), F.pad(x, (1, 0, 2, 1), mode="circular"), F.pad(x, (-1, 2, 0, -1), value=7.0), F.pad(x, (1, 2, 3, 0), mode="replicate"),
            F.interpolate(x, size=(9, 4), mode="bilinear", antialias=True), F.interpolate(x, scale_factor=(0.5, 1.7), mode="nearest-exact"),
            F.interpolate(x, scale_factor=2.0, mode="bicubic"), F.adaptive_avg_pool2d(x, (2, 3)), F.max_pool2d(x, 2, 1, 1, dilation=2), F.avg_pool2d(x, (3, 2), ceil_mode=True))


def selecting(x, edges):
    return (torch.diff(x, dim=1), torch.tril_indices(4, 4), torch.triu(x, 1), torch.diagonal(x, 1), torch.meshgrid(x[0], edges, indexing="ij")[0], torch.rot90(x),
            torch.take_along_dim(x, x.argsort(1), 1), torch.scatter_reduce(x, 1, (x > 0).long(), x, "amax"), torch.nn.functional.cosine_similarity(x, x.flip(1)),
            torch.heaviside(x, x), torch.lerp(x, -x, 0.3), torch.addcmul(x, x, x), x.unfold(1, 3, 2), torch.count_nonzero(x > 0, 1), torch.tensor_split(x, 4, 1)[1],
            torch.repeat_interleave(x, 2, 1), torch.argwhere(x > 0), torch.aminmax(x, dim=1).max, torch.slice_scatter(x, x[:2] * 0, 0, 1, 3), F.softmin(x, 1))


def losses(x, target):
    logits = F.log_softmax(x, 1)
    return (F.nll_loss(logits, target), F.cross_entropy(x, target, reduction="none"), F.mse_loss(x, -x), F.smooth_l1_loss(x, x * 0.3, reduction="none"), F.kl_div(logits, logits.flip(1).exp() * 2, reduction="sum"),
            F.binary_cross_entropy_with_logits(x, x.sigmoid(), reduction="none"), F.hinge_embedding_loss(x, x.sign()), F.poisson_nll_loss(x, x.abs()))


class Counting(nn.Module):
    """A loop that torch keeps as one."""

    def forward(self, x, limit):
        return torch.while_loop(lambda i, t: i < limit.sum(), lambda i, t: (i + 1, t * 0.5 + i.float()), (torch.tensor(0), x))


class Cross(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerDecoderLayer(12, 3, 24, batch_first=True)

    def forward(self, x, memory):
        mask = nn.Transformer.generate_square_subsequent_mask(x.shape[1])
        return self.layer(x, memory, tgt_mask=mask)


class Bags(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(20, 5)

    def forward(self, index, weights):
        return (self.table(index) * weights[..., None]).sum(1), F.one_hot(index, 20), torch.bincount(index.flatten(), minlength=20)


BATCH = dict(dynamic=[{0}])
MODELS = {
    "torch_mlp": exported(mlp, normal(3, 6), more=[(normal(8, 6),), (normal(2, 6),)], **BATCH),
    "torch_mlp_double": exported(lambda: mlp().double(), normal(3, 6, dtype=torch.float64), **BATCH),
    "torch_cnn": exported(cnn, normal(2, 3, 33, 27), more=[(normal(3, 3, 40, 40),)], dynamic=[{0, 2, 3}]),
    "torch_mobile": exported(Mobile, normal(2, 4, 13, 9), **BATCH),
    "torch_unet": exported(UNet, normal(2, 2, 12, 16), **BATCH),
    "torch_lstm": exported(lambda: Recurrent(nn.LSTM, bidirectional=True, num_layers=2), normal(3, 6, 5), dynamic=[{0, 1}], more=[(normal(2, 9, 5),)]),
    "torch_gru": exported(lambda: Recurrent(nn.GRU), normal(3, 6, 5), dynamic=[{0}]),
    "torch_rnn": exported(lambda: Recurrent(nn.RNN, nonlinearity="relu"), normal(3, 6, 5)),
    "torch_encoder": exported(Encoder, integers(40, 3, 8), dynamic=[{0, 1}], more=[(integers(40, 2, 12),)]),
    "torch_decoder": exported(Decoder, integers(50, 2, 3), normal(2, 2, 4, 4), normal(2, 2, 4, 4), dynamic=[{0, 1}, {0, 2}, {0, 2}],
                              more=[(integers(50, 3, 2), normal(3, 2, 9, 4), normal(3, 2, 9, 4))]),
    "torch_decoder_23": exported(Decoder, integers(50, 2, 3), normal(2, 2, 4, 4), normal(2, 2, 4, 4), opset=23),
    "torch_norms": exported(Norms, normal(2, 6, 5, 4), **BATCH),
    "torch_volumes": exported(Volumes, normal(2, 2, 5, 6, 4), **BATCH),
    "torch_activations": exported(function(activations), normal(4, 6)),
    "torch_indexing": exported(function(indexing), normal(6, 4), integers(6, 5), lambda: torch.rand(6, 4) > 0.5),
    "torch_ordering": exported(function(ordering), normal(5, 7)),
    "torch_sums": exported(function(sums), normal(2, 4, 5), normal(2, 3, 5)),
    "torch_whole_numbers": exported(function(whole_numbers), integers(20, 5, 4, low=-20), integers(7, 5, 4, low=1)),
    "torch_whole_numbers_32": exported(function(whole_numbers), integers(20, 5, 4, low=-20, dtype=torch.int32), integers(7, 5, 4, low=1, dtype=torch.int32)),
    "torch_elementary": exported(function(elementary), normal(5, 9)),
    "torch_warped": exported(function(warped), normal(2, 3, 7, 4), normal(2, 2, 3)),
    "torch_pixels": exported(function(pixels), normal(2, 4, 4, 6)),
    "torch_branch": exported(Branch, lambda: torch.ones(3, 4), more=[(lambda: -torch.ones(3, 4),)]),
    "torch_spectrum": exported(function(spectrum), normal(2, 48)),
    "torch_half": exported(halves, normal(2, 2, 6, 6, dtype=torch.float16), **BATCH),
    "torch_bfloat16": exported(Brain, normal(4, 3)),
    "torch_fake_quantize": exported(function(faked), normal(4, 3, 5)),
    "torch_padded": exported(function(padded), normal(2, 3, 6, 7)),
    "torch_selecting": exported(function(selecting), normal(5, 6), lambda: torch.tensor([-1.0, -0.2, 0.3, 0.9])),
    "torch_losses": exported(function(losses), normal(4, 6), integers(6, 4)),
    "torch_counting": exported(Counting, normal(3), lambda: torch.tensor([2, 3]), more=[(normal(3), lambda: torch.tensor([0, 0]))]),
    "torch_cross": exported(Cross, normal(2, 5, 12), normal(2, 7, 12)),
    "torch_tables": exported(Bags, integers(20, 3, 6), normal(3, 6)),
}
