"""The notes in six seconds of a made melody."""

import json
import pathlib
import sys
import wave

import numpy as np
from basic_pitch import build_icassp_2022_model_path, FilenameSuffix
from basic_pitch.inference import Model, predict

RATE = 22050
folder = pathlib.Path(sys.argv[1]).parent
time = np.arange(RATE) / RATE
notes = [261.6, 329.6, 392.0, 440.0, 523.3, 349.2]
sound = np.concatenate([
    sum(np.sin(2 * np.pi * pitch * k * time) / k for k in (1, 2, 3)) * np.minimum(1, 20 * time) * np.exp(-2 * time) for pitch in notes])
with wave.open(str(folder / "melody.wav"), "wb") as file:
    file.setnchannels(1), file.setsampwidth(2), file.setframerate(RATE)
    file.writeframes((sound / abs(sound).max() * 30000).astype("<i2").tobytes())
output, _, events = predict(str(folder / "melody.wav"), Model(build_icassp_2022_model_path(FilenameSuffix.onnx)))
answers = {
    "notes": [[round(float(start), 3), round(float(end), 3), int(pitch), float(loud)] for start, end, pitch, loud, _ in sorted(events)],
    "sums": {name: float(np.asarray(values, np.float64).mean()) for name, values in output.items()},
}
json.dump(answers, open(sys.argv[1], "w"))
