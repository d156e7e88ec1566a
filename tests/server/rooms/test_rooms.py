"""What each step makes of a room: seats, sealed armies, deadlines, battles and the score."""

from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from runners.storage.schema import ensure_schema
from server.games.game_storage import GameStorage
from server.games.open_games import NotPossible, SeatKind
from server.rooms.rooms import (
    BattleResult,
    Phase,
    Room,
    Rooms,
    RoomSeat,
    RoomTerms,
    find_rooms,
    ready_armies,
)

NOON = datetime(2020, 1, 1, 12, tzinfo=UTC)
LATE = NOON + timedelta(minutes=16)
RAID, HUNT, FORT = ready_armies("small")


def a_guest(name: str) -> RoomSeat:
    return RoomSeat(kind=SeatKind.GUEST, name=name, token=f"hash of {name}")


def a_room(seats: int = 2, **terms: int) -> Room:
    """Return a room in which all have just sat down."""
    free = [RoomSeat(kind=SeatKind.FRIEND) for _ in range(seats - 1)]
    room = Room(id="room", terms=RoomTerms(**terms), seats=[a_guest("Ann"), *free])  # type: ignore[arg-type]
    for name in ("Bob", "Cid", "Dan")[: seats - 1]:
        room.take_seat(a_guest(name), NOON)
    return room


def find_phase(room: Room) -> Phase:
    """Return the phase; a step changes it unseen by the checker of types."""
    return room.phase


def result(room: Room, *winners: int) -> BattleResult:
    return BattleResult(
        number=room.number,
        key="k",
        armies=("a", "b"),
        people=(),
        late=(),
        scores=(1, 0),
        winners=winners,
        reason="so",
        ended_at=NOON,
    )


def fight(room: Room, *winners: int) -> None:
    for team in range(1, len(room.seats) + 1):
        room.seal(team, HUNT, NOON)
    assert find_phase(room) is Phase.BATTLE
    room.end_battle(result(room, *winners))


def test_a_battle_begins_once_all_armies_are_sealed() -> None:
    room = a_room()
    room.seal(1, RAID, NOON)
    assert (find_phase(room), room.describe_status()) == (
        Phase.DESIGNING,
        "Battle 1 waits for the army of Bob.",
    )
    assert room.describe_status(1) == "Battle 1 waits for the army of Bob."
    assert room.describe_status(2) == "Battle 1 waits for your army."
    assert a_room().describe_status(2) == "Battle 1 waits for your army and that of Ann."
    room.seal(1, FORT, NOON)
    room.seal(2, HUNT, NOON)
    assert find_phase(room) is Phase.BATTLE
    assert [seat.army for seat in room.seats] == [FORT, HUNT]
    with pytest.raises(NotPossible, match="the battle has begun"):
        room.seal(1, RAID, NOON)


def test_who_makes_a_room_may_seal_before_the_friend_comes() -> None:
    room = Room(
        id="room", terms=RoomTerms(), seats=[a_guest("Ann"), RoomSeat(kind=SeatKind.FRIEND)]
    )
    room.seal(1, RAID, NOON)
    assert find_phase(room) is Phase.OPEN
    room.take_seat(RoomSeat(kind=SeatKind.BOT, name="Bot", digest="d"), NOON)
    assert find_phase(room) is Phase.BATTLE
    with pytest.raises(NotPossible, match="all seats of this room are taken"):
        room.take_seat(a_guest("Cid"), NOON)


def test_a_design_after_its_deadline_is_refused_and_a_ready_army_stands_in() -> None:
    room = a_room()
    room.seal(1, FORT, NOON)
    with pytest.raises(NotPossible, match="the time to design for this battle is over"):
        room.seal(2, FORT, LATE)
    room.expire(NOON)
    assert find_phase(room) is Phase.DESIGNING
    room.expire(LATE)
    assert find_phase(room) is Phase.BATTLE
    assert [(seat.army, seat.is_late) for seat in room.seats] == [(FORT, False), (RAID, True)]


def test_who_is_late_for_a_later_battle_fights_with_the_army_of_the_last_one() -> None:
    room = a_room()
    fight(room, 1)
    room.seal(1, FORT, NOON)
    room.expire(LATE)
    assert [seat.army for seat in room.seats] == [FORT, HUNT]


def test_a_room_to_which_nobody_sends_an_army_ends() -> None:
    room = a_room()
    room.expire(LATE)
    assert (find_phase(room), room.describe_status()) == (
        Phase.OVER,
        "Over: nobody has sent an army in time.",
    )


@pytest.mark.parametrize(
    ("battles", "wins", "is_over"),
    [
        ([1], [1, 0], False),
        ([1, 2], [1, 1], False),
        ([1, 2, 2], [1, 2], True),
        ([1, 1], [2, 0], True),
        ([1, 0, 0], [1, 0], True),
    ],
)
def test_best_of_three_ends_with_two_wins_or_three_battles(
    battles: list[int], wins: list[int], is_over: bool
) -> None:
    room = a_room()
    for winner in battles:
        fight(room, *([winner] if winner else []))
    assert (room.wins, room.phase is Phase.OVER) == (wins, is_over)
    if is_over:
        with pytest.raises(NotPossible, match="this room is over"):
            room.seal(1, RAID, NOON)


def test_partners_that_face_each_other_win_together() -> None:
    room = a_room(seats=4, best_of=1)
    assert room.sides == [[1, 3], [2, 4]]
    fight(room, 2, 4)
    assert (room.wins, room.phase) == ([0, 1], Phase.OVER)


@pytest.fixture
def rooms(tmp_path: Path) -> Iterator[Rooms]:
    with closing(GameStorage(tmp_path / "games.sqlite")) as storage:
        ensure_schema(storage.database)
        yield Rooms(storage.database)


def test_a_step_that_fails_leaves_a_room_as_it_was(rooms: Rooms) -> None:
    room = rooms.add(RoomTerms(), [a_guest("Ann"), RoomSeat(kind=SeatKind.OPEN)])
    with suppress(RuntimeError), rooms.change_room(room.id) as changed:
        changed.seal(1, RAID, NOON)
        raise RuntimeError
    assert rooms.find(room.id) == room
    assert [one.id for one in rooms.database.find(find_rooms())] == [room.id]
