"""What a command says of a path that its user must not look into."""

import errno
import os
import sys

import click
import pytest

from cli import command_line


@click.command()
def command() -> None:
    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), "/root/matches")


def test_a_path_in_a_folder_that_must_not_be_searched_is_named_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command_line, "on_stop", lambda _: None)
    monkeypatch.setattr(sys, "unraisablehook", None)
    monkeypatch.setattr(sys, "argv", ["main.py"])
    assert command_line.run(command, dict) == 1
    assert capsys.readouterr().err == "error: /root/matches: Permission denied\n"
