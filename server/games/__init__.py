"""Games that people play: seats, orders, drafts, clocks, messages, the lobby, watching.

Concept: a game is rows, and a `GameSession` is the game made from them, kept in memory while it is
used. Whatever process takes the last order of a decision plays it, in one transaction.
What players write to each other is the matter of server/messages.
Boundary: `GameService` is the one way to change a game; `Seats` says who plays; `GameObserver`
hears of changes. Rules are the engine's; bots at the board think in processes (`BotSeats`).
What always holds: only what is written counts, so a server that is killed has lost nothing that it
said it had; a position holds what its viewer may know and nothing else; a step is decided once
(compare-and-set); times are the server's, and rules see none.
"""
