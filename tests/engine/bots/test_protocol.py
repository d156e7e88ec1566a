"""docs/protocol.md and the schemas say what the types say, and what is hidden stays hidden."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.bots.finding import Copies, read_bot
from engine.bots.programs.protocol import Hello
from engine.bots.programs.schemas import DOCUMENTS_FOLDER, make_schema, schema_text, with_lists
from engine.bots.programs.seat import ProgramSeat
from engine.catalog import GAMES, find_game
from engine.game import Ask, Event, State
from engine.observer import Observer
from engine.referee import Job, Referee
from engine.replays.writing import Contestant
from engine.spec import MatchSpec
from tests import needs
from tests.engine.bots.matches import LENIENT, Arena, Orders, a_bot
from tests.engine.bots.programs import a_program

HOME = DOCUMENTS_FOLDER.parent
ADVICE = "run `python3 -m engine.bots.programs.schemas`"
ARMY = '{"types":[["Pair",["##"],""]],"placements":[[0,30,20]]}'
PERL = r"""
$| = 1;
print "{\"type\":\"hello\",\"protocol\":1,\"wants\":\"%s\"}\n";
my $start = <STDIN>;
print "{\"type\":\"ready\"}\n";
while (my $line = <STDIN>) {
    my ($nonce) = $line =~ /"nonce":(\d+)/;
    my $answer = $asked++ ? "null" : '%s';
    print "{\"type\":\"answer\",\"nonce\":$nonce,\"answer\":$answer}\n";
}
"""


@pytest.mark.parametrize("name", GAMES)
def test_the_schema_of_a_game_is_that_of_its_types(name: str) -> None:
    file = DOCUMENTS_FOLDER / "protocol" / f"{name}.schema.json"
    assert file.read_text("utf-8") == schema_text(find_game(name)), ADVICE


def test_the_lists_of_the_document_are_those_of_the_types() -> None:
    text = (DOCUMENTS_FOLDER / "protocol.md").read_text("utf-8")
    assert text == with_lists(text), ADVICE


@pytest.mark.parametrize("name", GAMES)
def test_every_reference_of_a_schema_leads_somewhere(name: str) -> None:
    text = json.dumps(make_schema(find_game(name)))
    definitions = make_schema(find_game(name))["$defs"]
    assert set(re.findall(r"#/\$defs/([^\"]+)", text)) <= definitions.keys()


def test_the_hello_of_the_document_is_one() -> None:
    text = (DOCUMENTS_FOLDER / "protocol.md").read_text("utf-8")
    hello = re.search(r"`(\{\"type\":\"hello\".*?\})`", text)
    assert hello is not None
    assert msgspec.json.decode(hello[1], type=Hello).protocol == 1


@needs.program("mawk", "gawk")
def test_the_bot_in_awk_of_the_document_plays(tmp_path: Path) -> None:
    text = (DOCUMENTS_FOLDER / "protocol.md").read_text("utf-8")
    source = text.partition("```awk\n")[2].partition("```")[0]
    bot = a_program(tmp_path / "player_awk", ["awk", "-f", "bot.awk"], {"bot.awk": source})
    arena, orders = Arena(tmp_path / "out"), Orders()
    result = arena.play(bot, a_bot(tmp_path, 'return "LEFT"'), observers=[orders])
    arena.referee.close()
    assert result.teams[0].faults == {}
    assert {str(order) for order in orders.of[1]} <= {"LEFT", "RIGHT", "UP", "DOWN"}


class _Eavesdropper(Observer):
    """Keeps all events of a match, as they are and as team 1 may know them."""

    def __init__(self, name: str) -> None:
        self._game = find_game(name)
        self.hidden: list[bytes] = []

    def on_start(self, state: State) -> None:
        self._state = state

    def on_event(self, event: Event) -> None:
        known = self._game.observed_event(self._state, event, 1)
        if known != event:
            self.hidden.append(msgspec.json.encode(event))


@pytest.mark.slow
@needs.program("perl")
@pytest.mark.parametrize("wants", ["events", "snapshots"])
@pytest.mark.parametrize(
    ("name", "settings", "first"),
    [("smac", {"last_turn": 6}, "null"), ("game_of_death", {"max_turns": 12}, ARMY)],
)
def test_no_byte_of_what_a_team_may_not_know_is_sent_to_its_program(
    name: str,
    settings: dict[str, Any],
    first: str,
    wants: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent: list[bytes] = []
    line_of = ProgramSeat._encode_ask

    def note(seat: ProgramSeat, ask: Ask, view: object) -> bytes:
        line = line_of(seat, ask, view)
        known = seat._state
        if wants == "snapshots":
            assert msgspec.json.encode(known) in line
        sent.append(line)
        return line

    monkeypatch.setattr(ProgramSeat, "_encode_ask", note)
    spy = a_program(tmp_path / "player_spy", ["perl", "bot.pl"], {"bot.pl": PERL % (wants, first)})
    manifest = spy / "bot.toml"
    manifest.write_text(manifest.read_text().replace("slime_mind", name))
    spied, out = _Eavesdropper(name), tmp_path / "out"
    Referee(out).play(_job(name, settings, out, spy), [spied])
    assert len(sent) > 5
    assert len(spied.hidden) > 5
    everything = b"".join(sent)
    assert [event for event in spied.hidden if event in everything] == []


def _job(name: str, settings: dict[str, Any], out: Path, spy: Path) -> Job:
    game = find_game(name)
    bots = [read_bot(spy), read_bot(HOME / "playerCode" / name / "player_two.py")]
    for bot in bots:
        Copies(out / "bots").save(bot)
    spec = MatchSpec(
        game=name,
        rules_version=game.rules_version,
        settings=game.settings(**settings),
        limits=LENIENT,
        bots=tuple(bot.digest for bot in bots),
        seed=5,
    )
    contestants = tuple(Contestant(name=bot.name, digest=bot.digest) for bot in bots)
    return Job(spec=spec, contestants=contestants)
