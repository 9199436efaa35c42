"""Keras models and TensorFlow functions through tf2onnx. What is wanted is the answer of TensorFlow on the CPU."""
import numpy as np
import tensorflow as tf
import tf2onnx
from tensorflow import keras
from tensorflow.keras import layers


def from_function(f, *specs, opset=18, values=None):
    def make():
        tf.keras.utils.set_random_seed(0)
        rng = np.random.default_rng(0)
        signature = [tf.TensorSpec(s, t, name=f"x{i}") for i, (s, t, _) in enumerate(specs)]
        call = tf.function(f() if isinstance(f, type) else f, input_signature=signature)
        proto, _ = tf2onnx.convert.from_function(call, input_signature=signature, opset=opset)
        feeds = {f"x{i}": make_input(rng) for i, (_, _, make_input) in enumerate(specs)}
        wanted = call(*(tf.constant(v) for v in feeds.values()))
        wanted = [np.asarray(w.numpy()) for w in tf.nest.flatten(wanted)]
        return proto.SerializeToString(), [(feeds, wanted)]

    return make


def keras_model(build, shape, opset=18, batches=(3, 1), integer=None):
    def make():
        keras.utils.set_random_seed(0)
        rng = np.random.default_rng(0)
        model = build(layers.Input(shape, dtype="int32" if integer else "float32", name="x"))
        spec = [tf.TensorSpec([None, *shape], tf.int32 if integer else tf.float32, name="x")]
        call = tf.function(lambda x: model(x, training=False), input_signature=spec)
        proto, _ = tf2onnx.convert.from_function(call, input_signature=spec, opset=opset)
        runs = []
        for n in batches:
            x = rng.integers(0, integer, (n, *shape)).astype(np.int32) if integer else rng.standard_normal((n, *shape)).astype(np.float32)
            runs.append(({"x": x}, [np.asarray(w) for w in tf.nest.flatten(call(tf.constant(x)))]))
        return proto.SerializeToString(), runs

    return make


def dense(x):
    y = layers.Dense(12, activation="selu")(layers.Rescaling(0.5, 1.0)(x))
    return keras.Model(x, layers.Dense(3, activation="softmax")(layers.LayerNormalization()(y)))


def images(x):
    y = layers.BatchNormalization()(layers.Conv2D(8, 3, strides=2, padding="same", activation="relu")(x))
    y = layers.DepthwiseConv2D(3, padding="valid", depth_multiplier=2, activation="relu6")(y)
    y = layers.MaxPooling2D(2, padding="same")(layers.SeparableConv2D(6, 3, padding="same", activation="swish")(y))
    y = layers.Conv2DTranspose(4, 3, strides=2, padding="same")(y)
    y = layers.UpSampling2D(2, interpolation="bilinear")(layers.ZeroPadding2D(((1, 0), (0, 2)))(y))
    return keras.Model(x, [layers.GlobalAveragePooling2D()(y), layers.Cropping2D(1)(y)])


def recurrent(x):
    y = layers.Bidirectional(layers.LSTM(5, return_sequences=True))(x)
    return keras.Model(x, [layers.GRU(4)(y), layers.SimpleRNN(3)(y)])


def attention(x):
    y = layers.Embedding(30, 16)(x)
    y = layers.LayerNormalization()(y + layers.MultiHeadAttention(4, 4)(y, y, use_causal_mask=True))
    return keras.Model(x, layers.Dense(2)(layers.GlobalMaxPooling1D()(layers.Dense(16, activation="silu")(y))))


def one_dimension(x):
    y = layers.Conv1D(6, 3, dilation_rate=2, padding="causal")(x)
    y = layers.PReLU()(layers.AveragePooling1D(2, padding="same")(y))
    return keras.Model(x, layers.UnitNormalization()(layers.Flatten()(layers.SpatialDropout1D(0.2)(y))))


def loops(x, count):
    total, i = tf.zeros_like(x), tf.constant(0)
    while i < count:
        total = total + x * tf.cast(i, tf.float32) if tf.reduce_sum(total) < 5.0 else total - x
        i += 1
    return total, tf.map_fn(lambda row: tf.cumsum(row) * 2.0, x)


def arrays(x, index):
    return (tf.gather(x, index, axis=1), tf.gather_nd(x, [[0, 1], [2, 3]]), tf.tensor_scatter_nd_update(x, [[1, 1], [0, 0]], [9.0, 8.0]), tf.one_hot(index, 7),
            tf.math.top_k(x, 2).values, tf.reverse(x, [0]), tf.strided_slice(x, [0, -1], [3, 0], [2, -2]), tf.math.unsorted_segment_sum(x, index, 6), tf.where(x > 0, x, 0.0),
            tf.reduce_logsumexp(x, 1), tf.argmax(x, 1), tf.pad(x, [[1, 0], [2, 1]], constant_values=3.0), tf.tile(x, [2, 1]), tf.boolean_mask(x, x[:, 0] > 0), tf.roll(x, 1, 1))


def pictures(x):
    return (tf.image.resize(x, [9, 7]), tf.image.resize(x, [3, 4], method="nearest"), tf.nn.depth_to_space(x, 2), tf.nn.space_to_depth(x, 2),
            tf.nn.local_response_normalization(x, 2), tf.nn.avg_pool2d(x, 3, 2, "SAME"), tf.image.crop_and_resize(x, [[0.1, 0.2, 0.8, 0.9]], [0], [4, 4]))


def arithmetic(x, n):
    return (tf.math.floormod(x, 0.7), tf.math.squared_difference(x, 1.0), tf.math.erf(x), tf.math.sign(x), tf.math.rint(x * 3), tf.nn.softplus(x),
            tf.nn.elu(x), tf.nn.leaky_relu(x, 0.3), tf.math.l2_normalize(x, 1), tf.einsum("ij,kj->ik", x, x), tf.bitwise.bitwise_and(n, 12), tf.cast(x * 5, tf.int32), tf.math.cumsum(x, 1, exclusive=True, reverse=True))


def floats(*shape):
    return lambda rng: rng.standard_normal(shape).astype(np.float32)


def whole(high, *shape, low=0):
    return lambda rng: rng.integers(low, high, shape).astype(np.int32)


MODELS = {
    "tf_dense": keras_model(dense, (6,)),
    "tf_images": keras_model(images, (14, 17, 3)),
    "tf_images_11": keras_model(images, (14, 17, 3), opset=11),
    "tf_recurrent": keras_model(recurrent, (6, 4)),
    "tf_attention": keras_model(attention, (7,), integer=30),
    "tf_one_dimension": keras_model(one_dimension, (11, 4), opset=15),
    "tf_loops": from_function(loops, ([None, 4], tf.float32, floats(3, 4)), ([], tf.int32, lambda _: np.int32(6))),
    "tf_arrays": from_function(arrays, ([None, 4], tf.float32, floats(3, 4)), ([None], tf.int32, whole(4, 3))),
    "tf_pictures": from_function(pictures, ([1, 6, 8, 4], tf.float32, floats(1, 6, 8, 4))),
    "tf_arithmetic": from_function(arithmetic, ([3, None], tf.float32, floats(3, 5)), ([None], tf.int32, whole(50, 9, low=-50))),
}
