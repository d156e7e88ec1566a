"""Builds the documentation as a site, as `python3 -m docs.site --out site`."""

import argparse
import sys
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(HOME))

import bootstrap

if __name__ == "__main__":
    bootstrap.ensure(dev=True)

from docs.site.building import SiteFailed, build_site


def main(arguments: list[str] | None = None) -> int:
    """Build the site that a command line asks for. Return the exit code."""
    parser = argparse.ArgumentParser(prog="python3 -m docs.site", description=__doc__)
    parser.add_argument(
        "--out", type=Path, default=Path("site"), help="the folder of the site; default: site"
    )
    out: Path = parser.parse_args(arguments).out
    try:
        build_site(HOME, out)
    except SiteFailed as failure:
        print(failure, file=sys.stderr)
        return 1
    print(f"{out / 'index.html'}: open it in a browser, or put the folder on any web server")
    return 0


if __name__ == "__main__":
    sys.exit(main())
