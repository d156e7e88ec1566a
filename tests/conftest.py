"""What holds for all tests."""

import pytest
from hypothesis import settings

# How long an example takes says more about the machine than about the code.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


@pytest.fixture(autouse=True)
def calm_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches with faults are played once, whatever else the machine has to do."""
    monkeypatch.setattr("engine.referee.looks_starved", lambda result: False)
