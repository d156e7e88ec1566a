"""Our optional packages: which extra of pyproject.toml has them, and how users install it."""

EXTRAS = {
    "cluster": ("distributed",),
    "learning": ("gymnasium", "numba", "pettingzoo"),
    "pictures": ("PIL",),
    "postgres": ("psycopg",),
    "server": (
        "alembic",
        "anyio",
        "argon2",
        "confusable_homoglyphs",
        "markdown_it",
        "mdit_py_plugins",
        "nacl",
        "prometheus_client",
        "python_multipart",
        "segno",
        "starlette",
        "tzdata",
        "uvicorn",
    ),
    "video": ("imageio_ffmpeg",),
    "window": ("arcade",),
}
"""The names under which the packages of each extra are imported (a test compares them)."""


def how_to_install(extra: str) -> str:
    """Return the command that installs an extra of pyproject.toml."""
    return (
        f"in a clone: pip install '.[{extra}]'; elsewhere: pip install 'PATH[{extra}]', "
        "with the path of a clone or of a wheel"
    )


def remedy_of(error: ModuleNotFoundError) -> str:
    """Return which package of an extra is missing, and what adds it; '' for any other module."""
    package = (error.name or "").partition(".")[0]
    for extra, packages in EXTRAS.items():
        if package in packages:
            return f"this needs the extra '{extra}' ({error}): {how_to_install(extra)}"
    return ""
