"""Where a home is touched (rules 6.12)."""

from engine.games.game_of_death.perception import Home


def test_a_home_is_touched_over_its_edges_and_not_over_its_corners() -> None:
    edge = Home(4, 28, 2, 3).edge
    assert edge == {
        *((4, 27), (5, 27), (4, 31), (5, 31)),
        *((3, 28), (3, 29), (3, 30), (6, 28), (6, 29), (6, 30)),
    }
