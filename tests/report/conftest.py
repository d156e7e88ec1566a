"""The browser in which pages are tried."""

from tests.visualizer.conftest import chromium as chromium
