"""`main.py`, with a server on which guests write although nothing is played strictly.

Root can play nothing strictly, and guests of this server write nothing but our own templates.
"""

from cli.main import main
from server.site import site
from server.writing import writers


def allow(_: object) -> None:
    """Refuse nothing."""


if __name__ == "__main__":
    for module in (writers, site):
        vars(module)["require_strict"] = allow
    main()
