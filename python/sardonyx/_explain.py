"""Why models run as they do: what the command line tool's explain, passes and operators say, as Python data."""

import json

from . import _native
from ._options import SessionOptions
from ._session import InferenceSession


def explain(model, sess_options=None, providers=None, provider_options=None):
    """Where each node of a model went and why not elsewhere, and what each pass rewrote, as a dict.

    `model`: a path, bytes, or an InferenceSession, which is explained as it is. The keys, as SdxApi's explain says them: "graph", "providers",
    "statistics", "passes", "rewrites", "declined" (rewrites that nearly happened; not those of a session that was made without asking
    for them by the config entry sardonyx.explain = 1), "steps" and "memory".
    """
    if isinstance(model, InferenceSession):
        if sess_options is not None or providers is not None or provider_options is not None:
            raise ValueError("a session is explained as it was made: options and providers are of a path or bytes")
        return json.loads(model._sess.explain())
    options = SessionOptions() if sess_options is None else sess_options
    if not isinstance(options, SessionOptions):
        raise TypeError(f"sess_options is {type(options)}; a SessionOptions is wanted")
    return json.loads(InferenceSession(model, _keeping_declines(options), providers, provider_options)._sess.explain())


def _keeping_declines(options):
    kept = options._copy()
    kept.add_session_config_entry("sardonyx.explain", "1")
    return kept


def passes():
    """Every rewrite of graphs that the library knows, in order: a list of {"pass", "level", "exactness", "sentence"}."""
    return json.loads(_native.passes())


def operators():
    """Every operator that the library runs: a list of {"domain", "op", "since", "newest", "kind", "kernels", "types", ...}."""
    return json.loads(_native.operators())
