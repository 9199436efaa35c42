"""Transformers through Hugging Face Optimum's exporter: decoders with a cache, and the parts of encoder-decoders. What is wanted is what the
model in torch answers."""
import os
import tempfile

import onnx
import torch
import transformers as hf
from optimum.exporters.onnx import onnx_export_from_model

import transformer_zoo as zoo


def files(model, task, half=False):
    """The exporter's files by name."""
    with tempfile.TemporaryDirectory() as folder:
        onnx_export_from_model(model.half() if half else model, output=folder, task=task, do_validation=False, opset=18)
        made = {}
        for name in os.listdir(folder):
            if name.endswith(".onnx"):
                with open(os.path.join(folder, name), "rb") as f:
                    made[name[:-5]] = f.read()
        return made


def cached(config, batch, length, past, hides=True):
    """Inputs of a decoder: tokens behind `past` earlier ones, of which the last row has not all."""
    torch.manual_seed(past)
    heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
    size = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    mask = torch.ones(batch, past + length, dtype=torch.int64)
    if hides and batch > 1 and past > 1:
        mask[-1, :2] = 0
    inputs = {"input_ids": zoo.tokens(batch, length), "attention_mask": mask,
              "position_ids": torch.arange(past, past + length)[None].expand(batch, -1).contiguous()}
    for layer in range(config.num_hidden_layers):
        for what in ("key", "value"):
            inputs[f"past_key_values.{layer}.{what}"] = torch.randn(batch, heads, past, size)
    return inputs


def cache_of(inputs):
    keys = [v for k, v in inputs.items() if k.endswith(".key")]
    values = [v for k, v in inputs.items() if k.endswith(".value")]
    return hf.DynamicCache.from_legacy_cache(tuple(zip(keys, values)))


def decoder(make, centre=1.0, half=False):
    def export():
        model = zoo.scattered(make(), centre)
        data = files(model, "text-generation-with-past", half)["model"]
        names = [i.name for i in onnx.load_from_string(data).graph.input]
        runs = []
        for sizes in ((2, 3, 4), (2, 1, 6)):
            inputs = {k: v.half() if half and v.is_floating_point() else v for k, v in cached(model.config, *sizes).items()}
            feed = {name: inputs[name] for name in names}
            more = {name: feed[name] for name in ("attention_mask", "position_ids") if name in feed}
            with torch.no_grad():
                made = model(input_ids=inputs["input_ids"], past_key_values=cache_of(inputs), use_cache=True, **more)
            present = (t.numpy() for layer in made.past_key_values.to_legacy_cache() for t in layer)
            runs.append(({name: value.numpy() for name, value in feed.items()}, [made.logits.numpy(), *present]))
        return data, runs

    return export


def reader(make):
    """An encoder alone."""

    def export():
        case = make()
        data = files(case.module.model, "feature-extraction")["model"]
        names = [i.name for i in onnx.load_from_string(data).graph.input]
        runs = []
        for given in case.runs:
            feed = dict(zip(case.names, given))
            with torch.no_grad():
                runs.append(({n: feed[n].numpy() for n in names}, [case.module(*given).numpy()]))
        return data, runs

    return export


def merged_decoder(make):
    """A decoder behind an encoder in one file for the first step and for later ones: two branches of an If. Only logits are compared: what the
    branches give for the encoder's keys is theirs."""

    def export():
        model = zoo.scattered(make())
        data = files(model, "text2text-generation-with-past")["decoder_model_merged"]
        proto = onnx.load_from_string(data)
        names, sizes = [i.name for i in proto.graph.input], (model.config.d_model, model.config.decoder_attention_heads)
        del proto.graph.output[1:]
        runs = []
        for past in (0, 3):
            torch.manual_seed(past)
            inputs = {"input_ids": zoo.tokens(2, 1 if past else 4), "encoder_hidden_states": torch.randn(2, 6, sizes[0]), "encoder_attention_mask": zoo.seen(2, 6),
                      "use_cache_branch": torch.tensor([past > 0])}
            layers = []
            for layer in range(model.config.decoder_layers):
                kept = [torch.randn(2, sizes[1], n, sizes[0] // sizes[1]) for n in (past or 1, past or 1, 6, 6)]
                layers.append(tuple(kept))
                for (side, what), value in zip([(s, w) for s in ("decoder", "encoder") for w in ("key", "value")], kept):
                    inputs[f"past_key_values.{layer}.{side}.{what}"] = value
            cache = hf.EncoderDecoderCache.from_legacy_cache(tuple(layers)) if past else None
            with torch.no_grad():
                made = model(encoder_outputs=(inputs["encoder_hidden_states"],), decoder_input_ids=inputs["input_ids"], attention_mask=inputs["encoder_attention_mask"],
                             past_key_values=cache, use_cache=True)
            runs.append(({name: inputs[name].numpy() for name in names}, [made.logits.numpy()]))
        return proto.SerializeToString(), runs

    return export


MODELS = {
    "optimum_bert": reader(lambda: zoo.bert(None)),
    "optimum_gpt2": decoder(zoo.gpt2_model),
    "optimum_llama": decoder(zoo.llama_model),
    "optimum_llama_half": decoder(zoo.llama_model, half=True),
    "optimum_mistral": decoder(zoo.mistral_model),
    "optimum_gemma": decoder(zoo.gemma_model, centre=0.0),
    "optimum_phi": decoder(zoo.phi_model),
    "optimum_bart_merged": merged_decoder(lambda: zoo.bart_model(hf.BartForConditionalGeneration, places=40)),
}
NOT_CHECKED_IN = ("optimum_mistral", "optimum_phi", "optimum_gemma")
