"""Tests of what the commands of authors find out."""
