"""What onnxruntime's package checks when it is imported."""

from .._environment import get_version_string


def check_distro_info():
    """Does nothing: every Linux with glibc will do."""


def check_training_module():
    """(False, "onnxruntime", its version): there is no training here."""
    return False, "onnxruntime", get_version_string()


def get_package_name_and_version_info():
    """(name of the package, version of its interface, version of CUDA)."""
    return "onnxruntime", get_version_string(), ""
