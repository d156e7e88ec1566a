"""For programs that learn to play: games as environments, and thousands of matches at once."""

from importlib.util import find_spec

from engine.support.extras import EXTRAS, how_to_install

EXTRA = "learning"

_missing = [name for name in EXTRAS[EXTRA] if find_spec(name) is None]
if _missing:
    raise ImportError(f"{', '.join(_missing)}: not installed; {how_to_install(EXTRA)}")
