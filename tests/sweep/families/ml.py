"""ai.onnx.ml. Classifiers have three classes or more: what the one score of two classes becomes is onnxruntime's, not the
standard's, and has its cases in C++. PROBIT and the probabilities of SVMClassifier likewise."""
import math

import numpy as np
from case import Case, Typed, tensor_type
from draw import f32, wide
from onnx import helper
from registry import sweep

ML = "ai.onnx.ml"


def features(draw, constraint="T", low=-4, high=4):
    names = [t[7:-1] for t in draw.types[constraint] if t in ("tensor(float)", "tensor(double)", "tensor(int32)", "tensor(int64)")]
    dtype = np.dtype(draw.choice(["float32"] + [{"float": "float32", "double": "float64"}.get(n, n) for n in names]))
    return draw.plain(dtype, (draw.integer(1, 5), draw.integer(1, 6)), low, high)


def reals(draw, count, low=-2, high=2):
    return [draw.real(low, high) for _ in range(count)]


def transformed(z, how):
    """Rows of scores."""
    if how == "LOGISTIC":
        return 1 / (1 + np.exp(-z))
    if how == "SOFTMAX":
        e = np.exp(z - z.max(-1, keepdims=True))
        return e / e.sum(-1, keepdims=True)
    if how == "SOFTMAX_ZERO":  # zeros stay zeros and have no part in the sum
        e = np.where(np.abs(z) > 1e-7, np.exp(z - z.max(-1, keepdims=True)), 0)
        return e / e.sum(-1, keepdims=True)
    return z


def transform(draw):
    return draw.choice([None, "NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO"])


def labels(draw, count, ints="classlabels_ints"):
    if draw.chance():
        names = [f"label {i}" for i in range(count)]
        return {"classlabels_strings": names}, np.array(names, object)
    numbers = draw.rng.permutation(50)[:count].tolist()
    return {ints: numbers}, np.array(numbers, np.int64)


def separated(z):
    """No two scores so near that a rounding decides which is the largest."""
    top = np.sort(z, -1)
    return z.shape[-1] < 2 or np.all(top[..., -1] - top[..., -2] > 1e-3)


@sweep("ArrayFeatureExtractor", domain=ML)
def array_feature_extractor(draw):
    x = draw.tensor(draw.dtype("T"), draw.shape(1, 3, zero=0, count=200))
    at = draw.indices(x.shape[-1], draw.choice([(draw.integer(1, 5),), (1, draw.integer(1, 5))]), negative=False)
    y = x[..., at.reshape(-1)]
    return Case([x, at], [y[None] if x.ndim == 1 else y])


@sweep("Binarizer", domain=ML)
def binarizer(draw):
    x = draw.plain(draw.dtype("T"), draw.shape(), -4, 4)
    threshold = draw.choice([None, draw.real(-2, 2), float(draw.integer(-2, 2))])
    return Case([x], [(wide(x) > (threshold or 0)).astype(x.dtype)], {"threshold": threshold})


def map_type(key, value):
    return helper.make_map_type_proto({"int64": 7, "string": 8}[key], tensor_type(value))


@sweep("CastMap", domain=ML)
def cast_map(draw):
    keys = sorted(draw.rng.permutation(12)[: draw.integer(1, 6)].tolist())
    text = draw.chance()
    values = [f32(draw.integer(-40, 40) / 4) for _ in keys]
    given = [repr(v) for v in values] if text else values
    sparse, to = draw.chance(), draw.choice([None, "TO_FLOAT", "TO_INT64"])
    width = draw.integer(1, 14) if sparse else len(keys)
    y = np.zeros(width)
    for i, (k, v) in enumerate(zip(keys, values)):
        if (k if sparse else i) < width:
            y[k if sparse else i] = v
    if sparse and max(keys) >= width:
        return cast_map(draw)
    if text and to == "TO_INT64":
        given, y = [str(int(v)) for v in values], np.trunc(y)
    x = Typed(dict(zip(keys, given)), map_type("int64", object if text else np.float32))
    out = np.int64 if to == "TO_INT64" else np.float32
    attributes = {"map_form": "SPARSE" if sparse else draw.choice([None, "DENSE"]), "max_map": width if sparse else None, "cast_to": to}
    return Case([x], [np.trunc(y).astype(out)[None] if out == np.int64 else y.astype(out)[None]], attributes)


@sweep("CategoryMapper", domain=ML)
def category_mapper(draw):
    numbers = draw.rng.permutation(20)[:5].tolist()
    texts = [f"t{i}" for i in range(5)]
    attributes = {"cats_int64s": numbers, "cats_strings": texts}
    shape = draw.shape(0, 3, count=60)
    if draw.chance():
        x = np.array([draw.choice([*texts, "other"]) for _ in range(math.prod(shape))], object).reshape(shape)
        attributes["default_int64"] = d = draw.choice([None, 77])
        y = np.array([dict(zip(texts, numbers)).get(v, -1 if d is None else d) for v in x.reshape(-1)], np.int64).reshape(shape)
    else:
        x = draw.rng.integers(0, 20, shape)
        x = np.asarray(x, np.int64)
        attributes["default_string"] = d = draw.choice([None, "none"])
        y = np.array([dict(zip(numbers, texts)).get(int(v), d or "_Unused") for v in x.reshape(-1)], object).reshape(shape)
    return Case([x], [y], attributes)


@sweep("DictVectorizer", domain=ML)
def dict_vectorizer(draw):
    text = draw.chance()
    vocabulary = [f"k{i}" for i in range(6)] if text else [3, 9, -1, 7, 0, 5]
    value = np.dtype(draw.choice([np.float32, np.float64, np.int64])) if text else np.dtype(draw.choice([np.float32, np.float64]))
    chosen = draw.some(vocabulary, low=1)
    row = {k: draw.plain(value, (), -9, 9).item() for k in chosen}
    y = np.array([[row.get(k, 0) for k in vocabulary]]).astype(value)
    return Case([Typed(row, map_type("string" if text else "int64", value))], [y], {"string_vocabulary" if text else "int64_vocabulary": vocabulary})


@sweep("FeatureVectorizer", domain=ML)
def feature_vectorizer(draw):
    dtype, rows = draw.dtype(next(iter(draw.types))), draw.integer(1, 4)
    widths = [draw.integer(1, 4) for _ in range(draw.integer(1, 4))]
    xs = [draw.plain(dtype, (rows, w)) for w in widths]
    return Case(xs, [np.concatenate(xs, 1).astype(np.float32)], {"inputdimensions": widths})


@sweep("Imputer", domain=ML)
def imputer(draw):
    dtype = draw.dtype("T")
    x = draw.plain(dtype, (draw.integer(1, 4), draw.integer(1, 4)), -2, 2)
    count = draw.choice([1, x.shape[1]])
    if dtype.kind == "f":
        x = np.rint(x)
        target = draw.choice([0.0, 1.0, math.nan])
        x = np.where(draw.rng.random(x.shape) < 0.3, target, x).astype(dtype)
        values = reals(draw, count)
        hit = np.isnan(x) if math.isnan(target) else x == target
        return Case([x], [np.where(hit, np.array(values), x).astype(dtype)], {"imputed_value_floats": values, "replaced_value_float": target})
    target = draw.integer(-1, 1)
    values = [draw.integer(-9, 9) for _ in range(count)]
    return Case([x], [np.where(x == target, np.array(values), x).astype(dtype)], {"imputed_value_int64s": values, "replaced_value_int64": target})


@sweep("LabelEncoder", domain=ML)
def label_encoder(draw):
    kinds = ["string", "int64", "float"]
    source, target = draw.choice(kinds), draw.choice(kinds)
    pools = {"string": [f"k{i}" for i in range(8)], "int64": list(range(-3, 5)), "float": [f32(i / 4) for i in range(7)] + [math.nan]}
    dtypes = {"string": object, "int64": np.int64, "float": np.float32}
    keys = draw.some(pools[source], low=1)
    values = [draw.choice(pools[target][:7]) for _ in keys]
    tensors = draw.chance(0.3) and source != "string" and target != "string"
    default = draw.choice([None, pools[target][0]])
    shape = draw.shape(0, 3, count=60)
    flat = [draw.choice(pools[source]) for _ in range(math.prod(shape))]
    x = np.array(flat, dtypes[source]).reshape(shape)
    fallback = {"string": "_Unused", "int64": -1, "float": -0.0}[target] if default is None else default
    same = lambda a, b: a == b or (a != a and b != b)  # noqa: E731
    found = [next((v for k, v in zip(keys, values) if same(k, e)), fallback) for e in flat]
    y = np.array(found, dtypes[target]).reshape(shape)
    if tensors:
        attributes = {"keys_tensor": np.array(keys, dtypes[source]), "values_tensor": np.array(values, dtypes[target]), "default_tensor": np.array([fallback], dtypes[target])}
    else:
        names = {"string": "strings", "int64": "int64s", "float": "floats"}
        attributes = {f"keys_{names[source]}": keys, f"values_{names[target]}": values, f"default_{target}": default}
    return Case([x], [y], attributes)


@sweep("LinearClassifier", domain=ML)
def linear_classifier(draw):
    x, count = features(draw, "T1"), draw.integer(3, 5)
    weights, shift = reals(draw, count * x.shape[1]), reals(draw, count) if draw.chance() else None
    z = wide(x).astype(np.float64) @ np.array(weights).reshape(count, -1).T + (0 if shift is None else np.array(shift))
    if not separated(z):
        return linear_classifier(draw)
    given, names = labels(draw, count)
    how = transform(draw)
    attributes = {**given, "coefficients": weights, "intercepts": shift, "post_transform": how, "multi_class": draw.choice([None, 0, 1])}
    return Case([x], [names[z.argmax(1)], transformed(z, how)], attributes, ulps=64, scale=4.0, types=[names.dtype, np.dtype(np.float32)])


@sweep("LinearRegressor", domain=ML)
def linear_regressor(draw):
    x, count = features(draw), draw.integer(1, 4)
    weights, shift = reals(draw, count * x.shape[1]), reals(draw, count) if draw.chance() else None
    z = wide(x).astype(np.float64) @ np.array(weights).reshape(count, -1).T + (0 if shift is None else np.array(shift))
    how = transform(draw) if count > 1 else None
    return Case([x], [transformed(z, how)], {"coefficients": weights, "intercepts": shift, "targets": count if count > 1 or draw.chance() else None, "post_transform": how}, ulps=64, scale=4.0, types=[np.dtype(np.float32)])


@sweep("Normalizer", domain=ML)
def normalizer(draw):
    x, norm = features(draw), draw.choice([None, "MAX", "L1", "L2"])
    v = wide(x).astype(np.float64)
    if draw.chance(0.2):
        v[0] = 0
        x = v.astype(x.dtype)
    # MAX divides by the largest value, as the formula has it; L1 by the sum of magnitudes, as in onnx.reference.
    divisor = {"L1": np.abs(v).sum(1, keepdims=True), "L2": np.sqrt((v * v).sum(1, keepdims=True))}.get(norm, v.max(1, keepdims=True))
    if norm in (None, "MAX") and np.any(divisor <= 0):
        return normalizer(draw)  # the text and onnx.reference have max(x), onnxruntime max |x|
    return Case([x], [np.where(divisor == 0, v, v / np.where(divisor == 0, 1, divisor))], {"norm": norm}, ulps=8, types=[np.dtype(np.float32)])


@sweep("OneHotEncoder", domain=ML)
def one_hot_encoder(draw):
    shape = draw.shape(1, 2, zero=0, count=40)
    if draw.chance(0.4):
        cats = [f"c{i}" for i in range(4)]
        x = np.array([draw.choice([*cats, "z"]) for _ in range(math.prod(shape))], object).reshape(shape)
        attributes = {"cats_strings": cats}
    else:
        cats = draw.rng.permutation(8)[:4].tolist()
        x = draw.plain(draw.dtype("T", without=("string",)), shape, 0, 7)
        if x.dtype.kind == "f":
            x = np.rint(x)
        attributes = {"cats_int64s": cats}
    y = np.array([[float(v == c) for c in cats] for v in x.reshape(-1)], np.float32).reshape(*shape, len(cats))
    return Case([x], [y], {**attributes, "zeros": draw.choice([None, 1])})


@sweep("Scaler", domain=ML)
def scaler(draw):
    x = features(draw)
    count = draw.choice([1, x.shape[1]])
    offset, scale = reals(draw, count), reals(draw, count)
    y = (wide(x).astype(np.float64) - np.array(offset)) * np.array(scale)
    return Case([x], [y], {"offset": offset, "scale": scale}, ulps=4, scale=8.0, types=[np.dtype(np.float32)])


def kernel(draw):
    name = draw.choice(["LINEAR", "POLY", "RBF", "SIGMOID"])
    gamma, coef, degree = draw.real(0.05, 0.4), draw.real(-1, 1), float(draw.integer(1, 3))

    def function(a, b):
        if name == "RBF":
            return np.exp(-gamma * ((a[:, None] - b) ** 2).sum(-1))
        dot = a @ b.T
        if name == "LINEAR":
            return dot
        dot = gamma * dot + coef
        return dot**degree if name == "POLY" else np.tanh(dot)

    return function, {"kernel_type": name, "kernel_params": [gamma, coef, degree]}


@sweep("SVMRegressor", domain=ML)
def svm_regressor(draw):
    x = features(draw, low=-2, high=2)
    function, attributes = kernel(draw)
    count, rho, one = draw.integer(1, 5), reals(draw, 1), draw.choice([None, 0, 1])
    vectors, weights = reals(draw, count * x.shape[1], -1, 1), reals(draw, count)
    y = function(wide(x).astype(np.float64), np.array(vectors).reshape(count, -1)) @ np.array(weights) + rho[0]
    if one:
        if np.any(np.abs(y) < 1e-3):
            return svm_regressor(draw)
        y = np.where(y > 0, 1.0, -1.0)
    attributes |= {"n_supports": count, "support_vectors": vectors, "coefficients": weights, "rho": rho, "one_class": one}
    return Case([x], [y[:, None]], attributes, ulps=256, scale=16.0, types=[np.dtype(np.float32)])


@sweep("SVMClassifier", domain=ML)
def svm_classifier(draw):
    """Votes of the pairs of classes; the scores are the decisions."""
    x = features(draw, "T1", -2, 2)
    function, attributes = kernel(draw)
    count = draw.integer(3, 4)
    per_class = [draw.integer(1, 3) for _ in range(count)]
    total = sum(per_class)
    vectors, weights = reals(draw, total * x.shape[1], -1, 1), reals(draw, (count - 1) * total)
    rho = reals(draw, count * (count - 1) // 2)
    k = function(wide(x).astype(np.float64), np.array(vectors).reshape(total, -1))
    table, starts = np.array(weights).reshape(count - 1, total), np.cumsum([0, *per_class])
    decisions, votes = [], np.zeros((len(x), count))
    for i in range(count):
        for j in range(i + 1, count):
            own, other = slice(starts[i], starts[i + 1]), slice(starts[j], starts[j + 1])
            d = k[:, own] @ table[j - 1, own] + k[:, other] @ table[i, other] + rho[len(decisions)]
            votes[:, i] += d > 0
            votes[:, j] += d <= 0
            decisions.append(d)
    z = np.stack(decisions, -1)
    if np.any(np.abs(z) < 1e-3):
        return svm_classifier(draw)
    given, names = labels(draw, count)
    attributes |= {**given, "vectors_per_class": per_class, "support_vectors": vectors, "coefficients": weights, "rho": rho}
    return Case([x], [names[votes.argmax(1)], z], attributes, ulps=256, scale=16.0, types=[names.dtype, np.dtype(np.float32)])


MODES = {"BRANCH_LEQ": np.less_equal, "BRANCH_LT": np.less, "BRANCH_GTE": np.greater_equal, "BRANCH_GT": np.greater, "BRANCH_EQ": np.equal, "BRANCH_NEQ": np.not_equal}


def tree(draw, width, depth, one_mode):
    """(feature, mode, split, missing goes to true, true part, false part) or a leaf's number."""
    if depth == 0 or draw.chance(0.25):
        return [draw.integer(0, 99)]
    mode = one_mode or draw.choice(list(MODES))
    return [draw.integer(0, width - 1), mode, draw.integer(-4, 4) / 2, draw.chance(), tree(draw, width, depth - 1, one_mode), tree(draw, width, depth - 1, one_mode)]


def leaf_of(node, row):
    while len(node) > 1:
        feature, mode, split, missing, yes, no = node
        value = row[feature]
        node = yes if MODES[mode](value, split) or (missing and np.isnan(value)) else no
    return node


def forest(draw):
    x = features(draw, next(iter(draw.types)))
    if x.dtype.kind == "f":
        x = (np.rint(x * 2) / 2).astype(x.dtype)  # exact comparisons
        if draw.chance(0.3):
            x[draw.rng.random(x.shape) < 0.2] = np.nan
    one_mode = draw.choice([None, "BRANCH_LEQ", "BRANCH_LT"])
    trees = [tree(draw, x.shape[1], draw.integer(0, 3), one_mode) for _ in range(draw.integer(1, 4))]
    return x, trees


def flat_nodes(trees):
    """The nodes_ attributes of the older operators, and [(tree, node id, leaf)]."""
    columns = {k: [] for k in ("treeids", "nodeids", "featureids", "modes", "values", "truenodeids", "falsenodeids", "missing_value_tracks_true")}
    leaves = []
    for t, root in enumerate(trees):
        queue, at = [root], 0
        rows = []
        while at < len(queue):
            node = queue[at]
            if len(node) == 1:
                rows.append((t, at, 0, "LEAF", 0.0, 0, 0, 0))
                leaves.append((t, at, node))
            else:
                queue += node[4:]
                rows.append((t, at, node[0], node[1], node[2], len(queue) - 2, len(queue) - 1, int(node[3])))
            at += 1
        for row in rows:
            for column, value in zip(columns.values(), row):
                column.append(value)
    return {f"nodes_{k}": v for k, v in columns.items()}, leaves


def aggregated(x, trees, weights, count, how, base):
    """weights: id of a leaf to {target: weight}. Targets without a vote stay at their base."""
    y = np.zeros((len(x), count))
    for r, row in enumerate(x):
        votes = [weights[id(leaf_of(root, row))] for root in trees]
        for c in range(count):
            values = [v[c] for v in votes if c in v]
            if values:
                y[r, c] = {"SUM": sum(values), "AVERAGE": sum(values) / len(trees), "MIN": min(values), "MAX": max(values)}[how]
    return y + (0 if base is None else np.array(base))


def votes_for(draw, leaves, count, full):
    return {id(leaf): {c: draw.real(-2, 2) for c in (range(count) if full else draw.some(range(count), low=1))} for _, _, leaf in leaves}


@sweep("TreeEnsembleRegressor", domain=ML)
def tree_regressor(draw):
    x, trees = forest(draw)
    count, how = draw.integer(1, 3), draw.choice([None, "SUM", "AVERAGE", "MIN", "MAX"])
    nodes, leaves = flat_nodes(trees)
    weights = votes_for(draw, leaves, count, full=how in ("MIN", "MAX"))
    base = reals(draw, count) if draw.chance(0.4) else None
    z = aggregated(wide(x).astype(np.float64), trees, weights, count, how or "SUM", base)
    rows = [(t, n, c, w) for t, n, leaf in leaves for c, w in weights[id(leaf)].items()]
    attributes = {**nodes, "n_targets": count, "aggregate_function": how, "base_values": base}
    attributes |= {k: list(v) for k, v in zip(("target_treeids", "target_nodeids", "target_ids", "target_weights"), zip(*rows))}
    return Case([x], [z], attributes, ulps=16, scale=8.0, types=[np.dtype(np.float32)], opset=3)


@sweep("TreeEnsembleClassifier", domain=ML)
def tree_classifier(draw):
    x, trees = forest(draw)
    count = draw.integer(3, 4)
    nodes, leaves = flat_nodes(trees)
    weights = votes_for(draw, leaves, count, full=True)
    base = reals(draw, count) if draw.chance(0.4) else None
    z = aggregated(wide(x).astype(np.float64), trees, weights, count, "SUM", base)
    if not separated(z):
        return tree_classifier(draw)
    given, names = labels(draw, count, "classlabels_int64s")
    how = transform(draw)
    rows = [(t, n, c, w) for t, n, leaf in leaves for c, w in weights[id(leaf)].items()]
    attributes = {**nodes, **given, "post_transform": how, "base_values": base}
    attributes |= {k: list(v) for k, v in zip(("class_treeids", "class_nodeids", "class_ids", "class_weights"), zip(*rows))}
    return Case([x], [names[z.argmax(1)], transformed(z, how)], attributes, ulps=32, scale=8.0, types=[names.dtype, np.dtype(np.float32)], opset=3)


@sweep("TreeEnsemble", domain=ML)
def tree_ensemble(draw):
    dtype = np.dtype(draw.choice([np.float32, np.float64, np.float32]))
    width, count = draw.integer(1, 4), draw.integer(1, 3)
    x = (draw.rng.integers(-6, 7, (draw.integer(1, 5), width)) / 2).astype(dtype)
    if draw.chance(0.3):
        x[draw.rng.random(x.shape) < 0.2] = np.nan
    trees = []
    while len(trees) < draw.integer(1, 3):
        root = tree(draw, width, draw.integer(1, 3), None)
        if len(root) > 1:  # the form has no tree of one leaf but by a node whose sides are the same
            trees.append(root)
    how = draw.choice([None, 0, 1, 2, 3])
    columns = {k: [] for k in ("featureids", "modes", "splits", "truenodeids", "falsenodeids", "trueleafs", "falseleafs", "missing_value_tracks_true")}
    targets, values, roots, weights = [], [], [], {}

    def add(node):
        if len(node) == 1:
            targets.append(draw.integer(0, count - 1))
            values.append(draw.real(-2, 2))
            weights[id(node)] = {targets[-1]: values[-1]}
            return len(targets) - 1
        at = len(columns["modes"])
        for column in columns.values():
            column.append(None)
        row = {"featureids": node[0], "modes": list(MODES).index(node[1]), "splits": node[2], "missing_value_tracks_true": int(node[3]), "trueleafs": int(len(node[4]) == 1), "falseleafs": int(len(node[5]) == 1)}
        row["truenodeids"], row["falsenodeids"] = add(node[4]), add(node[5])
        for name, value in row.items():
            columns[name][at] = value
        return at

    for root in trees:
        roots.append(add(root))
    name = {None: "SUM", 0: "AVERAGE", 1: "SUM", 2: "MIN", 3: "MAX"}[how]
    z = aggregated(x.astype(np.float64), trees, weights, count, name, None)
    attributes = {f"nodes_{k}": v for k, v in columns.items()}
    attributes["nodes_modes"] = np.array(columns["modes"], np.uint8)
    attributes["nodes_splits"] = np.array(columns["splits"], dtype)
    attributes |= {"tree_roots": roots, "leaf_targetids": targets, "leaf_weights": np.array(values, dtype), "n_targets": count, "aggregate_function": how}
    return Case([x], [z], attributes, ulps=16, scale=8.0, types=[dtype])


@sweep("ZipMap", domain=ML)
def zip_map(draw):
    x = draw.plain(np.float32, (draw.integer(1, 4), draw.integer(1, 4)))
    given, names = labels(draw, x.shape[1], "classlabels_int64s")
    return Case([x], [[{k: float(v) for k, v in zip(names.tolist(), row)} for row in x]], given)
