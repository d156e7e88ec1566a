"""A match as one HTML file that needs nothing else: no network, no server, no program."""

from collections.abc import Mapping
from itertools import cycle

import msgspec

from engine.streams import seed_text
from engine.support.typed_commands import typed_commands
from visualizer import theme
from visualizer.backends.page.compression import deflated
from visualizer.backends.page.document import document
from visualizer.backends.page.drawing_facts import drawing_facts, formats
from visualizer.backends.page.images import Images, images_of
from visualizer.backends.page.match_encoder import MatchEncoder, appearance_of
from visualizer.backends.page.poster import poster, team_frames
from visualizer.backends.page.texts import encode, texts_of
from visualizer.drawing.arrangement import arrangements
from visualizer.drawing.sprites import Sprites
from visualizer.model.bot_logs import DecisionKey, read_logs
from visualizer.model.timeline import ReplayTimeline

BASE_BYTES, BYTES_PER_ORDER = 101_000, 8
"""The most bytes of a page: what every page needs, and what each order adds."""
LEAST_FOR_TEXTS = 4_000
IN_BASE64 = 0.74
"""Base64 makes four letters of three bytes; a little is left for the tag around them."""
LENGTH_BYTES = 4


def page_of(
    timeline: ReplayTimeline,
    sprites: Sprites,
    *,
    logs: Mapping[DecisionKey, list[str]] | None = None,
    again: str | None = None,
    has_drawings: bool = False,
    begin_turn: int = 0,
) -> bytes:
    """Return an HTML file that shows a match.

    `logs` are what the bots printed, by default the logs beside the replay; as many of the
    first entries are kept as there is room for. `again` is the command that repeats the match.
    `has_drawings`: whether what the bots drew and logged can be seen.
    `begin_turn` is shown first where the address names none.
    """
    replay = timeline.replay
    logs = read_logs(replay.path.parent) if logs is None else logs
    again = f"{typed_commands().main} --match {replay.spec.key}" if again is None else again
    encoder = MatchEncoder(timeline)
    content = deflated(replay_content(encoder, sprites, again, begin_turn))
    title, game = " : ".join(bot.name for bot in replay.bots), replay.game.title
    # What the match itself takes is fixed; texts get the rest of the page's budget.
    frame = {
        "poster": poster(timeline, sprites),
        "teams": team_frames(type(timeline.scene), (bot.name for bot in replay.bots)),
    }
    bare = len(document(title, game, {"replay": content}, **frame))
    room = int((BASE_BYTES + BYTES_PER_ORDER * encoder.orders - bare) * IN_BASE64)
    notes = timeline.notes
    logs = notes.with_logged(logs) if has_drawings else logs
    drawings = notes.turns if has_drawings else {}
    texts = texts_of(timeline.fault_words, logs, max(room, LEAST_FOR_TEXTS), drawings)
    return document(title, game, {"replay": content, "texts": deflated(encode(texts))}, **frame)


def replay_content(
    encoder: MatchEncoder, sprites: Sprites, again: str, begin_turn: int = 0
) -> bytes:
    """Return what a page shows but texts: the length of the facts, facts, columns, pictures."""
    timeline = encoder.timeline
    images = images_of(sprites, encoder.images)
    sizes, columns = encoder.columns.packed()
    facts = encode(
        {
            **_match_facts(timeline, images, again),
            **({"beginTurn": begin_turn} if begin_turn else {}),
            **scene_facts(timeline),
            "thresholds": timeline.thresholds,
            "trails": timeline.trails.points,
            "shapes": {
                "thing": encoder.things,
                "team": encoder.teams,
                "backdrop": encoder.backdrop_shapes,
            },
            "steps": timeline.steps,
            "disclosures": encoder.disclosures,
            "columns": sizes,
            "words": list(encoder.words),
            "images": {"sizes": list(map(len, images.files)), "names": images.names},
        }
    )
    length = len(facts).to_bytes(LENGTH_BYTES, "little")
    return b"".join([length, facts, columns, *images.files])


def _match_facts(timeline: ReplayTimeline, images: Images, again: str) -> dict[str, object]:
    replay = timeline.replay
    outcome = replay.outcome
    ending = None
    if outcome is not None:
        ending = {
            "reason": outcome.reason,
            "winners": outcome.winners,
            "scores": outcome.scores,
        }
    return {
        "game": replay.game.title,
        "key": replay.spec.key,
        "seed": seed_text(replay.spec.seed),
        "again": again,
        "teams": teams_facts(timeline, images),
        "ending": ending,
    }


def teams_facts(timeline: ReplayTimeline, images: Images | None = None) -> list[dict[str, object]]:
    """Return who plays, in what color and with which picture, if there are any."""
    return [
        {
            **msgspec.to_builtins(bot),
            "color": timeline.scene.team_color(team),
            "ink": theme.ink_on(timeline.scene.team_color(team)),
            "line": theme.legible(timeline.scene.team_color(team), theme.PANEL, theme.LINES),
            "emblem": None if images is None else images.emblem(team),
        }
        for team, bot in enumerate(timeline.replay.bots, 1)
    ]


def scene_facts(timeline: ReplayTimeline) -> dict[str, object]:
    """Return what a page needs to know of the scene of a game."""
    scene = timeline.scene
    marks = {event_style.mark for event_style in scene.event_styles.values()}
    return {
        "kinds": scene.kinds,
        "eventStyles": scene.event_styles,
        "rowsUp": scene.rows_up,
        "arrangements": arrangements(scene),
        "timeline": _timeline(timeline),
        "legend": [
            {"things": [appearance_of(thing) for thing in entry.things], "words": entry.words}
            for entry in scene.key()
        ],
        "markNames": [(mark, words) for mark, words in scene.mark_names.items() if mark in marks],
        "moves": scene.moves,
        "parts": [part.left for part in scene.parts],
        "scoreName": scene.score_name,
        "forfeitedName": scene.forfeited_name,
        "drawing": drawing_facts(),
        "formats": formats(),
    }


def _timeline(timeline: ReplayTimeline) -> list[tuple[str, str, str]]:
    """Return the kinds of marks, each with its colors in the dark and the light theme."""
    colors = cycle(theme.TIMELINE_COLORS)
    return [
        (kind, dark, theme.LIGHT.get(dark, dark))
        for kind, dark in zip(timeline.mark_kinds, colors, strict=False)
    ]
