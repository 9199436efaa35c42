"""Sequences, optionals, strings and control flow."""
import math
import re

import numpy as np
from case import UNCHECKED, Case, Typed, element_type, optional_type, sequence_type, tensor_type
from draw import DTYPES, WORDS
from families.shape import any_tensor, int64
from onnx import helper, numpy_helper
from registry import sweep


def tensors(draw, low=1, high=4, dtype=None, rank=None):
    names = [t[11:-2] for t in draw.types.get("S", draw.types.get("V", [])) if t.startswith("seq(tensor(") and t[11:-2] in DTYPES]
    dtype = dtype or np.dtype(DTYPES[draw.choice(names)] if names else np.float32)
    return dtype, [draw.tensor(dtype, draw.shape(0, 3, count=60) if rank is None else draw.shape(rank, rank, count=60), -9, 9) for _ in range(draw.integer(low, high))]


def sequence(dtype, values):
    return Typed(values, sequence_type(dtype))


def position(draw, count, end):
    p = draw.integer(-count, count - (0 if end else 1))
    return np.array(p, draw.dtype("I"))


@sweep("SequenceConstruct")
def construct(draw):
    dtype = draw.dtype("T")
    xs = [draw.tensor(dtype, draw.shape(0, 3, count=60), -9, 9) for _ in range(draw.integer(1, 4))]
    return Case(xs, [xs], bits=True)


@sweep("SequenceEmpty")
def empty(draw):
    name = draw.type_name("T") if "T" in draw.types else draw.choice(["float", "int64", "string"])
    return Case([], [[]], {"dtype": draw.choice([None, element_type(DTYPES[name])])})


@sweep("SequenceAt")
def at(draw):
    dtype, xs = tensors(draw)
    p = position(draw, len(xs), end=False)
    return Case([sequence(dtype, xs), p], [xs[int(p)]], bits=True)


@sweep("SequenceErase")
def erase(draw):
    dtype, xs = tensors(draw)
    p = position(draw, len(xs), end=False) if draw.chance(0.7) else None
    rest = list(xs)
    del rest[-1 if p is None else int(p)]
    return Case([sequence(dtype, xs), p], [rest], bits=True)


@sweep("SequenceInsert")
def insert(draw):
    dtype, xs = tensors(draw, low=0)
    x = draw.tensor(dtype, draw.shape(0, 3, count=60))
    p = position(draw, len(xs), end=True) if draw.chance(0.7) else None
    rest = list(xs)
    rest.insert(len(xs) if p is None else int(p), x)
    return Case([sequence(dtype, xs), x, p], [rest], bits=True)


@sweep("SequenceLength")
def length(draw):
    dtype, xs = tensors(draw, low=0)
    return Case([sequence(dtype, xs)], [np.array(len(xs), np.int64)])


@sweep("ConcatFromSequence")
def concat_from_sequence(draw):
    dtype, _ = tensors(draw)
    shape, new = list(draw.shape(1, 3, count=60)), draw.choice([None, 0, 1])
    count = draw.integer(1, 4)
    if new:
        xs = [draw.tensor(dtype, shape) for _ in range(count)]
        axis = draw.integer(-len(shape) - 1, len(shape))
        return Case([sequence(dtype, xs)], [np.stack(xs, axis)], {"axis": axis, "new_axis": new}, bits=True)
    axis = draw.axis(len(shape))
    xs = []
    for _ in range(count):
        shape[axis] = draw.integer(0, 3)
        xs.append(draw.tensor(dtype, shape))
    return Case([sequence(dtype, xs)], [np.concatenate(xs, axis)], {"axis": axis, "new_axis": new}, bits=True)


@sweep("SplitToSequence")
def split_to_sequence(draw):
    x = any_tensor(draw, shape=draw.shape(1, 3, zero=0.02, count=200))
    axis, keep = draw.choice([None, draw.axis(x.ndim)]), draw.choice([None, 0, 1])
    at_axis = axis or 0
    dim = x.shape[at_axis]
    way = draw.integer(0, 2)
    if way == 0:  # keepdims counts only here
        parts = np.split(x, dim, at_axis) if dim else []
        parts = [p.squeeze(at_axis) for p in parts] if keep == 0 else parts
        return Case([x], [parts], {"axis": axis, "keepdims": keep}, bits=True)
    if way == 1:
        size = draw.integer(1, 4)
        return Case([x, np.array(size, draw.dtype("I"))], [np.split(x, range(size, dim, size), at_axis) if dim else []], {"axis": axis, "keepdims": keep}, bits=True)
    cuts = sorted(draw.integer(0, dim) for _ in range(draw.integer(0, 3)))
    return Case([x, np.diff([0, *cuts, dim]).astype(draw.dtype("I"))], [np.split(x, cuts, at_axis)], {"axis": axis, "keepdims": keep}, bits=True)


def graph(nodes, inputs, outputs, constants=()):
    """Inputs are (name, type proto) or names."""
    info = lambda i: helper.make_value_info(*i) if isinstance(i, tuple) else helper.make_value_info(i, tensor_type(np.float32))  # noqa: E731
    return helper.make_graph(nodes, "body", [info(i) for i in inputs], [info(o) for o in outputs], list(constants))


@sweep("SequenceMap")
def sequence_map(draw):
    dtype, xs = tensors(draw, dtype=np.dtype(np.float32))
    more = draw.plain(np.float32, ())
    as_sequence = draw.chance()
    others = [draw.plain(np.float32, ()) for _ in xs]
    body = graph([helper.make_node("Add", ["a", "b"], ["c"]), helper.make_node("Shape", ["a"], ["d"])], ["a", "b"], ["c", ("d", tensor_type(np.int64))])
    wanted = [x + (o if as_sequence else more) for x, o in zip(xs, others)]
    shapes = [int64(x.shape) for x in xs]
    return Case([sequence(dtype, xs), sequence(dtype, others) if as_sequence else more], [[np.asarray(w, np.float32) for w in wanted], shapes], {"body": body}, ulps=1)


@sweep("Optional")
def optional(draw):
    if draw.chance(0.3):
        return Case([], [UNCHECKED], {"type": tensor_type(np.float32)}, rest=lambda outputs: None if outputs[0] is None else f"is {outputs[0]}")
    if draw.chance(0.3):
        dtype, xs = tensors(draw)
        return Case([sequence(dtype, xs)], [xs], bits=True)
    x = any_tensor(draw, "V")
    return Case([x], [x], bits=True)


def maybe(draw):
    """An input of type optional or not, and its value."""
    if draw.chance():
        x = any_tensor(draw, "O" if "O" in draw.types else "V", shape=draw.shape(0, 3))
        return (Typed(x, optional_type(tensor_type(x.dtype))) if x.dtype.name in ("float32", "int64", "bool") or draw.chance() else x), x
    dtype, xs = tensors(draw)
    return (Typed(xs, optional_type(sequence_type(dtype))) if draw.chance() else sequence(dtype, xs)), xs


@sweep("OptionalGetElement")
def get_element(draw):
    given, value = maybe(draw)
    return Case([given], [value], bits=True)


@sweep("OptionalHasElement")
def has_element(draw):
    if draw.chance(0.2):
        return Case([Typed(None, optional_type(tensor_type(np.float32)))], [np.array(False)])
    if draw.chance(0.1):
        return Case([], [np.array(False)])
    given, _ = maybe(draw)
    return Case([given], [np.array(True)])


@sweep("If")
def if_(draw):
    value = draw.chance()
    condition = np.full(draw.choice([(), (1,)]), value)
    a, b = draw.plain(np.float32, draw.shape(0, 3)), draw.plain(np.float32, draw.shape(0, 3))
    branches = [graph([helper.make_node("Neg", [f"c{i}"], [f"o{i}"])], [], [f"o{i}"], [numpy_helper.from_array(v, f"c{i}")]) for i, v in enumerate((a, b))]
    return Case([condition], [-(a if value else b)], {"then_branch": branches[0], "else_branch": branches[1]})


@sweep("Loop")
def loop(draw):
    """Sums the step's number to a state and stops at a limit; the scan output is the state before."""
    trips = draw.choice([None, draw.integer(0, 6)])
    stop = draw.integer(0, 8)
    x = draw.plain(np.float32, draw.shape(0, 3, count=60))
    with_condition = trips is None or draw.chance()
    nodes = [
        helper.make_node("Cast", ["i"], ["f"], to=1), helper.make_node("Add", ["s", "f"], ["s_next"]),
        helper.make_node("Identity", ["s"], ["before"]), helper.make_node("Less", ["i", "stop"], ["go_next"]),
    ]  # fmt: skip
    body = graph(nodes, [("i", tensor_type(np.int64, ())), ("go", tensor_type(bool, ())), "s"], [("go_next", tensor_type(bool)), "s_next", "before"], [numpy_helper.from_array(np.array(stop, np.int64), "stop")])
    begin = draw.chance(0.85)
    state, scanned, i, go = x, [], 0, begin or not with_condition
    while go and (trips is None or i < trips):
        scanned.append(state)
        state = (state + np.float32(i)).astype(np.float32)
        go = i < stop if with_condition else True
        i += 1
    stacked = np.stack(scanned) if scanned else UNCHECKED
    inputs = [None if trips is None else np.full(draw.choice([(), (1,)]), trips, np.int64), np.full(draw.choice([(), (1,)]), begin) if with_condition else None, x]
    return Case(inputs, [np.asarray(state), stacked], {"body": body}, ulps=1)


@sweep("Scan")
def scan(draw):
    """A running sum and the sums so far, over any axis and either direction."""
    shape = draw.shape(1, 3, zero=0, count=60)
    axis, backward = draw.axis(len(shape)), draw.choice([None, 0, 1])
    x = draw.plain(np.float32, shape)
    rows = np.moveaxis(x, axis, 0)
    start = draw.plain(np.float32, rows.shape[1:])
    out_axis, out_backward = draw.axis(len(shape)), draw.choice([None, 0, 1])
    state, sums = start, []
    for row in rows[::-1] if backward else rows:
        state = (state + row).astype(np.float32)
        sums.append(state)
    stacked = np.moveaxis(np.stack(sums[::-1] if out_backward else sums), 0, out_axis)
    body = graph([helper.make_node("Add", ["s", "x"], ["t"]), helper.make_node("Identity", ["t"], ["u"])], ["s", "x"], ["t", "u"])
    lists = {"scan_input_axes": axis, "scan_output_axes": out_axis, "scan_input_directions": backward, "scan_output_directions": out_backward}
    defaults = {"scan_input_axes": 0, "scan_output_axes": 0}
    attributes = {k: [v] for k, v in lists.items() if v is not None and (v != defaults.get(k) or draw.chance())}
    return Case([start, x], [np.asarray(state), stacked], {"body": body, "num_scan_inputs": 1, **attributes}, ulps=1)


@sweep("StringConcat")
def string_concat(draw):
    a, b = (draw.tensor(object, s) for s in draw.broadcast())
    wide_a, wide_b = np.broadcast_arrays(a, b)
    y = np.array([p + q for p, q in zip(wide_a.flat, wide_b.flat)], object).reshape(wide_a.shape)
    return Case([a, b], [y])


@sweep("StringNormalizer")
def string_normalizer(draw):
    # Whether the upper case of one letter may be two is left open.
    x = np.array([draw.choice([w for w in WORDS if w != "ß"]) for _ in range(draw.integer(1, 6))], object)
    x = x[None] if draw.chance(0.4) else x
    case, sensitive = draw.choice([None, "NONE", "LOWER", "UPPER"]), draw.choice([None, 0, 1])
    stop = draw.some(WORDS[1:6]) if draw.chance(0.6) else None
    change = {"LOWER": str.lower, "UPPER": str.upper}.get(case, str)
    kept = [s for s in x.reshape(-1) if not stop or (s not in stop if sensitive else s.lower() not in [w.lower() for w in stop])]
    y = np.array([change(s) for s in kept] or [""], object)
    return Case([x], [y[None] if x.ndim == 2 else y], {"case_change_action": case, "is_case_sensitive": sensitive, "stopwords": stop or None, "locale": draw.choice([None, "en_US"])})


@sweep("StringSplit")
def string_split(draw):
    pieces = ["a", "b,c", " a  b ", "", ",,x", "x,", "söme thing", "a b c d"]
    shape = draw.shape(0, 2, count=20)
    x = np.array([draw.choice(pieces) for _ in range(math.prod(shape))], object).reshape(shape)
    delimiter, most = draw.choice([None, "", ",", "b", ",,"]), draw.choice([None, 0, 1, 2])
    parts = [s.split(delimiter, -1 if most is None else most) if delimiter else s.strip().split(None, -1 if most is None else most) for s in x.reshape(-1)]
    # Trailing white space is removed in the text; numpy and onnx.reference leave it behind the last of `maxsplit` cuts.
    width = max((len(p) for p in parts), default=0)
    y = np.array([p + [""] * (width - len(p)) for p in parts], object).reshape(*x.shape, width)
    return Case([x], [y, np.array([len(p) for p in parts], np.int64).reshape(x.shape)], {"delimiter": delimiter, "maxsplit": most})


@sweep("RegexFullMatch")
def regex(draw):
    x = draw.tensor(object, draw.shape(0, 3, count=40))
    pattern = draw.choice([r"[a-z]+", r"a|b", r".*", r"", r"-?\d+", r"\s?x\s?", r"(?i)ZEBRA", r"[^ ]{1,3}", r"日.", r"a\nb"])
    y = np.array([re.fullmatch(pattern, s) is not None for s in x.reshape(-1)]).reshape(x.shape)
    return Case([x], [y.astype(bool)], {"pattern": pattern})


@sweep("TfIdfVectorizer")
def tfidf(draw):
    least = draw.integer(1, 2)
    most = draw.integer(least, 3)
    skip = draw.integer(0, 2)
    vocabulary = list(range(1, 6))
    grams, seen = [], set()
    for n in range(1, most + 1):
        row = set()
        for _ in range(draw.integer(1, 4)):
            row.add(tuple(draw.choice(vocabulary) for _ in range(n)))
        grams.append(sorted(row))
    flat = [g for row in grams for g in row]
    seen.update(flat)
    indexes = draw.rng.permutation(len(flat) + 2)[: len(flat)].tolist()
    weights = [draw.real(0.5, 2) for _ in flat] if draw.chance() else None
    mode = draw.choice(["TF", "IDF", "TFIDF"])
    x = draw.rng.integers(0, 7, (draw.integer(1, 3), draw.integer(1, 8)))
    x = x[0] if draw.chance(0.4) else x
    rows = np.atleast_2d(x)
    y = np.zeros((len(rows), max(indexes) + 1))
    for r, row in enumerate(rows):
        for n in range(least, most + 1):
            for distance in range(1, skip + 2):
                if n == 1 and distance > 1:
                    break
                for start in range(len(row) - (n - 1) * distance):
                    gram = tuple(int(row[start + k * distance]) for k in range(n))
                    if gram in grams[n - 1]:
                        y[r, indexes[flat.index(gram)]] += 1
    factor = np.ones(y.shape[1])
    if weights is not None:
        for i, weight in zip(indexes, weights):
            factor[i] = weight
    y = {"TF": y, "IDF": (y > 0) * factor, "TFIDF": y * factor}[mode]
    counts, total = [], 0
    for n, row in enumerate(grams):
        counts.append(total)
        total += len(row) * (n + 1)
    attributes = {"min_gram_length": least, "max_gram_length": most, "max_skip_count": skip, "ngram_counts": counts, "ngram_indexes": indexes, "weights": weights, "mode": mode}
    if draw.chance():
        attributes["pool_strings"] = [f"w{v}" for g in flat for v in g]
        x = np.array([f"w{v}" for v in x.reshape(-1)], object).reshape(x.shape)
    else:
        attributes["pool_int64s"] = [v for g in flat for v in g]
        x = x.astype(draw.choice([np.int32, np.int64]))
    y = y[0] if x.ndim == 1 else y
    return Case([x], [y.astype(np.float32)], attributes, ulps=2)
