"""Our optional packages, as users install them."""

DISTRIBUTION = "slime-mind-arena"
"""The name on PyPI, where `slime-mind` is somebody else's; also the console command."""


def how_to_install(extra: str) -> str:
    """Return the command that installs an extra of pyproject.toml."""
    return f"pip install '{DISTRIBUTION}[{extra}]', or in a clone: pip install '.[{extra}]'"
