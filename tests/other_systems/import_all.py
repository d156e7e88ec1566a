"""Import all modules of tests; print those that cannot be, and those that skip themselves."""

import importlib
from pathlib import Path

import click
import pytest

HOME = Path(__file__).resolve().parents[2]


def modules() -> list[str]:
    paths = [*HOME.glob("tests/**/test_*.py"), *HOME.glob("tests/**/conftest.py")]
    return sorted(".".join(path.relative_to(HOME).with_suffix("").parts) for path in paths)


if __name__ == "__main__":
    for name in modules():
        try:
            importlib.import_module(name)
        except pytest.skip.Exception as reason:
            click.echo(f"{name} skips itself: {reason}")
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told
            click.echo(f"{name} cannot be imported: {type(error).__name__}: {error}")
