"""What holds for the tests of executors."""

import pytest


@pytest.fixture(scope="module", autouse=True)
def zygotes() -> None:
    """Here processes are started as users' are: how they start and end is what is tested."""
