"""The pages of the players' APIs say what the docstrings say, and leave nothing out."""

import re
from pathlib import Path

import pytest

from bootstrap import HOME
from docs.site.api_pages import main, with_reference
from engine.catalog import GAMES
from engine.games.game_of_death import player as army
from engine.games.game_of_death.flag_runner import FlagRunner
from engine.games.game_of_death.soldier import Soldier
from engine.games.slime_mind import player as slimes
from engine.games.smac import player as smac
from engine.games.smack import player as smack
from engine.simulation import Simulation
from server.writing.reference import EntryKind, make_reference
from tests.cases import for_each

ADVICE = "run `python3 -m docs.site.api_pages`"
OLD = frozenset({"neighbours", "centre", "centres", "free_centres", "why_not_centre"})
"""As bots written before 1.0.0 call them."""
OURS = frozenset({"answer", "refused_lines", "state"})
"""What the engine asks of them."""
CLASSES: dict[str, tuple[type, ...]] = {
    "slime_mind": (slimes.BasePlayer, slimes.BoardView, slimes.Slime, Simulation),
    "smack": (smack.BasePlayer, smack.Board, smack.Position),
    "smac": (smac.BasePlayer, smac.Board, smac.OrderSheet, smac.PlacementSheet),
    "game_of_death": (army.BasePlayer, army.Shape, army.View, Soldier, FlagRunner),
}


def page_of(game: str) -> str:
    return (HOME / "docs" / "api" / f"{game}.md").read_text(encoding="utf-8")


def public_names(kind: type) -> set[str]:
    """Return what of a class itself, or of a base that no page has, is there for bots."""
    known = {base for kinds in CLASSES.values() for base in kinds} - {kind}
    own = [b for b in kind.__mro__ if b.__module__.startswith("engine.") and b not in known]
    names = {name for base in own for name in (*vars(base), *getattr(base, "__annotations__", {}))}
    return {name for name in names if not name.startswith("_")} - OLD - OURS


@pytest.mark.parametrize("game", GAMES)
def test_a_page_says_of_each_name_what_its_docstring_says(game: str) -> None:
    assert page_of(game) == with_reference(page_of(game), game), ADVICE


@for_each("game, kind", [(game, kind) for game, kinds in CLASSES.items() for kind in kinds])
def test_everything_that_a_bot_may_use_stands_on_the_page_of_its_game(
    game: str, kind: type
) -> None:
    section = page_of(game).partition(f"\n### {kind.__name__}\n")[2].partition("\n### ")[0]
    described = set(re.findall(r"^- `(\w+)[(:].*`: .", section, re.MULTILINE))
    assert public_names(kind) - described == set()


@pytest.mark.parametrize("game", GAMES)
def test_every_name_of_an_api_is_described(game: str) -> None:
    silent = [
        one
        for one in make_reference(game).entries
        if not one.text and one.kind is not EntryKind.CONSTANT
    ]
    assert silent == []


def test_names_of_bots_before_the_first_release_are_not_offered() -> None:
    names = {one.name for game in GAMES for one in make_reference(game).entries}
    assert names & (OLD | {"Enemy"}) == set()
    assert {"chase", "carry", "legal_orders", "empty"} <= names


def test_what_was_changed_by_hand_is_made_anew(tmp_path: Path) -> None:
    for game in GAMES:
        text = page_of(game).replace("- `team: int`", "- `team: str`")
        (tmp_path / f"{game}.md").write_text(text, encoding="utf-8")
    main(tmp_path)
    for game in GAMES:
        assert (tmp_path / f"{game}.md").read_text(encoding="utf-8") == page_of(game)
