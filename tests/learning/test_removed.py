"""What is no longer there says so."""

from importlib import import_module

import pytest


@pytest.mark.parametrize("game", ["smac", "smack"])
def test_rules_over_arrays_that_were_removed_say_what_to_use(game: str) -> None:
    with pytest.raises(ImportError, match=r"no longer part .* use the environments"):
        import_module(f"learning.{game}")
