"""Templates of pages that threads share."""

from typing import Any

from jinja2 import Environment

from engine.support.interpreter_state import ONE_THREAD


class SharedTemplates(Environment):
    """Compiles each template in one thread, since Jinja parses the numbers in it as Python does.

    A template that is compiled already is rendered without waiting for whoever parses something.
    """

    def compile(self, *source: Any, **options: Any) -> Any:
        """Do as Jinja does, which calls this for each template that it has not loaded yet."""
        with ONE_THREAD:
            return super().compile(*source, **options)
