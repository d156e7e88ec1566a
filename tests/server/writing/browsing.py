"""What somebody does on the page on which bots are written."""

from collections.abc import Callable
from typing import Any

OpenPage = Callable[..., Any]
KEPT = """() =>
    fetch(location.pathname.replace("/write/", "/api/v1/drafts/")).then((answer) => answer.json())
"""


def is_ours(line: Any) -> bool:
    """Return whether a line of the console is of a script's or a policy's fault."""
    return line.type == "error" and not line.text.startswith("Failed to load resource")


def open_editor(page: Any, game: str = "Slime Mind") -> None:
    """Begin a bot of a game, on the first visit."""
    page.get_by_role("button", name=f"Write a bot for {game}").click()
    code(page).wait_for()


def code(page: Any) -> Any:
    """Return the field with the code, of either editor."""
    return page.get_by_role("textbox", name="Code of the bot")


def read_code(page: Any) -> str:
    """Return the code that is shown."""
    field = code(page)
    if field.evaluate("field => field.tagName") == "TEXTAREA":
        return str(field.input_value())
    lines = field.locator(".cm-line").all_inner_texts()
    return "\n".join("" if line == "\n" else line for line in lines)


def put(page: Any, text: str) -> None:
    """Replace the code by another one."""
    code(page).click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def is_saved(page: Any) -> None:
    page.locator("#save-state[data-state=saved]").wait_for()


def read_saved_draft(page: Any) -> Any:
    """Return the draft of a page, as the server has it."""
    return page.evaluate(KEPT)


def read_saved_text(page: Any) -> str:
    """Return the text of the first file of a draft, as the server has it."""
    return str(read_saved_draft(page)["files"][0]["text"])
