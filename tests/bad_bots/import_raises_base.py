"""Raises an exception of its own kind while it is imported."""


class Rude(BaseException):
    pass


raise Rude
