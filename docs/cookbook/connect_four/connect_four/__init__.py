"""Connect Four: drop discs into columns; four of them in a line win."""

from slime_mind_arena.engine.description import Description

GAME = Description(
    api=1,
    game="connect_four.game:ConnectFour",
    scene="connect_four.scene:ConnectFourScene",
    bots="connect_four:bots",
    starter_bots=("player_left", "player_looking"),
    presets="connect_four:presets",
)
