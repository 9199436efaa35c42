"""Two sentences spoken by sherpa-onnx with a Piper voice, without its noise: the samples."""

import json
import os
import pathlib
import sys

import onnx
import sherpa_onnx

output, voice = sys.argv[1:3]
folder = pathlib.Path(output).parent / "voice"
folder.mkdir(exist_ok=True)
config = json.loads(pathlib.Path(voice + ".json").read_text())
# What sherpa-onnx reads besides the model: its metadata, and a list of tokens.
model = onnx.load(voice)
onnx.helper.set_model_props(model, {
    "model_type": "vits", "comment": "piper", "language": "English", "voice": config["espeak"]["voice"], "has_espeak": "1",
    "n_speakers": str(config["num_speakers"]), "sample_rate": str(config["audio"]["sample_rate"])})
onnx.save(model, folder / "voice.onnx")
(folder / "tokens.txt").write_text("".join(f"{symbol} {ids[0]}\n" for symbol, ids in config["phoneme_id_map"].items()))
options = sherpa_onnx.OfflineTtsConfig(model=sherpa_onnx.OfflineTtsModelConfig(
    vits=sherpa_onnx.OfflineTtsVitsModelConfig(model=str(folder / "voice.onnx"), lexicon="", tokens=str(folder / "tokens.txt"),
                                               noise_scale=0.0, noise_scale_w=0.0),
    num_threads=1))
speaker = sherpa_onnx.OfflineTts(options)
answers = []
for text, phonemes in (("The quick brown fox jumps.", "ðə kwˈɪk bɹˈaʊn fˈɑːks dʒˈʌmps."), ("One, two, three.", "wˈʌn, tˈuː, θɹˈiː.")):
    spoken = sherpa_onnx.GenerationConfig()
    spoken.phoneme_codepoints = [[ord(letter) for letter in phonemes]]
    sound = speaker.generate(text, spoken)
    answers.append({"rate": sound.sample_rate, "count": len(sound.samples), "samples": [float(x) for x in sound.samples]})
os.remove(folder / "voice.onnx")
json.dump(answers, open(output, "w"))
