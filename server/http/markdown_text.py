"""Parsers of Markdown, and what they have parsed in plain words."""

from markdown_it import MarkdownIt
from markdown_it.token import Token


def make_thread_safe(markdown: MarkdownIt) -> MarkdownIt:
    """Return a parser that threads may share.

    It lists its rules when it is first used: a second thread would find half of the list then.
    """
    markdown.parse("*a*")
    return markdown


def token_text(token: Token) -> str:
    """Return the text of a paragraph, heading or cell, in one line."""
    if token.children is None:
        return token.content
    texts = (
        "\n" if child.type in ("softbreak", "hardbreak") else child.content
        for child in token.children
        if child.type != "html_inline"
    )
    return "".join(texts).replace("\n", " ")
