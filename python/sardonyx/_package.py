"""Model packages: folders with variants of a model for several devices. Their names exist; reading and writing them is not built yet."""

from ._enums import ModelPackageWriteMode
from ._errors import CLASSES


def _refuse(what):
    raise CLASSES["NotImplemented"](
        f"[ONNXRuntimeError] : 9 : NOT_IMPLEMENTED : {what}: model packages are not supported; load the variant's .onnx file with "
        "InferenceSession")


class ModelPackage:
    """Writes model packages. Every method but the constructor and close raises NotImplemented."""

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    @staticmethod
    def open(package_root, allow_external_paths=False, follow_symlinks=True, strict_unknown_fields=True):
        _refuse(f"ModelPackage.open({package_root!r})")

    @staticmethod
    def compute_directory_hash(source_dir):
        _refuse(f"ModelPackage.compute_directory_hash({source_dir!r})")

    def close(self):
        """Does nothing: nothing is open."""

    def add_shared_asset(self, source_dir, expected_uri=None, copy_in=True):
        _refuse("ModelPackage.add_shared_asset")

    def commit(self, dest_root=None, mode=ModelPackageWriteMode.PRESERVE):
        _refuse("ModelPackage.commit")

    def get_component_json(self, component_name):
        _refuse("ModelPackage.get_component_json")

    def get_info(self):
        _refuse("ModelPackage.get_info")

    def get_variant_json(self, component_name, variant_name):
        _refuse("ModelPackage.get_variant_json")

    def prune(self):
        _refuse("ModelPackage.prune")

    def remove_component(self, name):
        _refuse("ModelPackage.remove_component")

    def remove_shared_asset(self, uri):
        _refuse("ModelPackage.remove_shared_asset")

    def remove_variant(self, component_name, variant_name):
        _refuse("ModelPackage.remove_variant")

    def remove_variant_executor_info(self, component_name, variant_name, namespace_key):
        _refuse("ModelPackage.remove_variant_executor_info")

    def resolve_asset_uri(self, uri):
        _refuse("ModelPackage.resolve_asset_uri")

    def resolve_string_ref(self, string_ref, base_dir=None, must_exist=False):
        _refuse("ModelPackage.resolve_string_ref")

    def set_additional_metadata_json(self, scope, component_name=None, variant_name=None, json=None):
        _refuse("ModelPackage.set_additional_metadata_json")

    def set_component_external(self, name, path):
        _refuse("ModelPackage.set_component_external")

    def set_component_inline(self, name, component_json):
        _refuse("ModelPackage.set_component_inline")

    def set_layout(self, layout):
        _refuse("ModelPackage.set_layout")

    def set_metadata(self, name=None, version=None, description=None):
        _refuse("ModelPackage.set_metadata")

    def set_variant(self, component_name, variant_name, variant_json):
        _refuse("ModelPackage.set_variant")

    def set_variant_executor_info_external(self, component_name, variant_name, namespace_key, path):
        _refuse("ModelPackage.set_variant_executor_info_external")

    def set_variant_executor_info_inline(self, component_name, variant_name, namespace_key, info_json):
        _refuse("ModelPackage.set_variant_executor_info_inline")


class ModelPackageOptions:
    """What chooses a variant: the session options' providers."""

    def __init__(self, sess_options):
        self._options = sess_options


class ModelPackageContext:
    """An existing package. The constructor raises NotImplemented."""

    def __init__(self, package_root):
        _refuse(f"ModelPackageContext({package_root!r})")

    def get_component_count(self):
        _refuse("ModelPackageContext.get_component_count")

    def get_component_names(self):
        _refuse("ModelPackageContext.get_component_names")

    def get_schema_version(self):
        _refuse("ModelPackageContext.get_schema_version")

    def get_variant_count(self, component_name):
        _refuse("ModelPackageContext.get_variant_count")

    def get_variant_ep_name(self, component_name, variant_name):
        _refuse("ModelPackageContext.get_variant_ep_name")

    def get_variant_names(self, component_name):
        _refuse("ModelPackageContext.get_variant_names")

    def resolve_string_ref(self, string_ref, base_dir=None, must_exist=False):
        _refuse("ModelPackageContext.resolve_string_ref")

    def select_component(self, component_name, options):
        _refuse("ModelPackageContext.select_component")


class ModelPackageComponentContext:
    """A chosen variant, from ModelPackageContext.select_component."""

    def __init__(self, *args, **kwargs):
        raise TypeError("ModelPackageComponentContext: no constructor; ModelPackageContext.select_component makes them")

    def create_session(self, sess_options=None):
        _refuse("ModelPackageComponentContext.create_session")

    def get_selected_variant_folder_path(self):
        _refuse("ModelPackageComponentContext.get_selected_variant_folder_path")

    def get_selected_variant_name(self):
        _refuse("ModelPackageComponentContext.get_selected_variant_name")
