"""Parts of onnxruntime's package that are not here yet: whoever asks for a name in one is told what to use instead."""


def refuse(module, advice):
    """A module's __getattr__ that raises NotImplementedError."""

    def missing(name):
        if name.startswith("__"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        raise NotImplementedError(f"{module}.{name} is not in Sardonyx yet: {advice}")

    return missing
