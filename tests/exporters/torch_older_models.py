"""PyTorch modules through the older exporter of torch.onnx (tracing and TorchScript), at the opsets that old files have."""
import io

import torch
from torch import nn
from torch.nn import functional as F
from torch_models import Encoder, Function, Mobile, Norms, Recurrent, UNet, activations, arrays, cnn, integers, mlp, normal


def traced(build, opset, *inputs, axes=None, more=(), script=False):
    """As torch_models.exported; axes: dynamic dimensions of input 0."""

    def make():
        torch.manual_seed(0)
        module = build().eval()
        first = tuple(i() for i in inputs)
        names = [f"x{i}" for i in range(len(first))]
        out = io.BytesIO()
        dynamic = {"x0": {d: f"d{d}" for d in axes}} if axes else None
        torch.onnx.export(torch.jit.script(module) if script else module, first, out, input_names=names, dynamic_axes=dynamic, opset_version=opset,
                          dynamo=False)
        runs = []
        with torch.no_grad():
            for given in (first, *(tuple(i() for i in m) for m in more)):
                runs.append(({n: g.numpy() for n, g in zip(names, given)}, arrays(module(*given))))
        return out.getvalue(), runs

    return make


class Rounds(nn.Module):
    """A loop and branches that only scripting keeps."""

    def forward(self, x, count: torch.Tensor):
        total = torch.zeros_like(x)
        for i in range(int(count)):
            if i % 2 == 0:
                total = total + x * i
            else:
                total = total - x.cumsum(1)
        steps = 0
        while bool(total.abs().sum() > 1.0):
            total = total / 2
            steps += 1
        return total, torch.tensor(steps)


class Lists(nn.Module):
    """A list of tensors that grows: a sequence in the model."""

    def forward(self, x):
        kept = []
        for i in range(x.size(0)):
            if bool(x[i].sum() > 0):
                kept.append(x[i] * 2)
        kept.append(x[0])
        return torch.stack(kept), torch.tensor(len(kept))


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.bag = nn.EmbeddingBag(12, 4, mode="mean")

    def forward(self, index, offsets):
        return self.bag(index, offsets)


class Scores(nn.Module):
    def forward(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v), F.scaled_dot_product_attention(q, k[:, :, :5], v[:, :, :5], is_causal=True)


def pieces(x):
    a, b, c = torch.split(x, [1, 2, 3], 1)
    return (torch.cat([c, a], 1), b.unbind(1)[0], x.view(x.size(0), 2, -1), x.permute(1, 0), x.expand(3, *x.shape), x.repeat(1, 2), torch.full_like(x, 3.0),
            torch.arange(x.size(1)), torch.ones(x.size(0), 2), x.squeeze(), x[..., None].transpose(-1, 0), torch.stack([x, -x], -1), x.reshape(-1), torch.eye(4))


def pooling(x):
    y, where = F.max_pool2d(x, 2, return_indices=True)
    return (y, where, F.lp_pool2d(x, 2, 3), F.adaptive_avg_pool2d(x, (3, 2)), F.interpolate(x, scale_factor=1.5, mode="bilinear", align_corners=True),
            F.avg_pool2d(x, 3, 2, padding=1))


MODELS = {
    "torchscript_mlp_9": traced(mlp, 9, normal(3, 6), axes=[0], more=[(normal(8, 6),)]),
    "torchscript_cnn_10": traced(cnn, 10, normal(2, 3, 33, 27), axes=[0]),
    "torchscript_mobile_11": traced(Mobile, 11, normal(2, 4, 13, 9), axes=[0, 2, 3], more=[(normal(1, 4, 9, 9),)]),
    "torchscript_unet_13": traced(UNet, 13, normal(2, 2, 12, 16)),
    "torchscript_lstm_12": traced(lambda: Recurrent(nn.LSTM, bidirectional=True), 12, normal(3, 6, 5), axes=[0, 1], more=[(normal(2, 4, 5),)]),
    "torchscript_gru_14": traced(lambda: Recurrent(nn.GRU, num_layers=2), 14, normal(3, 6, 5), axes=[0]),
    "torchscript_encoder_14": traced(Encoder, 14, integers(40, 3, 8)),
    "torchscript_decoder_17": traced(Scores, 17, normal(2, 4, 5, 4), normal(2, 4, 7, 4), normal(2, 4, 7, 4)),
    "torchscript_norms_16": traced(Norms, 16, normal(2, 6, 5, 4)),
    "torchscript_activations_15": traced(lambda: Function(activations), 15, normal(4, 6)),
    "torchscript_rounds_16": traced(Rounds, 16, normal(3, 4), lambda: torch.tensor(5), script=True, more=[(normal(3, 4), lambda: torch.tensor(0))]),
    "torchscript_lists_15": traced(Lists, 15, normal(4, 3), script=True, axes=[0], more=[(normal(7, 3),)]),
    "torchscript_bag_18": traced(Table, 18, integers(12, 7), lambda: torch.tensor([0, 3, 3])),
    "torchscript_pieces_13": traced(lambda: Function(pieces), 13, normal(4, 6)),
    "torchscript_pooling_18": traced(lambda: Function(pooling), 18, normal(2, 3, 6, 8)),
}
