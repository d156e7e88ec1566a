"""Markdown as its parser has it, in plain words."""

from markdown_it.token import Token


def text_of(token: Token) -> str:
    """Return the text of a paragraph, heading or cell, in one line."""
    if token.children is None:
        return token.content
    texts = (
        "\n" if child.type in ("softbreak", "hardbreak") else child.content
        for child in token.children
        if child.type != "html_inline"
    )
    return "".join(texts).replace("\n", " ")
