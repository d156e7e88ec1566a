"""The worker's side of a bot: its class `Player`, or a function as kaggle-environments has it."""

from collections.abc import Callable, Mapping
from enum import Enum
from inspect import Parameter, signature
from pathlib import Path
from types import FunctionType
from typing import Any

import msgspec

from engine.bot_output_api import NoteTaker
from engine.bots.loading import cannot_start, find_player_class, load_module
from engine.game import AnyGame, Host, State
from engine.limits import Limits

AGENT_FUNCTION_NAME = "agent"
"""The name of the function that orders, in a bot without a class `Player`."""


class Fields(dict[str, Any]):
    """A dictionary whose keys can be read as attributes, too."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no {name} here; there are: {', '.join(self)}") from None


class AgentHost:
    """Asks a function `agent(observation, configuration)`, or one that takes the first alone.

    What it returns is an answer as docs/protocol.md has it for programs.
    """

    def __init__(self, agent: Callable[..., object], state: State, team: int) -> None:
        self._agent = agent
        self._state = state
        self._team = team
        settings = structs_to_dicts(state.settings, Fields)
        self._rest = () if _takes_one(agent) else (settings,)

    def decide(self, piece_id: int, view: object) -> object:
        """Return what the function answers for a piece; 0 stands for the whole team."""
        observation = structs_to_dicts(self._state, Fields)
        observation |= {"team": self._team, "piece": piece_id, "step": self._state.turn}
        return self._agent(observation, *self._rest)

    def place(self, piece_id: int) -> str:
        """Return where in the match this ask stands, for the bot's log."""
        piece = f", piece {piece_id}" if piece_id else ""
        return f"turn {self._state.turn}{piece}"


def make_host(
    game: AnyGame,
    state: State,
    entry: Path,
    name: str,
    *,
    team: int,
    limits: Limits,
    notes: NoteTaker,
    module_name: str | None = None,
) -> Host:
    """Load a bot, and return what answers for it. Raises: CannotStart.

    `name` is what the bot is called in words about it; `module_name`: see load_module.
    """
    module = load_module(entry, name, module_name)
    agent = getattr(module, AGENT_FUNCTION_NAME, None)
    if type(agent) is FunctionType and not hasattr(module, "Player") and game.takes_agents:
        return AgentHost(agent, state, team)
    player = find_player_class(module, entry, name, game.player, game.calls)
    try:
        notes.give_to(player)
        return game.host(player, state, team, limits)
    except BaseException as error:
        raise cannot_start(error, entry, name) from error


def _takes_one(function: Callable[..., object]) -> bool:
    """Return whether a function takes one positional argument and no more."""
    kinds = [one.kind for one in signature(function).parameters.values()]
    positional = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    return Parameter.VAR_POSITIONAL not in kinds and sum(kind in positional for kind in kinds) < 2


def structs_to_dicts(value: Any, kind: type[dict[Any, Any]] = dict) -> Any:
    """Return dictionaries in place of structs, each field by its name, however deep they are.

    `kind`: the type of the dictionaries. Tuples and sets become lists, and enums their values.
    """
    if isinstance(value, msgspec.Struct):
        return kind(
            (field, structs_to_dicts(getattr(value, field), kind))
            for field in value.__struct_fields__
        )
    if isinstance(value, Mapping):
        return kind((key, structs_to_dicts(inner, kind)) for key, inner in value.items())
    if isinstance(value, list | tuple | set | frozenset):
        return [structs_to_dicts(inner, kind) for inner in value]
    return value.value if isinstance(value, Enum) else value
