"""Shows recorded matches: the command line is in cli/replay.py."""

try:
    from engine.support.signals import end_quietly
    from engine.support.standard_streams import open_closed_streams

    if __name__ == "__main__":
        end_quietly()
        open_closed_streams()
except KeyboardInterrupt:  # before it is handled in there
    raise SystemExit(130) from None

import bootstrap

bootstrap.ensure()

if __name__ == "__main__":
    from cli.replay import main

    main()
