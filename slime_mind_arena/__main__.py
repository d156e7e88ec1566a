"""The commands of an installed copy, and `python3 -m slime_mind_arena`: what main.py does."""

try:
    import slime_mind_arena.top_level  # noqa: F401 - as they are in a clone
    from engine.support.signals import end_quietly
    from engine.support.standard_streams import open_closed_streams
except KeyboardInterrupt:  # before it is handled in there
    raise SystemExit(130) from None


def play() -> None:
    """Run the command `slime-mind-arena`."""
    _run_command()
    from cli.main import main

    main()


def watch() -> None:
    """Run the command `slime-mind-arena-replay`."""
    _run_command()
    from cli.replay import main

    main()


def _run_command() -> None:
    end_quietly()
    open_closed_streams()
    import bootstrap

    bootstrap.ensure()


if __name__ == "__main__":
    play()
