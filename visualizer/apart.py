"""Labels beside lines that end close to each other."""

from collections.abc import Sequence


def apart(places: Sequence[float], room: float, low: float, high: float) -> list[float]:
    """Middles of labels that need so much room, moved until none covers another.

    They stay in their order, and between `low` and `high` if all of them fit there.
    """
    order = sorted(range(len(places)), key=lambda label: places[label])
    moved = list(places)
    least = low + room / 2
    for label in order:
        moved[label] = least = max(least, places[label])
        least += room
    most = high - room / 2
    for label in reversed(order):
        moved[label] = most = min(most, moved[label])
        most -= room
    return moved
