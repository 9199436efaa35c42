"""Every version of every operator that the onnx package describes."""
import onnx

NEWEST = {"": 28, "ai.onnx.ml": 5, "ai.onnx.preview": 1, "ai.onnx.preview.training": 1}


def versions():
    """(schema, the last opset at which it is in force)."""
    schemas = sorted((s for s in onnx.defs.get_all_schemas_with_history() if s.domain in NEWEST),
                     key=lambda s: (s.domain, s.name, s.since_version))
    for s, after in zip(schemas, [*schemas[1:], None], strict=True):
        same = after is not None and (after.domain, after.name) == (s.domain, s.name)
        yield s, after.since_version - 1 if same else NEWEST[s.domain]
