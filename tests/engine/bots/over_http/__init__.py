"""Tests of bots that are asked over HTTP: real servers, and those that try to hold a match."""
