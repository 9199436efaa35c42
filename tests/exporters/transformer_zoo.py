"""Small transformers with random weights: a module that takes its inputs in order, their names, the dimensions that vary, and inputs."""
import dataclasses

import torch
import transformers as hf
from torch import nn
from torch.nn import functional as F

WORDS, WIDTH, HEADS, DEEP, PLACES = 24, 16, 4, 24, 16
COMMON = dict(vocab_size=WORDS, hidden_size=WIDTH, num_hidden_layers=1, num_attention_heads=HEADS, intermediate_size=DEEP, max_position_embeddings=PLACES)
IDS = ("batch", "length")


@dataclasses.dataclass
class Made:
    module: nn.Module
    dims: dict  # of each input, by name: the names of those that vary, None
    runs: list  # of tuples of inputs; the first is what it is traced with

    @property
    def names(self):
        return list(self.dims)


class Ordered(nn.Module):
    """A model of the library whose inputs come in order, and one output of it."""

    def __init__(self, model, names, output, **fixed):
        super().__init__()
        self.model, self.names, self.output, self.fixed = model, names, output, fixed

    def forward(self, *x):
        return getattr(self.model(**dict(zip(self.names, x)), **self.fixed), self.output)


def scattered(model, centre=1.0):
    """Weights as a trained model might have them: no factor is exactly one, no shift nothing."""
    torch.manual_seed(1)
    for name, parameter in model.named_parameters():
        if "bias" in name:
            nn.init.normal_(parameter, 0, 0.1)
        elif parameter.dim() == 1:
            nn.init.normal_(parameter, centre, 0.1)
        else:
            nn.init.normal_(parameter, 0, 0.2)
    return model.eval()


def tokens(batch, length):
    return torch.randint(3, WORDS, (batch, length))


def seen(batch, length):
    mask = torch.ones(batch, length, dtype=torch.int64)
    mask[1:, length - 2:] = 0
    return mask


def made(model, dims, runs, output, centre=1.0, **fixed):
    module = Ordered(scattered(model, centre), list(dims), output, **fixed).eval()
    torch.manual_seed(2)
    return Made(module, dims, runs())


def reading(model, kinds=False):
    """An encoder of text."""

    def run(batch, length):
        more = (torch.randint(0, 2, (batch, length)),) if kinds else ()
        return (tokens(batch, length), seen(batch, length), *more)

    names = ("input_ids", "attention_mask") + (("token_type_ids",) if kinds else ())
    return made(model, dict.fromkeys(names, IDS), lambda: [run(2, 6), run(3, 5)], "last_hidden_state")


def writing(model, centre=1.0):
    """A decoder without a cache. Rows that see nothing are left out: padding is behind."""
    runs = lambda: [(tokens(b, n), seen(b, n)) for b, n in ((2, 6), (3, 9))]
    return made(model, dict.fromkeys(("input_ids", "attention_mask"), IDS), runs, "logits", centre, use_cache=False)


def translating(model, first="input_ids"):
    dims = {"input_ids": IDS, "attention_mask": IDS, "decoder_input_ids": ("batch", "written")}
    return made(model, dims, lambda: [(tokens(2, 6), seen(2, 6), tokens(2, 4)), (tokens(3, 5), seen(3, 5), tokens(3, 7))], "last_hidden_state", use_cache=False)


def bert(attention):
    return reading(hf.BertModel(hf.BertConfig(**COMMON, attn_implementation=attention), add_pooling_layer=False), kinds=True)


def roberta(attention):
    return reading(hf.RobertaModel(hf.RobertaConfig(**COMMON, attn_implementation=attention), add_pooling_layer=False))


def distilbert(attention):
    config = hf.DistilBertConfig(vocab_size=WORDS, dim=WIDTH, n_layers=1, n_heads=HEADS, hidden_dim=DEEP, max_position_embeddings=PLACES, attn_implementation=attention)
    return reading(hf.DistilBertModel(config))


def gpt2_model(attention=None):
    return hf.GPT2LMHeadModel(hf.GPT2Config(vocab_size=WORDS, n_embd=WIDTH, n_layer=1, n_head=HEADS, n_positions=PLACES, attn_implementation=attention))


def llama_model(attention=None, **more):
    return hf.LlamaForCausalLM(hf.LlamaConfig(**{**COMMON, "num_key_value_heads": 2, **more}, attn_implementation=attention))


def mistral_model(attention=None, **more):
    return hf.MistralForCausalLM(hf.MistralConfig(**{**COMMON, "num_key_value_heads": 2, "sliding_window": 4, **more}, attn_implementation=attention))


def phi_model(attention=None, **more):
    config = hf.PhiConfig(**{**COMMON, "hidden_size": 32, **more}, partial_rotary_factor=0.5, attn_implementation=attention)
    return hf.PhiForCausalLM(config)


def gemma_model(attention=None, **more):
    return hf.GemmaForCausalLM(hf.GemmaConfig(**{**COMMON, "num_key_value_heads": 1, "head_dim": 8, **more}, attn_implementation=attention))


def gemma2_model(attention=None, **more):
    config = hf.Gemma2Config(**{**COMMON, "num_key_value_heads": 2, "head_dim": 8, "sliding_window": 4, **more}, attn_logit_softcapping=5.0, attn_implementation=attention)
    return hf.Gemma2ForCausalLM(config)


def gpt2(attention):
    return writing(gpt2_model(attention))


def llama(attention):
    return writing(llama_model(attention))


def mistral(attention):
    return writing(mistral_model(attention))


def phi(attention):
    return writing(phi_model(attention))


def gemma(attention):
    return writing(gemma_model(attention), centre=0.0)


def gemma2(attention):
    return writing(gemma2_model(attention), centre=0.0)


def t5(attention):
    config = hf.T5Config(vocab_size=WORDS, d_model=WIDTH, d_kv=4, d_ff=DEEP, num_layers=1, num_heads=HEADS, attn_implementation=attention)
    return translating(hf.T5Model(config))


def bart_model(kind, attention=None, places=PLACES):
    config = hf.BartConfig(vocab_size=WORDS, d_model=WIDTH, encoder_layers=1, decoder_layers=1, encoder_attention_heads=HEADS, decoder_attention_heads=HEADS, encoder_ffn_dim=DEEP,
                           decoder_ffn_dim=DEEP, max_position_embeddings=places, attn_implementation=attention)
    return kind(config)


def bart(attention):
    return translating(bart_model(hf.BartModel, attention))


def whisper(attention):
    config = hf.WhisperConfig(vocab_size=WORDS, d_model=WIDTH, encoder_layers=1, decoder_layers=1, encoder_attention_heads=HEADS, decoder_attention_heads=HEADS, encoder_ffn_dim=DEEP,
                              decoder_ffn_dim=DEEP, max_source_positions=6, max_target_positions=PLACES, num_mel_bins=4, pad_token_id=0, bos_token_id=1, eos_token_id=2,
                              decoder_start_token_id=1, begin_suppress_tokens=None, attn_implementation=attention)
    dims = {"input_features": ("batch", None, None), "decoder_input_ids": ("batch", "written")}
    return made(hf.WhisperModel(config), dims, lambda: [(torch.randn(b, 4, 12), tokens(b, n)) for b, n in ((2, 4), (3, 6))], "last_hidden_state", use_cache=False)


def vit(attention):
    config = hf.ViTConfig(hidden_size=WIDTH, num_hidden_layers=1, num_attention_heads=HEADS, intermediate_size=DEEP, image_size=8, patch_size=4, attn_implementation=attention)
    return seeing(hf.ViTModel(config, add_pooling_layer=False), 8)


def swin(attention):
    """Windows that are moved by half of themselves in the second block, whose mask is a weight."""
    config = hf.SwinConfig(image_size=16, patch_size=2, embed_dim=8, depths=[2], num_heads=[2], window_size=4, attn_implementation=attention)
    return seeing(hf.SwinModel(config, add_pooling_layer=False), 16)


def seeing(model, size):
    return made(model, {"pixel_values": ("batch", None, None, None)}, lambda: [(torch.randn(b, 3, size, size),) for b in (2, 3)], "last_hidden_state")


def clip(attention):
    config = hf.CLIPTextConfig(vocab_size=WORDS, hidden_size=WIDTH, num_hidden_layers=1, num_attention_heads=HEADS, intermediate_size=DEEP, max_position_embeddings=PLACES,
                               projection_dim=WIDTH, bos_token_id=1, eos_token_id=2, attn_implementation=attention)
    return reading(hf.CLIPTextModel(config))


class Residual(nn.Module):
    """Stable Diffusion's block: group normalisation and SiLU in front of each convolution, a step of time in between."""

    def __init__(self, channels):
        super().__init__()
        self.norms = nn.ModuleList(nn.GroupNorm(4, channels) for _ in range(2))
        self.convs = nn.ModuleList(nn.Conv2d(channels, channels, 3, padding=1) for _ in range(2))
        self.time = nn.Linear(8, channels)

    def forward(self, x, time):
        y = self.convs[0](F.silu(self.norms[0](x))) + self.time(F.silu(time))[:, :, None, None]
        return x + self.convs[1](F.silu(self.norms[1](y)))


class Looking(nn.Module):
    """Attention between the places of an image."""

    def __init__(self, channels, heads=2):
        super().__init__()
        self.norm, self.heads = nn.GroupNorm(4, channels, eps=1e-6), heads
        self.q, self.k, self.v, self.o = (nn.Linear(channels, channels) for _ in range(4))

    def forward(self, x):
        batch, channels, height, width = x.shape
        y = self.norm(x).view(batch, channels, height * width).transpose(1, 2)
        q, k, v = (layer(y).view(batch, -1, self.heads, channels // self.heads).transpose(1, 2) for layer in (self.q, self.k, self.v))
        y = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(batch, -1, channels)
        return x + self.o(y).transpose(1, 2).reshape(batch, channels, height, width)


class Diffusion(nn.Module):
    def __init__(self, channels=8):
        super().__init__()
        self.first, self.down = nn.Conv2d(3, channels, 3, padding=1), nn.Conv2d(channels, channels, 3, 2, 1)
        self.outer, self.looking, self.inner = Residual(channels), Looking(channels), Residual(channels)
        self.joined, self.last = Residual(2 * channels), nn.GroupNorm(8, 2 * channels)

    def forward(self, *x):
        image, time = x
        y = self.looking(self.outer(self.first(image), time))
        lower = F.interpolate(self.inner(self.down(y), time), scale_factor=2.0, mode="nearest")
        return F.silu(self.last(self.joined(torch.cat([y, lower], 1), time)))


def diffusion():
    module = scattered(Diffusion())
    torch.manual_seed(2)
    return Made(module, {"image": ("batch", None, None, None), "time": ("batch", None)}, [(torch.randn(b, 3, 8, 8), torch.randn(b, 8)) for b in (2, 3)])
