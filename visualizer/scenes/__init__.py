"""How games look: a module per game, named like it, with its scene as SCENE."""
