"""For programs that learn to play: every game as an environment."""

from importlib.util import find_spec

from runners.extras import how_to_install

EXTRA = "learning"
PACKAGES = ("gymnasium", "pettingzoo")

_missing = [name for name in PACKAGES if find_spec(name) is None]
if _missing:
    raise ImportError(f"{', '.join(_missing)}: not installed; {how_to_install(EXTRA)}")
