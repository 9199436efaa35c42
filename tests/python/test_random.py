"""Random operators: a seed in the model gives numpy's sequence, one in the session a repeatable one; without any, what is drawn has
the right distribution (limits at five deviations: a wrong alarm is one in two million, and the seed is printed)."""

import os

import numpy as np
import pytest
import sardonyx
from conftest import model_bytes, tensor
from onnx import TensorProto, helper

COUNT = 40000
SHAPED = ("RandomUniform", "RandomNormal")


@pytest.fixture
def random_seed():
    seed = int.from_bytes(os.urandom(4), "little")
    print(f"seed {seed}")
    return seed


def model(op, inputs=("x",), output_type=TensorProto.FLOAT, **attributes):
    if op in SHAPED:
        attributes.setdefault("shape", [COUNT])
        inputs = ()
    node = helper.make_node(op, list(inputs), ["y"], name="the_node", **attributes)
    return model_bytes([node], [tensor(name, shape=None) for name in inputs], [tensor("y", output_type, None)])


def draw(data, x=None, seed=None, **options):
    made = sardonyx.SessionOptions()
    for name, value in options.items():
        setattr(made, name, value)
    if seed is not None:
        made.add_session_config_entry("sardonyx.seed", str(seed))
    session = sardonyx.InferenceSession(data, made)
    feed = {} if x is None else {"x": x}
    return session.run(None, feed)[0], session.run(None, feed)[0]


def within(found, mean, deviation):
    """The mean of the numbers, whose distribution has this mean and deviation."""
    assert abs(np.mean(found, dtype=np.float64) - mean) < 5 * deviation / np.sqrt(found.size)


@pytest.mark.parametrize("p", [0.0, 0.02, 0.5, 0.87, 1.0])
@pytest.mark.parametrize("output_type", [TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.BOOL])
def test_bernoulli_draws_ones_as_often_as_told(random_seed, p, output_type):
    data = model("Bernoulli", output_type=output_type, dtype=output_type)
    for y in draw(data, np.full(COUNT, p, np.float32), random_seed):
        assert set(np.unique(y)) <= {0, 1}
        within(y, p, np.sqrt(p * (1 - p)) + 1e-9)


def test_bernoulli_draws_every_element_by_itself(random_seed):
    p = np.random.RandomState(random_seed).uniform(0, 1, (50, 20)).astype(np.float32)
    data = model("Bernoulli", dtype=TensorProto.FLOAT)
    options = sardonyx.SessionOptions()
    options.add_session_config_entry("sardonyx.seed", str(random_seed))
    session = sardonyx.InferenceSession(data, options)
    runs = 400
    mean = sum(session.run(None, {"x": p})[0] for _ in range(runs)) / runs
    assert np.all(np.abs(mean - p) < 6 * np.sqrt(p * (1 - p) / runs) + 1e-3)


@pytest.mark.parametrize("case", ["like", "shaped"])
def test_uniform_numbers_fill_their_range(random_seed, case):
    like = case == "like"
    data = model("RandomUniformLike" if like else "RandomUniform", low=-2.0, high=3.0)
    for y in draw(data, np.zeros(COUNT, np.float32) if like else None, random_seed):
        assert y.min() >= -2 and y.max() <= 3
        within(y, 0.5, 5 / np.sqrt(12))
        counts, _ = np.histogram(y, 16, (-2, 3))
        assert np.all(np.abs(counts - COUNT / 16) < 5 * np.sqrt(COUNT / 16))


@pytest.mark.parametrize("case", ["like", "shaped"])
def test_normal_numbers_have_their_mean_and_deviation(random_seed, case):
    like = case == "like"
    data = model("RandomNormalLike" if like else "RandomNormal", mean=1.5, scale=0.5)
    for y in draw(data, np.zeros(COUNT, np.float32) if like else None, random_seed):
        within(y, 1.5, 0.5)
        within((y - 1.5) ** 2, 0.25, 0.25 * np.sqrt(2))
        within((y - 1.5) ** 3, 0, 0.125 * np.sqrt(15))


def test_multinomial_draws_classes_by_their_weights(random_seed):
    weights = np.array([0.1, 0.2, 0.0, 0.7])
    with np.errstate(divide="ignore"):
        x = np.log(weights)[None].astype(np.float32)
    for y in draw(model("Multinomial", output_type=TensorProto.INT32, sample_size=COUNT), x, random_seed):
        for number, p in enumerate(weights):
            within(y == number, p, np.sqrt(p * (1 - p)) + 1e-9)


@pytest.mark.parametrize("seed", [0.0, 7.0, 123456.0])
def test_a_seed_in_the_model_gives_numpys_sequence(seed):
    def state():
        return np.random.RandomState(int(seed))

    p = np.random.RandomState(1).uniform(0, 1, (30, 7)).astype(np.float32)
    shape = [30, 7]
    expected = {
        "Bernoulli": state().binomial(1, p),
        "RandomUniform": state().rand(*shape) * 5 - 2,
        "RandomUniformLike": state().rand(*shape) * 5 - 2,
        "RandomNormal": state().randn(*shape) * 0.5 + 1.5,
        "RandomNormalLike": state().randn(*shape) * 0.5 + 1.5,
    }
    for op, wanted in expected.items():
        more = {"shape": shape} if op in SHAPED else {}
        if "Uniform" in op:
            more.update(low=-2.0, high=3.0)
        if "Normal" in op:
            more.update(mean=1.5, scale=0.5)
        for y in draw(model(op, dtype=TensorProto.FLOAT, seed=seed, **more), None if op in SHAPED else p):
            np.testing.assert_allclose(y, wanted, rtol=1e-6, atol=1e-6, err_msg=op)


def test_a_seed_in_a_dropout_gives_numpys_mask():
    x = np.arange(1, 101, dtype=np.float32)
    data = model_bytes(
        [helper.make_node("Dropout", ["x", "ratio", "training"], ["y"], seed=5)],
        [tensor("x", shape=None)], [tensor("y", shape=None)],
        [helper.make_tensor("ratio", TensorProto.FLOAT, (), [0.3]), helper.make_tensor("training", TensorProto.BOOL, (), [True])])
    stays = np.random.RandomState(5).uniform(0, 1, 100) >= np.float32(0.3)
    for y in draw(data, x):
        np.testing.assert_allclose(y, np.where(stays, x / 0.7, 0), rtol=1e-6)


def test_two_dropouts_of_a_model_draw_by_themselves():
    more = [helper.make_tensor("ratio", TensorProto.FLOAT, (), [0.5]), helper.make_tensor("training", TensorProto.BOOL, (), [True])]
    nodes = [helper.make_node("Dropout", ["x", "ratio", "training"], [name]) for name in ("a", "b")]
    data = model_bytes(nodes, [tensor("x", shape=None)], [tensor("a", shape=None), tensor("b", shape=None)], more)
    a, b = sardonyx.InferenceSession(data).run(None, {"x": np.ones(200, np.float32)})
    assert np.any(a != b)


def test_without_a_seed_every_run_and_session_draws_anew():
    data = model("RandomUniform")
    first, second = draw(data)
    other, _ = draw(data)
    assert np.any(first != second) and np.any(first != other)


def test_a_session_with_a_seed_repeats_its_runs():
    data = model("RandomNormal")
    first, second = draw(data, seed=11)
    again = draw(data, seed=11)
    np.testing.assert_array_equal(first, again[0])
    np.testing.assert_array_equal(second, again[1])
    assert np.any(first != second) and np.any(first != draw(data, seed=12)[0])


def test_deterministic_sessions_draw_the_same():
    data = model("RandomNormal")
    np.testing.assert_array_equal(draw(data, use_deterministic_compute=True)[0], draw(data, use_deterministic_compute=True)[0])


def test_a_seed_that_is_no_number_is_refused():
    with pytest.raises(Exception, match='sardonyx.seed is "one"'):
        draw(model("RandomNormal"), seed="one")


def test_set_seed_is_the_seed_of_later_sessions():
    from sardonyx import _environment

    data = model("RandomNormal")
    try:
        sardonyx.set_seed(3)
        np.testing.assert_array_equal(draw(data)[0], draw(data)[0])
        assert np.any(draw(data)[0] != draw(data, seed=4)[0])
    finally:
        _environment._seed = None
