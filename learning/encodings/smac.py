"""SMAC in arrays: an agent per team, which makes its orders click by click, and then submits them.

The clicks are the lines of a draft (engine/games/smac/drafts.py), so that the game itself says
what may follow.
"""

from collections.abc import Iterator

import numpy as np

from engine.game import AnyGame, Ask, Draft
from engine.games.smac.drafts import OrdersShown, PlacementShown
from engine.games.smac.pieces import Special, Team
from engine.games.smac.settings import MILLI, Characteristic, Characteristics, Settings
from engine.games.smac.specials import SPECIAL_RULES, TargetKind
from engine.games.smac.state import Dish
from engine.games.smac.terrain import FLAG_NAMES
from learning.encoding import Array, Choice, Encoding, Observation, as_numbers

SUBMIT = 0
Line = tuple[object, ...]


class Actions:
    """The number of each line of a draft, and of `submit`."""

    def __init__(self, settings: Settings, teams: int) -> None:
        side = settings.side_for(teams)
        cells = [(x, y) for y in range(side) for x in range(side)]
        targets = {special: rules.target for special, rules in SPECIAL_RULES.items()}
        aimed = [special for special, target in targets.items() if target is TargetKind.CELL]
        at_teams = [special for special, target in targets.items() if target is TargetKind.TEAM]
        alone = [special for special, target in targets.items() if target is TargetKind.NOTHING]
        lines: list[Line] = [
            ("submit",),
            *(("place", x, y) for x, y in cells),
            *(("center", x, y) for x, y in cells),
            *(("bid", points) for points in range(settings.start_points + 1)),
            *(("evolve", str(name)) for name in Characteristic),
            *(("evolve_level", str(name)) for name in Characteristic),
            *(("select", str(special)) for special in Special),
            *(("use", str(special)) for special in alone),
            *(("use", str(each), team) for each in at_teams for team in range(1, teams + 1)),
            *(("use", str(special), cell) for special in aimed for cell in cells),
        ]
        self.lines = tuple(lines)
        """The line of each action."""
        self.numbers = {line: number for number, line in enumerate(lines)}

    def targets(self, special: Special) -> list[Line]:
        """Return the lines that use a special, on each of its targets."""
        return [line for line in self.lines if line[:2] == ("use", str(special))]


class DraftChoice(Choice):
    """The lines of a draft so far, and those that may follow."""

    def __init__(self, game: AnyGame, known: Dish, ask: Ask, actions: Actions) -> None:
        self._game = game
        self._known = known
        self._ask = ask
        self._actions = actions
        self._lines: list[Line] = []
        self._update_draft()

    @property
    def legal(self) -> list[int]:
        return self._legal

    @property
    def shows(self) -> OrdersShown | PlacementShown:
        """Return what the lines so far amount to."""
        shows = self._draft.shows
        assert isinstance(shows, OrdersShown | PlacementShown)
        return shows

    def take(self, action: int) -> object:
        if action == SUBMIT:
            return self._game.check(self._known, self._ask, self._draft.answer)
        self._lines.append(self._actions.lines[action])
        self._update_draft()
        return None

    def _update_draft(self) -> None:
        draft = self._game.draft(self._known, self._ask, self._lines)
        assert isinstance(draft, Draft)
        assert not draft.refused
        self._draft = draft
        self._legal = [self._actions.numbers[line] for line in self._lines_that_may_follow()]

    def _lines_that_may_follow(self) -> Iterator[Line]:
        yield ("submit",)
        shows = self.shows
        if isinstance(shows, PlacementShown):
            yield from self._placement_lines(shows)
        else:
            yield from self._order_lines(shows)

    def _placement_lines(self, shows: PlacementShown) -> Iterator[Line]:
        """A bid once, and each center once: others would change nothing."""
        if not any(line[0] == "bid" for line in self._lines):
            most = int(shows.bank)
            yield from (("bid", points) for points in range(most + 1))
        taken = set(shows.centers)
        yield from (("center", x, y) for x, y in shows.free_centers if (x, y) not in taken)

    def _order_lines(self, shows: OrdersShown) -> Iterator[Line]:
        yield from (("place", x, y) for x, y, _ in shows.costs)
        for name, option in shows.characteristics.items():
            if option.why_not is None:
                yield ("evolve", name)
            if option.why_not_level is None:
                yield ("evolve_level", name)
        done = {line[0] for line in self._lines}
        for name, special in shows.specials.items():
            if special.why_not_select is None and "select" not in done:
                yield ("select", name)
            if special.why_not_use is None and "use" not in done:
                yield from self._use_lines(Special(name))

    def _use_lines(self, special: Special) -> Iterator[Line]:
        """Return the lines that use an armed special on targets it may have."""
        sheet = self._game.sheet(self._known, self._ask.team)
        why_not_use = sheet.why_not_use  # type: ignore[attr-defined]
        for line in self._actions.targets(special):
            if why_not_use(*line[1:]) is None:
                yield line


class SmacEncoding(Encoding[Dish]):
    """Planes in the cells of the dish, row 0 first; teams from the own one on, in their order.

    Actions are the lines of a draft in the order of `lines`, and 0 submits them.
    """

    is_simultaneous = True

    def __init__(self, game: AnyGame, settings: Settings, teams: int) -> None:
        super().__init__(game, settings, teams)
        self.rows = self.columns = settings.side_for(teams)
        self._actions = Actions(settings, teams)
        self.actions = len(self._actions.lines)
        others = tuple(f"team {step} after the own one" for step in range(1, teams))
        self.planes = (
            *(f"terrain: 1 if {name}" for name in FLAG_NAMES.values()),
            *(f"raw height of the stacks of {who}" for who in ("the own team", *others)),
            "centers of the own team: 1",
            "centers of others: 1",
        )
        self.numbers = (
            *("the team, from 1", "turn, from 1", "turns left", "1 in a placement round"),
            "bank after the lines so far, thousandths of a point",
            *("bid so far, points", "spent by the lines so far, points"),
            *(f"points in {name}" for name in Characteristic),
            *(f"1 if {special} is selected" for special in Special),
            *(
                f"{who}: {what}"
                for who in ("the own team", *others)
                for what in (
                    *(f"level of {name}" for name in Characteristic),
                    *(f"1 if {special} was used" for special in Special),
                    "production of the last turn, thousandths of a point",
                )
            ),
        )

    @property
    def lines(self) -> tuple[Line, ...]:
        """Return what each action does, as a line of a draft."""
        return self._actions.lines

    def choice(self, known: Dish, ask: Ask) -> Choice:
        return DraftChoice(self.game, known, ask, self._actions)

    def observe(
        self, known: Dish, agent: str, ask: Ask | None, choice: Choice | None
    ) -> Observation:
        team = self.agent_team(agent)
        turned = [(team - 1 + step) % self.teams + 1 for step in range(self.teams)]
        shows = choice.shows if isinstance(choice, DraftChoice) else None
        return Observation(
            self._encode_planes(known, turned, shows),
            as_numbers(
                *(team, known.turn, self.settings.last_turn - known.turn),
                known.stage.startswith("placement"),
                *_own_numbers(known, known.team(team), shows),
                *(number for each in turned for number in _public_numbers(known.team(each))),
            ),
        )

    def _encode_planes(
        self, known: Dish, turned: list[int], shows: OrdersShown | PlacementShown | None
    ) -> Array:
        planes, side = self.new_planes(), self.rows
        for cell, terrain in enumerate(known.terrain):
            for plane, flag in enumerate(FLAG_NAMES):
                planes[plane, cell // side, cell % side] = bool(terrain & flag)
        first = len(FLAG_NAMES)
        for plane, team in enumerate(turned, first):
            planes[plane] = np.frombuffer(bytes(known.layer(team)), np.uint8).reshape(side, side)
        if isinstance(shows, OrdersShown):
            for x, y, height in shows.heights:
                planes[first, y, x] = height
        for team in turned:
            for cell in known.team(team).centers:
                planes[-2 if team == turned[0] else -1, cell // side, cell % side] = 1
        return planes


def _own_numbers(
    known: Dish, own: Team, shows: OrdersShown | PlacementShown | None
) -> Iterator[int]:
    """Return what a team alone knows of itself: bank, bid, clicks, points, selection."""
    yield round(shows.bank * MILLI) if shows is not None else own.bank or 0
    yield shows.bid if isinstance(shows, PlacementShown) else 0
    yield 0 if shows is None else _spent_points(own, shows)
    yield from own.points or Characteristics()
    selected = own.selection.special if own.selection is not None else None
    yield from (special is selected for special in Special)


def _spent_points(own: Team, shows: OrdersShown | PlacementShown) -> int:
    """Return the points that the lines so far cost."""
    return ((own.bank or 0) - round(shows.bank * MILLI)) // MILLI


def _public_numbers(team: Team) -> Iterator[int]:
    yield from team.levels
    yield from (special in team.used for special in Special)
    yield team.production
