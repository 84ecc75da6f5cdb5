"""Examples that take arguments; the contract suite runs all of them and compares what they print."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_chart_of_a_reconstruction(tmp_path: Path) -> None:
    chart = tmp_path / "chart.png"
    example = EXAMPLES / "reconstruction.py"
    subprocess.run([sys.executable, "-W", "error", str(example), "--chart", str(chart)], check=True)
    assert chart.read_bytes().startswith(b"\x89PNG")
