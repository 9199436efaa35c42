"""Reads four pictures of text; prints the boxes, texts and scores."""

import json
import sys

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from rapidocr_onnxruntime import RapidOCR

TEXTS = [["The quick brown fox", "jumps over the lazy dog"], ["Invoice 2024-117", "Total: 1,234.50 EUR", "Thank you!"], ["HELLO"],
         ["a few words in a small picture"]]


def picture(lines, size):
    image = Image.new("RGB", (640, 40 + 60 * len(lines)), "white")
    draw = ImageDraw.Draw(image)
    for i, line in enumerate(lines):
        draw.text((30, 25 + 60 * i), line, fill=(20, 20, 60), font=ImageFont.load_default(size=size))
    return np.asarray(image)


engine = RapidOCR()
answers = []
for lines, size in zip(TEXTS, (34, 30, 44, 22), strict=True):
    found, _ = engine(picture(lines, size))
    answers.append([{"box": np.asarray(box).tolist(), "text": text, "score": float(score)} for box, text, score in found or []])
json.dump(answers, open(sys.argv[1], "w"))
