"""The generators: operator to a function that draws one case."""
GENERATORS = {}


def sweep(*names, domain=""):
    """Registers a generator for operators; with several names it is called as generator(draw, name)."""

    def register(function):
        for name in names:
            assert (domain, name) not in GENERATORS, name
            GENERATORS[domain, name] = function if len(names) == 1 else (lambda draw, name=name: function(draw, name))
        return function

    return register
