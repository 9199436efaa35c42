"""Where somebody speaks in 30 seconds: the speech given as a WAV file, with silences between."""

import json
import sys

import torch
from silero_vad import get_speech_timestamps, load_silero_vad
from speech import thirty_seconds

sound = torch.from_numpy(thirty_seconds(sys.argv[2]))
answers = {}
for opset in (15, 16):
    model = load_silero_vad(onnx=True, opset_version=opset)
    answers[f"opset {opset}"] = get_speech_timestamps(sound, model, sampling_rate=16000)
    model.reset_states()
    answers[f"odds {opset}"] = [float(model(part, 16000)) for part in sound[: 512 * 200].split(512)]
json.dump(answers, open(sys.argv[1], "w"))
