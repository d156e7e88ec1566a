"""Opens a socket while it is imported."""

import socket

print("escaped:", socket.create_connection(("127.0.0.1", 47_000), timeout=0.1))
