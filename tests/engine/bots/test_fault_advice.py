"""What the author of a bot is told to do that plays under limits of somebody else's."""

import pytest

from engine.bots.fault_advice import advice_to_author
from engine.fault import Cause, Fault
from engine.limits import Limits


@pytest.mark.parametrize("cause", Cause)
def test_no_advice_names_what_only_an_organizer_can_change(cause: Cause) -> None:
    advice = advice_to_author(Fault(cause, "some words"), Limits())
    assert advice
    assert "--limit" not in advice
    assert "{" not in advice


def test_the_limits_that_hold_are_named() -> None:
    limits = Limits(cpu_ms=40, memory_mb=128)
    assert "40 ms" in advice_to_author(Fault(Cause.TIMEOUT), limits)
    assert "128 MB" in advice_to_author(Fault(Cause.OUT_OF_MEMORY), limits)


def test_a_package_that_is_not_allowed_is_to_be_done_without() -> None:
    fault = Fault(Cause.IMPORT_ERROR, "torch is not allowed (--allow-package torch)")
    assert advice_to_author(fault, Limits()).startswith("do without that package")
