"""Model packages: folders with variants of models for several devices, read, made and changed."""

import os

from . import _manifest
from ._enums import ModelPackageWriteMode


def directory_hash(folder):
    """sha256 of what sha256sum would say of every file: sorted by path, `hex  path` and a line end each."""
    import hashlib  # here: few need it, and it takes time to load

    if not os.path.isdir(folder):
        raise FileNotFoundError(f"ComputeDirectoryAssetUri: '{folder}' is not a directory.")
    files = []
    for root, _, names in os.walk(folder):
        files += [os.path.relpath(os.path.join(root, name), folder).replace(os.sep, "/") for name in names]
    lines = hashlib.sha256()
    for name in sorted(files):
        with open(os.path.join(folder, name), "rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest() if hasattr(hashlib, "file_digest") else hashlib.sha256(file.read()).hexdigest()
        lines.update(f"{content}  {name}\n".encode())
    return "sha256:" + lines.hexdigest()


class ModelPackage:
    """Reads, makes and changes a model package. What is changed is on disk after commit.

    ValueError, FileNotFoundError or RuntimeError say what is wrong with a name, a text of JSON or a place.
    """

    def __init__(self):
        self._open, self._manifest = True, _manifest.Manifest()

    @property
    def _m(self):
        if not self._open:
            raise ValueError("Model package is closed.")
        return self._manifest

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    @staticmethod
    def open(package_root, allow_external_paths=False, follow_symlinks=True, strict_unknown_fields=True):
        """The package in a folder."""
        package = ModelPackage()
        package._manifest = _manifest.Manifest.read(package_root, strict_unknown_fields)
        return package

    @staticmethod
    def compute_directory_hash(source_dir):
        """The name that a folder has as a shared asset: "sha256:" and a digest of its files and their names."""
        return directory_hash(source_dir)

    def close(self):
        """Forgets the package; what was not committed is lost."""
        self._open = False

    def get_info(self):
        """What the package says, as a dict; texts of JSON stay texts."""
        m = self._m

        def metadata_of(value):
            return None if value is None else _manifest.compact(value)

        def variant(component, name):
            value = m.variant(component, name)
            return {"name": name, "variant_directory": m.directory(component, name), **{k: value.get(k) for k in ("ep", "device", "compatibility_string")},
                    "additional_metadata_json": metadata_of(value.get("additional_metadata")), "executor_info": m.executor_info(component, name)}

        major, minor = m.version or (0, 0)
        components = [{"name": name, "additional_metadata_json": metadata_of(value.get("additional_metadata")),
                       "variants": [variant(name, v) for v in value["variants"]]} for name, value in m.components.items()]
        return {"schema_version_major": major, "schema_version_minor": minor, **{k: m.texts.get(k) for k in ("package_name", "package_version", "description")},
                "layout": m.layout, "additional_metadata_json": metadata_of(m.metadata), "components": components,
                "shared_assets": [{"uri": uri, "resolved_path": path} for uri, path in m.assets.items()]}

    def set_metadata(self, name=None, version=None, description=None):
        """The package's name, version and description; None leaves one as it is."""
        for key, value in (("package_name", name), ("package_version", version), ("description", description)):
            if value is not None:
                self._m.texts[key] = value

    def set_layout(self, layout):
        """"portable": every place is below the package's folder. "installed": places may be anywhere."""
        if layout not in ("portable", "installed"):
            raise ValueError("SetLayout: layout must be 'portable' or 'installed'.")
        self._m.layout, self._m.says_layout = layout, True

    def set_component_inline(self, name, component_json):
        """A component, as JSON: {"variants": {name: {...}}}."""
        value = _manifest.parse(component_json, f"component '{name}'")
        _manifest.check_component(name, value)
        m, before = self._m, self._m.components.get(name)
        m.components[name] = value
        try:
            for variant in value["variants"]:
                m.directory(name, variant)
        except Exception:
            m.components.pop(name) if before is None else m.components.update({name: before})
            raise
        m.places.pop(name, None)

    def set_component_external(self, name, path):
        """A component that stands in a file of its own, below the package's folder."""
        m = self._m
        if m.root is None:
            raise RuntimeError("SetComponentExternal requires a package_root (use open, or commit with a dest_root first).")
        _manifest.resolve(m.root, path, m.layout, must_exist=False)
        m.places[name] = path
        m.components.setdefault(name, {"variants": {}})

    def remove_component(self, name):
        self._m.components.pop(name, None)
        self._m.places.pop(name, None)

    def get_component_json(self, component_name):
        return _manifest.compact(self._m.component(component_name))

    def set_variant(self, component_name, variant_name, variant_json):
        """A variant of a component that exists, as JSON."""
        if component_name not in self._m.components:
            raise FileNotFoundError(f"SetVariant: component '{component_name}' not found.")
        value = _manifest.parse(variant_json, f"variant '{variant_name}'")
        _manifest.check_variant(variant_name, value)
        self._m.components[component_name]["variants"][variant_name] = value

    def remove_variant(self, component_name, variant_name):
        self._m.component(component_name)["variants"].pop(variant_name, None)

    def get_variant_json(self, component_name, variant_name):
        return _manifest.compact(self._m.variant(component_name, variant_name))

    def set_variant_executor_info_inline(self, component_name, variant_name, namespace_key, info_json):
        """What one executor needs to know, as JSON; the namespace "ort" is this package's and onnxruntime's."""
        value = _manifest.parse(info_json, "executor_info")
        self._m.variant(component_name, variant_name).setdefault("executor_info", {})[namespace_key] = value

    def set_variant_executor_info_external(self, component_name, variant_name, namespace_key, path):
        """The same in a file, by its path in the variant's folder."""
        self._m.variant(component_name, variant_name).setdefault("executor_info", {})[namespace_key] = path

    def remove_variant_executor_info(self, component_name, variant_name, namespace_key):
        value = self._m.variant(component_name, variant_name)
        value.get("executor_info", {}).pop(namespace_key, None)
        if not value.get("executor_info", True):
            del value["executor_info"]

    def set_additional_metadata_json(self, scope, component_name=None, variant_name=None, json=None):
        """JSON of anybody's for the "manifest", a "component" or a "variant"; None removes it."""
        if scope not in ("manifest", "component", "variant"):
            raise ValueError("SetAdditionalMetadataJson: scope must be 'manifest', 'component', or 'variant'.")
        if scope == "component" and variant_name is not None:
            raise ValueError("SetAdditionalMetadataJson: 'component' scope takes no variant.")
        if scope != "manifest" and component_name is None:
            raise ValueError("model_package: 'component' must not be null.")
        if scope == "variant" and variant_name is None:
            raise ValueError("model_package: 'variant' must not be null.")
        value = None if json is None else _manifest.parse(json, "additional_metadata")
        if scope == "manifest":
            self._m.metadata = value
            return
        holder = self._m.component(component_name) if scope == "component" else self._m.variant(component_name, variant_name)
        holder.pop("additional_metadata", None)
        if value is not None:
            holder["additional_metadata"] = value

    def add_shared_asset(self, source_dir, expected_uri=None, copy_in=True):
        """Adds a folder under the name of its digest, and returns that name. commit copies it."""
        if not os.path.isdir(source_dir):
            raise FileNotFoundError(f"AddSharedAsset: '{source_dir}' is not a directory.")
        if not copy_in and self._m.layout == "portable":
            raise RuntimeError("AddSharedAsset: copy_in=false rejected in portable layout (the path would point outside <package_root>).")
        uri = directory_hash(source_dir)
        if expected_uri is not None and expected_uri != uri:
            raise RuntimeError(f"AddSharedAsset: hash mismatch: computed {uri}, expected {expected_uri}.")
        self._m.assets[uri] = source_dir
        return uri

    def remove_shared_asset(self, uri):
        self._m.assets.pop(uri, None)

    def prune(self):
        """Removes nothing: assets are named by nobody but their users."""
        self._m  # noqa: B018 (an error where the package is closed)

    def resolve_asset_uri(self, uri):
        """The folder of a shared asset."""
        if uri not in self._m.assets:
            raise FileNotFoundError(f"Asset URI not declared in this package: '{uri}'.")
        return self._m.assets[uri]

    def resolve_string_ref(self, string_ref, base_dir=None, must_exist=False):
        """The absolute path of a place that the package names."""
        base = base_dir if base_dir is not None else self._m.root or os.getcwd()
        return _manifest.resolve(base, string_ref, self._m.layout, must_exist)

    def commit(self, dest_root=None, mode=ModelPackageWriteMode.PRESERVE):
        """Writes the package: where it was read, or into a folder that is empty or not there. DENSE goes on with what was written."""
        import shutil

        m = self._m
        if dest_root is None and m.root is None:
            raise RuntimeError("Commit: package has no package_root. Use dest_root variant.")
        root = m.root if dest_root is None else os.path.abspath(dest_root)
        if dest_root is not None and os.path.isdir(root) and os.listdir(root):
            raise RuntimeError(f"Commit dest_root '{dest_root}' is not empty.")
        os.makedirs(root, exist_ok=True)
        written = {}
        for uri, source in m.assets.items():
            target = os.path.join(root, "shared_assets", uri.replace(":", "-", 1))
            if os.path.realpath(source) != os.path.realpath(target):
                shutil.copytree(source, target, dirs_exist_ok=True)
            written[uri] = target
        for name, place in m.places.items():
            path = os.path.join(root, place)
            os.makedirs(os.path.dirname(path) or root, exist_ok=True)
            with open(os.path.join(path, "component.json") if os.path.isdir(path) else path, "w", encoding="utf-8") as file:
                file.write(_manifest.pretty(m.components[name]))
        with open(os.path.join(root, "manifest.json"), "w", encoding="utf-8") as file:
            file.write(_manifest.pretty(m.to_json()))
        if dest_root is not None and mode == ModelPackageWriteMode.DENSE:
            m.root, m.assets = root, written
        if m.root == root or mode == ModelPackageWriteMode.DENSE:
            for name in m.components:
                for variant in m.components[name]["variants"]:
                    m.directory(name, variant)
