"""The manifest of a model package: manifest.json, components in it or in files of their own, and the places that it names."""

import json
import os
import re

SCHEMA = "1.0"
_ASSET = re.compile(r"sha256:[0-9a-f]{64}")
_TEXTS = {"package": ("package_name", "package_version", "description"), "variant": ("ep", "device", "compatibility_string")}
_FIELDS = {
    "manifest": {"schema_version", "layout", "components", "shared_assets", "additional_metadata", *_TEXTS["package"]},
    "component": {"variants", "additional_metadata"},
    "variant": {"variant_directory", "executor_info", "additional_metadata", *_TEXTS["variant"]},
}


def compact(value):
    """JSON as packages are asked for it: no spaces, in the order of the file."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def pretty(value):
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def parse(text, what):
    try:
        return json.loads(text)
    except ValueError:
        raise ValueError(f"{what}: JSON parse error.") from None


def read_json(path):
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except OSError as error:
        raise type(error)(f"Cannot open file: '{path}': {error.strerror}") from None
    try:
        return json.loads(text)
    except ValueError:
        raise ValueError(f"Failed to parse JSON at '{path}'.") from None


def _check_fields(kind, label, value, strict=True):
    for field in value if strict else ():
        if field not in _FIELDS[kind]:
            raise ValueError(f"{label}: unknown field '{field}'.")


def check_variant(name, value, strict=True):
    if not isinstance(value, dict):
        raise ValueError(f"variant '{name}': expected a JSON object.")
    _check_fields("variant", f"variant '{name}'", value, strict)
    for field in _TEXTS["variant"]:
        if not isinstance(value.get(field, ""), str):
            raise ValueError(f"variant '{name}': '{field}' must be a string.")
    if not isinstance(value.get("variant_directory", ""), str):
        raise ValueError(f"variant '{name}': variant_directory must be a string.")
    if not isinstance(value.get("executor_info", {}), dict):
        raise ValueError(f"variant '{name}': executor_info must be an object.")


def check_component(name, value, strict=True):
    if not isinstance(value, dict):
        raise ValueError(f"component '{name}': value must be a string (path) or object (inline).")
    _check_fields("component", f"component '{name}'", value, strict)
    if not isinstance(value.get("variants"), dict):
        raise ValueError(f"component '{name}': missing required 'variants' object.")
    for variant, content in value["variants"].items():
        check_variant(variant, content, strict)


def resolve(base, path, layout, must_exist=True):
    """An absolute path. In the portable layout it stays below `base`."""
    if layout == "portable":
        if os.path.isabs(path):
            raise ValueError(f"ResolvePath: absolute or drive-rooted path '{path}' is not allowed in portable layout.")
        if ".." in path.replace("\\", "/").split("/"):
            raise ValueError(f"ResolvePath: '..' segments are not allowed in portable layout: '{path}'.")
    joined = os.path.join(base, path)
    if must_exist and not os.path.exists(joined):
        raise FileNotFoundError(f"ResolvePath: '{joined}' does not exist.")
    return os.path.normpath(os.path.abspath(joined))


class Manifest:
    """What a package says. `root` is None until it is written or read."""

    def __init__(self):
        self.root, self.layout, self.version = None, "portable", None
        self.texts, self.metadata, self.components, self.places, self.assets = {}, None, {}, {}, {}
        self.says_layout = True

    @classmethod
    def read(cls, root, strict=True):
        if not os.path.isdir(root):
            raise OSError(f"package_root '{root}' is not a directory.")
        self = cls()
        self.root = os.path.realpath(root)
        value = read_json(os.path.join(self.root, "manifest.json"))
        if not isinstance(value, dict):
            raise ValueError("manifest: expected a JSON object.")
        _check_fields("manifest", "manifest", value, strict)
        if "schema_version" not in value:
            raise ValueError("manifest: missing required 'schema_version'.")
        version = re.fullmatch(r"(\d+)(?:\.(\d+))?", str(value["schema_version"]))
        if version is None:
            raise ValueError("manifest: 'schema_version' must be \"major.minor\".")
        self.version = int(version[1]), int(version[2] or 0)
        if self.version[0] != 1:
            raise ValueError(f"manifest: schema_version major {self.version[0]} is not supported (this build supports major 1).")
        self._read_head(value)
        self._read_components(value, strict)
        return self

    def _read_head(self, value):
        self.says_layout = "layout" in value
        self.layout = value.get("layout", "portable")
        if self.layout not in ("portable", "installed"):
            raise ValueError("manifest: 'layout' must be 'portable' or 'installed'.")
        for field in _TEXTS["package"]:
            if field in value:
                if not isinstance(value[field], str):
                    raise ValueError(f"manifest: '{field}' must be a string.")
                self.texts[field] = value[field]
        self.metadata = value.get("additional_metadata")
        for uri, path in value.get("shared_assets", {}).items():
            if not _ASSET.fullmatch(uri):
                raise ValueError(f"manifest: shared_assets key '{uri}' is not a valid sha256:<hex> URI.")
            self.assets[uri] = resolve(self.root, path, self.layout)
        folder = os.path.join(self.root, "shared_assets")
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            uri = name.replace("sha256-", "sha256:", 1)
            if _ASSET.fullmatch(uri):
                self.assets.setdefault(uri, os.path.join(folder, name))

    def _read_components(self, value, strict):
        if "components" not in value:
            raise ValueError("manifest: missing required 'components' object.")
        if not isinstance(value["components"], dict):
            raise ValueError("manifest: 'components' must be an object.")
        for name, content in value["components"].items():
            if isinstance(content, str):
                self.places[name] = content
                path = resolve(self.root, content, self.layout)
                content = read_json(os.path.join(path, "component.json") if os.path.isdir(path) else path)
            check_component(name, content, strict)
            self.components[name] = content
        for name, content in self.components.items():
            for variant in content["variants"]:
                self.directory(name, variant)

    def component(self, name):
        if name not in self.components:
            raise FileNotFoundError(f"component '{name}' not found.")
        return self.components[name]

    def variant(self, component, name):
        variants = self.component(component)["variants"]
        if name not in variants:
            raise FileNotFoundError(f"variant '{name}' not found in component '{component}'.")
        return variants[name]

    def base(self, component):
        """The folder that a component's paths begin at."""
        root = self.root or os.getcwd()
        if component not in self.places:
            return root
        path = os.path.join(root, self.places[component])
        return path if os.path.isdir(path) else os.path.dirname(path)

    def directory(self, component, name):
        """A variant's folder: the one it names, else one of its own name, else None."""
        given = self.variant(component, name).get("variant_directory")
        base = self.base(component)
        if given is not None:
            return resolve(base, given, self.layout)
        own = os.path.join(base, name)
        return own if os.path.isdir(own) else None

    def executor_info(self, component, name):
        """Texts by namespace; of a file its content, or nothing where there is none."""
        texts = {}
        folder = self.directory(component, name) or self.base(component)
        for key, value in self.variant(component, name).get("executor_info", {}).items():
            if not isinstance(value, str):
                texts[key] = compact(value)
                continue
            try:
                with open(os.path.join(folder, value), encoding="utf-8") as file:
                    texts[key] = file.read()
            except OSError:
                texts[key] = ""
        return texts

    def to_json(self):
        value = {"schema_version": ".".join(map(str, self.version)) if self.version else SCHEMA}
        if self.says_layout:
            value["layout"] = self.layout
        value["components"] = {name: self.places.get(name, content) for name, content in self.components.items()}
        value |= self.texts
        if self.metadata is not None:
            value["additional_metadata"] = self.metadata
        return value
