"""Decoders from the builder of onnxruntime-genai: grouped attention over a cache as one operator. The wanted answers are those of the model in
torch; where the weights have 4 bits, or the builder means other layers by its windows, those of onnxruntime, which genai runs on."""
import os
import sys
import tempfile

import onnx
import torch
from onnxruntime_genai.models import builder

import transformer_zoo as zoo
from optimum_models import cached, cache_of


def saved_for_builder(model, folder):
    """The tokenizer that the builder copies is not there; it is told so by a class that has nothing to copy."""
    model.save_pretrained(folder)

    class Nothing:
        @staticmethod
        def from_pretrained(*_, **__):
            return Nothing()

        def save_pretrained(self, _):
            return ()

    sys.modules["builders.base"].AutoTokenizer = Nothing


# What onnxruntime's kernels take: heads of a multiple of 16 channels. The builder knows the last product by its width, of several layers.
SIZES = dict(hidden_size=32, num_attention_heads=2, num_key_value_heads=1, head_dim=16, num_hidden_layers=2, intermediate_size=40)


def built(make, precision="fp32", centre=1.0, by_torch=True, sizes=SIZES, **options):
    def export():
        model = zoo.scattered(make(**sizes), centre)
        with tempfile.TemporaryDirectory() as folder:
            saved_for_builder(model, folder)
            out = os.path.join(folder, "made")
            builder.create_model(None, folder, out, precision, "cpu", folder, hf_token="false", **options)
            proto = onnx.load(os.path.join(out, "model.onnx"))
        data = proto.SerializeToString()
        names = [i.name for i in proto.graph.input]
        return data, [answered(model, data, names, given, by_torch) for given in ((2, 4, 0), (2, 1, 5), (1, 3, 2))]

    return export


def answered(model, data, names, sizes, by_torch):
    inputs = cached(model.config, *sizes, hides=False)
    feed = {name: value.numpy() for name, value in inputs.items() if name in names}
    if not by_torch:
        import onnxruntime

        return feed, onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"]).run(None, feed)
    with torch.no_grad():
        made = model(input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"], past_key_values=cache_of(inputs), use_cache=True)
    return feed, [made.logits.numpy(), *(t.numpy() for layer in made.past_key_values.to_legacy_cache() for t in layer)]


MODELS = {
    "genai_llama": built(zoo.llama_model),
    "genai_llama_int4": built(zoo.llama_model, "int4", by_torch=False, int4_accuracy_level=1),
    "genai_mistral": built(zoo.mistral_model),
    "genai_phi": built(zoo.phi_model, sizes={**SIZES, "layer_norm_eps": 1e-6}),
    "genai_gemma2": built(zoo.gemma2_model, centre=0.0, by_torch=False),
}
NOT_CHECKED_IN = ("genai_mistral",)
