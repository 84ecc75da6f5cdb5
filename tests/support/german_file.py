"""A table as a German office writes it: semicolons, decimal commas, dates with dots, umlauts in Windows-1252."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

HEADER = ("Name", "Größe", "Gewicht", "Aufnahme", "Straße", "Geschlecht", "Krank")
FIRST = ("Jürgen", "Käthe", "Özlem", "Björn", "Zoë", "Günther", "Anaïs")
LAST = ("Müller", "Groß", "Öztürk", "Schäfer", "Weiß", "Yıldız".replace("ı", "i"), "Löwe", "Kühn")


def write_german_file(folder: Path, count: int = 240, name: str = "Aufnahmen Köln.csv") -> Path:
    """People whose illness follows height and weight."""
    rows = [";".join(HEADER)]
    for i in range(count):
        height, weight = 150 + (i * 37) % 450 / 10, 50 + (i * 53) % 600 / 10
        person = f"{FIRST[i % 7]} {LAST[i % 8]}-{LAST[(i * 3 + 1) % 8]} {i}"
        day = date(2024, 1, 15) + timedelta(days=(i * 11) % 330)
        ill = "ja" if weight / height > 0.46 else "nein"
        rows.append(
            f"{person};{height:.1f};{weight:.1f};{day:%d.%m.%Y};Rüsselstraße {i % 9};{'mwd'[i % 3]};{ill}".replace(
                ".", ",", 2
            )
        )
    path = folder / name
    path.write_bytes("\r\n".join([*rows, ""]).encode("cp1252"))
    return path
