"""The pages on which matches of a report are watched."""

from pathlib import Path

from engine.errors import SlimeMindError
from engine.replay import Replay
from visualizer.film import Film
from visualizer.page import page_of
from visualizer.sprites import sprites_of


def watching_page(path: Path, out: Path, again: str) -> bytes | None:
    """An HTML file that shows a recorded match; None where its replay is gone, or damaged."""
    if not path.is_file():
        return None
    try:
        film = Film(Replay(path))
        film.read_on()
        digests = [bot.digest for bot in film.replay.bots]
        return page_of(film, sprites_of(film.replay.game.name, digests, out), again=again)
    except SlimeMindError:
        return None
