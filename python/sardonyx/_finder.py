"""The import system's part of the shim: onnxruntime's modules are this package's."""

import importlib
import importlib.abc
import importlib.machinery
import importlib.metadata
import importlib.util
import os

from . import _native

_OLD, _NEW = "onnxruntime", "sardonyx"


class _Loader(importlib.abc.Loader):
    def __init__(self, name):
        self._name = name

    def create_module(self, spec):
        module = importlib.import_module(self._name)
        self._kept = module.__spec__, module.__name__
        return module

    def exec_module(self, module):
        module.__spec__, _ = self._kept  # the import system has put the alias's there


class Finder(importlib.abc.MetaPathFinder):
    """Finds onnxruntime and its modules in this package."""

    def find_spec(self, name, path=None, target=None):
        if name != _OLD and not name.startswith(_OLD + "."):
            return None
        own = _NEW + name[len(_OLD) :]
        try:
            found = importlib.util.find_spec(own)
        except ModuleNotFoundError:
            found = None
        if found is None:
            return None  # nobody else finds it either: the package's path is Sardonyx's
        folders = found.submodule_search_locations
        spec = importlib.machinery.ModuleSpec(name, _Loader(own), origin=found.origin, is_package=folders is not None)
        if folders is not None:
            spec.submodule_search_locations = list(folders)
        return spec


class _Distribution(importlib.metadata.Distribution):
    """What importlib.metadata says of the package onnxruntime."""

    def read_text(self, filename):
        if filename != "METADATA":
            return None
        return f"Metadata-Version: 2.1\nName: onnxruntime\nVersion: {_native.api_version()}\nSummary: Sardonyx in onnxruntime's place\n"

    def locate_file(self, path):
        return os.path.join(os.path.dirname(os.path.dirname(__file__)), path)


class DistributionFinder(importlib.metadata.DistributionFinder):
    def find_spec(self, name, path=None, target=None):
        return None

    def find_distributions(self, context=importlib.metadata.DistributionFinder.Context()):  # noqa: B008
        return [_Distribution()] if context.name in (_OLD, None) else []
