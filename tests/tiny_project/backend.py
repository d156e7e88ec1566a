"""Builds the tiny project, with nothing but the standard library.

While a file `hold` lies in the project, the build waits: so a test can act half-way.
"""

import time
import zipfile
from pathlib import Path

HERE = Path(__file__).parent


def write_wheel(folder: Path, name: str, *, requires: str = "", script: str = "") -> str:
    """Write a package with one empty module, and a script of its name. Returns the file's name."""
    info = f"{name}-1.dist-info"
    files = {
        **({f"{name}-1.data/scripts/{name}": script} if script else {}),
        f"{name}.py": "",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n{requires}",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": "",
    }
    with zipfile.ZipFile(folder / f"{name}-1-py3-none-any.whl", "w") as wheel:
        for path, text in files.items():
            entry = zipfile.ZipInfo(path)
            entry.external_attr = 0o100755 << 16  # a script can be run
            wheel.writestr(entry, text)
    return f"{name}-1-py3-none-any.whl"


def build_editable(
    wheel_directory: str,
    config_settings: object = None,  # the names are PEP 660's
    metadata_directory: str | None = None,
) -> str:
    """Build what pip and uv call for."""
    del config_settings, metadata_directory
    while (HERE / "hold").exists():
        (HERE / "held").touch()
        time.sleep(0.02)
    return write_wheel(Path(wheel_directory), "tiny", requires="Requires-Dist: tiny_package\n")
