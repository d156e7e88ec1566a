"""Plays matches and tournaments: the command line is in cli/."""

try:
    from engine.signals import end_quietly

    if __name__ == "__main__":
        end_quietly()
except KeyboardInterrupt:  # before it is handled in there
    raise SystemExit(130) from None

import bootstrap

bootstrap.ensure()

if __name__ == "__main__":
    from cli.main import main

    main()
