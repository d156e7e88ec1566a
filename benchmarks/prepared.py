"""Imported first by benchmarks that are programs: makes the environment, or goes on in it."""

import bootstrap

bootstrap.ensure()
