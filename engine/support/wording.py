"""Write numbers with the nouns they count."""


def counted(count: int, one: str, many: str | None = None) -> str:
    """Return `1 match` or `2 matches`; without `many`, the noun gets an `s`."""
    noun = one if count == 1 else many or f"{one}s"
    return f"{count} {noun}"
