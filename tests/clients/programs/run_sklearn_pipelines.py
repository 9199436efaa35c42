"""Twenty pipelines, converted by skl2onnx: what scikit-learn answers, and what onnxruntime does."""

import json
import sys
import warnings

import numpy as np
import onnxruntime
from sklearn.cluster import KMeans
from sklearn.datasets import make_classification, make_regression
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.ensemble import (AdaBoostClassifier, ExtraTreesClassifier, ExtraTreesRegressor, IsolationForest,
                              RandomForestClassifier, VotingClassifier)
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.linear_model import ElasticNet, LogisticRegression, Ridge, RidgeClassifier, SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (KBinsDiscretizer, MaxAbsScaler, MinMaxScaler, Normalizer, PolynomialFeatures, PowerTransformer, QuantileTransformer, RobustScaler,
                                   StandardScaler)
from sklearn.svm import SVC, SVR
from sklearn.tree import DecisionTreeClassifier
from skl2onnx import to_onnx

warnings.simplefilter("ignore")
x, y = make_classification(400, 12, n_informative=6, n_classes=3, random_state=1)
rx, ry = make_regression(300, 8, noise=0.3, random_state=2)
x, rx = x.astype(np.float32), rx.astype(np.float32)
PIPELINES = [
    make_pipeline(StandardScaler(), LogisticRegression()), make_pipeline(MinMaxScaler(), DecisionTreeClassifier(random_state=1)),
    make_pipeline(RobustScaler(), RandomForestClassifier(20, random_state=1)), make_pipeline(ExtraTreesClassifier(15, random_state=1)),
    make_pipeline(QuantileTransformer(n_quantiles=50), LogisticRegression()), make_pipeline(StandardScaler(), SVC(probability=True, random_state=1)),
    make_pipeline(PCA(5, svd_solver="full"), KNeighborsClassifier()), make_pipeline(StandardScaler(), MLPClassifier((16,), max_iter=300, random_state=1)),
    make_pipeline(GaussianNB()), make_pipeline(MaxAbsScaler(), RidgeClassifier(random_state=1)), make_pipeline(Normalizer(), SGDClassifier(random_state=1)),
    make_pipeline(SelectKBest(k=5), AdaBoostClassifier(n_estimators=10, random_state=1)), make_pipeline(PowerTransformer(), LogisticRegression()),
    make_pipeline(KBinsDiscretizer(5, encode="onehot-dense", quantile_method="averaged_inverted_cdf"), LogisticRegression()),
    make_pipeline(SimpleImputer(), VotingClassifier([("a", LogisticRegression()), ("b", GaussianNB())], voting="soft", flatten_transform=False)),
    make_pipeline(PolynomialFeatures(2), Ridge()), make_pipeline(StandardScaler(), SVR()), make_pipeline(ExtraTreesRegressor(15, random_state=1)),
    make_pipeline(TruncatedSVD(4, random_state=1), ElasticNet()), make_pipeline(StandardScaler(), KNeighborsRegressor()),
    make_pipeline(StandardScaler(), KMeans(3, random_state=1, n_init=2)), make_pipeline(IsolationForest(n_estimators=15, random_state=1)),
]


def numbers(output):
    """An array, or a list of dicts (where skl2onnx adds a ZipMap), as lists."""
    if isinstance(output, list):
        output = [[row[key] for key in sorted(row)] for row in output]
    return np.asarray(output).astype(float).tolist()


answers = []
for number, pipeline in enumerate(PIPELINES):
    regression = 15 <= number < 20
    data, wanted = (rx, ry) if regression else (x, y)
    pipeline.fit(data[:200], wanted[:200])
    options = {"zipmap": False} if hasattr(pipeline, "predict_proba") else None
    target = {"": 18, "ai.onnx.ml": 3}
    model = to_onnx(pipeline, data[:1], target_opset=target, options=options)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    outputs = session.run(None, {session.get_inputs()[0].name: data[200:]})
    own = np.asarray(pipeline.predict(data[200:])).reshape(-1)
    found = np.asarray(outputs[0]).reshape(-1)
    near = np.isclose(found, own, rtol=1e-3, atol=1e-3 * float(np.abs(own).max() or 1))
    outputs = [numbers(output) for output in outputs]
    if not regression and len(outputs) == 2 and np.ndim(outputs[1]) == 2 and np.shape(outputs[1])[1] > 1:
        best = np.sort(outputs[1], axis=1)
        for row in np.nonzero(best[:, -1] - best[:, -2] < 1e-6)[0]:
            outputs[0][row] = "either of two classes"
    answers.append({"name": "+".join(type(step).__name__ for _, step in pipeline.steps), "as scikit-learn": float(near.mean()) >= 0.98,
                    "outputs": outputs})
json.dump(answers, open(sys.argv[1], "w"))
