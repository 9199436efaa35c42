"""Tokenizer."""
import numpy as np
from draw import often, pick, shape
from elementwise_cases import case

LETTERS = list("ab cd,é文.- \t0")


def tokenizer(rng):
    dims = pick(rng, shape(rng, 1, 1, 4, 0.0), shape(rng, 2, 2, 3, 0.0))
    texts = ["".join(rng.choice(LETTERS, rng.integers(0, 12))) for _ in range(int(np.prod(dims)))]
    attributes = {"mark": int(often(rng)), "pad_value": pick(rng, "#", "", "pad"), "mincharnum": int(rng.integers(1, 4))}
    kind = rng.integers(4)
    if kind == 0:
        attributes["separators"] = list(rng.choice([" ", ",", r"\s", "b", "[.-]", "é", "ab"], rng.integers(1, 3), replace=False))
    elif kind == 1:
        attributes.update(separators=[""], mincharnum=1)
    else:
        attributes["tokenexp"] = pick(rng, r"\w+", "[a-d]+", ".", r"[^\s]+", "a|ab", r"\d|[a-z]{2}", "文")
        if attributes["tokenexp"] == ".":
            attributes["mincharnum"] = 1
    return case([("x", np.array(texts, dtype=object).reshape(dims), False)], [8], **attributes)  # 8: string


CASES = {"Tokenizer": tokenizer}
