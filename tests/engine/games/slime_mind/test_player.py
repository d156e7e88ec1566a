"""What a bot is given is read-only (docs/rules/slime_mind.md 5.4 and 8)."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from engine.fault import Cause, Fault
from engine.game import Ask, Event
from engine.games.slime_mind.board_view import BoardView
from engine.games.slime_mind.events import RoundLost
from engine.games.slime_mind.game import SlimeMind
from engine.games.slime_mind.pieces import Slime
from engine.games.slime_mind.player import LEVELS, BasePlayer, SlimeHost
from engine.games.slime_mind.settings import Settings
from engine.limits import Limits
from engine.match import play_match
from engine.seat import Seat
from engine.spec import MatchSpec
from tests.cases import for_each
from tests.engine.games.slime_mind.boards import a_board
from tests.engine.seats import Recorder, copy_over_wire

GAME = SlimeMind()
Cheat = Callable[[BoardView, Slime], object]


class HostSeat(Seat):
    """A player on a board of its own, as in a worker."""

    def __init__(self, player: type[BasePlayer], team: int) -> None:
        self._player, self._team = player, team
        self._piece_id = 0
        self.notify = self._tell

    def prepare(self, state: Any) -> None:
        self.board = copy_over_wire(state)
        self.host = GAME.host(self._player, self.board, self._team, GAME.limits)

    def _tell(self, event: Event) -> None:
        self.board.apply(msgspec.json.decode(msgspec.json.encode(event), type=GAME.event))

    def put(self, ask: Ask, view: Any) -> None:
        self._piece_id = ask.piece_id

    def take(self) -> Any:
        try:
            return self.host.decide(self._piece_id, None)
        except Exception as error:  # noqa: BLE001 - whatever a bot lets out
            return Fault(Cause.EXCEPTION, type(error).__name__)


class Still(BasePlayer):
    def decide(self, slime: Slime) -> str:
        return "LEFT"


def a_match(player: type[BasePlayer]) -> tuple[Recorder, HostSeat]:
    """Play two turns of one slime each; `player` has the first team."""
    spec = MatchSpec(
        game=GAME.name,
        rules_version=GAME.rules_version,
        settings=Settings(
            columns=4, rows=2, max_turns=2, slime_pairs=1, plant_pairs=1, rock_pairs=0
        ),
        limits=Limits(),
        bots=("a", "b"),
        seed=3,
    )
    recorder, seat = Recorder(), HostSeat(player, 1)
    play_match(GAME, spec, [seat, HostSeat(Still, 2)], [recorder])
    return recorder, seat


def set_item(sequence: Any, place: Any, value: Any) -> None:
    sequence[place] = value


CHEATS: dict[str, Cheat] = {
    "a level": lambda sight, slime: setattr(slime, "level", 12),
    "xp": lambda sight, slime: setattr(slime, "xp", 999),
    "hp of a plant": lambda sight, slime: setattr(sight.plants[0], "current_hp", 0),
    "an attribute of its own": lambda sight, slime: setattr(slime, "mine", 1),
    "no attribute any more": lambda sight, slime: delattr(slime, "xp"),
    "the turn": lambda sight, slime: setattr(sight, "turn", 1000),
    "the slimes": lambda sight, slime: setattr(sight, "slimes", ()),
    "a slime of the tuple": lambda sight, slime: set_item(sight.slimes, 0, slime),
    "a new attribute of the board": lambda sight, slime: setattr(sight, "mine", 1),
    "a setting": lambda sight, slime: setattr(sight.settings, "bite_xp", 100),
    "a level of the table": lambda sight, slime: set_item(LEVELS, 1, LEVELS[12]),
    "a number of the table": lambda sight, slime: setattr(LEVELS[1], "attack", 99),
}


@for_each("cheat", CHEATS.values())
def test_5_4_an_attempt_to_change_what_is_seen_raises(cheat: Cheat) -> None:
    board = a_board("A p\n. B")
    before = copy_over_wire(board)
    with pytest.raises((AttributeError, TypeError)):
        cheat(BoardView(board, 1), board.slimes[1])
    assert board == before


@for_each("cheat", CHEATS.values())
def test_5_4_a_bot_that_lets_the_exception_out_loses_the_round_and_no_more(cheat: Cheat) -> None:
    class Cheater(BasePlayer):
        def decide(self, slime: Slime) -> str:
            if self.board.turn == 1:
                cheat(self.board, slime)
            return "LEFT"

    honest, _ = a_match(Still)
    cheating, seat = a_match(Cheater)
    assert [(ask, fault.cause) for ask, fault in cheating.faults] == [(Ask(1, 1), Cause.EXCEPTION)]
    lost = RoundLost(1, team=1, turn=1, reason="exception")
    assert [event for event in cheating.events if isinstance(event, RoundLost)] == [lost]
    assert cheating.outcome == honest.outcome
    assert seat.board == cheating.state


@for_each("cheat", CHEATS.values())
def test_5_4_a_bot_that_catches_the_exception_plays_on(cheat: Cheat) -> None:
    class Careful(BasePlayer):
        def decide(self, slime: Slime) -> str:
            with pytest.raises((AttributeError, TypeError)):
                cheat(self.board, slime)
            return "LEFT"

    honest, _ = a_match(Still)
    careful, _ = a_match(Careful)
    assert careful.faults == []
    assert careful.events == honest.events


def test_5_4_what_a_bot_does_to_its_own_copy_never_reaches_the_match() -> None:
    class Burglar(BasePlayer):
        def decide(self, slime: Slime) -> str:
            msgspec.structs.force_setattr(slime, "xp", 9_999)
            msgspec.structs.force_setattr(slime, "attack", 99)
            return "LEFT"

    honest, _ = a_match(Still)
    burgled, _ = a_match(Burglar)
    assert burgled.events == honest.events


def test_8_one_player_decides_for_a_team_and_remembers() -> None:
    made = []

    class Remembering(BasePlayer):
        def __init__(self, board: BoardView, team: int) -> None:
            super().__init__(board, team)
            self.asked: list[tuple[int, Slime]] = []
            made.append(self)

        def decide(self, slime: Slime) -> str:
            assert slime is self.board.piece(slime.id)
            self.asked.append((self.board.turn, slime))
            return "LEFT"

    a_match(Remembering)
    (player,) = made
    assert player.team == 1
    assert [(turn, slime.id) for turn, slime in player.asked] == [(1, 1), (2, 1)]


def test_a_player_without_decide_says_what_is_missing() -> None:
    host = SlimeHost(
        BasePlayer,  # type: ignore[type-abstract]
        a_board("A B"),
        team=1,
        limits=GAME.limits,
    )
    with pytest.raises(NotImplementedError, match="needs a method decide"):
        host.decide(1, None)


def test_a_host_tells_where_in_the_match_an_ask_stands() -> None:
    host = GAME.host(Still, a_board("A B", turn=12), 1, GAME.limits)
    assert host.place(1) == "turn 12, slime 1"
