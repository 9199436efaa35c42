"""Recurrent layers, from the standard's equations."""
import numpy as np
from case import Case
from draw import f32, wide
from families.elementwise import elu, sigmoid, softplus
from registry import sweep

# Name: (function, does it have an alpha and a beta with which defaults)
ACTIVATIONS = {
    "Sigmoid": (lambda x, a, b: sigmoid(x), None, None), "Tanh": (lambda x, a, b: np.tanh(x), None, None), "Relu": (lambda x, a, b: np.maximum(x, 0), None, None),
    "Affine": (lambda x, a, b: a * x + b, 1.0, 0.0), "LeakyRelu": (lambda x, a, b: np.where(x < 0, a * x, x), 0.01, None),
    "ThresholdedRelu": (lambda x, a, b: np.where(x >= a, x, 0), 1.0, None), "ScaledTanh": (lambda x, a, b: a * np.tanh(b * x), 1.0, 1.0),
    "HardSigmoid": (lambda x, a, b: np.minimum(np.maximum(a * x + b, 0), 1), 0.2, 0.5), "Elu": (lambda x, a, b: elu(x, a), 1.0, None),
    "Softsign": (lambda x, a, b: x / (1 + np.abs(x)), None, None), "Softplus": (lambda x, a, b: softplus(x), None, None),
}  # fmt: skip


def activations(draw, directions, defaults):
    """Per direction the functions with their constants, and the attributes."""
    if draw.chance(0.6):
        return [[(lambda x, name=name: ACTIVATIONS[name][0](x, None, None)) for name in defaults] for _ in range(directions)], {}
    names, alphas, betas, functions = [], [], [], []
    for _ in range(directions):
        row = []
        for _ in defaults:
            name = draw.choice(["Sigmoid", "Tanh", "Relu", "Affine", "LeakyRelu", "ScaledTanh", "HardSigmoid", "Elu", "Softsign", "Softplus"])
            function, alpha, beta = ACTIVATIONS[name]
            names.append(name)
            if alpha is not None:
                alpha = f32(round(alpha * draw.real(0.5, 1), 2))
                alphas.append(alpha)
            if beta is not None:
                beta = f32(round(beta * draw.real(0.5, 1), 2))
                betas.append(beta)
            row.append(lambda x, function=function, alpha=alpha, beta=beta: function(x, alpha, beta))
        functions.append(row)
    return functions, {"activations": names, "activation_alpha": alphas or None, "activation_beta": betas or None}


class Layer:
    def __init__(self, draw, gates, biases, defaults):
        self.draw, self.dtype = draw, draw.float_type()
        self.steps, self.batch, self.size, self.hidden = draw.integer(1, 5), draw.integer(1, 3), draw.integer(1, 5), draw.integer(1, 6)
        self.direction = draw.choice([None, "forward", "reverse", "bidirectional"])
        self.count = 2 if self.direction == "bidirectional" else 1
        self.layout = draw.choice([None, 0, 1])
        self.functions, self.attributes = activations(draw, self.count, defaults)
        self.clip = draw.choice([None, draw.real(0.3, 2)])
        self.attributes |= {"direction": self.direction, "layout": self.layout, "clip": self.clip, "hidden_size": self.hidden if draw.chance(0.7) else None}
        hidden = self.hidden
        plain = lambda *shape: draw.plain(self.dtype, shape, -1, 1)  # noqa: E731
        self.x = plain(self.steps, self.batch, self.size)
        self.w, self.r = plain(self.count, gates * hidden, self.size), plain(self.count, gates * hidden, hidden)
        self.b = plain(self.count, biases * hidden) if draw.chance(0.6) else None
        self.lens = draw.rng.integers(0 if draw.chance(0.2) else 1, self.steps, self.batch, endpoint=True).astype(np.int32) if draw.chance(0.4) else None
        self.h = self.state()
        self.wide_b = np.zeros((self.count, biases * hidden)) if self.b is None else wide(self.b)

    def state(self):
        return self.draw.plain(self.dtype, (self.count, self.batch, self.hidden), -1, 1) if self.draw.chance() else None

    def clipped(self, x):
        return x if self.clip is None else np.clip(x, -self.clip, self.clip)

    def run(self, cell, states):
        """cell(direction, x, state) gives the next state, of which the first is the output."""
        y = np.zeros((self.steps, self.count, self.batch, self.hidden))
        last = [np.zeros((self.count, self.batch, self.hidden)) for _ in states]
        for d in range(self.count):
            backward = self.direction == "reverse" or d == 1
            for b in range(self.batch):
                length = self.steps if self.lens is None else int(self.lens[b])
                # Of length 0 the standard says nothing: zeros, as in onnxruntime.
                state = [np.zeros(self.hidden) if s is None or length == 0 else wide(s)[d, b] for s in states]
                for t in reversed(range(length)) if backward else range(length):
                    state = cell(d, wide(self.x)[t, b], state)
                    y[t, d, b] = state[0]
                for out, s in zip(last, state):
                    out[d, b] = s
        return y, last

    def inputs(self, *more):
        swap = (lambda t: None if t is None else t.swapaxes(0, 1)) if self.layout == 1 else (lambda t: t)
        return [np.ascontiguousarray(swap(self.x)), self.w, self.r, self.b, self.lens, *(None if s is None else np.ascontiguousarray(swap(s)) for s in more)]

    def case(self, inputs, y, last, attributes):
        if self.layout == 1:
            y, last = y.transpose(2, 0, 1, 3), [s.swapaxes(0, 1) for s in last]
        outputs = [y if self.draw.chance(0.8) else None, *(s if self.draw.chance(0.8) else None for s in last)]
        if all(o is None for o in outputs):
            outputs[0] = y
        # Each step multiplies the error of the one before; the states stay near 1.
        return Case(inputs, outputs, attributes, ulps=64 * self.steps, scale=2.0, types=[self.dtype] * len(outputs))


def parts(layer, d, matrix, gates):
    return [wide(matrix)[d, g * layer.hidden:(g + 1) * layer.hidden] for g in range(gates)]


@sweep("RNN")
def rnn(draw):
    layer = Layer(draw, 1, 2, ["Tanh"])

    def cell(d, x, state):
        (f,) = layer.functions[d]
        wb, rb = np.split(layer.wide_b[d], 2)
        return [f(layer.clipped(x @ wide(layer.w)[d].T + state[0] @ wide(layer.r)[d].T + wb + rb))]

    return layer.case(layer.inputs(layer.h), *layer.run(cell, [layer.h]), layer.attributes)


@sweep("GRU")
def gru(draw):
    layer = Layer(draw, 3, 6, ["Sigmoid", "Tanh"])
    linear = draw.choice([None, 0, 1])

    def cell(d, x, state):
        f, g = layer.functions[d]
        (h,) = state
        wz, wr, wh = parts(layer, d, layer.w, 3)
        rz, rr, rh = parts(layer, d, layer.r, 3)
        bz, br, bh, cz, cr, ch = np.split(layer.wide_b[d], 6)
        z = f(layer.clipped(x @ wz.T + h @ rz.T + bz + cz))
        r = f(layer.clipped(x @ wr.T + h @ rr.T + br + cr))
        inner = r * (h @ rh.T + ch) if linear else (r * h) @ rh.T + ch
        return [(1 - z) * g(layer.clipped(x @ wh.T + inner + bh)) + z * h]

    return layer.case(layer.inputs(layer.h), *layer.run(cell, [layer.h]), {**layer.attributes, "linear_before_reset": linear})


@sweep("LSTM")
def lstm(draw):
    layer = Layer(draw, 4, 8, ["Sigmoid", "Tanh", "Tanh"])
    c0 = layer.state()
    p = draw.plain(layer.dtype, (layer.count, 3 * layer.hidden), -1, 1) if draw.chance(0.3) else None
    coupled = draw.choice([None, 0, 1])
    peep = np.zeros((layer.count, 3 * layer.hidden)) if p is None else wide(p)

    def cell(d, x, state):
        f, g, k = layer.functions[d]
        h, c = state
        wi, wo, wf, wc = parts(layer, d, layer.w, 4)
        ri, ro, rf, rc = parts(layer, d, layer.r, 4)
        bi, bo, bf, bc, di, do, df, dc = np.split(layer.wide_b[d], 8)
        pi, po, pf = np.split(peep[d], 3)
        i = f(layer.clipped(x @ wi.T + h @ ri.T + pi * c + bi + di))
        forget = 1 - i if coupled else f(layer.clipped(x @ wf.T + h @ rf.T + pf * c + bf + df))
        c_next = forget * c + i * g(layer.clipped(x @ wc.T + h @ rc.T + bc + dc))
        o = f(layer.clipped(x @ wo.T + h @ ro.T + po * c_next + bo + do))
        return [o * k(layer.clipped(c_next)), c_next]

    return layer.case([*layer.inputs(layer.h, c0), p], *layer.run(cell, [layer.h, c0]), {**layer.attributes, "input_forget": coupled})
