"""Raises a syntax error that cannot be read."""


class Strange(SyntaxError):
    @property
    def lineno(self):
        raise RuntimeError("no line")

    def __str__(self):
        raise RuntimeError("no words")

    msg = filename = lineno


raise Strange
