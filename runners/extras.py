"""Our optional packages, as users install them."""


def how_to_install(extra: str) -> str:
    """Return the command that installs an extra of pyproject.toml."""
    return (
        f"in a clone: pip install '.[{extra}]'; elsewhere: pip install 'PATH[{extra}]', "
        "with the path of a clone or of a wheel"
    )
