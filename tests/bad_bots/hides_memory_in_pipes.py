"""Keeps memory in pipes, made as large as they get."""

import fcntl
import os

from engine.games.slime_mind.player import BasePlayer

KEPT = []


class Player(BasePlayer):
    def decide(self, slime):
        held = 0
        try:
            while True:
                reader, writer = os.pipe()
                KEPT.append((reader, writer))
                fcntl.fcntl(writer, fcntl.F_SETFL, os.O_NONBLOCK)
                try:
                    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 1 << 20)
                except OSError:
                    pass
                try:
                    while True:
                        held += os.write(writer, bytes(1 << 16))
                except BlockingIOError:
                    pass
        except OSError:
            pass
        if held > 4 << 20:
            print(f"escaped: {held} bytes in pipes")
        return "UP"
