"""LightGBM and XGBoost through onnxmltools. What is wanted is the booster's own prediction."""
import lightgbm
import numpy as np
import onnxmltools
import xgboost
from onnxmltools.convert.common.data_types import FloatTensorType
from sklearn_models import classes, numbers, target


def holes(x, seed):
    """Some values missing."""
    x = x.copy()
    x[np.random.default_rng(seed).random(x.shape) < 0.1] = np.nan
    return x


def boosted(kind, convert, model, missing=False, classify=False, labels=None, seed=0):
    def make():
        x = numbers(seed, 200)
        x = holes(x, 5) if missing else x
        y = classes(np.nan_to_num(x), labels) if classify else target(np.nan_to_num(x))
        model.fit(x, y)
        options = {"zipmap": False} if classify and kind == "lgb" else {}
        proto = convert(model, initial_types=[("X", FloatTensorType([None, x.shape[1]]))], **options)
        runs = []
        for rows in (31, 1):
            t = numbers(seed + 1, rows)
            t = holes(t, 6) if missing else t
            if classify:
                wanted = [model.predict(t).astype(np.int64), model.predict_proba(t).astype(np.float32)]
            else:
                wanted = [model.predict(t).astype(np.float32).reshape(-1, 1)]
            runs.append(({"X": t}, wanted))
        return proto.SerializeToString(), runs

    return make


def lgb(model, **more):
    return boosted("lgb", onnxmltools.convert_lightgbm, model, **more)


def xgb(model, **more):
    return boosted("xgb", onnxmltools.convert_xgboost, model, **more)


def ranked_categories():
    """Columns of categories: thresholds are sets."""
    rng = np.random.default_rng(0)
    draw = lambda rows: np.column_stack([rng.integers(0, 9, rows), rng.integers(0, 40, rows), rng.integers(-64, 64, rows) / 16]).astype(np.float32)  # noqa: E731
    x, t = draw(300), draw(25)
    data = lightgbm.Dataset(x, np.isin(x[:, 0], (1, 4, 7)) * 2.0 + (x[:, 1] % 3) + x[:, 2], categorical_feature=[0, 1])
    model = lightgbm.train({"num_leaves": 12, "verbose": -1, "min_data_per_group": 5, "cat_smooth": 1.0, "num_threads": 1}, data, 12)
    proto = onnxmltools.convert_lightgbm(model, initial_types=[("X", FloatTensorType([None, 3]))])
    return proto.SerializeToString(), [({"X": t}, [model.predict(t).astype(np.float32).reshape(-1, 1)])]


SMALL = {"n_estimators": 12, "num_leaves": 7, "verbose": -1, "random_state": 0, "n_jobs": 1}
TREES = {"n_estimators": 12, "max_depth": 3, "random_state": 0, "n_jobs": 1}
MODELS = {
    "lgb_regressor": lgb(lightgbm.LGBMRegressor(**SMALL)),
    "lgb_missing": lgb(lightgbm.LGBMRegressor(**SMALL), missing=True),
    "lgb_absolute": lgb(lightgbm.LGBMRegressor(**SMALL, objective="l1")),
    "lgb_binary": lgb(lightgbm.LGBMClassifier(**SMALL), classify=True, labels=2),
    "lgb_classes": lgb(lightgbm.LGBMClassifier(**SMALL), classify=True, labels=4, missing=True),
    "lgb_categories": ranked_categories,
    "xgb_regressor": xgb(xgboost.XGBRegressor(**TREES)),
    "xgb_missing": xgb(xgboost.XGBRegressor(**TREES), missing=True),
    "xgb_binary": xgb(xgboost.XGBClassifier(**TREES), classify=True, labels=2),
    "xgb_classes": xgb(xgboost.XGBClassifier(**TREES), classify=True, labels=4, missing=True),
    "xgb_forest": xgb(xgboost.XGBRFRegressor(**TREES)),
    "xgb_linear": xgb(xgboost.XGBRegressor(n_estimators=10, max_depth=2, base_score=0.7, n_jobs=1, tree_method="exact")),
}
