"""My Game."""

from slime_mind_arena.engine.description import Description

GAME = Description(
    api=1,
    game="my_game.game:MyGame",
    scene="my_game.scene:MyGameScene",
    bots="my_game:bots",
    starter_bots=("player_one", "player_two"),
    presets="my_game:presets",
)
