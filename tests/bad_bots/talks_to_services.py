"""Connects to services of this machine, by file and by name without file."""

import socket

from engine.games.slime_mind.player import BasePlayer

FILES = ("/run/dbus/system_bus_socket", "/var/run/docker.sock", "/dev/log", "/run/systemd/private")


def attempt(what, *words, **named):
    """Call it; says so if it worked."""
    try:
        result = what(*words, **named)
    except (OSError, ValueError, ImportError):
        return None
    print(f"escaped: {getattr(what, '__name__', what)}{words!r:.200} gave {result!r:.80}")
    return result


def connect(address, kind):
    with socket.socket(socket.AF_UNIX, kind) as end:
        end.connect(address)


class Player(BasePlayer):
    def decide(self, slime):
        for address in (*(f"\0slime-mind-canary-{port}" for port in range(47_000, 47_016)), *FILES):
            for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
                attempt(connect, address, kind)
        attempt(socket.socketpair)
        return "UP"
