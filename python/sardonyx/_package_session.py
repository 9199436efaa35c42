"""Sessions of model packages: the variants for the CPU."""

import os

from . import _manifest
from ._enums import ExecutionMode, GraphOptimizationLevel
from ._errors import CLASSES

_CPU = "CPUExecutionProvider"


class ModelPackageOptions:
    """What chooses a variant: the session options' providers, else the CPU."""

    def __init__(self, sess_options):
        chosen = [name for name, _ in getattr(sess_options, "_providers", None) or ()]
        self._provider = chosen[0] if chosen else _CPU


def _flag(key, text):
    if text.lower() not in ("0", "1", "true", "false"):
        raise CLASSES["InvalidArgument"](f"[ONNXRuntimeError] : 2 : INVALID_ARGUMENT : value for '{key}' must be a boolean "
                                         f"('0'/'1' or 'true'/'false'); got '{text}'")
    return text.lower() in ("1", "true")


def _number(key, text):
    try:
        return int(text, 10)
    except ValueError:
        raise CLASSES["InvalidArgument"](f"[ONNXRuntimeError] : 2 : INVALID_ARGUMENT : value for '{key}' must be a base-10 int32; got '{text}'") from None


def _one_of(**choices):
    def choose(key, text):
        if text not in choices:
            raise CLASSES["InvalidArgument"](f"[ONNXRuntimeError] : 2 : INVALID_ARGUMENT : value for '{key}' must be one of "
                                             f"{'/'.join(choices)}; got '{text}'")
        return choices[text]
    return choose


# Entries of a package that are attributes of SessionOptions.
_ATTRIBUTES = {
    "session.log_id": ("logid", lambda key, text: text), "session.log_severity_level": ("log_severity_level", _number),
    "session.log_verbosity_level": ("log_verbosity_level", _number), "session.intra_op_num_threads": ("intra_op_num_threads", _number),
    "session.inter_op_num_threads": ("inter_op_num_threads", _number), "session.enable_mem_pattern": ("enable_mem_pattern", _flag),
    "session.enable_cpu_mem_arena": ("enable_cpu_mem_arena", _flag), "session.use_deterministic_compute": ("use_deterministic_compute", _flag),
    "session.execution_mode": ("execution_mode", _one_of(sequential=ExecutionMode.ORT_SEQUENTIAL, parallel=ExecutionMode.ORT_PARALLEL)),
    "session.graph_optimization_level": ("graph_optimization_level", _one_of(
        disable_all=GraphOptimizationLevel.ORT_DISABLE_ALL, enable_basic=GraphOptimizationLevel.ORT_ENABLE_BASIC,
        enable_extended=GraphOptimizationLevel.ORT_ENABLE_EXTENDED, enable_layout=GraphOptimizationLevel.ORT_ENABLE_LAYOUT,
        enable_all=GraphOptimizationLevel.ORT_ENABLE_ALL)),
}
_REFUSED = ("session.enable_profiling", "session.optimized_model_filepath")


def _configuration(component, variant, text):
    """The checked content of executor_info["ort"]."""
    where = f"for variant '{variant}' in component '{component}'"
    value = _manifest.parse(text, f'executor_info["ort"] {where}')
    if not isinstance(value, dict):
        raise ValueError(f"ORT variant configuration must be a JSON object {where}")
    if not isinstance(value.get("model_file", ""), str):
        raise ValueError(f"ORT variant configuration: model_file must be a string {where}")
    for field in ("session_options", "provider_options"):
        entries = value.get(field, {})
        if not isinstance(entries, dict):
            raise ValueError(f"ORT variant configuration: '{field}' must be a JSON object {where}")
        if not all(isinstance(entry, str) for entry in entries.values()):
            raise ValueError(f"ORT variant configuration: '{field}' entries must be strings {where}")
    for key in _REFUSED:
        if key in value.get("session_options", {}):
            raise ValueError(f"ORT variant configuration: '{key}' cannot be set in model package session options {where}")
    return value


class ModelPackageContext:
    """An existing package, to run a variant of it. RuntimeError says what is wrong with it."""

    def __init__(self, package_root):
        self._configurations = {}
        try:
            self._m = _manifest.Manifest.read(package_root)
            for component, value in self._m.components.items():
                for variant in value["variants"]:
                    texts = self._m.executor_info(component, variant)
                    if texts.get("ort"):
                        self._configurations[component, variant] = _configuration(component, variant, texts["ort"])
        except (OSError, ValueError) as error:
            raise RuntimeError(f"Failed to open model package at '{package_root}': {error}") from None

    def get_schema_version(self):
        """The major version of the package's format."""
        return self._m.version[0]

    def get_component_count(self):
        return len(self._m.components)

    def get_component_names(self):
        return list(self._m.components)

    def _variants(self, component_name):
        if component_name not in self._m.components:
            raise RuntimeError(f"Component model not found: {component_name}")
        return self._m.components[component_name]["variants"]

    def get_variant_count(self, component_name):
        return len(self._variants(component_name))

    def get_variant_names(self, component_name):
        return list(self._variants(component_name))

    def get_variant_ep_name(self, component_name, variant_name):
        """The provider that a variant is for, or None."""
        variants = self._variants(component_name)
        if variant_name not in variants:
            raise RuntimeError(f"Variant '{variant_name}' not found in component '{component_name}'.")
        return variants[variant_name].get("ep")

    def resolve_string_ref(self, string_ref, base_dir=None, must_exist=False):
        """The absolute path of a place that the package names."""
        try:
            return _manifest.resolve(self._m.root if base_dir is None else base_dir, string_ref, self._m.layout, must_exist)
        except (OSError, ValueError) as error:
            raise RuntimeError(f"Failed to resolve '{string_ref}' in model package: {error}") from None

    def select_component(self, component_name, options):
        """The component's first variant for the provider that the options name, on a CPU."""
        if component_name not in self._m.components:
            raise RuntimeError("Component model not found.")
        for name, value in self._variants(component_name).items():
            if value.get("ep") == options._provider and value.get("device", "cpu").lower() == "cpu":
                made = ModelPackageComponentContext.__new__(ModelPackageComponentContext)
                made._component, made._name = component_name, name
                made._folder = self._m.directory(component_name, name) or self._m.base(component_name)
                made._configuration = self._configurations.get((component_name, name), {})
                return made
        raise RuntimeError("No suitable model variant found for the configured execution providers.")


class ModelPackageComponentContext:
    """A chosen variant, from ModelPackageContext.select_component."""

    def __init__(self, *args, **kwargs):
        raise TypeError("ModelPackageComponentContext: no constructor; ModelPackageContext.select_component makes them")

    def get_selected_variant_name(self):
        return self._name

    def get_selected_variant_folder_path(self):
        return self._folder

    def create_session(self, sess_options=None):
        """A session of the variant's model. The package's session options count where none are given."""
        from ._options import SessionOptions
        from ._session import InferenceSession

        if not self._configuration.get("model_file"):
            raise CLASSES["Fail"](f"[ONNXRuntimeError] : 1 : FAIL : Selected variant '{self._name}' has no executor_info[\"ort\"][\"model_file\"]. "
                                  f"Component: {self._component}")
        if sess_options is None:
            sess_options = SessionOptions()
            for key, text in self._configuration.get("session_options", {}).items():
                attribute, read = _ATTRIBUTES.get(key, (None, None))
                if attribute is None:
                    sess_options.add_session_config_entry(key, text)
                else:
                    setattr(sess_options, attribute, read(key, text))
        return InferenceSession(os.path.join(self._folder, self._configuration["model_file"]), sess_options, providers=[_CPU])
