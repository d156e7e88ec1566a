"""Whatever people do, what was acknowledged is played once, and what is hidden stays hidden."""

import json
import shutil
import tempfile
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.catalog import find_game
from engine.game import Ask
from engine.replays.decisions import Decision, DecisionReader
from engine.stepper import Stepper
from runners.storage.database import Stale
from server.games.game_service import GameService
from server.games.game_storage import GameStorage
from server.games.watching import make_position_event
from server.http.errors import ActionRefused
from tests.examples import examples
from tests.server.playing import (
    Choose,
    a_game_service,
    first_move,
    game_service_on,
    no_orders,
    start_game,
)

DATA = st.data()
Teams = tuple[int, ...]
Key = tuple[Ask, int]
"""An ask, and the step at which it was opened: what an order names."""


class Table(NamedTuple):
    """What is played, and by whom: `p` for a person, `b` for a bot."""

    game: str
    who: str
    settings: dict[str, Any]


SMACK = [
    Table("smack", "pp", {"ply_limit": 6}),
    Table("smack", "pb", {"ply_limit": 6}),
    Table("smack", "pp", {"pace": "lockstep", "ply_limit": 6}),
    Table("smack", "pb", {"pace": "lockstep", "ply_limit": 6}),
]
SMAC = [Table("smac", "pp", {}), Table("smac", "ppb", {}), Table("smac", "pb", {})]


class Play(RuleBasedStateMachine):
    """People and programs at a server that is started again now and then.

    The model is the orders that were acknowledged: `acked`.
    """

    tables: tuple[Table, ...] = ()

    @initialize(data=DATA)
    def start(self, data: st.DataObject) -> None:
        self.table = data.draw(st.sampled_from(self.tables))
        self.folder = Path(tempfile.mkdtemp())
        self.path = self.folder / "games.sqlite"
        self.acked: dict[Key, Any] = {}
        self._start()
        self.game = start_game(
            self.game_service, self.table.game, self.table.who, **self.table.settings
        )
        self.people = [team for team, one in enumerate(self.table.who, 1) if one == "p"]

    def teardown(self) -> None:
        self._end()
        shutil.rmtree(self.folder)

    # -- what happens --------------------------------------------------------------------------

    @rule(data=DATA)
    def order(self, data: st.DataObject) -> None:
        """A person orders what is legal; others' orders that are in already stay sealed."""
        asks = self._open_asks()
        if not asks:
            return
        ask, step = data.draw(st.sampled_from(asks))
        order = self._draw_order(data, ask)
        before = self._views_of_others(ask.team)
        decisions = self._decisions()
        self.game_service.answer(self.game, ask, step, order)
        self.acked[ask, step] = order
        if self._decisions() == decisions:  # it waits for others
            assert self._views_of_others(ask.team) == before

    @rule(data=DATA)
    def order_again(self, data: st.DataObject) -> None:
        """The same again changes nothing: an answer of ours may have been lost.

        Where an act has closed the ask meanwhile, that is said.
        """
        if self.acked:
            (ask, step), order = data.draw(st.sampled_from(list(self.acked.items())))
            answered, is_closed = self._list_answered()
            was_played = (ask, step) in {key for key, _ in answered}
            is_refused = (ask, step) in is_closed and not was_played

            def again() -> None:
                with pytest.raises(Stale) if is_refused else nullcontext():
                    self.game_service.answer(self.game, ask, step, order)

            self._changes_nothing(again)

    @rule(data=DATA)
    def order_too_late(self, data: st.DataObject) -> None:
        played = [key for key in self.acked if key not in self._open_asks()]
        if played:
            ask, step = data.draw(st.sampled_from(played))
            with pytest.raises(Stale):
                self.game_service.answer(self.game, ask, step, {"never": "legal"})

    @rule(data=DATA, order=st.sampled_from(["A6-A9", 7, ["x"]]))
    def order_nonsense(self, data: st.DataObject, order: Any) -> None:
        asks = self._open_asks()
        if asks:
            ask, step = data.draw(st.sampled_from(asks))

            def send() -> None:
                with pytest.raises(ActionRefused):
                    self.game_service.answer(self.game, ask, step, order)

            self._changes_nothing(send)

    @rule(data=DATA)
    def take_back(self, data: st.DataObject) -> None:
        """Nobody else sees that an order was there, but for its being answered."""
        with self.game_service.open_session(self.game) as session:
            waiting = [
                (ask, session.ask_step(ask)) for ask in session.waiting if ask.team in self.people
            ]
        if waiting:
            ask, step = data.draw(st.sampled_from(waiting))
            before = self._views_of_others(ask.team)
            self.game_service.take_back_order(self.game, ask, step)
            del self.acked[ask, step]
            assert self._views_of_others(ask.team) == before

    @rule(data=DATA)
    def act(self, data: st.DataObject) -> None:
        with self.game_service.open_session(self.game) as session:
            state = session.stepper.state
            possible = {act for team in self.people for act in session.open_acts(team)}
            acts = [one for team in self.people for one in session.game.legal_acts(state, team)]
        acts = [act for act in acts if act in possible]
        if acts:
            decisions = self._decisions()
            self.game_service.perform_act(self.game, data.draw(st.sampled_from(acts)))
            assert self._decisions()[: len(decisions)] == decisions

    @precondition(lambda self: self.table.game == "smac")
    @rule(data=DATA)
    def draft(self, data: st.DataObject) -> None:
        """A click of somebody is kept, and seen by nobody else."""
        asks = self._open_asks()
        if asks:
            ask, step = data.draw(st.sampled_from(asks))
            lines = [["bid", data.draw(st.integers(0, 9))]]
            before = self._views_of_others(ask.team)
            self.game_service.save_draft(self.game, ask, step, lines)
            assert self.game_service.load_draft_orders(self.game, ask) == lines
            assert self._views_of_others(ask.team) == before

    @rule(data=DATA)
    def connect_again(self, data: st.DataObject) -> None:
        """A stream that begins anew tells all that happened since the last one ended."""
        teams = data.draw(st.sampled_from(self._viewers()))
        since = data.draw(st.integers(0, len(self._decisions())))
        found = self._event(self.game_service, teams, since)
        whole = self._event(self.game_service, teams, 0)["happened"]
        happened = found["happened"]
        assert whole[len(whole) - len(happened) :] == happened
        assert found["step"] == len(self._decisions())
        assert found == self._event(self._another(), teams, since)

    @rule()
    def start_again(self) -> None:
        """The server is killed and started: all it knows is in its rows."""
        self._end()
        self._start()
        self.game_service.go_on_with_all()

    # -- what always holds ---------------------------------------------------------------------

    @invariant()
    def what_was_acknowledged_is_played_once_or_waits(self) -> None:
        answered, is_closed = self._list_answered()
        with self.game_service.open_session(self.game) as session:
            waiting = {
                (ask, session.ask_step(ask)): order for ask, order in session.waiting.items()
            }
            check = session.game.check
        ours = {key: order for key, order in answered if key[0].team in self.people}
        assert len(ours) == sum(key[0].team in self.people for key, _ in answered)
        assert ours.keys() <= self.acked.keys()
        for (ask, step), order in self.acked.items():
            if (ask, step) in ours:
                state = self._stepper(step).state
                assert ours[ask, step] == check(state, ask, order)
            elif (ask, step) in waiting:
                assert waiting[ask, step] == check(self._stepper().state, ask, order)
            else:
                assert (ask, step) in is_closed

    @invariant()
    def everybody_sees_what_the_rows_say(self) -> None:
        another = self._another()
        for teams in self._viewers():
            ours, other = (
                make_position_event(game_service, self.game, teams, None)
                for game_service in (self.game_service, another)
            )
            assert ours == other

    @invariant()
    def nobody_sees_what_another_alone_may_know(self) -> None:
        if self.table.game != "smac":
            return
        for teams in self._viewers():
            shown = self._event(self.game_service, teams, 0)
            assert (shown["board"]["own"] is None) == (len(teams) != 1)
            text = json.dumps(shown)
            assert text.count('"bank"') == (len(teams) == 1)
            assert len(teams) == 1 or not (shown["board"]["skips"] or shown["board"]["lost"])

    # -- how the rules above look at it ---------------------------------------------------------

    def _start(self) -> None:
        self.rows = GameStorage(self.path)
        self.game_service = a_game_service(self.path, self._choose())

    def _end(self) -> None:
        """Close files alone: nothing else is done at the end that a kill would not do."""
        self.rows.close()
        self.game_service.database.close()

    def _another(self) -> GameService:
        """Return a lobby that knows nothing but the rows."""
        return game_service_on(self.rows, self._choose())

    def _choose(self) -> Choose:
        return first_move if self.table.game == "smack" else no_orders

    def _viewers(self) -> list[Teams]:
        return sorted({(), *((team,) for team in self.people), tuple(self.people)})

    def _event(self, game_service: GameService, teams: Teams, since: int | None = None) -> Any:
        """Return the position that a stream sends to whoever plays these teams."""
        return json.loads(make_position_event(game_service, self.game, teams, since).data)

    def _views_of_others(self, team: int) -> list[Any]:
        """Return what all others see, but for whether this team has answered."""
        shown = [
            self._event(self.game_service, teams) for teams in self._viewers() if team not in teams
        ]
        for position in shown:
            for ask in position["asks"]:
                if ask["team"] == team:
                    del ask["is_answered"]
        return shown

    def _open_asks(self) -> list[Key]:
        with self.game_service.open_session(self.game) as session:
            return [
                (ask, session.ask_step(ask))
                for ask in session.stepper.asks
                if ask.team in self.people
            ]

    def _draw_order(self, data: st.DataObject, ask: Ask) -> Any:
        if self.table.game == "smac":
            with self.game_service.open_session(self.game) as session:
                bids = session.stepper.state.stage != "orders"
            return data.draw(st.sampled_from([{}, {"bid": 1}, {"bid": 2}] if bids else [{}]))
        with self.game_service.open_session(self.game) as session:
            moves = session.stepper.state.halves[ask.piece_id - 1].position.moves()
        return str(data.draw(st.sampled_from(moves[:3])))

    def _decisions(self) -> list[str]:
        return self.rows.decisions(self.game)

    def _changes_nothing(self, do: Any) -> None:
        before = self._decisions(), [self._event(self.game_service, one) for one in self._viewers()]
        do()
        after = self._decisions(), [self._event(self.game_service, one) for one in self._viewers()]
        assert after == before

    def _read(self) -> list[Decision]:
        game = find_game(self.table.game)
        reader = DecisionReader(game, len(self.table.who))
        return [reader.read(content.encode()) for content in self._decisions()]

    def _stepper(self, steps: int | None = None) -> Stepper[Any, Any, Any]:
        """Return the match after so many decisions, played by the engine alone."""
        stored = self.rows.find_game(self.game)
        assert stored is not None
        stepper = Stepper[Any, Any, Any](find_game(self.table.game), stored.spec)
        stepper.start()
        for decision in self._read()[:steps]:
            stepper.play(decision)
        return stepper

    def _list_answered(self) -> tuple[list[tuple[Key, Any]], set[Key]]:
        """Return who was asked and what was played, and which asks an act has closed."""
        stepper = self._stepper(0)
        opened = dict.fromkeys(stepper.asks, 0)
        played: list[tuple[Key, Any]] = []
        closed: set[Key] = set()
        for number, decision in enumerate(self._read(), 1):
            asks = [decision.ask] if decision.ask else [] if decision.act else list(stepper.asks)
            for ask, order in zip(asks, decision.orders, strict=True):
                played.append(((ask, opened.pop(ask)), order))
            stepper.play(decision)
            closed |= {(ask, step) for ask, step in opened.items() if ask not in stepper.asks}
            opened = {ask: opened.get(ask, number) for ask in stepper.asks}
        return played, closed


def machine(tables: list[Table], tries: int, steps: int) -> Any:
    """Return a test case of games at these tables."""
    play: Any = type("Play", (Play,), {"tables": tuple(tables)})
    case = play.TestCase
    case.pytestmark = [pytest.mark.timeout(600)]
    # Each step looks at everything as everybody: few of these games are played usually.
    count = examples(tries, usual=tries // 10)
    case.settings = settings(max_examples=count, stateful_step_count=steps)
    return case


TestSmack = machine(SMACK, 60, 20)
TestSmac = machine(SMAC, 60, 15)
