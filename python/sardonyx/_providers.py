"""Reading the `providers` argument of a session."""

import warnings


def _entry(item, options):
    if isinstance(item, str):
        name, own = item, options
    elif isinstance(item, (tuple, list)) and len(item) == 2 and isinstance(item[0], str) and isinstance(item[1], dict):
        name, own = item
        if options:
            raise ValueError(f"provider {name} has options both in `providers` and in `provider_options`")
    else:
        raise ValueError(f"'providers' values must be either strings or (string, dict) tuples; {item!r} is neither")
    if not isinstance(own, dict):
        raise ValueError(f"the options of provider {name} are {own!r}; a dict is wanted")
    return name, {str(key): str(value) for key, value in own.items()}


def chosen(providers, provider_options, available):
    """The same as normalized(), with a warning and the CPU alone where the arguments make no sense."""
    try:
        return normalized(providers, provider_options, available)
    except ValueError as error:
        warnings.warn(f"{error}. Falling back to ['CPUExecutionProvider'].", stacklevel=4)
        return [("CPUExecutionProvider", {})]


def normalized(providers, provider_options, available):
    """A list of (name, options) in order of priority; unknown names are warned about and left out, the CPU comes last."""
    if isinstance(providers, str):
        providers = [providers]
    providers = list(providers or ())
    provider_options = list(provider_options or [{}] * len(providers))
    if len(providers) != len(provider_options):
        raise ValueError(f"{len(providers)} 'providers' and {len(provider_options)} 'provider_options' are given; as many are wanted")
    entries = {}
    for item, options in zip(providers, provider_options, strict=True):
        name, options = _entry(item, options)
        if name not in available:
            warnings.warn(
                f"Specified provider '{name}' is not in available provider names. Available providers: '{', '.join(available)}'",
                stacklevel=5,
            )
        elif name in entries:
            warnings.warn(f"Duplicate provider '{name}' encountered, ignoring.", stacklevel=5)
        else:
            entries[name] = options
    entries.setdefault("CPUExecutionProvider", {})
    return list(entries.items())


def check_and_normalize_provider_args(providers, provider_options, available_provider_names):
    """onnxruntime's helper of that name: ([names], [options])."""
    if providers is None:
        return [], []
    entries = normalized(providers, provider_options, available_provider_names)
    return [name for name, _ in entries], [options for _, options in entries]
