"""Calls of the names of model packages, for both packages: see beside.py."""

import json
import os
import shutil

import numpy as np
from beside import CALLS, call

ORT = {"ort": {"model_file": "model.onnx"}}
VARIANTS = {
    "for_gpu": {"ep": "CUDAExecutionProvider", "executor_info": ORT},
    "other_device": {"ep": "CPUExecutionProvider", "device": "gpu", "executor_info": ORT},
    "fits": {"ep": "CPUExecutionProvider", "device": "CPU", "compatibility_string": "c", "variant_directory": "here", "additional_metadata": {"k": [1, "é"]},
             "executor_info": {"ort": {"model_file": "model.onnx", "session_options": {"session.log_id": "packed", "session.intra_op_num_threads": "1", "a": "b"}}}},
    "nothing": {"ep": "CPUExecutionProvider"},
}


def add_tools(t):
    """Folders: an empty place for each call, a package, and files for an asset."""
    t.places = iter(range(10**6))
    t.new_place = lambda: os.path.join(t.folder, f"place_{next(t.places)}")

    def package(manifest, folders=("here", "for_gpu")):
        root = t.new_place()
        for folder in ("", *folders):
            os.makedirs(os.path.join(root, folder), exist_ok=True)
            with open(os.path.join(root, folder, "model.onnx"), "wb") as file:
                file.write(t.add)
        with open(os.path.join(root, "manifest.json"), "w", encoding="utf-8") as file:
            file.write(manifest if isinstance(manifest, str) else json.dumps(manifest))
        return root

    t.package = package
    t.manifest = {"schema_version": "1.2", "package_name": "p", "components": {"c": {"variants": VARIANTS}, "d": {"variants": {}}}}
    t.asset = os.path.join(t.folder, "asset")
    os.makedirs(os.path.join(t.asset, "inner"))
    for name in ("b", "a", "inner/c"):
        with open(os.path.join(t.asset, name), "w", encoding="utf-8") as file:
            file.write(f"of {name}")


def said(function, *args, root=""):
    """The answer, or the class of the exception and what its text must name; places without their root."""
    try:
        answer = function(*args)
    except Exception as error:
        return type(error).__name__
    return json.loads(json.dumps(answer).replace(root, "ROOT")) if root else answer


WRONG = [
    "[", {}, {"schema_version": "1.0"}, {"schema_version": "2.0", "components": {}}, {"schema_version": "1.0", "components": []}, {"schema_version": 1, "components": {}},
    {"schema_version": "1.0", "components": {}, "zz": 1}, {"schema_version": "1.0", "components": {}, "layout": "q"}, {"schema_version": "1.0", "components": {"c": 5}},
    {"schema_version": "1.0", "components": {"c": {"variants": {"v": 4}}}}, {"schema_version": "1.0", "components": {"c": {"variants": {"v": {"ep": 4}}}}},
    {"schema_version": "1.0", "components": {"c": {}}}, {"schema_version": "1.0", "components": {"c": {"variants": {"v": {"variant_directory": "../x"}}}}},
    {"schema_version": "1.0", "components": {"c": {"variants": {"v": {"variant_directory": "nowhere"}}}}}, {"schema_version": "1.0", "components": {}, "package_name": 4},
    {"schema_version": "1.0", "components": {}, "shared_assets": {"sha256:ab": "here"}}, {"schema_version": "1.0", "components": {"c": "nowhere"}},
]


@call("ModelPackage", "ModelPackage.open", "ModelPackage.get_info", "ModelPackage.close")
def _(o, t):
    root = t.package(t.manifest)
    with o.ModelPackage.open(root) as package:
        info = said(package.get_info, root=root)
    return (info, said(package.get_info), said(o.ModelPackage.open, t.new_place()), said(o.ModelPackage().get_info),
            [said(lambda manifest=manifest: o.ModelPackage.open(t.package(manifest)).get_info()) for manifest in WRONG],
            said(lambda: o.ModelPackage.open(t.package({**t.manifest, "zz": 1}), strict_unknown_fields=False).get_info()["package_name"]))


@call("ModelPackage.set_metadata", "ModelPackage.set_layout", "ModelPackage.set_additional_metadata_json", "ModelPackage.set_component_inline",
      "ModelPackage.get_component_json", "ModelPackage.remove_component", "ModelPackage.set_variant", "ModelPackage.get_variant_json", "ModelPackage.remove_variant",
      "ModelPackage.set_variant_executor_info_inline", "ModelPackage.set_variant_executor_info_external", "ModelPackage.remove_variant_executor_info")
def _(o, t):
    p, answers = o.ModelPackage(), []

    def note(name, *args):
        answers.append(said(getattr(p, name), *args))

    for steps in (
        [("set_metadata", "n", "1", "d"), ("set_metadata", None, "2", None), ("set_layout", "somewhere"), ("set_layout", "installed"), ("set_layout", "portable")],
        [("set_component_inline", "c", text) for text in ("[", "{}", '{"variants": {}, "zz": 1}', '{"variants": {"v": {"device": 1}}}', '{"variants": {"v": {}}}')],
        [("set_variant", "none", "v", "{}")] + [("set_variant", "c", "w", text) for text in ("{", '{"q": 1}', '{"executor_info": 1}', '{"ep": "E"}')],
        [("set_variant_executor_info_inline", "c", "w", "ort", text) for text in ("{", '{"model_file": "m"}')],
        [("set_variant_executor_info_inline", "c", "none", "ort", "{}"), ("set_variant_executor_info_external", "c", "v", "mine", "mine.json")],
        [("set_additional_metadata_json", scope, component, variant, text) for scope, component, variant, text in (
            ("package", None, None, "1"), ("manifest", None, None, '{"a": 1}'), ("component", None, None, "{}"), ("component", "c", "v", "{}"), ("component", "c", None, "[1]"),
            ("variant", "c", None, "{}"), ("variant", "c", "v", '{"b": 2}'), ("variant", "c", "none", "{}"), ("manifest", None, None, "["))],
        # onnxruntime's text of a component does not know metadata that a variant was given until the variant changes again
        [("set_variant_executor_info_inline", "c", "v", "more", "{}"), ("get_component_json", "c"), ("get_component_json", "none")],
        [("get_variant_json", "c", "w"), ("get_variant_json", "c", "none"), ("remove_variant_executor_info", "c", "v", "more")],
    ):
        for step in steps:
            note(*step)
    answers.append(p.get_info())
    for step in (("remove_variant_executor_info", "c", "v", "mine"), ("remove_variant", "c", "w"), ("remove_variant", "c", "none"), ("remove_component", "none"),
                 ("set_additional_metadata_json", "manifest"), ("get_component_json", "c"), ("remove_component", "c")):
        note(*step)
    return answers, p.get_info()


@call("ModelPackage.add_shared_asset", "ModelPackage.remove_shared_asset", "ModelPackage.compute_directory_hash", "ModelPackage.resolve_asset_uri", "ModelPackage.prune",
      "ModelPackage.commit", "ModelPackage.resolve_string_ref", "ModelPackage.set_component_external")
def _(o, t):
    p = o.ModelPackage()
    uri = p.add_shared_asset(t.asset)
    answers = [uri, said(p.add_shared_asset, t.new_place()), said(p.add_shared_asset, t.asset, "sha256:" + "0" * 64), p.add_shared_asset(t.asset, uri),
               said(p.add_shared_asset, t.asset, None, False), o.ModelPackage.compute_directory_hash(t.asset), said(o.ModelPackage.compute_directory_hash, t.new_place()),
               said(p.resolve_asset_uri, uri), said(p.resolve_asset_uri, "sha256:0"), said(p.set_component_external, "e", "parts"), said(p.commit)]
    p.set_metadata("n")
    p.set_component_inline("c", '{"variants": {"v": {"ep": "E"}}}')
    root = t.new_place()
    p.commit(root, o.ModelPackageWriteMode.DENSE)
    answers += [sorted(os.path.relpath(os.path.join(folder, name), root) for folder, _, names in os.walk(root) for name in names), said(p.resolve_asset_uri, uri, root=root),
                said(p.commit, root), json.load(open(os.path.join(root, "manifest.json"), encoding="utf-8"))]
    q = o.ModelPackage.open(root)
    q.prune()
    answers += [said(q.get_info, root=root), said(q.resolve_string_ref, "a/b", root=root), said(q.resolve_string_ref, "../b"), said(q.resolve_string_ref, "/b"),
                said(q.resolve_string_ref, "nowhere", root, True), said(q.resolve_string_ref, "manifest.json", root, True, root=root)]
    q.set_component_external("e", "parts")
    q.commit()
    answers += [json.load(open(os.path.join(root, "manifest.json"), encoding="utf-8")), os.path.isfile(os.path.join(root, "parts"))]
    q.remove_shared_asset(uri)
    shutil.rmtree(root)
    return answers


@call("ModelPackageContext", "ModelPackageContext.get_component_count", "ModelPackageContext.get_component_names", "ModelPackageContext.get_schema_version",
      "ModelPackageContext.get_variant_count", "ModelPackageContext.get_variant_ep_name", "ModelPackageContext.get_variant_names", "ModelPackageContext.resolve_string_ref")
def _(o, t):
    root = t.package(t.manifest)
    context = o.ModelPackageContext(root)
    return (context.get_component_count(), sorted(context.get_component_names()), context.get_schema_version(), context.get_variant_count("c"), sorted(context.get_variant_names("c")),
            [context.get_variant_ep_name("c", name) for name in VARIANTS], said(context.get_variant_count, "none"), said(context.get_variant_names, "none"),
            said(context.get_variant_ep_name, "c", "none"), said(context.get_variant_ep_name, "none", "fits"), said(context.resolve_string_ref, "here", root=root),
            said(context.resolve_string_ref, "../here"), said(context.resolve_string_ref, "none", None, True), said(context.resolve_string_ref, "model.onnx", root + "/here", True, root=root),
            [said(lambda manifest=manifest: o.ModelPackageContext(t.package(manifest)).get_component_count()) for manifest in WRONG],
            [said(lambda ort=ort: o.ModelPackageContext(t.package({"schema_version": "1.0", "components": {"c": {"variants": {"v": {"executor_info": {"ort": ort}}}}}})).get_component_count())
             for ort in ({"model_file": 5}, {"session_options": 5}, {"session_options": {"a": 1}}, {"provider_options": {"a": 1}}, {"session_options": {"session.enable_profiling": "1"}}, {"zz": 1})])


@call("ModelPackageContext.select_component", "ModelPackageOptions", "ModelPackageComponentContext", "ModelPackageComponentContext.create_session",
      "ModelPackageComponentContext.get_selected_variant_folder_path", "ModelPackageComponentContext.get_selected_variant_name")
def _(o, t):
    root = t.package(t.manifest)
    context, options = o.ModelPackageContext(root), o.ModelPackageOptions(o.SessionOptions())
    chosen = context.select_component("c", options)
    packed, own = chosen.create_session(), o.SessionOptions()
    own.logid = "own"
    own = chosen.create_session(own)
    settings = packed.get_session_options()
    x = np.ones(2, np.float32)

    def session_of(variant):
        return o.ModelPackageContext(t.package({"schema_version": "1.0", "components": {"c": {"variants": {"here": variant}}}})).select_component("c", options).create_session()

    return (said(chosen.get_selected_variant_name), said(chosen.get_selected_variant_folder_path, root=root), packed.run(None, {"a": x, "b": x})[0].tolist(), packed.get_providers(),
            settings.logid, settings.intra_op_num_threads, settings.get_session_config_entry("a"), own.get_session_options().logid, said(context.select_component, "d", options),
            said(context.select_component, "none", options), said(o.ModelPackageComponentContext), said(session_of, {"ep": "CPUExecutionProvider"}),
            said(session_of, {"ep": "CPUExecutionProvider", "executor_info": {"ort": {"model_file": "no.onnx"}}}),
            [said(session_of, {"ep": "CPUExecutionProvider", "executor_info": {"ort": {"model_file": "model.onnx", "session_options": {key: text}}}}) for key, text in (
                ("session.execution_mode", "1"), ("session.enable_mem_pattern", "x"), ("session.intra_op_num_threads", "x"), ("session.graph_optimization_level", "1"))])


assert CALLS
