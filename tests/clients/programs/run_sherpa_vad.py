"""Where somebody speaks in 30 seconds of sound, by sherpa-onnx's detector with silero's model."""

import json
import sys

import sherpa_onnx
from speech import thirty_seconds

sound, rate = thirty_seconds(sys.argv[2]), 16000
config = sherpa_onnx.VadModelConfig()
config.silero_vad.model = sys.argv[3]
config.silero_vad.min_silence_duration = 0.25
config.sample_rate = rate
detector = sherpa_onnx.VoiceActivityDetector(config, buffer_size_in_seconds=60)
segments = []
for start in range(0, len(sound), 512):
    detector.accept_waveform(sound[start : start + 512])
    while not detector.empty():
        segments.append([detector.front.start, len(detector.front.samples)])
        detector.pop()
detector.flush()
while not detector.empty():
    segments.append([detector.front.start, len(detector.front.samples)])
    detector.pop()
json.dump(segments, open(sys.argv[1], "w"))
