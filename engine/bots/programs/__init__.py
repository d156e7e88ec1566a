"""Bots in any language: programs that speak the protocol of docs/protocol.md."""
