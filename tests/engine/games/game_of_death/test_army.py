"""An army as its author writes it, in a process of its own."""

from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import pytest

from engine.bots import process_seat
from engine.bots.forking import ForkLauncher
from engine.bots.launching import Process
from engine.bots.local_seat import LocalSeat
from engine.bots.process_seat import ProcessSeat, SeatConfig
from engine.fault import Cause, Fault
from engine.games.game_of_death import events as ev
from engine.games.game_of_death.game import GameOfDeath
from engine.games.game_of_death.settings import Settings
from engine.limits import Limits
from engine.match import play_match
from engine.spec import MatchSpec
from tests.engine.seats import Recorder

GAME = GameOfDeath()
LENIENT = Limits(cpu_ms=2_000, wall_ms=20_000, load_ms=30_000, answer_bytes=262_144)
BOARD = Settings(
    width=40,
    height=20,
    zone_width=12,
    home_u=1,
    home_v=8,
    home_row_drawn=False,
    max_turns=6,
    sight=10,
    broadcast=12,
)

ARMY = """
from engine.games.game_of_death.player import BasePlayer, Shape
{top}

class Walker(Shape):
    drawing = '''
        ##
    '''

    def update(self):
{update}

    def die(self):
{die}


class Player(BasePlayer):
    def design(self):
{design}
"""
TWO = "self.place(Walker, 6, 3)\nself.place(Walker, 6, 5)"


def an_army(
    folder: Path,
    update: str = "pass",
    *,
    die: str = "pass",
    design: str = TWO,
    top: str = "",
    name: str = "player_test",
) -> Path:
    """A file with an army of walkers whose methods are these lines."""
    parts = {"update": update, "die": die, "design": design}
    lines = {part: indent(dedent(text).strip(), " " * 8) for part, text in parts.items()}
    path = folder / name / f"{name}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(ARMY.format(top=dedent(top), **lines), encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupts take their time from one core to the other on a busy machine."""
    monkeypatch.setattr(process_seat, "GRACE_CPU_MS", 20)


class OpenSeat(ProcessSeat):
    """A seat that keeps all that is sent to its process."""

    def __init__(self, entry: SeatConfig, launcher: ForkLauncher) -> None:
        super().__init__(entry, launcher)
        self.sent: list[bytes] = []

    def _send(self, process: Process, line: bytes, timeout_ms: int) -> None:
        self.sent.append(line)
        super()._send(process, line, timeout_ms)


class Played:
    """A match between two armies: its record, and the seats as they were left."""

    def __init__(
        self,
        launcher: ForkLauncher,
        *armies: Path,
        board: Settings = BOARD,
        limits: Limits = LENIENT,
    ) -> None:
        spec = a_spec(board, limits)
        self.seats = [
            OpenSeat(an_entry(army, team, spec), launcher) for team, army in enumerate(armies, 1)
        ]
        self.record = Recorder()
        try:
            self.outcome = play_match(GAME, spec, self.seats, [self.record])
        finally:
            for each in self.seats:
                each.close()
        self._logs = [army.with_suffix(f".{team}.log") for team, army in enumerate(armies, 1)]

    def printed_lines(self, shape_id: int) -> list[tuple[int, str]]:
        """Return what a shape of team 1 printed: the turn, and the line."""
        place, lines = "", []
        for line in self._logs[0].read_text().splitlines():
            if line.startswith("--- "):
                place = line
            elif place.endswith(f", shape {shape_id}"):
                lines.append((int(place.split()[2].rstrip(",")), line))
        return lines

    def shape_orders(self, shape_id: int) -> list[str]:
        """Return what a shape did, turn by turn; its faults are `!`."""
        return [
            "!" if isinstance(order, Fault) else str(getattr(order, "command", order))
            for ask, order in self.record.orders
            if ask.piece_id == shape_id
        ]

    def spoken_texts(self, shape_id: int) -> list[str]:
        return [
            text
            for event in self.record.events
            if isinstance(event, ev.Spoke)
            for speaker, text in zip(event.ids, event.texts, strict=True)
            if speaker == shape_id
        ]

    def team_faults(self, team: int) -> list[tuple[int, str, str]]:
        return [
            (ask.piece_id, str(fault.cause), fault.detail)
            for ask, fault in self.record.faults
            if ask.team == team
        ]


def a_spec(board: Settings, limits: Limits) -> MatchSpec:
    return MatchSpec(
        game=GAME.name,
        rules_version=GAME.rules_version,
        settings=board,
        limits=limits,
        bots=("a", "b"),
        seed=1,
    )


def an_entry(army: Path, team: int, spec: MatchSpec) -> SeatConfig:
    return SeatConfig(
        name=army.name,
        bot=army,
        log=army.with_suffix(f".{team}.log"),
        team=team,
        game=GAME.name,
        match_seed=spec.seed,
        limits=spec.limits,
    )


@pytest.fixture
def idle(tmp_path: Path) -> Path:
    return an_army(tmp_path, name="player_idle")


def test_an_army_is_placed_and_every_shape_is_asked_in_every_turn(
    launcher: ForkLauncher, tmp_path: Path, idle: Path
) -> None:
    played = Played(launcher, an_army(tmp_path, "self.move('forward')"), idle)
    assert played.record.faults == []
    assert played.shape_orders(1) == played.shape_orders(3) == ["move forward"] * 6
    assert played.shape_orders(2) == ["continue"] * 6
    assert played.record.state.shapes[1].x == 12


def test_2_2_5_6_both_players_see_the_same_in_their_own_frames(
    launcher: ForkLauncher, tmp_path: Path
) -> None:
    """Each says where it is, what it sees at its home and which way it looks."""
    army = an_army(
        tmp_path,
        """
        if self.now == 1:
            words = [self.location(), self.anchor, self.cells, self.heading]
            self.broadcast(str(words).replace(" ", "").replace("'", ""))
        elif self.now == 2:
            self.broadcast(str((self.home.u, self.home.v, self.enemy_home.u, self.enemy_home.v)))
        elif self.now == 3:
            seen = self.see(1, 8), self.see(6, 3), self.see(7, 5), self.see(9, 9), self.see(30, 9)
            self.broadcast(str(seen).replace(" ", ""))
        elif self.now == 4:
            self.turn("cw")
        elif self.now == 5:
            self.broadcast(f"{self.heading} {self.cells}".replace(" ", ""))
        """,
        design="self.place(Walker, 6, 3)\nself.place(Walker, 6, 5)",
    )
    board = Settings(**{**_fields(BOARD), "message_max": 100})
    played = Played(launcher, army, army, board=board)
    assert played.record.faults == []
    assert played.spoken_texts(1) == [
        "[(5,-5),(6,3),[(6,3),(7,3)],E]",
        "(1, 8, 35, 8)",
        "('F','f','f','.',None)",
        "S[(6,3),(6,4)]",
    ]
    assert played.spoken_texts(2) == played.spoken_texts(1)


def _fields(settings: Settings) -> dict[str, Any]:
    return {name: getattr(settings, name) for name in settings.__struct_fields__}


def test_5_9_a_shape_knows_itself(launcher: ForkLauncher, tmp_path: Path, idle: Path) -> None:
    army = an_army(
        tmp_path,
        """
        if self.now == 1:
            print(self.name, self.hp, self.max_hp, self.size, self.speed, self.range, self.pending)
            print(self.strength("forward"), self.strength("left"), self.defense("backward"))
            print(self.cooldown, self.capture_progress, self.has_flag, self.settings.width)
            print(self.limits.cpu_ms)
            self.attack("left")
        elif self.now == 2:
            print(self.cooldown, self.progress)
        """,
        design="self.place(Walker, 6, 3)",
    )
    played = Played(launcher, army, idle)
    assert played.record.faults == []
    assert played.printed_lines(1) == [
        (1, "Walker 4 4 2 1 4 None"),
        (1, "2 1 1"),
        (1, "0 0 False 40"),
        (1, "2000"),
        (2, "1 0"),
    ]


def test_3_4_each_shape_has_a_memory_of_its_own(
    launcher: ForkLauncher, tmp_path: Path, idle: Path
) -> None:
    """Neither the object nor its class nor the module is shared, nor a module beside it."""
    army = an_army(
        tmp_path,
        """
        self.turns = getattr(self, "turns", 0) + 1
        type(self).asked += 1
        COUNT.append(1)
        beside.COUNT.append(1)
        self.broadcast(f"{self.turns} {self.asked} {len(COUNT)} {len(beside.COUNT)}")
        """,
        top="import beside\nCOUNT = []\nShape.asked = 0",
    )
    (army.parent / "beside.py").write_text("COUNT = []\n")
    army = army.rename(army.with_name("__init__.py"))
    played = Played(launcher, army, idle)
    assert played.team_faults(1) == []
    for shape_id in (1, 3):
        own = [words.split() for words in played.spoken_texts(shape_id)]
        assert [words[0] for words in own] == ["1", "2", "3", "4", "5", "6"]
        assert [words[2:] for words in own] == [[words[0]] * 2 for words in own]


def test_5_5_messages_are_read_once_by_those_in_earshot(
    launcher: ForkLauncher, tmp_path: Path, idle: Path
) -> None:
    army = an_army(
        tmp_path,
        """
        if self.location()[1] < 0 and self.now <= 2:
            self.broadcast(f"b{self.now}")
        elif self.now == 1:
            self.broadcast("a1")
        elif self.now in (2, 4, 5):
            print(self.receive(), self.receive())
        """,
        design="self.place(Walker, 6, 7)\nself.place(Walker, 6, 9)\nself.place(Walker, 6, 19)",
    )
    played = Played(launcher, army, idle)
    assert played.team_faults(1) == []
    assert played.printed_lines(3) == [(2, "['a1', 'b1'] []"), (4, "['b2'] []"), (5, "[] []")]
    assert played.printed_lines(5)[0] == (2, "['a1', 'b1'] []")


def test_3_5_die_is_called_in_place_of_update(
    launcher: ForkLauncher, tmp_path: Path, idle: Path
) -> None:
    army = an_army(
        tmp_path,
        "self.suicide() if self.now == 2 and self.location()[1] == -5 else None",
        die="self.broadcast('farewell')\nself.move('forward')",
    )
    played = Played(launcher, army, idle)
    assert played.shape_orders(1) == ["continue", "suicide", "move forward"]
    assert played.spoken_texts(1) == ["farewell"]
    assert played.record.state.bodies[1].x == 7


# -- faults -----------------------------------------------------------------------------------


def test_5_10_a_shape_that_raises_loses_its_own_turn_alone(
    launcher: ForkLauncher, tmp_path: Path, idle: Path
) -> None:
    army = an_army(
        tmp_path,
        """
        self.move("forward")
        if self.location()[1] == -5 and self.now == 2:
            raise ValueError("oh no")
        """,
    )
    played = Played(launcher, army, idle)
    assert played.shape_orders(1) == ["move forward", "!", *["move forward"] * 4]
    assert played.shape_orders(3) == ["move forward"] * 6
    [(piece_id, cause, detail)] = played.team_faults(1)
    assert (piece_id, cause) == (1, "exception")
    assert detail.startswith("ValueError: oh no (player_test.py, line ")
    assert played.seats[0].restarts == 0


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("self.move('up')", "BadAction: move 'up': expected one of forward, right, backward, left"),
        ("self.turn('left')", "BadAction: turn 'left': expected one of cw, ccw"),
        (
            "self.attack(None)",
            "BadAction: attack None: expected one of forward, right, backward, left",
        ),
        ("self.move(['left'])", "BadAction: move ['left']: expected one of forward"),
        (
            "self.rest(); self.capture()",
            "BadAction: capture: this turn it has the action 'rest' already",
        ),
        ("self.broadcast(7)", "BadAction: broadcast: a message must be a text, not 7"),
        (
            "self.broadcast('x' * 10**6)",
            "BadAction: broadcast: a message of 1000000 characters; 32 are allowed",
        ),
        (
            "self.broadcast('a'); self.broadcast('b')",
            "BadAction: broadcast: broadcasts in a turn are limited to 1",
        ),
        ("self.seen('q')", "BadAction: seen 'q': expected one of f, h, x"),
        ("self.strength('top')", "BadAction: strength 'top': expected one of forward"),
    ],
)
def test_5_2_a_wrong_call_is_told_with_its_line(
    launcher: ForkLauncher, tmp_path: Path, idle: Path, line: str, text: str
) -> None:
    army = an_army(tmp_path, line, design="self.place(Walker, 6, 3)")
    played = Played(launcher, army, idle)
    assert {(piece_id, cause) for piece_id, cause, _ in played.team_faults(1)} == {(1, "exception")}
    detail = played.team_faults(1)[0][2]
    assert detail.startswith(text)
    assert "player_test.py, line " in detail


def test_5_10_a_shape_that_hangs_where_it_can_be_interrupted_loses_its_own_turn_alone(
    launcher: ForkLauncher, tmp_path: Path, idle: Path
) -> None:
    army = an_army(
        tmp_path,
        """
        self.turns = getattr(self, "turns", 0) + 1
        while self.location()[1] == -5 and self.now == 2:
            pass
        self.broadcast(str(self.turns))
        """,
    )
    limits = Limits(cpu_ms=100, wall_ms=20_000, load_ms=30_000, answer_bytes=262_144)
    played = Played(launcher, army, idle, limits=limits)
    assert [fault[:2] for fault in played.team_faults(1)] == [(1, str(Cause.TIMEOUT))]
    assert played.spoken_texts(1) == ["1", "3", "4", "5", "6"]  # its memory is still there
    assert played.spoken_texts(3) == ["1", "2", "3", "4", "5", "6"]
    assert played.seats[0].restarts == 0


@pytest.mark.parametrize(
    ("end", "cause"),
    [("os._exit(7)", Cause.EXIT), ("sum(range(10**12))", Cause.TIMEOUT)],
    ids=["it ends", "it hangs where it cannot be interrupted"],
)
def test_3_4_after_a_restart_shapes_go_on_without_their_memory_or_a_new_design(
    end: str, cause: Cause, launcher: ForkLauncher, tmp_path: Path, idle: Path
) -> None:
    army = an_army(
        tmp_path,
        f"""
        self.turns = getattr(self, "turns", 0) + 1
        if self.location()[1] == -5 and self.now == 3:
            {end}
        self.broadcast(f"{{self.turns}} {{self.see(5, 5)}} {{len(self.receive())}}")
        """,
        top="import os",
    )
    limits = Limits(cpu_ms=200, wall_ms=20_000, load_ms=30_000, answer_bytes=262_144)
    played = Played(launcher, army, idle, limits=limits)
    assert [fault[:2] for fault in played.team_faults(1)] == [(1, str(cause))]
    assert played.seats[0].restarts == 1
    # Shape 3 is asked by the new process in turn 3 already: it sees, hears, and is new.
    assert played.spoken_texts(3) == ["1 . 0", "2 . 1", "1 . 1", "2 . 0", "3 . 1", "4 . 1"]
    assert sum(ask.piece_id == 0 for ask, _ in played.record.orders) == 2


DIAGONAL = """
class Apart(Shape):
    drawing = '''
      #.
      .#
    '''
    def update(self): pass
    die = update
"""

# -- designs ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("design", "top", "cause", "text"),
    [
        ("self.place(Walker, 11, 3)", "", "illegal order", "placement 1 (Walker at 11, 3): the"),
        ("self.place(Walker, 6, 3.5)", "", "exception", "BadDesign: placement 1 (Walker): a cell"),
        ("self.place('Walker', 6, 3)", "", "exception", "BadDesign: placement 1: 'Walker' is no"),
        ("self.place(Shape, 6, 3)", "", "exception", "BadDesign: class Shape: needs a method"),
        (
            "self.place(type('Odd', (Walker,), {}), 6, 3)",
            "",
            "exception",
            "BadDesign: class Odd: must stand in the file of Player",
        ),
        (
            "self.place(Mute, 6, 3)",
            "class Mute(Shape):\n    drawing = '##'\n    def update(self): pass\n",
            "exception",
            "BadDesign: class Mute: needs a method die(self)",
        ),
        (
            "self.place(Lazy, 6, 3)",
            "class Lazy(Shape):\n    drawing = '##'\n    def update(self): yield\n    die = 1\n",
            "exception",
            "BadDesign: class Lazy: update has a yield, or is async",
        ),
        (
            "self.place(Hollow, 6, 3)",
            "class Hollow(Shape):\n    drawing = '##'\n    def update(self): pass\n    die = 7\n",
            "exception",
            "BadDesign: class Hollow: needs a method die(self)",
        ),
        (
            "self.place(Blank, 6, 3)",
            "class Blank(Shape):\n    drawing = 7\n    def update(self): pass\n    die = update\n",
            "exception",
            "BadDesign: class Blank: drawing must be a text, not 7",
        ),
        (
            "self.place(Apart, 6, 3)",
            DIAGONAL,
            "illegal order",
            "class Apart, row 2, column 2: no edge connects this part",
        ),
        ("pass", "", "illegal order", "no shape is placed"),
        ("1 / 0", "", "exception", "ZeroDivisionError"),
    ],
)
def test_3_3_a_wrong_design_loses_and_says_where(
    launcher: ForkLauncher,
    tmp_path: Path,
    idle: Path,
    design: str,
    top: str,
    cause: str,
    text: str,
) -> None:
    played = Played(launcher, an_army(tmp_path, design=design, top=top), idle)
    [(piece_id, found, detail)] = played.team_faults(1)
    assert (piece_id, found) == (0, cause)
    assert detail.startswith(text)
    assert played.outcome.winner == 2
    assert played.outcome.reason == "no legal army"


def test_3_4_7_4_the_design_carries_the_code_of_each_type(
    launcher: ForkLauncher, tmp_path: Path, idle: Path
) -> None:
    top = "class Child(Shape):\n    drawing = '##'\n    def die(self): return 'dies'\n"
    army = an_army(tmp_path, top=top, design="self.place(Grandchild, 6, 3)")
    text = army.read_text() + "\n\nclass Grandchild(Child):\n    def update(self): return 'lives'\n"
    army.write_text(text)
    played = Played(launcher, army, idle)
    assert played.record.faults == []
    [drawn] = played.record.state.types[0]
    assert drawn.code == (
        "class Child(Shape):\n    drawing = '##'\n    def die(self): return 'dies'\n\n\n"
        "class Grandchild(Child):\n    def update(self): return 'lives'"
    )


# -- secrets ----------------------------------------------------------------------------------


def test_5_8_no_byte_sent_to_a_process_depends_on_an_enemy_out_of_sight(
    launcher: ForkLauncher, tmp_path: Path
) -> None:
    """Other types, other places, other actions and messages: the same bytes, but for the nonces."""
    own = an_army(tmp_path, "self.move('right'); self.broadcast('ours'); self.receive()")
    enemies = [
        an_army(
            tmp_path,
            "self.attack('left'); self.broadcast('secret word')",
            name="player_loud",
            top="class Zebra(Shape):\n    pass",
            design="for row in range(5): self.place(Walker, 9, 2 * row)",
        ),
        an_army(tmp_path, "self.rest()", name="player_calm", design="self.place(Walker, 5, 15)"),
    ]
    sent = [Played(launcher, own, enemy).seats[0].sent for enemy in enemies]
    first, second = (_without_nonces(lines) for lines in sent)
    assert len(first) > 12
    assert first == second
    whole = b"".join(sent[0])
    for secret in (b"secret", b"Zebra", b"player_loud"):
        assert secret not in whole
    assert b"Walker" in whole


def _without_nonces(lines: Sequence[bytes]) -> list[bytes]:
    """A start has none; an ask begins with it."""
    return [line.partition(b",")[2] if line.startswith(b"[") else line for line in lines]


def test_5_8_what_is_seen_is_sent_as_cells_and_nothing_else(
    launcher: ForkLauncher, tmp_path: Path
) -> None:
    own = an_army(
        tmp_path, "print(self.seen('h'), self.see(18, 4))", design="self.place(Walker, 9, 4)"
    )
    enemy = an_army(
        tmp_path,
        "self.move('forward')",
        name="player_other",
        design="self.place(Walker, 10, 15)\nself.place(Walker, 10, 2)",
    )
    played = Played(launcher, own, enemy, board=Settings(**{**_fields(BOARD), "max_turns": 11}))
    assert played.record.faults == []
    lines = played.printed_lines(1)
    assert lines[0] == (1, "[] .")
    assert lines[-1] == (11, "[(18, 4), (19, 4)] h")
    seen = [line for line in played.seats[0].sent if b'["sight",11,' in line]
    assert len(seen) == 1
    assert b'["sight",11,[178,179],[],[]]' in seen[0]


def test_an_army_can_be_played_without_processes(tmp_path: Path, idle: Path) -> None:
    army = an_army(tmp_path, "self.n = getattr(self, 'n', 0) + 1\nself.broadcast(str(self.n))")
    spec = a_spec(BOARD, LENIENT)
    seats = [
        LocalSeat(an_entry(path, team, spec), GAME) for team, path in enumerate((army, idle), 1)
    ]
    record = Recorder()
    play_match(GAME, spec, seats, [record])
    assert record.faults == []
    spoken = [event for event in record.events if isinstance(event, ev.Spoke)]
    assert [event.texts for event in spoken] == [(str(n), str(n)) for n in range(1, 7)]
