"""Pieces of graphs that passes look for, nearly look for, or must leave alone. Each takes values of the builder and adds some."""
import numpy as np
from builder import BF16, BOOL, FLOATS, I64, INTEGERS, TEXT, Value, onnx_type
from onnx import helper
from pieces_float import FLOAT_PIECES


def numbers(rng, count):
    return [int(i) for i in rng.permutation(count)]


def nothing(b):
    x = b.any_value()
    name = b.choose(["Identity", "Dropout", "Concat", "Sum", "Max", "Min", "Mean", "Clip", "Neg", "Not", "Cast"])
    if name in ("Sum", "Max", "Min", "Mean", "Clip", "Dropout") and not x.is_float():
        name = "Identity"
    if name == "Clip":  # of what has no infinities, which onnxruntime's makes finite
        x = b.op("Tanh", [x])
    if name == "Dropout":
        ratio = b.const(np.array(0.5, np.float32), exact=True) if b.chance() else None
        training = b.const(np.array(False), exact=True) if ratio and b.chance() else None
        return b.op("Dropout", [x, ratio, training], extra=[(BOOL, x.shape)] if b.chance(0.3) else ())
    if name == "Neg" and x.dtype not in map(np.dtype, ("uint8", "uint16", "uint32", "uint64")):
        return b.op("Neg", [b.op("Neg", [x])])
    if name == "Not":
        return b.op("Not", [b.op("Not", [b.pick(lambda v: v.dtype == BOOL, (BOOL, [b.dim(), 2]))])])
    if name == "Cast":
        return b.op("Cast", [x], to=helper.np_dtype_to_tensor_dtype(x.dtype))
    if name == "Concat" and x.rank:
        return b.op("Concat", [x], axis=b.integer(-x.rank, x.rank - 1))
    return b.op("Identity" if name in ("Neg", "Concat") else name, [x])


def neutral(b):
    x = b.any_value()
    shape = b.choose([(), (1,), (1,) * x.rank, (1,) * (x.rank + 1), x.shape])
    if b.chance(0.1) and x.rank:
        shape = (2,) + (1,) * x.rank
    number = b.number(b.choose([1, 0, -0.0, 1, 2]), x, shape)
    op = b.choose(["Mul", "Div", "Add", "Sub"])
    if x.is_float() and b.chance(0.1):
        op = "Pow"
    first, second = (x, number) if b.chance(0.7) or op in ("Div", "Pow") else (number, x)
    if op == "Div" and not x.is_float():
        second = b.number(b.choose([1, 2]), x, shape)
    return b.binary(op, first, second)


def casts(b):
    x = b.any_exact()
    for _ in range(b.integer(1, 4)):
        to = b.choose([*FLOATS, *INTEGERS, BOOL, TEXT, x.dtype])
        if to == TEXT and x.dtype == BF16:
            continue
        kind = 8 if to == TEXT else helper.np_dtype_to_tensor_dtype(to)
        x = b.op("Cast", [x], dtype=to, to=kind)
        if to == TEXT:
            break
    return x


def transposes(b):
    x = b.any_value()
    if not x.rank:
        return nothing(b)
    for _ in range(b.integer(1, 3)):
        perm = numbers(b.rng, x.rank)
        given = {"perm": perm} if b.chance(0.8) else {}
        perm = perm if given else list(range(x.rank))[::-1]
        x = b.op("Transpose", [x], shape=[x.shape[i] for i in perm], **given)
        if b.chance(0.4):
            x = b.op("Transpose", [x], shape=[x.shape[i] for i in np.argsort(perm)], perm=[int(i) for i in np.argsort(perm)])
    return x


def reshapings(b):
    x = b.any_value()
    start = x.shape
    for _ in range(b.integer(1, 4)):
        kind = b.choose(["Flatten", "Unsqueeze", "Squeeze", "Reshape", "back"])
        count = int(np.prod(x.shape, dtype=int))
        if kind == "Flatten":
            axis = b.integer(0, x.rank)
            x = b.op("Flatten", [x], shape=[int(np.prod(x.shape[:axis], dtype=int)), int(np.prod(x.shape[axis:], dtype=int))], axis=axis)
        elif kind == "Unsqueeze" and x.rank < 5:
            axis = b.integer(0, x.rank)
            x = b.op("Unsqueeze", [x, b.ints([axis])], shape=x.shape[:axis] + (1,) + x.shape[axis:])
        elif kind == "Squeeze" and 1 in x.shape:
            axis = x.shape.index(1)
            axes = b.ints([axis]) if b.chance(0.7) else None
            x = b.op("Squeeze", [x, axes], shape=x.shape[:axis] + x.shape[axis + 1 :] if axes else [d for d in x.shape if d != 1])
        elif kind == "Reshape" and count:
            target = b.choose([[-1], [1, -1], [-1, 1], [0, -1] if x.rank else [-1]])
            known = [x.shape[0] if d == 0 else d for d in target]
            rest = count // int(np.prod([d for d in known if d != -1], dtype=int))
            x = b.op("Reshape", [x, b.ints(target)], shape=[rest if d == -1 else d for d in known])
        elif kind == "back" and count:
            x = b.op("Reshape", [x, b.ints(list(start))], shape=start)
    return x


def windows(b):
    """Slice, Pad, Expand and Tile, that do nothing and that do."""
    x = b.any_value()
    if not x.rank:
        return nothing(b)
    kind = b.choose(["Slice", "Pad", "Expand", "Tile"])
    axis, idle = b.integer(0, x.rank - 1), b.chance()
    size = x.shape[axis]
    if kind == "Slice":
        begin, end, step = (0, b.choose([size, 2**62]), 1) if idle else (b.integer(0, 1), size, b.choose([1, 2]))
        if not idle and b.chance(0.3):
            begin, end, step = -1, -(2**62), -1
        left = len(range(size)[slice(begin, None if step < 0 else end, step)])
        inputs = [x, b.ints([begin]), b.ints([end]), b.ints([axis]), b.ints([step])]
        return b.op("Slice", inputs, shape=x.shape[:axis] + (left,) + x.shape[axis + 1 :])
    if kind == "Pad":
        before, behind = (0, 0) if idle else (b.integer(0, 2), b.integer(-1 if size > 1 else 0, 2))
        inputs = [x, b.ints([before, behind]), None, b.ints([axis])]
        return b.op("Pad", inputs, shape=x.shape[:axis] + (size + before + behind,) + x.shape[axis + 1 :])
    if kind == "Expand":
        target = b.choose([(1,), (1,) * x.rank, x.shape]) if idle else (2, *(1,) * x.rank)
        return b.op("Expand", [x, b.ints(target)], shape=np.broadcast_shapes(x.shape, target))
    repeats = [1] * x.rank
    repeats[axis] = 1 if idle else b.integer(0 if "empty" in b.traits else 1, 2)
    return b.op("Tile", [x, b.ints(repeats)], shape=[d * r for d, r in zip(x.shape, repeats)])


def chosen(b):
    x = b.any_value()
    y = b.pick(lambda v: v.dtype == x.dtype and v.shape == x.shape, (x.dtype, x.shape))
    shape = b.choose([(), (1,), x.shape])
    condition = b.const(np.full(shape, b.chance()) if b.chance(0.7) else b.array(BOOL, shape))
    return b.op("Where", [condition, x, y], shape=x.shape, dtype=x.dtype, rough=max(x.rough, y.rough))


def shapes(b):
    x = b.any_value()
    if not x.rank:
        return nothing(b)
    whole = b.op("Shape", [x], shape=[x.rank], dtype=I64, rough=0.0)
    if b.chance(0.3):
        return b.op("Expand", [x, whole])
    first = b.op("Gather", [whole, b.ints([0])], shape=[1])
    target = b.op("Concat", [first, b.ints([-1])], shape=[2], axis=0)
    if 0 in x.shape:
        return target
    return b.op("Reshape", [x, target], shape=[x.shape[0], int(np.prod(x.shape[1:], dtype=int))])


def duplicates(b):
    x = b.any_value()
    made = []
    for _ in range(2):
        if x.is_float() and b.chance(0.4):
            made.append(b.op("LeakyRelu", [x], alpha=b.choose([0.1, 0.2])))
        elif b.chance():
            made.append(b.binary(b.choose(["Add", "Mul"]), x, b.number(b.choose([2, 3]), x)))
        else:
            made.append(b.op("Abs", [x]))
    return b.binary(b.choose(["Add", "Sub"]), *made)


def constants(b):
    x = b.any_value()
    shape = b.choose([(), (1,), x.shape])
    w = b.const(b.array(x.dtype, shape))
    for _ in range(b.integer(1, 3)):
        w = b.op(b.choose(["Abs", "Identity"]), [w]) if b.chance() else b.binary("Add", w, b.const(b.array(x.dtype, shape)))
    return b.binary("Add", x, w)


def dead(b):
    return b.op("Abs", [b.any_value()])


def branches(b):
    """An If, whose condition is known more often than not."""
    x = b.any_value()
    truth = b.chance()
    if b.chance(0.6):
        condition = b.const(np.array([truth]) if b.chance(0.2) else np.array(truth), exact=True)
    else:
        condition = b.input(BOOL, [])
        b.root.feed[condition.name] = np.array(truth)
    made = []
    for _ in range(2):
        inner = b.child()
        for _ in range(b.integer(0, 3)):
            add_piece(inner)
        kind = b.choose(["weight", "captured", "made", "made"])
        y = inner.op("Abs", [x]) if kind == "made" else inner.op("Identity", [x])
        if kind == "weight" and inner.parent:
            y = inner.const(b.array(x.dtype, x.shape))
            if y.name in {t.name for t in b.root.initializers}:
                y = inner.op("Identity", [y])
        if y.rank and inner.chance(0.2):
            y = inner.op("Concat", [y, y], shape=(2 * y.shape[0],) + y.shape[1:], axis=0)
        made.append((inner, y))
    chosen_value = made[0 if truth else 1][1]
    graphs = {
        name: inner.graph(name, [], [y]) for name, (inner, y) in zip(("then_branch", "else_branch"), made)
    }
    rough = max(y.rough for _, y in made)
    return b.op("If", [condition], shape=chosen_value.shape, dtype=x.dtype, rough=rough, **graphs)


def loops(b):
    x = b.any_value()
    inner = b.child()
    number = inner.fresh("i")
    condition, carried = inner.fresh("c"), inner.fresh("v")
    inner.values += [Value(carried, x.dtype, x.shape, x.rough)]
    inner.results += inner.values
    for _ in range(b.integer(0, 3)):
        add_piece(inner)
    same = [v for v in inner.values if v.dtype == x.dtype and v.shape == x.shape]
    last = inner.op("Identity", [inner.choose(same)])
    if x.is_float() and b.chance():
        last = inner.op("Tanh", [last])
    going = inner.op("Identity", [Value(condition, BOOL, ())])
    stacked = inner.op("Abs", [inner.choose(same)])
    inputs = [
        helper.make_tensor_value_info(number, 7, []),
        helper.make_tensor_value_info(condition, 9, []),
        helper.make_tensor_value_info(carried, onnx_type(x.dtype), [None] * x.rank),
    ]
    body = inner.graph("body", inputs, [going, last, stacked])
    trips = b.const(np.array(b.integer(0, 3), np.int64), exact=True)  # nobody else says how often
    rough = max(v.rough for v in inner.values)
    return b.op("Loop", [trips, None, x], shape=x.shape, dtype=x.dtype, rough=rough, extra=[(x.dtype, None)], body=body)


def quantized(b):
    x = b.any_float(exact=True)
    kind = b.choose([np.int8, np.uint8])
    steps = []
    for _ in range(b.integer(1, 2)):
        scale = b.const(np.array(b.choose([0.05, 0.1]), x.dtype))
        zero = b.const(np.array(b.choose([0, 3]), kind)) if b.chance(0.8) else None
        target = kind if zero else np.uint8
        steps.append(b.op("QuantizeLinear", [x, scale, zero], dtype=target))
        if b.chance(0.4):
            steps.append(transposed(b, steps[-1]))
        x = b.op("DequantizeLinear", [steps[-1], scale, zero], dtype=x.dtype)
    return x


def transposed(b, x):
    return b.op("Transpose", [x], shape=x.shape[::-1]) if b.chance() and x.rank else b.op("Identity", [x])


def joined(b):
    x = b.any_value()
    if x.is_float() and b.chance():
        return b.op(b.choose(["Relu", "Tanh", "Sigmoid", "Abs"]), [x])
    y = b.pick(lambda v: v.dtype == x.dtype and v.shape == x.shape, (x.dtype, x.shape))
    if b.chance(0.3) and x.rank:
        return b.op("Concat", [x, y], shape=(x.shape[0] * 2,) + x.shape[1:], axis=0)
    return b.binary(b.choose(["Add", "Sub"]), x, y)


SMALL = [nothing, neutral, casts, transposes, reshapings, windows, chosen, shapes, duplicates, constants, dead, joined]


def piece(b):
    depth, at = 0, b
    while at.parent:
        depth, at = depth + 1, at.parent
    if depth < 2 and b.chance(0.35 if "subgraphs" in b.traits else 0.03):
        return branches if b.chance(0.65) else loops
    if b.float.itemsize < 8 and b.chance(0.3 if "qdq" in b.traits else 0.02):
        return quantized
    return b.choose(FLOAT_PIECES if b.chance(0.15 if "integers" in b.traits else 0.5) else SMALL)


def add_piece(b):
    b.results.append(piece(b)(b))
