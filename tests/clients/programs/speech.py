"""Half a minute of speech, from one short recording."""

import wave

import numpy as np


def read(path):
    """16 kHz, float32 in [-1, 1]."""
    with wave.open(path) as file:
        rate, width = file.getframerate(), file.getsampwidth()
        assert rate == 16000 and width == 2, (rate, width)
        sound = np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(np.float32) / 32768
    return sound


def thirty_seconds(path):
    sound, draw = read(path), np.random.default_rng(1)
    parts = []
    for loudness, pause in ((1.0, 1.5), (0.5, 0.8), (0.9, 2.5), (0.2, 1.0), (1.0, 0.3), (0.7, 2.0), (0.9, 1.0), (0.8, 1.0)):
        parts += [sound * np.float32(loudness), np.zeros(int(16000 * pause), np.float32)]
    whole = np.concatenate(parts)[: 30 * 16000]
    whole = np.pad(whole, (0, 30 * 16000 - len(whole)))
    return whole + draw.normal(0, 1e-4, len(whole)).astype(np.float32)
