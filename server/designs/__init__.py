"""The designer: armies of the Game of Death, drawn in the browser.

Concept: an army is data, which the page keeps. All that is known of it is asked for here: figures,
mistakes, where there is room, the file of a bot, a mock battle.
Boundary: the rules and the file are of engine/games/game_of_death, battles of server/runs, and a
bot is handed in as any other by server/bots.
What always holds: nothing that was drawn or written runs in this process; code is parsed in a
confined child, and plays in the sandbox, for people with accounts.
"""
