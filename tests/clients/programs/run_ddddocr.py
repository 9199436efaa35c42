"""Reads captchas with each of the package's models, and finds what stands where."""

import io
import json
import sys

import ddddocr
from PIL import Image, ImageDraw, ImageFont


def picture(text, size=(160, 64)):
    image = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(image)
    for i, letter in enumerate(text):
        draw.text((15 + 30 * i, 8 + 6 * (i % 2)), letter, fill=(10 * i, 20, 120), font=ImageFont.load_default(size=36))
    draw.line((0, 40, size[0], 25), fill=(90, 90, 90), width=2)
    data = io.BytesIO()
    image.save(data, "PNG")
    return data.getvalue()


TEXTS = ("8F3K", "abcd", "7xQ2", "5060")
answers = {}
for name, options in (("common", {}), ("old", {"old": True}), ("beta", {"beta": True})):
    engine = ddddocr.DdddOcr(show_ad=False, **options)
    answers[name] = [engine.classification(picture(text)) for text in TEXTS]
detector = ddddocr.DdddOcr(det=True, ocr=False, show_ad=False)
answers["boxes"] = [[list(map(int, box)) for box in detector.detection(picture(text, (300, 150)))] for text in TEXTS]
json.dump(answers, open(sys.argv[1], "w"))
