"""Tests of systems that are not the one they run on: our code is shown what it would find there."""
