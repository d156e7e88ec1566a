"""Opens sockets of every family and kind: netlink, raw, packet, vsock, crypto."""

import socket

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        for family in range(46):
            for kind in (1, 2, 3, 5):
                try:
                    socket.socket(family, kind)
                    print("escaped: a socket", family, kind)
                except PermissionError:
                    pass
                except OSError as error:
                    print("escaped: let through", family, kind, error)
        return "UP"
