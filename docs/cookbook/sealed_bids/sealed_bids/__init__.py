"""Sealed Bids: name a number of coins, which you get unless all together want too many."""

from slime_mind_arena.engine.description import Description

GAME = Description(
    api=1,
    game="sealed_bids.game:SealedBids",
    scene="sealed_bids.scene:SealedBidsScene",
    bots="sealed_bids:bots",
    starter_bots=("player_greedy", "player_modest"),
)
