"""Tokens that tiny language models say under onnxruntime-genai: greedy, sampling and beams; 200 tokens at two context lengths."""

import json
import os
import sys

import onnxruntime_genai as og
import tiny_llm

folder = os.path.join(os.path.dirname(sys.argv[1]), "tiny_llm")
PROMPTS = [[1, 17, 99, 300, 45, 8], [1, 200, 3]]


def said(path, prompts, count, **search):
    model = og.Model(path)
    params = og.GeneratorParams(model)
    params.set_search_options(max_length=len(prompts[0]) + count, batch_size=len(prompts), **search)
    generator = og.Generator(model, params)
    generator.append_tokens(prompts if len(prompts) > 1 else prompts[0])
    while not generator.is_done():
        generator.generate_next_token()
    return [list(map(int, generator.get_sequence(i))) for i in range(len(prompts))]


answers = {}
for longest in (256, 1024):
    for shared in (True, False):
        path = os.path.join(folder, f"{longest}_{shared}")
        tiny_llm.write(path, longest, shared=shared)
        answers[f"greedy {longest} shared {shared}"] = said(path, PROMPTS[:1], 200)
path = os.path.join(folder, "256_True")
answers["two prompts"] = said(path, [PROMPTS[0], PROMPTS[0][::-1]], 40)
answers["sampling"] = said(path, PROMPTS[:1], 60, do_sample=True, top_k=20, top_p=0.9, temperature=0.8, random_seed=7)
answers["beams"] = said(os.path.join(folder, "256_False"), PROMPTS[:1], 60, num_beams=3, past_present_share_buffer=False)
answers["penalty"] = said(path, PROMPTS[:1], 60, repetition_penalty=1.3)
json.dump(answers, open(sys.argv[1], "w"))
