"""Pieces that fusions look for: products with scales and biases, activations, Gelu, normalisations."""
import math

import numpy as np
from builder import FLOATS


def rough(b):
    return FLOATS[b.float]


def roots(b):
    """Of the largest and the smallest number that has all its digits."""
    return [float(np.finfo(b.float).max) ** 0.5, float(np.finfo(b.float).tiny) ** 0.5]


def weights(b, shape, fan):
    """Seldom a weight that is no number, or so large or small that a factor takes it out of its type."""
    if b.chance(0.06):
        odd = b.choose([np.inf, np.nan, *roots(b), -0.0])
        made = b.array(b.float, shape)
        return b.const(np.where(b.rng.random(made.shape) < 0.3, np.asarray(odd, b.float), made))
    return b.const((b.array(b.float, shape).astype(np.float64) / math.sqrt(max(fan, 1))).astype(b.float))


def linear(b):
    """Conv, ConvTranspose, Gemm or MatMul of weights, and the axis of its channels."""
    kind = b.choose(["Conv", "Conv", "ConvTranspose", "Gemm", "MatMul"])
    channels = b.integer(1, 4)
    if kind in ("Conv", "ConvTranspose"):
        axes = b.choose([1, 2, 2])
        x = b.pick(lambda v: v.dtype == b.float and v.rank == axes + 2 and v.shape[1] and min(v.shape[2:]) >= 2,
                   (b.float, [b.dim(), b.integer(1, 3), *(b.integer(2, 5) for _ in range(axes))]))  # fmt: skip
        if x.shape[1] == 0 or min(x.shape[2:]) < 2:
            x = b.input(b.float, [1, 2, *([4] * axes)])
        x = padded(b, x) if kind == "Conv" and b.chance(0.4) else x
        size = b.integer(1, 2)
        shape = [channels, x.shape[1]] if kind == "Conv" else [x.shape[1], channels]
        inputs = [x, weights(b, [*shape, *[size] * axes], x.shape[1] * size**axes)]
        if b.chance(0.4):
            inputs.append(b.const(b.array(b.float, [channels])))
        pads = b.integer(0, 1) if kind == "Conv" else 0
        grow = 2 * pads - size + 1 if kind == "Conv" else size - 1
        y = b.op(kind, inputs, shape=[x.shape[0], channels, *(d + grow for d in x.shape[2:])], rough=rough(b), pads=[pads] * 2 * axes)
        return y, 1
    if kind == "Gemm":
        x = b.any_float(2)
        turned, first = b.chance(), b.chance(0.2)
        k, m = (x.shape[0], x.shape[1]) if first else (x.shape[1], x.shape[0])
        inputs = [x, weights(b, [channels, k] if turned else [k, channels], k)]
        if b.chance(0.5):
            inputs.append(b.const(b.array(b.float, b.choose([[channels], [1, channels], [1], [m, channels], [m, 1]]))))
        more = {"alpha": 0.5, "beta": 2.0} if b.chance(0.15) else {}
        return b.op("Gemm", inputs, shape=[m, channels], rough=rough(b), transB=int(turned), transA=int(first), **more), 1
    x = b.any_float(b.integer(1, 4))
    y = b.op("MatMul", [x, weights(b, [x.shape[-1], channels], x.shape[-1])], shape=(*x.shape[:-1], channels), rough=rough(b))
    return y, y.rank - 1


def padded(b, x):
    axes = x.rank - 2
    around = [b.integer(0, 2) for _ in range(2 * axes)]
    if b.chance(0.15):
        around[0] = -1
    batch = 1 if b.chance(0.1) else 0
    fill = b.choose([None, b.number(0, x), b.number(b.choose([-0.0, 1]), x)])
    mode = b.choose(["constant"] * 4 + ["edge"])
    if mode == "edge" and 0 in x.shape:
        mode = "constant"
    pads = [0, batch, *around[:axes], 0, 0, *around[axes:]]
    shape = [d + pads[i] + pads[i + x.rank] for i, d in enumerate(x.shape)]
    if min(shape[2:]) < 2:
        return x
    return b.op("Pad", [x, b.ints(pads), fill], shape=shape, mode=mode)


def scaled(b):
    y, axis = linear(b)
    for _ in range(b.integer(1, 3)):
        channels = y.shape[axis]
        along = tuple(channels if i == axis else 1 for i in range(y.rank))
        if b.chance(0.25) and axis == 1 and y.rank >= 2:
            numbers = [b.const(np.abs(b.array(b.float, [channels])) + np.asarray(0.1, b.float)) for _ in range(4)]
            y = b.op("BatchNormalization", [y, *numbers], epsilon=1e-3, rough=rough(b))
            continue
        shape = b.choose([(), (1,), (channels,), along, along[axis:], y.shape, (1,) * y.rank, (y.shape[0],) + along[1:], (1, *along)])
        number = np.abs(b.array(b.float, shape)) + np.asarray(0.25, b.float)
        if b.chance(0.1):
            number = np.full(shape, b.choose([0.0, -0.0, np.inf, 1e-6, *(3 * r for r in roots(b)[:1]), *(r / 3 for r in roots(b)[1:])]), b.float)
        if any(d not in (1, e) and e != 1 for d, e in zip(shape[::-1], y.shape[::-1])):
            number = np.array(2, b.float)
        number = b.const(number)
        op = b.choose(["Add", "Mul", "Sub", "Div"])
        operands = (y, number) if b.chance(0.7) else (number, y)
        if op == "Div":
            operands = (y, number)
        y = b.binary(op, *operands, rough=rough(b))
        if number.rank > min(4, y.rank - 1) or y.shape[axis] != channels:
            break
    return y


def activated(b):
    y, _ = linear(b)
    for _ in range(b.integer(0, 2)):
        other = b.pick(lambda v: v.dtype == y.dtype and v.shape == y.shape, (y.dtype, y.shape))
        y = b.binary("Add", *((y, other) if b.chance() else (other, y)), rough=rough(b))
    kind = b.choose(["Relu", "Sigmoid", "Tanh", "LeakyRelu", "HardSigmoid", "Clip", "Clip", "Softplus"])
    if kind != "Clip":
        return b.op(kind, [y])
    bounds = [b.number(v, y) if b.chance(0.7) else None for v in b.choose([(-0.5, 0.5), (0, 6), (1, -1), (0, np.nan)])]
    return b.op("Clip", [y, *bounds])


def convolved(b, x, channels):
    """A convolution of any channels by weights that keeps the image's size, or halves it."""
    size = b.choose([1, 1, 3]) if min(x.shape[2:]) >= 1 else 1
    axes = x.rank - 2
    groups = x.shape[1] if b.chance(0.2) else 1
    if groups > 1:
        channels = groups
    fan = x.shape[1] // groups * size**axes
    inputs = [x, weights(b, [channels, x.shape[1] // groups] + [size] * axes, fan)]
    if b.chance():
        inputs.append(weights(b, [channels], 1))
    stride = b.choose([1, 1, 2])
    shape = [x.shape[0], channels, *((d + stride - 1) // stride for d in x.shape[2:])]
    attributes = {"strides": [stride] * axes, "pads": [size // 2] * (2 * axes), "group": groups}
    return b.op("Conv", inputs, shape=shape, rough=rough(b), **attributes)


def blocks(b):
    """Convolutions of channels that are whole blocks of 16, or not, and what may lie between them."""
    axes = b.choose([1, 2, 2, 2])
    x = b.input(b.float, [b.dim(1, 2), b.choose([3, 16, 20, 32]), *(b.integer(4, 9) for _ in range(axes))])
    y = convolved(b, x, b.choose([16, 24, 32]))
    for _ in range(b.integer(1, 6)):
        kind = b.choose(["conv", "conv", "map", "gate", "plane", "pool", "concat", "split", "sum", "scale", "output", "turn", "resize", "up"])
        channels, image = y.shape[1], y.shape[2:]
        if kind == "conv":
            y = convolved(b, y, b.choose([8, 16, 20, 48]))
        elif kind == "map":
            y = b.op(b.choose(["Relu", "Sigmoid", "HardSwish", "Tanh", "Abs"]), [y], rough=rough(b))
        elif kind == "gate" and 0 not in image:
            pooled = b.op("GlobalAveragePool", [y], shape=[*y.shape[:2]] + [1] * axes, rough=rough(b))
            y = b.binary("Mul", y, b.op("Sigmoid", [pooled], rough=rough(b)), rough=rough(b))
        elif kind == "plane":
            plane = b.input(b.float, [y.shape[0], 1, *image])
            y = b.binary("Add", y, plane, rough=rough(b))
        elif kind == "pool" and image and min(image) >= 3:
            op = b.choose(["MaxPool", "AveragePool"])
            shape = [*y.shape[:2], *((d - 1) // 2 for d in image)]
            y = b.op(op, [y], shape=shape, rough=rough(b), kernel_shape=[3] * axes, strides=[2] * axes)
        elif kind == "concat":
            other = convolved(b, y, b.choose([16, 24]))
            if other.shape[2:] != image:
                continue
            parts = b.choose([[y, other], [other, y], [y, other, y]])
            y = b.op("Concat", parts, shape=[y.shape[0], sum(p.shape[1] for p in parts), *image], axis=1)
        elif kind == "split" and channels > 16:
            first = b.choose([16, 8])
            sizes = b.ints([first, channels - first])
            y = b.op("Split", [y, sizes], shape=[y.shape[0], first, *image], extra=[(b.float, (y.shape[0], channels - first, *image))], axis=1)
        elif kind == "sum":
            other = convolved(b, y, channels)
            if other.shape == y.shape:
                y = b.binary("Add", *b.choose([(y, other), (other, y)]), rough=rough(b))
        elif kind == "scale":
            shape = b.choose([(channels,) + (1,) * axes, (1, channels) + (1,) * axes, (), (1,) * axes, image[-1:]])
            number = b.const(np.abs(b.array(b.float, shape)) + np.asarray(0.25, b.float))
            y = b.binary(b.choose(["Mul", "Add", "Sub", "Div"]), y, number, rough=rough(b))
        elif kind == "output" and b.parent is None:
            b.output(y)
        elif kind == "up" and min(image) <= 9:
            shape = [y.shape[0], 24, *(2 * d for d in image)]
            w = weights(b, [channels, 24] + [2] * axes, channels)
            y = b.op("ConvTranspose", [y, w], shape=shape, rough=rough(b), strides=[2] * axes)
        elif kind == "turn":
            last = [0, *range(2, axes + 2), 1]
            back = [0, axes + 1, *range(1, axes + 1)]
            turned_last = b.op("Transpose", [y], shape=[y.shape[i] for i in last], perm=last)
            y = b.op("Transpose", [turned_last], shape=y.shape, perm=back)
        elif kind == "resize" and 0 not in y.shape and min(image) <= 9:
            scales = b.const(np.array([1, 1] + [2] * axes, np.float32), exact=True)
            shape = [*y.shape[:2], *(2 * d for d in image)]
            y = b.op("Resize", [y, None, scales], shape=shape, rough=rough(b), mode=b.choose(["nearest", "linear"]))
    return convolved(b, y, b.choose([3, 16]))


def nearly(b, value):
    """The number; seldom another one."""
    return value if b.chance(0.98) else value * 1.02 if value not in (2, 3) else value + 1


def turned(b, op, a, c):
    return b.binary(op, *((a, c) if b.chance() else (c, a)), rough=rough(b))


def gelu(b):
    x = b.any_float()
    if b.chance(0.4) and x.rank:
        x = turned(b, "Add", x, b.const(b.array(b.float, x.shape[-1:])))
    n = lambda v: b.number(nearly(b, v), x, b.choose([(), (1,)]) if x.rank else ())  # noqa: E731
    kind = b.choose(["erf", "tanh", "sigmoid", "swish"])
    if kind in ("sigmoid", "swish"):
        inner = turned(b, "Mul", x, n(1.702)) if kind == "sigmoid" else x
        return turned(b, "Mul", x, b.op("Sigmoid", [inner], rough=rough(b)))
    if kind == "erf":
        inner = b.binary("Div", x, n(math.sqrt(2)), rough=rough(b)) if b.chance() else turned(b, "Mul", x, n(1 / math.sqrt(2)))
        inner = b.op("Erf", [inner])
    else:
        cube = b.binary("Pow", x, n(3), rough=rough(b)) if b.chance() else b.binary("Mul", b.binary("Mul", x, x), x, rough=rough(b))
        inner = turned(b, "Add", x, turned(b, "Mul", cube, n(0.044715)))
        inner = b.op("Tanh", [turned(b, "Mul", inner, n(math.sqrt(2 / math.pi)))])
    plus = turned(b, "Add", inner, n(1))
    order = b.integer(0, 3)
    if order == 0:
        return turned(b, "Mul", turned(b, "Mul", x, plus), n(0.5))
    if order == 1:
        return turned(b, "Mul", turned(b, "Mul", x, n(0.5)), plus)
    if order == 2:
        return turned(b, "Mul", turned(b, "Mul", plus, n(0.5)), x)
    return turned(b, "Mul", b.binary("Div", x, n(2), rough=rough(b)), plus)


def normalisation(b):
    shape = [b.dim(), b.integer(2, 3), b.integer(2, 5)]
    x = b.pick(lambda v: v.dtype == b.float and v.rank >= 2 and v.shape[-1] >= 1, (b.float, shape))
    if x.dtype == np.float16:  # whose squares would overflow
        x = b.op("Tanh", [x])
    if b.chance(0.4):
        other = b.pick(lambda v: v.dtype == x.dtype and v.shape == x.shape, (x.dtype, x.shape))
        x = b.binary("Add", x, b.op("Tanh", [other]), rough=rough(b))
    axis = -1 if b.chance(0.9) else 0
    square = len(set(x.shape)) == 1

    def mean(value):
        keep = 0 if square and b.chance(0.2) else 1
        shape = list(value.shape)
        if keep:
            shape[axis] = 1
        else:
            shape.pop(axis)
        return b.op("ReduceMean", [value, b.ints([axis])], shape=shape, keepdims=keep, rough=rough(b))

    centred = b.binary("Sub", x, mean(x), rough=rough(b)) if b.chance() else x
    exponent = b.number(2 if b.chance(0.9) else 4, x)
    squared = b.binary("Pow", centred, exponent, rough=rough(b)) if b.chance() else b.binary("Mul", centred, centred, rough=rough(b))
    root = b.op("Sqrt", [turned(b, "Add", mean(squared), b.number(b.choose([1e-2, 1e-3]), x, b.choose([(), (1,)])))])
    if b.chance():
        y = b.binary("Div", centred, root)
    elif b.chance():
        y = turned(b, "Mul", centred, b.op("Reciprocal", [root]))
    else:
        y = turned(b, "Mul", centred, b.binary("Div", b.number(1, x), root))
    last = x.shape[-1]
    y = turned(b, "Mul", y, b.const(b.array(b.float, b.choose([[last], [last], [1], [1, last], [2, *([1] * x.rank)]]))))
    return turned(b, "Add", y, b.const(b.array(b.float, [last]))) if b.chance() else y


def turned_weights(b):
    """A product by a large weight that a Transpose makes, which nobody may make twice."""
    rows = b.choose([128, 136])
    w = b.const((b.array(b.float, [rows, 256]) / np.asarray(16, b.float)).astype(b.float))
    perm = {"perm": [1, 0]} if b.chance() else {}
    w = b.op("Transpose", [w], shape=[256, rows], **perm)
    lead = b.choose([(), (2,), (2,), (1, 2)])
    x = b.input(b.float, [*lead, 256])
    if len(lead) == 1 and b.chance():
        y = b.op("Gemm", [x, w], shape=[*lead, rows], rough=0.0)
    else:
        y = b.op("MatMul", [x, w], shape=[*lead, rows], rough=0.0)
    if b.chance(0.4):
        y = b.binary(b.choose(["Add", "Mul"]), y, b.const(b.array(b.float, [rows])), rough=rough(b))
    return y


def turned_operand(b, shape):
    """A value of that shape, which a Transpose makes of another, mostly in a way that a product can read by itself."""
    rank = len(shape)
    order = list(range(rank))
    ways = [[*order[:-2], rank - 1, rank - 2]]
    if rank > 2:  # batch first in the result: not at all, or with the matrix turned too
        ways += [[*order[1:-1], 0, rank - 1], [*order[1:-1], rank - 1, 0], [1, 0, *order[2:]]]
    perm = ways[0] if b.chance(0.6) else b.choose(ways)
    x = b.input(b.float, [shape[perm.index(i)] for i in order])
    if b.chance(0.3):
        x = b.op("Tanh", [x])
    given = {} if perm == order[::-1] and b.chance() else {"perm": perm}
    return b.op("Transpose", [x], shape=shape, **given)


def turned_product(b):
    rank = b.choose([2, 2, 3, 3, 4])
    batch = [b.dim(1, 3) for _ in range(rank - 2)]
    m, k, n = (b.choose([b.dim(), b.dim(), 17, 32]) for _ in range(3))
    left, right = b.choose([(True, False), (False, True), (True, True)])
    x = turned_operand(b, [*batch, m, k]) if left else b.input(b.float, [*batch, m, k])
    other = [1 if b.chance(0.15) else d for d in batch]
    other = other if b.chance(0.8) else other[1:]
    w = turned_operand(b, [*other, k, n]) if right else b.input(b.float, [*other, k, n])
    if rank == 2 and b.chance(0.4):
        more = [b.const(b.array(b.float, [n]))] if b.chance() else []
        return b.op("Gemm", [x, w, *more], shape=[m, n], rough=rough(b))
    y = b.op("MatMul", [x, w], shape=[*batch, m, n], rough=rough(b))
    if b.chance(0.3):  # the transpose has another user
        y = b.op("MatMul", [x, w], shape=[*batch, m, n], rough=rough(b))
    return b.op("Relu", [y]) if b.chance(0.3) else y


EQUATIONS = ["ij,jk->ik", "bij,bjk->bik", "bhid,bhjd->bhij", "bhij,bjhd->bihd", "bhwc,hkc->bhwk", "bhwc,wkc->bhwk", "i,i->", "i,j->ij", "bi,bj->bij"]
EQUATIONS += ["ij,kj->ki", "ij,ij->i", "ijk,ljk->il", "bijk,bkjl->bil", "ij,k->k", "ij,jk->k", "ijk,j->k", "b...i,b...i->b...", "...ij,...jk->...ik"]
EQUATIONS += ["...i,j->j...", "ij->ji", "ij->i", "ijk->ki", "ij,jk", "ii->i", "ij,jj->i", "i,i,i->i", ",ij->ji", "ijk,k->", "bnq,b->nq"]


def einsum(b):
    """An equation over small sizes, seldom with a dimension of 1 that broadcasts."""
    equation = b.choose(EQUATIONS)
    sizes = {letter: b.choose([b.dim(), 2, 3, 5]) for letter in "bcdhijklnqw."}
    shapes = []
    for term in equation.split("->")[0].split(","):
        dims = [sizes[c] for c in term.replace("...", ".." if b.chance(0.7) else ".")]
        shapes.append([1 if d > 1 and b.chance(0.03) else d for d in dims])
    if any(term in equation for term in ("ii", "jj")):  # a diagonal does not broadcast
        shapes = [[sizes[c] for c in term] for term in equation.split("->")[0].split(",")]
    x = [b.input(b.float, shape) for shape in shapes]
    b.root.kills_peer = b.root.kills_peer or any(0 in shape for shape in shapes)  # onnxruntime's Einsum divides by a size
    shape = np.einsum(equation, *(broadcasting(equation, i, shapes) for i in range(len(shapes)))).shape
    y = b.op("Einsum", x, shape=shape, rough=rough(b), equation=equation)
    return y if y.rank else b.op("Unsqueeze", [y, b.ints([0])], shape=[1])


def broadcasting(equation, which, shapes):
    """Zeros for numpy, which does not broadcast letters: of the size that each letter has in any operand."""
    terms = equation.split("->")[0].split(",")
    largest = {}
    for term, shape in zip(terms, shapes):
        for letter, size in zip(term.replace("...", ""), shape if "..." not in term else drop_dots(term, shape)):
            largest[letter] = size if largest.get(letter, 1) == 1 else largest[letter]
    term, shape = terms[which], shapes[which]
    if "..." not in term:
        return np.zeros([largest[c] for c in term])
    at, count = term.index("..."), len(shape) - len(term.replace("...", ""))
    return np.zeros([largest[c] for c in term[:at]] + shape[at : at + count] + [largest[c] for c in term[at + 3 :]])


def drop_dots(term, shape):
    at, count = term.index("..."), len(shape) - len(term.replace("...", ""))
    return shape[:at] + shape[at + count :]


def between_transposes(b):
    """Elementwise operators of one or two transposed values, often transposed back, sometimes seen in between."""
    rank = b.integer(2, 4)
    perm = [int(i) for i in b.rng.permutation(rank)]
    if b.chance(0.3):
        perm = [0, *range(2, rank), 1]
    shape = [b.dim() for _ in range(rank)]

    def transposed(value, order):
        given = {} if order == list(range(rank))[::-1] and b.chance() else {"perm": order}
        return b.op("Transpose", [value], shape=[value.shape[i] for i in order], **given)

    x = b.input(b.float, shape)
    y = transposed(x, perm)
    values = [y]
    for _ in range(b.integer(1, 4)):
        kind = b.choose(["one", "one", "number", "channels", "both", "full", "odd"])
        if kind == "one":
            y = b.op(b.choose(["Relu", "Abs", "Neg", "Tanh"]), [y])
        elif kind == "both":
            other = b.choose(values) if b.chance() else transposed(b.input(b.float, shape), perm)
            y = turned(b, b.choose(["Add", "Mul", "Max"]), y, other)
        else:
            axis = b.integer(0, rank - 1)
            sizes = {"number": b.choose([[], [1]]), "channels": [y.shape[-1]], "full": [1] * rank, "odd": list(y.shape)}[kind]
            if kind == "full":
                sizes[axis] = y.shape[axis]
                sizes = sizes[b.integer(0, axis) :] if axis else sizes
            y = turned(b, b.choose(["Add", "Mul"]), y, b.const(b.array(b.float, sizes)))
        values.append(y)
        if b.chance(0.15):
            b.op("Sigmoid", [y], rough=rough(b))
    back = [int(i) for i in np.argsort(perm)] if b.chance(0.8) else [int(i) for i in b.rng.permutation(rank)]
    y = transposed(y, back)
    if b.chance(0.3):
        transposed(b.choose(values), back)
    return b.op("Exp", [b.op("Neg", [b.op("Abs", [y])])], rough=rough(b)) if b.chance(0.3) else y


def attention(b):
    """Softmax of a product of heads, scaled and masked in one of many ways, times another."""
    batch, few, repeat, queries, keys, size = b.dim(), b.integer(1, 2), b.choose([1, 1, 2]), b.dim(), b.dim(), b.choose([2, 4])
    repeat = 1 if 0 in (batch, keys) else repeat  # a 0 in a shape copies
    many = few * repeat

    def heads(count, length):
        if b.chance():
            return b.input(b.float, [batch, count, length, size])
        return b.op("Transpose", [b.input(b.float, [batch, length, count, size])], shape=[batch, count, length, size], perm=[0, 2, 1, 3])

    def repeated(x):
        if repeat == 1:
            return x
        wide = b.op("Unsqueeze", [x, b.ints([2])], shape=[batch, few, 1, keys, size])
        wide = b.op("Expand", [wide, b.ints([batch, few, repeat, keys, size])], shape=[batch, few, repeat, keys, size])
        return b.op("Reshape", [wide, b.ints([batch, many, keys, size])], shape=[batch, many, keys, size])

    q, k, v = heads(many, queries), repeated(heads(few, keys)), repeated(heads(few, keys))
    k = b.op("Transpose", [k], shape=[batch, many, size, keys], perm=[0, 1, 3, 2])
    shape = [batch, many, queries, keys]
    scores = b.op("MatMul", [q, k], shape=shape, rough=rough(b))
    if b.chance():
        scores = b.binary(b.choose(["Mul", "Div"]), scores, b.number(b.choose([0.5, 2, -1]), scores))
    least = b.choose([float(np.finfo(b.float).min), -np.inf, -10.0])
    if b.chance(0.4):
        narrow = [b.choose([1, d]) for d in shape[b.integer(0, 2) :]]
        seen = b.const(b.rng.random(narrow) < 0.7)
        pair = [scores, b.number(least, scores)]
        scores = b.op("Where", [seen, *(pair if b.chance() else pair[::-1])], shape=shape, dtype=scores.dtype)
    if b.chance():
        mask = b.const(np.where(b.rng.random([b.choose([1, d]) for d in shape]) < 0.7, 0, least).astype(b.float))
        scores = b.binary("Add", *([scores, mask] if b.chance() else [mask, scores]))
    p = b.op("Softmax", [scores], axis=b.choose([-1, -1, 3, 2]), rough=rough(b))
    if b.chance(0.3):
        p = b.op("Where", [b.op("IsNaN", [p], dtype=np.dtype(bool)), b.number(b.choose([0, 0, 1]), p), p], dtype=p.dtype)
    y = b.op("MatMul", [p, v], shape=[batch, many, queries, size], rough=rough(b))
    return b.op("Transpose", [y], shape=[batch, queries, many, size], perm=[0, 2, 1, 3]) if b.chance() else y


def rotary(b):
    """x cos + turned x sin, of halves or, seldom, of others."""
    batch, count, length, size = b.dim(), b.dim(), b.dim(), b.choose([2, 4, 8])
    shape = [batch, count, length, size]
    x = b.op("Transpose", [b.input(b.float, [batch, length, count, size])], shape=shape, perm=[0, 2, 1, 3])
    cos, sin = (b.const(b.array(b.float, [b.choose([1, batch]), 1, length, size])) for _ in range(2))
    half = size // 2 if b.chance(0.8) else 1
    ranges = [(0, half), (half, 2**62)]
    parts = [b.op("Slice", [x, b.ints([i]), b.ints([e]), b.ints([3])], shape=[*shape[:3], min(e, size) - i]) for i, e in ranges]
    turned = b.op("Concat", [b.op("Neg", [parts[1]]), parts[0]], shape=shape, axis=-1)
    return b.binary("Add", b.binary("Mul", x, cos), b.binary("Mul", turned, sin), rough=rough(b))


FLOAT_PIECES = [attention, rotary, scaled, scaled, activated, activated, gelu, gelu, normalisation, normalisation, turned_weights, turned_product, einsum, between_transposes, blocks, blocks]
