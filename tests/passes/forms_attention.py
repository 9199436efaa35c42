"""Attention as exporters write it: torch's two exporters, Optimum, tf2onnx. One node must be left of each."""
import math

import numpy as np

from sheet import Sheet

B, S, H, D, PAST = 2, 5, 4, 8, 3
C = H * D
LEAST = float(np.finfo(np.float32).min)
ONE = {"MatMul": 0, "Softmax": 0, "Transpose": 0}


def hidden(s, name="x", length="sequence"):
    return s.floats(name, ["batch", length, C], batch=B, sequence=S, keys=7)


def projected(s, x):
    return s.linear(x, C, C)


def heads(s, x, *perm, size=H):
    """[batch, sequence, C] with its heads apart, as torch's exporter writes view and permute."""
    y = s.op("Reshape", x, s.dims(s.dim(x, 0), s.dim(x, 1), size, D))
    return s.transpose(y, *perm) if perm else y


def merged(s, y, x):
    y = s.transpose(y, 0, 2, 1, 3)
    s.output(s.op("Reshape", y, s.dims(s.dim(x, 0), s.dim(x, 1), C)), 3)
    return s


def padding(s, dtype=np.int64, length="sequence"):
    """A mask of tokens [batch, keys]."""
    size = S if length == "sequence" else 7
    return s.input("mask", ["batch", length], np.array([[1] * size, [1] * (size - 2) + [0] * 2], dtype))


def least_where_padded(s):
    mask = s.op("Cast", s.unsqueeze(s.unsqueeze(padding(s), 1), 2), to=1)
    return s.op("Mul", s.op("Sub", 1.0, mask), LEAST)


def weights(s, q, turned, mask=None):
    scores = s.op("MatMul", q, turned)
    return s.op("Softmax", scores if mask is None else s.op("Add", scores, mask), axis=-1)


def attended(s, q, turned, v, x, mask=None):
    return merged(s, s.op("MatMul", weights(s, q, turned, mask), v), x)


def bert_eager():
    s = Sheet(14)
    x = hidden(s)
    mask = least_where_padded(s)
    q, v = heads(s, projected(s, x), 0, 2, 1, 3), heads(s, projected(s, x), 0, 2, 1, 3)
    k = s.transpose(heads(s, projected(s, x), 0, 2, 1, 3), 0, 1, 3, 2)
    scores = s.op("Add", s.op("Div", s.op("MatMul", q, k), math.sqrt(D)), mask)
    return merged(s, s.op("MatMul", s.op("Softmax", scores, axis=-1), v), x)


def distilbert_eager():
    """The mask chooses between the scores and the least number."""
    s = Sheet(14)
    x = hidden(s)
    mask = s.op("Equal", padding(s), s.weight(np.array(0)))
    q, v = heads(s, projected(s, x), 0, 2, 1, 3), heads(s, projected(s, x), 0, 2, 1, 3)
    k = heads(s, projected(s, x), 0, 2, 3, 1)
    scores = s.op("MatMul", s.op("Div", q, math.sqrt(D)), k)
    wide = s.op("Expand", s.op("Reshape", mask, s.dims(s.dim(x, 0), 1, 1, s.dim(x, 1))), s.op("Shape", scores))
    p = s.op("Softmax", s.op("Where", wide, LEAST, scores), axis=-1)
    return merged(s, s.op("MatMul", p, v), x)


def timm_packed(form):
    """q, k and v of one product; scaled dot-product attention as TorchScript's exporter spells it out."""
    s = Sheet(17)
    x = hidden(s)
    packed = s.op("Reshape", s.linear(x, C, 3 * C), s.dims(s.dim(x, 0), s.dim(x, 1), 3, H, D))
    packed = s.transpose(packed, 2, 0, 3, 1, 4)
    if form == "gather":
        q, k, v = (s.op("Gather", packed, s.weight(np.array(i)), axis=0) for i in range(3))
    else:
        q, k, v = (s.op("Squeeze", part, s.ints(0)) for part in s.split(packed, 3, 0, 1))
    size = s.op("Cast", s.op("Slice", s.op("Shape", q), s.ints(-1), s.ints(2**63 - 1)), to=1)
    scale = s.op("Cast", s.op("Div", s.weight([1.0]), s.op("Sqrt", size)), to=1)
    turned = s.transpose(k, 0, 1, 3, 2)
    return attended(s, s.op("Mul", q, s.op("Sqrt", scale)), s.op("Mul", turned, s.op("Sqrt", scale)), v, x)


def gpt2_eager(masking):
    """Split of one product, earlier keys and values in front, the present ones as outputs; a causal mask."""
    s = Sheet(14)
    x = hidden(s)
    past = [s.floats(n, ["batch", H, "past", D], batch=B, past=PAST) for n in ("past_k", "past_v")]
    q, k, v = (heads(s, part, 0, 2, 1, 3) for part in s.split(s.linear(x, C, 3 * C), 3, 2, C))
    k, v = s.op("Concat", past[0], k, axis=2), s.op("Concat", past[1], v, axis=2)
    scores = s.op("Div", s.op("MatMul", q, s.transpose(k, 0, 1, 3, 2)), math.sqrt(D))
    triangle = s.weight(np.tril(np.ones((1, 1, 16, 16), bool)))
    queries, keys = s.dim(q, 2), s.dim(k, 2)
    first = s.op("Sub", keys, queries)
    seen = s.op("Slice", triangle, s.unsqueeze(first, 0), s.unsqueeze(keys, 0), s.ints(2))
    seen = s.op("Slice", seen, s.ints(0), s.unsqueeze(keys, 0), s.ints(3))
    if masking == "where":
        scores = s.op("Where", seen, scores, LEAST)
    else:
        scores = s.op("Add", scores, s.op("Where", seen, 0.0, LEAST))
    y = s.op("MatMul", s.op("Softmax", scores, axis=3), v)
    s = merged(s, y, x)
    s.output(k, 4), s.output(v, 4)
    return s


def t5_bias():
    """No scale; what is added is a number a head and distance."""
    s = Sheet(14)
    x = hidden(s)
    bias = s.floats("bias", [1, H, "sequence", "sequence"], sequence=S)
    q, v = heads(s, projected(s, x), 0, 2, 1, 3), heads(s, projected(s, x), 0, 2, 1, 3)
    k = s.transpose(heads(s, projected(s, x), 0, 2, 1, 3), 0, 1, 3, 2)
    return attended(s, q, k, v, x, s.op("Add", bias, least_where_padded(s)))


def cross_attention():
    """Whisper's decoder: the query is scaled before its heads are apart, keys have another length."""
    s = Sheet(17)
    x, other = hidden(s), hidden(s, "encoded", "keys")
    q = heads(s, s.op("Mul", projected(s, x), D**-0.5), 0, 2, 1, 3)
    v = heads(s, projected(s, other), 0, 2, 1, 3)
    k = s.transpose(heads(s, s.linear(other, C, C, bias=False), 0, 2, 1, 3), 0, 1, 3, 2)
    return attended(s, q, k, v, x)


def bart_flat(masked):
    """Batch and heads in one dimension: BART, OPT, CLIP and their like before they used torch's attention."""
    s = Sheet(14)
    x = hidden(s)

    def flat(value):
        y = heads(s, value, 0, 2, 1, 3)
        return s.op("Reshape", y, s.dims(s.op("Mul", s.dim(x, 0), s.weight(np.array(H))), -1, D))

    q = flat(s.op("Mul", projected(s, x), D**-0.5))
    k, v = flat(projected(s, x)), flat(projected(s, x))
    scores = s.op("MatMul", q, s.transpose(k, 0, 2, 1))
    if masked:
        apart = s.op("Reshape", scores, s.dims(s.dim(x, 0), H, s.dim(x, 1), s.dim(x, 1)))
        apart = s.op("Add", apart, least_where_padded(s))
        scores = s.op("Reshape", apart, s.dims(s.op("Mul", s.dim(x, 0), s.weight(np.array(H))), s.dim(x, 1), s.dim(x, 1)))
    y = s.op("MatMul", s.op("Softmax", scores, axis=-1), v)
    return merged(s, s.op("Reshape", y, s.dims(s.dim(x, 0), H, s.dim(x, 1), D)), x)


def gemma2_capped():
    """Scores kept below a number by tanh, in front of the mask."""
    s = Sheet(17)
    x = hidden(s)
    q, v = heads(s, projected(s, x), 0, 2, 1, 3), heads(s, projected(s, x), 0, 2, 1, 3)
    k = s.transpose(heads(s, projected(s, x), 0, 2, 1, 3), 0, 1, 3, 2)
    scores = s.op("Div", s.op("Mul", s.op("MatMul", q, k), D**-0.5), 2.0)
    scores = s.op("Add", s.op("Mul", s.op("Tanh", scores), 2.0), least_where_padded(s))
    return merged(s, s.op("MatMul", s.op("Softmax", scores, axis=-1), v), x)


def dynamo(mask, guarded=False):
    """torch's newer exporter: both operands scaled by a root, the keys transposed with the heads put together."""
    s = Sheet(18)
    x = hidden(s)
    q, k, v = (s.transpose(s.reshape(projected(s, x), 0, -1, H, D), 0, 2, 1, 3) for _ in range(3))
    shape = s.op("Shape", k)
    last, keys = s.slice(shape, -1, 2**63 - 1, 0), s.slice(shape, -2, -1, 0)
    flat = s.op("Reshape", k, s.op("Concat", s.ints(-1), keys, last, axis=0))
    back = s.op("Concat", s.slice(shape, 0, -2, 0), last, keys, axis=0)
    turned = s.op("Reshape", s.transpose(flat, 0, 2, 1), back)
    root = math.sqrt(1 / math.sqrt(D))
    added = None
    if mask == "bool":
        seen = s.op("Cast", s.unsqueeze(padding(s), 1, 2), to=9)
        added = s.op("Where", seen, 0.0, -math.inf)
    elif mask == "causal":
        ones = s.op("Expand", 1.0, s.dims(s.dim(x, 1), s.dim(x, 1)))
        seen = s.op("Trilu", ones, upper=0)
        added = s.op("Where", s.op("Equal", seen, 0.0), -math.inf, 0.0)
    p = weights(s, s.op("Mul", q, root), s.op("Mul", turned, root), added)
    if guarded:
        p = s.op("Where", s.op("IsNaN", p), 0.0, p)
    y = s.transpose(s.op("MatMul", p, v), 0, 2, 1, 3)
    s.output(s.reshape(y, 0, -1, C), 3)
    return s


def attention_23():
    s = Sheet(23)
    x = hidden(s)
    q, k, v = (s.transpose(s.reshape(projected(s, x), 0, -1, H, D), 0, 2, 1, 3) for _ in range(3))
    s.output(s.op("Attention", q, k, v, is_causal=1), 4)
    return s


def tf_flat():
    """tf2onnx: products of two dimensions, the scale before the mask."""
    s = Sheet(15)
    x = hidden(s)
    mask = s.op("Mul", s.op("Sub", 1.0, s.op("Cast", s.unsqueeze(padding(s), 1, 2), to=1)), -10000.0)
    flat = s.reshape(x, -1, C)

    def apart(*perm):
        y = s.op("Add", s.op("MatMul", flat, s.matrix(C, C)), s.weight(s.normal(C)))
        return s.transpose(s.op("Reshape", y, s.dims(s.dim(x, 0), s.dim(x, 1), H, D)), *perm)

    q, k, v = apart(0, 2, 1, 3), apart(0, 2, 3, 1), apart(0, 2, 1, 3)
    scores = s.op("Add", s.op("Mul", s.op("MatMul", q, k), 1 / math.sqrt(D)), mask)
    y = s.transpose(s.op("MatMul", s.op("Softmax", scores, axis=-1), v), 0, 2, 1, 3)
    s.output(s.reshape(y, -1, C), 2)
    return s


def keras_einsum():
    """Keras' MultiHeadAttention."""
    s = Sheet(15)
    x = hidden(s)

    def apart():
        y = s.op("Einsum", x, s.weight(s.normal(C, H, D) / math.sqrt(C)), equation="abc,cde->abde")
        return s.op("Add", y, s.weight(s.normal(H, D)))

    q, k, v = s.op("Mul", apart(), 1 / math.sqrt(D)), apart(), apart()
    scores = s.op("Einsum", k, q, equation="aecd,abcd->acbe")
    p = s.op("Softmax", scores, axis=-1)
    y = s.op("Einsum", p, v, equation="acbe,aecd->abcd")
    s.output(s.op("Einsum", y, s.weight(s.normal(H, D, C) / math.sqrt(C)), equation="abcd,cde->abe"), 3)
    return s


def one(*also, **more):
    return {"ScaledDotProductAttention": 1, **ONE, **{name: 0 for name in also}, **more}


FORMS = {
    "bert_eager": (bert_eager, one()),
    "distilbert_eager": (distilbert_eager, one()),
    "timm_gather": (lambda: timm_packed("gather"), one("Split")),
    "timm_split": (lambda: timm_packed("split"), one("Split")),
    "gpt2_add": (lambda: gpt2_eager("add"), one(Transpose=2)),
    "gpt2_where": (lambda: gpt2_eager("where"), one(Transpose=2)),
    "t5_bias": (t5_bias, one()),
    "cross_attention": (cross_attention, one(MatMul=1)),
    "bart_flat": (lambda: bart_flat(False), one()),
    "bart_flat_masked": (lambda: bart_flat(True), one()),
    "gemma2_capped": (gemma2_capped, one("Tanh")),
    "dynamo": (lambda: dynamo(None), one()),
    "dynamo_bool": (lambda: dynamo("bool"), one()),
    "dynamo_causal": (lambda: dynamo("causal"), one()),
    "dynamo_guarded": (lambda: dynamo("bool", guarded=True), one("IsNaN")),
    "attention_23": (attention_23, {"Attention": 1, "MatMul": 0, "Softmax": 0}),
    "tf_flat": (tf_flat, one()),
    "keras_einsum": (keras_einsum, one("Einsum", MatMul=4, Transpose=3)),
}
