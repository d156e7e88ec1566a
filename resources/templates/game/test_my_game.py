"""What every game keeps to, and what this one does."""

from my_game.game import MyGame, Settings

from slime_mind_arena.testing import GameContract


class TestContract(GameContract):
    game = "my_game"


def test_whoever_takes_the_last_stone_wins() -> None:
    game = MyGame()
    state = game.new(Settings(), 2)
    state.stones = 2
    for event in game.play(state, [2], None):
        state.apply(event)
    assert state.ending.scores == (1.0, 0.0)
