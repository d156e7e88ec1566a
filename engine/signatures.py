"""Check whether a bot's methods can be called as the engine calls them."""

from inspect import CO_COROUTINE, Parameter, Signature, getattr_static, signature
from types import FunctionType


def why_not_callable(own: object, expected: FunctionType) -> str:
    """Return why a method cannot be called as the engine calls it; '' if it can.

    `own` is what the bot's class has under that name, `expected` the one of its base class.
    """
    if type(own) is not FunctionType:  # a descriptor of the author's own making: Python will see
        return ""
    code = own.__code__
    if code.co_flags & CO_COROUTINE:
        return (
            f"async {format_signature(own)} answers with a coroutine; expected: "
            f"{format_signature(expected)}"
        )
    if code.co_argcount == expected.__code__.co_argcount and not code.co_kwonlyargcount:
        return ""  # as of nearly all bots, and without a signature, which takes far longer
    taken = signature(own, follow_wrapped=False)
    try:
        taken.bind(*signature(expected).parameters)
    except TypeError:
        text = f"{expected.__name__}{_parameter_names(taken)} cannot be called"
        return f"{text}; expected: {format_signature(expected)}"
    return ""


def own_method(kind: type, name: str) -> object:
    """Return a method as its class defines it, without running any code of the class."""
    return getattr_static(kind, name, None)


def format_signature(method: FunctionType) -> str:
    """Return the first line of a method, without types: `def decide(self, slime)`."""
    return f"def {method.__name__}{_parameter_names(signature(method))}"


def _parameter_names(form: Signature) -> str:
    """Return the names of the parameters alone: defaults and annotations may be anything."""
    return f"({', '.join(map(_format_parameter, form.parameters.values()))})"


def _format_parameter(parameter: Parameter) -> str:
    stars = {Parameter.VAR_POSITIONAL: "*", Parameter.VAR_KEYWORD: "**"}
    return f"{stars[parameter.kind]}{parameter.name}" if parameter.kind in stars else parameter.name
