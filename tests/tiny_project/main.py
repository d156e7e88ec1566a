"""Says which Python runs it, and its arguments."""

import bootstrap

bootstrap.PACKAGES = ("tiny_package",)
bootstrap.EXTRA_PACKAGES = ("tiny_extra",)
bootstrap.EXTRAS = ("server",)
bootstrap.DEV_PACKAGES = ("tiny_dev_package",)
bootstrap.ensure()

import sys

import tiny_package  # type: ignore[import-not-found] # noqa: F401 # fails if it is not there

print(sys.prefix, *sys.argv[1:])  # noqa: T201
