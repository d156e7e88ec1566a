"""The bots we ship."""
