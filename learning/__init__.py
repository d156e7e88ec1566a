"""For programs that learn to play: games as environments, and thousands of matches at once."""

from importlib.util import find_spec

from runners.extras import how_to_install

EXTRA = "learning"
PACKAGES = ("gymnasium", "numba", "pettingzoo")

_missing = [name for name in PACKAGES if find_spec(name) is None]
if _missing:
    raise ImportError(f"{', '.join(_missing)}: not installed; {how_to_install(EXTRA)}")
