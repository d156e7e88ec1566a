"""Write numbers with the nouns they count, and values in the sentences that refuse them."""


def counted(count: int, one: str, many: str | None = None) -> str:
    """Return `1 match` or `2 matches`; without `many`, the noun gets an `s`."""
    noun = one if count == 1 else many or f"{one}s"
    return f"{count} {noun}"


def short_repr(value: object) -> str:
    """Return how Python writes a value, cut short; of what it cannot write, the type."""
    try:
        return f"{value!r:.60}"
    except ValueError:  # a number of thousands of digits
        return f"{type(value).__name__} of many digits"
