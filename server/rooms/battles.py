"""Plays the battles of rooms, and sees to deadlines: one thread of the server that plays matches.

It remembers nothing: what is to be done next follows from the rows of each room.
"""

import shutil
import threading
from collections.abc import Sequence
from pathlib import Path

from engine.bots.finding import Copies
from engine.errors import SlimeMindError
from engine.replays.reading import Replay
from engine.result_folder import REPLAY, ResultFolder
from engine.support.files import atomic_write
from runners.match_request import MatchRequest
from runners.storage.database import now
from server.designs.designs_part import GAME, pack_army
from server.games.open_games import NotPossible
from server.http.errors import TooMany
from server.http.parts import Report
from server.identity.rate_limits import Asker
from server.rooms.rooms import MAX_TRIES, BattleResult, Phase, Room, Rooms, RoomSeat
from server.runs.run_rows import OPEN, Run, State
from server.runs.runs import Draft, Opponent, Runs

POLL_INTERVAL_S = 1.0
PAIRS = "groups=[[1, 3], [2, 4]]"
"""The setting by which teams that face each other are partners."""


class Battles:
    """Goes on with all rooms that wait for something else than people."""

    def __init__(self, rooms: Rooms, runs: Runs, out: Path, report: Report) -> None:
        """`out`: the folder of results."""
        self._rooms = rooms
        self._runs = runs
        self._out = out
        self._copies = Copies(out / "bots")
        self._report = report
        self._is_ended = False
        self._woken = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="rooms", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._is_ended = True
        self._woken.set()
        if self._thread is not None:
            self._thread.join()

    def warm_up(self) -> None:
        """Start who plays battles: the first one of a room would wait for that."""
        self._runs.warm_up()

    def wake(self) -> None:
        """Look at once: somebody has sent an army."""
        self._woken.set()

    def go_on(self) -> None:
        """Do what is to be done now in each room."""
        for room in self._rooms.find_due(now()):
            try:
                self._go_on_with(room)
            except (NotPossible, TooMany):
                continue  # somebody else was first, or it is tried again
            except (SlimeMindError, OSError) as error:
                self._report(f"a battle could not be played: {error}")
                with self._rooms.change_room(room.id) as changed:
                    changed.run = ""
                    changed.tries += 1

    def _run(self) -> None:
        while not self._is_ended:
            self._woken.clear()
            try:
                self.go_on()
            except (SlimeMindError, NotPossible) as error:
                self._report(f"rooms could not be looked at: {error}")
            self._woken.wait(POLL_INTERVAL_S)

    def _go_on_with(self, room: Room) -> None:
        if room.phase is Phase.OPEN:
            self._rooms.remove(room.id)
        elif room.phase is Phase.DESIGNING:
            with self._rooms.change_room(room.id) as changed:
                changed.expire(now())
        elif room.tries >= MAX_TRIES:
            with self._rooms.change_room(room.id) as changed:
                changed.close("the server could not play the battle")
        else:
            run = self._runs.find(room.run) if room.run else None
            if run is not None and run.state is State.OVER:
                self._take_in(room, run)
            elif run is None or run.state not in OPEN:  # it has yet to begin, or its server ended
                self._begin_battle(room)

    def _begin_battle(self, room: Room) -> None:
        """Raises: NotPossible, TooMany, BadBot, EngineFailure."""
        packed = (
            self._copies.pack(seat.digest) if seat.army is None else pack_army(seat.army)
            for seat in room.seats
        )
        first, *others = zip(_army_names(room.seats), packed, strict=True)
        preset = "four_small" if room.is_paired else room.terms.grid
        asked = MatchRequest(
            game=GAME, preset=preset, settings=(PAIRS,) if room.is_paired else (), seed=room.seed
        )
        run = self._runs.start_run(
            Draft(name=first[0], packed=first[1], room=room.id),
            [
                Opponent(name, packed.digest, is_confidential=False, packed=packed)
                for name, packed in others
            ],
            asked,
            Asker("", person=f"room {room.id}"),
        )
        with self._rooms.change_room(room.id) as changed:
            is_mine = changed.phase is Phase.BATTLE and changed.run == room.run
            if is_mine:
                changed.run, changed.tries = run.id, room.tries + 1
        if not is_mine:
            self._runs.stop(run)

    def _take_in(self, room: Room, run: Run) -> None:
        """File a battle as any other match, and count it. Raises: BadReplay, EngineFailure."""
        played = self._runs.replay(run)
        replay = Replay(played)
        outcome = replay.outcome
        assert outcome is not None
        with atomic_write(self._out / ResultFolder.MATCHES / run.key / REPLAY) as partial:
            shutil.copyfile(played, partial)
        people = [seat.person for seat in room.seats if seat.person]
        is_rated = room.terms.is_rated and len(people) == len(room.seats)
        result = BattleResult(
            number=room.number,
            key=run.key,
            armies=run.names,
            people=tuple(people) if is_rated else (),
            late=tuple(team for team, seat in enumerate(room.seats, 1) if seat.is_late),
            scores=outcome.scores,
            winners=outcome.winners,
            reason=outcome.reason,
            ended_at=now(),
        )
        with self._rooms.change_room(room.id) as changed:
            if changed.phase is Phase.BATTLE and changed.run == run.id:
                changed.end_battle(result)


def _army_names(seats: Sequence[RoomSeat]) -> list[str]:
    """Return what armies are called in a record, which names no person."""
    names = [seat.name if seat.army is None else seat.army.name for seat in seats]
    return [
        f"{name} {team}" if names.count(name) > 1 else name for team, name in enumerate(names, 1)
    ]
