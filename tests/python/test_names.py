"""Every public name of onnxruntime's package, with its parameters and defaults: read from the package itself."""

import ast
import importlib
import inspect
import pathlib
import re

import onnxruntime
import pytest
import sardonyx
from onnxruntime.capi import onnxruntime_inference_collection as their_collection
from onnxruntime.capi import onnxruntime_pybind11_state as their_state
from sardonyx.capi import onnxruntime_inference_collection as our_collection
from sardonyx.capi import onnxruntime_pybind11_state as our_state

PAIRS = {"": (onnxruntime, sardonyx), "collection.": (their_collection, our_collection), "state.": (their_state, our_state)}
# Of the inner modules: what is no part of the interface.
NOT_OURS = {
    "state.": set("SessionObjectInitializer get_session_initializer get_all_operator_schema get_all_opkernel_def opkernel schemadef "
                  "get_registered_ep_kernel_defs get_compatibility_info_from_model get_compatibility_info_from_model_bytes "
                  "get_hardware_device_ep_incompatibility_details get_model_compatibility_for_ep_devices "
                  "pack_fp4_weights_for_cuda_moe_gemm ModelCompiler AdapterFormat".split()),
    "collection.": set("Any C Callable GetInitializerLocationFunc GetInitializerLocationWrapperFunc IntEnum Sequence annotations "
                       "collections np os typing warnings weakref".split()),
}


def public(thing):
    return [name for name in dir(thing) if not name.startswith("_")]


def all_names():
    for prefix, (theirs, _) in PAIRS.items():
        for name in public(theirs):
            if name in NOT_OURS.get(prefix, ()) or (prefix == "state." and name.startswith("quantize_")):
                continue
            yield prefix + name


def parameters(function):
    """[(name or None where it cannot be used, default or inspect.Parameter.empty)], or None where overloaded."""
    try:
        found = inspect.signature(function)
    except (ValueError, TypeError):
        return from_doc(function.__doc__ or "")
    return [(None if p.kind == p.POSITIONAL_ONLY and p.name != "self" else p.name, p.default) for p in found.parameters.values()]


def from_doc(doc):
    match = re.match(r"\w+\((.*)\)(?: ->.*)?", doc.split("\n")[0])
    if match is None or "*args" in match[1]:
        return None
    depth, parts = 0, [""]
    for letter in match[1]:
        depth += (letter in "[(<") - (letter in "])>")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    found = []
    for part in filter(None, (part.strip() for part in parts)):
        name, _, default = part.partition(" = ")
        name = name.partition(":")[0]
        if name != "/":
            found.append((None if re.fullmatch(r"arg\d*", name) else name, default or inspect.Parameter.empty))
    return found


def same_default(theirs, ours):
    empty = inspect.Parameter.empty
    if theirs is empty or ours is empty:
        return theirs is ours
    return str(theirs) in (str(ours), repr(ours))


def check_parameters(path, theirs, ours):
    wanted, found = parameters(theirs), parameters(ours)
    if wanted is None or found is None:  # overloaded, or native: called in test_beside_onnxruntime.py
        return
    wanted = [p for p in wanted if p[0] != "self"]
    found = [p for p in found if p[0] != "self"]
    assert len(found) == len(wanted), f"{path}: parameters {found}, onnxruntime has {wanted}"
    for (name, default), (own_name, own_default) in zip(wanted, found, strict=True):
        assert name is None or name == own_name, f"{path}: the parameter is {own_name}, onnxruntime has {name}"
        assert same_default(default, own_default), f"{path}: {name} defaults to {own_default!r}, onnxruntime has {default!r}"


@pytest.mark.parametrize("path", list(all_names()))
def test_a_name_is_there_with_its_parameters(path):
    prefix, _, name = path.rpartition(".")
    theirs, ours = (getattr(module, name) for module in PAIRS[prefix + "." if prefix else ""])
    if not inspect.isclass(theirs):
        assert callable(theirs) == callable(ours)
        if callable(theirs) and not inspect.ismodule(theirs):
            check_parameters(path, theirs, ours)
        return
    assert inspect.isclass(ours) and ours.__name__ == theirs.__name__
    if prefix == "state" and name in ("InferenceSession", "OrtValue"):
        return  # inner classes: the public ones are in the package
    for member in public(theirs):
        value = getattr(theirs, member)
        assert hasattr(ours, member) or member in ("denominator",), f"{path}.{member} is missing"
        if isinstance(value, theirs):  # a member of an enumeration
            assert (getattr(ours, member).name, getattr(ours, member).value) == (value.name, value.value)
        elif inspect.isroutine(value) and not issubclass(theirs, (int, BaseException)):
            check_parameters(f"{path}.{member}", value, getattr(ours, member))
    if "__init__" in vars(theirs) and inspect.isfunction(theirs.__init__):
        check_parameters(path, theirs.__init__, ours.__init__)


def test_enumerations_behave_as_numbers_with_names():
    for package in (onnxruntime, sardonyx):
        kind = package.GraphOptimizationLevel
        level = kind.ORT_ENABLE_ALL
        assert level == 99 and int(level) == 99 and hash(level) == 99 and level == kind(99) and level != kind(1)
        assert str(level) == "GraphOptimizationLevel.ORT_ENABLE_ALL" and repr(level) == "<GraphOptimizationLevel.ORT_ENABLE_ALL: 99>"
        assert kind(5).name == "???" and list(kind.__members__) == [f"ORT_{word}" for word in
                                                                    "DISABLE_ALL ENABLE_BASIC ENABLE_EXTENDED ENABLE_LAYOUT ENABLE_ALL".split()]
        assert package.OrtMemType.CPU == package.OrtMemType.CPU_OUTPUT
        with pytest.raises(TypeError):
            kind("ORT_ENABLE_ALL")


@pytest.mark.parametrize("module", ["quantization", "transformers", "tools"])
def test_parts_that_are_not_here_say_what_to_use(module):
    with pytest.raises(NotImplementedError, match=f"sardonyx.{module}.something is not in Sardonyx yet: "):
        _ = importlib.import_module(f"sardonyx.{module}").something


def test_help_says_shapes_types_and_errors():
    text = inspect.getdoc(sardonyx.InferenceSession.run)
    assert all(word in text for word in ("dtype and shape", "ValueError", "InvalidArgument", "list of arrays"))
    undocumented = [f"{name}.{member}" for name in ("InferenceSession", "IOBinding", "OrtValue", "SparseTensor")
                    for member, value in vars(getattr(sardonyx, name)).items()
                    if inspect.isfunction(value) and not member.startswith("_") and len(inspect.signature(value).parameters) > 1
                    and not value.__doc__]
    assert not undocumented


def test_the_stub_has_every_name():
    tree = ast.parse(pathlib.Path(sardonyx.__file__).with_suffix(".pyi").read_text())
    stub = {node.name: node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    stub |= {node.target.id: node for node in tree.body if isinstance(node, ast.AnnAssign)}
    assert set(sardonyx.__all__) - set(stub) == set()
    for name, node in stub.items():
        kind = getattr(sardonyx, name)
        if isinstance(node, ast.ClassDef):
            said = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
            said |= {part.target.id for part in node.body if isinstance(part, ast.AnnAssign)}
            said |= {target.id for part in node.body if isinstance(part, ast.Assign) for target in part.targets}
            assert {member for member in public(kind) if not hasattr(int, member)} - said == set(), name
        elif isinstance(node, ast.FunctionDef):
            own = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
            assert own == list(inspect.signature(kind).parameters), name
