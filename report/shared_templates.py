"""Templates of pages that threads share."""

from collections.abc import MutableMapping
from typing import Any

from jinja2 import Environment, Template

from engine.support.interpreter_state import ONE_THREAD


class SharedTemplates(Environment):
    """Compiles each template in one thread, since Jinja parses the numbers in it as Python does."""

    def get_template(
        self,
        name: str | Template,
        parent: str | None = None,
        globals: MutableMapping[str, Any] | None = None,  # noqa: A002 - as Jinja calls it
    ) -> Template:
        with ONE_THREAD:
            return super().get_template(name, parent, globals)
