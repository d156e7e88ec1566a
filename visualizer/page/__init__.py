"""A match as one HTML file that needs nothing else: no network, no server, no program."""

from collections.abc import Mapping
from itertools import cycle
from typing import Any

import msgspec

from visualizer import theme
from visualizer.arrangement import arrangements
from visualizer.film import LEAD, Film
from visualizer.logs import Place, read_logs
from visualizer.page.document import document
from visualizer.page.images import Images, images_of
from visualizer.page.packing import deflated
from visualizer.page.texts import encode, texts_of
from visualizer.page.walk import Walk
from visualizer.sprites import Sprites

BASE_BYTES, BYTES_PER_ORDER = 100_000, 8
"""What a page may weigh."""
LEAST_FOR_TEXTS = 4_000
IN_BASE64 = 0.74
"""Of the bytes of a page, data takes fewer before it is base64."""
LENGTH_BYTES = 4


def page_of(
    film: Film,
    sprites: Sprites,
    *,
    logs: Mapping[Place, list[str]] | None = None,
    again: str | None = None,
) -> bytes:
    """An HTML file that shows a match.

    `logs` are what the bots printed, by default what lies beside the replay; the first rounds
    are kept, as far as there is room. `again` is the command that plays the match once more.
    """
    replay = film.replay
    logs = read_logs(replay.path.parent) if logs is None else logs
    again = f"python3 main.py --match {replay.spec.key}" if again is None else again
    walk = Walk(film)
    story = deflated(story_of(walk, sprites, again))
    title, game = " : ".join(bot.name for bot in replay.bots), replay.game.title
    bare = len(document(title, game, {"story": story}))
    room = int((BASE_BYTES + BYTES_PER_ORDER * walk.orders - bare) * IN_BASE64)
    texts = texts_of(film.fault_words, logs, max(room, LEAST_FOR_TEXTS))
    return document(title, game, {"story": story, "texts": deflated(encode(texts))})


def story_of(walk: Walk, sprites: Sprites, again: str) -> bytes:
    """All there is to show but texts: the length of the facts, the facts, columns, pictures."""
    film = walk.film
    images = images_of(sprites, walk.images)
    sizes, columns = walk.columns.packed()
    facts = encode(
        {
            **_match_facts(film, images, again),
            **_scene_facts(film),
            "shapes": {"thing": walk.things, "team": walk.teams, "backdrop": walk.backdrop},
            "steps": film.steps,
            "papers": walk.papers,
            "columns": sizes,
            "words": list(walk.words),
            "images": {"sizes": list(map(len, images.files)), "names": images.names},
        }
    )
    length = len(facts).to_bytes(LENGTH_BYTES, "little")
    return b"".join([length, facts, columns, *images.files])


def _match_facts(film: Film, images: Images, again: str) -> dict[str, Any]:
    replay = film.replay
    teams = [
        {
            **msgspec.structs.asdict(bot),
            "colour": film.scene.team_colour(team),
            "emblem": images.emblem(team),
        }
        for team, bot in enumerate(replay.bots, 1)
    ]
    outcome = replay.outcome
    ending = None
    if outcome is not None:
        ending = {"reason": outcome.reason, "winner": outcome.winner, "scores": outcome.scores}
    return {
        "game": replay.game.title,
        "key": replay.spec.key,
        "seed": str(replay.spec.seed),
        "again": again,
        "teams": teams,
        "ending": ending,
    }


def _scene_facts(film: Film) -> dict[str, Any]:
    scene = film.scene
    return {
        "kinds": scene.kinds,
        "happenings": scene.happenings,
        "rowsUp": scene.rows_up,
        "arrangements": arrangements(scene),
        "timeline": _timeline(film),
        "scoreName": scene.score_name,
        "thresholds": film.thresholds,
        "markColours": theme.MARK_COLOURS,
        "front": theme.FRONT,
        "barColours": [theme.BAR_LOW, theme.BAR_MIDDLE, theme.BAR_FULL, theme.BAR_BACK],
    }


def _timeline(film: Film) -> list[tuple[str, str]]:
    """The kinds of marks, each with its colour."""
    named = [happening.timeline for happening in film.scene.happenings.values()]
    kinds = [*dict.fromkeys(filter(None, named)), LEAD]
    return list(zip(kinds, cycle(theme.TIMELINE_COLOURS), strict=False))
