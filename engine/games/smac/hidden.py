"""What other teams hide, drawn so that it fits what is known of them (docs/rules/smac.md 7.1)."""

from engine.games.smac.pieces import Selection, Special, Team
from engine.games.smac.settings import Characteristics
from engine.games.smac.state import Dish
from engine.streams import Stream


def with_the_hidden_drawn(dish: Dish, chance: Stream) -> Dish:
    """Return a copy of a team's dish in which nothing is unknown."""
    drawn = dish.copy()
    for team in drawn.teams:
        if team.bank is None:
            team.bank = chance.below(1 + max(team.production, _usual_bank(drawn)))
        if team.points is None:
            team.points = Characteristics(*(_points(level, chance) for level in team.levels))
        if team.selection is None:
            team.selection = _selection(drawn, team, chance)
    return drawn


def _usual_bank(dish: Dish) -> int:
    """Return what a team has before it produced anything: its points for the first bid."""
    from_start = dish.turn <= 1
    return dish.settings.start_points * 1_000 if from_start else 0


def _points(level: int, chance: Stream) -> int:
    """Draw points that make this level (rules 4.2)."""
    return level**2 + chance.below(2 * level + 1)


def _selection(dish: Dish, team: Team, chance: Stream) -> Selection:
    """Draw nothing, or one of the specials that the team may have selected before this turn."""
    settings = dish.settings
    free = [special for special in Special if special not in team.used]
    if dish.turn <= settings.specials_from_turn or (team.used and settings.one_special_per_game):
        free = []
    chosen = chance.choice([None, *free])
    return Selection(chosen, dish.turn - 1) if chosen else Selection()
