"""The one package of an installed copy; importing it makes `engine` and the rest importable.

In a clone it lies beside the tree, and in an installed copy the tree lies inside it, so that
nothing else of ours is at the top level of site-packages. Inside the tree, and in bots, imports
stay as they are in a clone: `from engine.games.slime_mind.player import BasePlayer`.
"""

import os.path
import sys

# Without pathlib, which takes a while to import: until a command runs, a Ctrl-C shows a traceback.
HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = HERE if os.path.isdir(os.path.join(HERE, "engine")) else os.path.dirname(HERE)
"""The folder of main.py, engine, runners and so on."""

sys.path.insert(0, ROOT)


def call(place: str, *arguments: object) -> object:
    """Call a function of the tree, named as `module:function`.

    A process of another machine that was sent this function has only to import this package to
    find it (pickle names functions by their modules), and then finds the tree as well.
    """
    from pkgutil import resolve_name

    return resolve_name(place)(*arguments)
