"""Calls itself by a number that nobody can compute, for whoever reads its name or imports it."""

NAME = 9 ** 9 ** 9
VERSION = "x" * 10 ** 10
