"""scikit-learn pipelines through skl2onnx. What is wanted is predict, predict_proba or transform, in float64 rounded to the model's float32."""
import numpy as np
from skl2onnx import to_onnx
from skl2onnx.common.data_types import FloatTensorType, StringTensorType
from sklearn.cluster import KMeans
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.ensemble import (
    AdaBoostClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    IsolationForest,
    RandomForestClassifier,
    StackingRegressor,
    VotingClassifier,
)
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, ExpSineSquared
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression, SGDClassifier
from sklearn.mixture import GaussianMixture
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    Binarizer,
    KBinsDiscretizer,
    MinMaxScaler,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    PowerTransformer,
    RobustScaler,
    StandardScaler,
)
from sklearn.svm import SVC, SVR, LinearSVC, NuSVC, OneClassSVM

BARE = {"zipmap": False}


def numbers(seed, rows=120, columns=5):
    """Multiples of 1/64, which float32 holds: no threshold of a tree lies between a value and its rounding."""
    return np.random.default_rng(seed).integers(-192, 192, (rows, columns)).astype(np.float32) / 64


def classes(x, count=3):
    score = x[:, 0] + 0.5 * x[:, 1] * x[:, 1] - x[:, 2]
    return np.digitize(score, np.quantile(score, np.linspace(0, 1, count + 1)[1:-1]))


def target(x):
    return (np.sin(x[:, 0]) + x[:, 1] * x[:, 2]).astype(np.float64)


def answers(model, x, kinds):
    """Labels are int64 or text, the rest float32; a regressor's prediction is a column."""
    found = []
    for kind in kinds:
        y = np.asarray(getattr(model, kind)(x))
        if kind == "predict" and y.dtype.kind == "f":
            y = y.reshape(-1, 1)
        found.append(y.astype(np.float32) if y.dtype.kind == "f" else y.astype(str) if y.dtype.kind in "OU" else y.astype(np.int64))
    return found


def classifier(model, seed=0, labels=None, options=None, kinds=("predict", "predict_proba"), **more):
    def make():
        x = numbers(seed)
        y = classes(x, len(labels) if labels else 3)
        model.fit(x, np.asarray(labels)[y] if labels else y)
        proto = to_onnx(model, x[:1], options={id(model): options or BARE} if options != {} else None, **more)
        tests = [numbers(seed + 1, rows) for rows in (17, 1)]
        return proto.SerializeToString(), [({"X": t}, answers(model, t, kinds)) for t in tests]

    return make


def regressor(model, seed=0, kinds=("predict",), **more):
    def make():
        x = numbers(seed)
        model.fit(x, target(x))
        proto = to_onnx(model, x[:1], **more)
        tests = [numbers(seed + 1, rows) for rows in (17, 1)]
        return proto.SerializeToString(), [({"X": t}, answers(model, t, kinds)) for t in tests]

    return make


def transformer(*steps, seed=0, missing=False):
    def make():
        model, x = make_pipeline(*steps), numbers(seed)
        t = numbers(seed + 1, 17)
        if missing:
            x[::7, 1], t[::3, 2], t[1, 0] = np.nan, np.nan, np.nan
        model.fit(x)
        return to_onnx(model, x[:1]).SerializeToString(), [({"X": t}, answers(model, t, ("transform",)))]

    return make


WORDS = "the quick brown fox jumps over a lazy dog while Many cats sleep in sunny gardens not far from old rivers".split()


def sentences(seed, count):
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(WORDS, rng.integers(1, 9))) + rng.choice([".", "!", "", " again"]) for _ in range(count)]


def text(*steps, kinds=("predict", "predict_proba"), options=None):
    def make():
        docs = sentences(0, 80)
        model = make_pipeline(*steps).fit(docs, np.array(["short", "long"])[[int(len(d) > 25) for d in docs]])
        proto = to_onnx(model, initial_types=[("docs", StringTensorType([None]))], options={id(model): BARE, **(options or {})})
        tests = [sentences(1, n) for n in (11, 1)]
        return proto.SerializeToString(), [({"docs": np.array(t, dtype=object)}, answers(model, t, kinds)) for t in tests]

    return make


def table(seed, rows):
    rng = np.random.default_rng(seed)
    return {
        "age": rng.integers(18, 90, (rows, 1)).astype(np.float32),
        "income": (rng.integers(0, 6400, (rows, 1)) / 64).astype(np.float32),
        "city": rng.choice(["Oslo", "Bern", "Łódź", "Ås"], (rows, 1)).astype(object),
        "grade": rng.choice(["low", "mid", "high"], (rows, 1)).astype(object),
    }


def mixed_columns(last, kinds=("predict", "predict_proba"), zipmap=False):
    def make():
        import pandas as pd

        frame = lambda t: pd.DataFrame({k: v[:, 0] for k, v in t.items()})  # noqa: E731
        t = table(0, 200)
        columns = ColumnTransformer([
            ("scaled", make_pipeline(SimpleImputer(), StandardScaler()), ["age", "income"]),
            ("city", OneHotEncoder(handle_unknown="ignore"), ["city"]),
            ("grade", OrdinalEncoder(categories=[["low", "mid", "high"]]), ["grade"]),
        ])
        model = make_pipeline(columns, last)
        y = np.where(t["income"][:, 0] + t["age"][:, 0] + 20.0 * (t["grade"][:, 0] == "high") > 110, "yes", "no")
        model.fit(frame(t), y)
        types = [("age", FloatTensorType([None, 1])), ("income", FloatTensorType([None, 1])),
                 ("city", StringTensorType([None, 1])), ("grade", StringTensorType([None, 1]))]
        proto = to_onnx(model, initial_types=types, options={id(model): {"zipmap": zipmap}})
        test = table(1, 13)
        test["city"][3, 0] = "Paris"  # not seen before
        return proto.SerializeToString(), [(test, answers(model, frame(test), kinds))]

    return make


MODELS = {
    "sk_linear": regressor(make_pipeline(StandardScaler(), PolynomialFeatures(2), LinearRegression())),
    "sk_logistic_names": classifier(LogisticRegression(), labels=("ash", "birch", "oak")),
    "sk_logistic_maps": classifier(LogisticRegression(), options={"zipmap": True}),
    "sk_svc_rbf": classifier(SVC(probability=True, random_state=0)),
    "sk_svc_poly_two": classifier(SVC(kernel="poly", degree=3, probability=True, random_state=0), labels=("no", "yes")),
    "sk_nu_svc_sigmoid": classifier(NuSVC(kernel="sigmoid", nu=0.2, probability=True, random_state=0)),
    "sk_linear_svc": classifier(LinearSVC(random_state=0), options={"raw_scores": True}, kinds=("predict", "decision_function")),
    "sk_svr": regressor(SVR(C=10)),
    "sk_forest": classifier(RandomForestClassifier(12, max_depth=6, random_state=0), labels=("a", "b", "c", "d")),
    "sk_extra_trees": regressor(ExtraTreesRegressor(10, max_depth=6, random_state=0)),
    "sk_gradient_boosting": classifier(GradientBoostingClassifier(n_estimators=15, max_depth=3, random_state=0)),
    "sk_adaboost": classifier(AdaBoostClassifier(n_estimators=8, random_state=0)),
    "sk_knn": classifier(KNeighborsClassifier(5)),
    "sk_knn_manhattan": regressor(KNeighborsRegressor(4, metric="manhattan")),
    "sk_naive_bayes": classifier(GaussianNB()),
    "sk_mlp": classifier(make_pipeline(MinMaxScaler(), MLPClassifier((16, 8), max_iter=60, random_state=0))),
    "sk_one_vs_rest": classifier(OneVsRestClassifier(SGDClassifier(loss="log_loss", random_state=0))),
    "sk_voting": classifier(VotingClassifier([("a", LogisticRegression()), ("b", GaussianNB())], voting="soft", flatten_transform=False), seed=4),
    "sk_stacking": regressor(StackingRegressor([("a", SVR()), ("b", LinearRegression())])),
    "sk_tfidf": text(TfidfVectorizer(ngram_range=(1, 2), token_pattern=r"\b\w+\b"), LogisticRegression()),
    "sk_count_words_bayes": text(CountVectorizer(lowercase=True, stop_words=["the", "a"]), MultinomialNB()),
    "sk_tfidf_chars": text(TfidfVectorizer(analyzer="char", ngram_range=(2, 3), max_features=80), TruncatedSVD(6, random_state=0),
                           LogisticRegression()),
    "sk_columns": mixed_columns(LogisticRegression()),
    "sk_columns_forest": mixed_columns(RandomForestClassifier(6, max_depth=5, random_state=0)),
    "sk_columns_maps": mixed_columns(LogisticRegression(), zipmap=True),
    "sk_scalers": transformer(RobustScaler(), Normalizer("l1"), MinMaxScaler()),
    "sk_pca": transformer(StandardScaler(), PCA(3, whiten=True)),
    "sk_power": transformer(PowerTransformer()),
    "sk_bins": transformer(KBinsDiscretizer(4, encode="onehot-dense", quantile_method="linear")),
    "sk_binarizer": transformer(Binarizer(threshold=0.25)),
    "sk_imputers": transformer(SimpleImputer(strategy="median"), StandardScaler(), missing=True),
    "sk_knn_imputer": transformer(KNNImputer(n_neighbors=3), missing=True),
}


def one_class():
    x, t = numbers(0), numbers(1, 17)
    model = OneClassSVM(gamma=0.2, nu=0.3).fit(x)
    runs = [({"X": t}, [model.predict(t).astype(np.int64).reshape(-1, 1), model.decision_function(t).astype(np.float32).reshape(-1, 1)])]
    return to_onnx(model, x[:1]).SerializeToString(), runs


def isolation_forest():
    x, t = numbers(0), numbers(1, 17)
    model = IsolationForest(n_estimators=8, max_samples=32, random_state=0).fit(x)
    runs = [({"X": t}, [model.predict(t).astype(np.int64).reshape(-1, 1), model.decision_function(t).astype(np.float32).reshape(-1, 1)])]
    return to_onnx(model, x[:1], target_opset={"": 18, "ai.onnx.ml": 3}).SerializeToString(), runs


def gaussian_process(kernel, deviation, columns=3):
    def make():
        x, t = numbers(0, 40, columns), numbers(1, 9, columns)
        model = GaussianProcessRegressor(kernel, alpha=0.1, optimizer=None).fit(x.astype(np.float64), x[:, 0] + np.cos(x[:, -1]))
        proto = to_onnx(model, x[:1].astype(np.float64), options={id(model): {"return_std": True}} if deviation else None)
        wanted = model.predict(t.astype(np.float64), return_std=deviation)
        wanted = [wanted[0].reshape(-1, 1), wanted[1]] if deviation else [wanted.reshape(-1, 1)]
        return proto.SerializeToString(), [({"X": t.astype(np.float64)}, wanted)]

    return make


def kmeans():
    x, t = numbers(0), numbers(1, 17)
    model = KMeans(4, n_init=2, random_state=0).fit(x)
    return to_onnx(model, x[:1]).SerializeToString(), [({"X": t}, [model.predict(t).astype(np.int64), model.transform(t).astype(np.float32)])]


def mixture():
    x, t = numbers(0), numbers(1, 17)
    model = GaussianMixture(3, random_state=0).fit(x)
    label, probability = answers(model, t, ("predict", "predict_proba"))
    return to_onnx(model, x[:1]).SerializeToString(), [({"X": t}, [label.reshape(-1, 1), probability])]


MODELS.update({
    "sk_one_class_svm": one_class,
    "sk_isolation_forest": isolation_forest,
    "sk_gaussian_process": gaussian_process(ConstantKernel(2.0) * RBF(1.5), deviation=True),
    "sk_gaussian_process_periodic": gaussian_process(ExpSineSquared(1.2, 4.0), deviation=False, columns=1),
    "sk_kmeans": kmeans,
    "sk_mixture": mixture,
})
