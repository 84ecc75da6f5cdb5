"""What a steward decided in the browser is kept: when something is wrong, on the way back, and after a restart."""

from __future__ import annotations

import random
from pathlib import Path

from browser.test_web import Visitor, choose
from support.chromium import chromium, complaints, keep_picture, look
from support.web_app import web_app


def write_stays(folder: Path) -> Path:
    """Stays in a German hospital: 80 patients, several rows each, in Windows-1252 with decimal commas."""
    chance = random.Random(1)  # noqa: S311 - no secret
    rows = ["Patientennr;Größe;Station;Diagnose;Entlassen"]
    for patient in range(80):
        height, illness = 150 + chance.randrange(400) / 10, chance.choice(["A", "B"])
        for _ in range(1 + patient % 3):
            number = f"{height:.1f}".replace(".", ",")
            ward, home = chance.choice(["Süd", "Nord"]), chance.choice(["ja", "nein"])
            rows.append(f"P{patient:04d};{number};{ward};{illness};{home}")
    path = folder / "Aufenthalte.csv"
    path.write_bytes("\r\n".join([*rows, ""]).encode("cp1252"))
    return path


def test_decisions_outlive_mistakes_and_restarts(tmp_path: Path) -> None:
    for name in ("root", "own"):
        (tmp_path / name).mkdir()
    table = write_stays(tmp_path / "own")
    with chromium(tmp_path / "profile") as browser:
        with web_app(tmp_path / "root") as app:
            visitor = Visitor(browser, app)
            look(browser, 1280, "light")
            visitor.enter()
            drop(visitor, table)
            choose(visitor, "role-0", "person")
            visitor.until(lambda: "--schema Aufenthalte.schema.toml" in visitor.text("#command-line"))
            choose(visitor, "sensitivity-3", "confidential")
            saved = tmp_path / "root" / "Aufenthalte.schema.toml"
            visitor.until(lambda: 'role = "confidential"' in saved.read_text())
            assert 'role = "person"' in saved.read_text()

            # A kind that does not fit says why, next to it.
            choose(visitor, "kind-2", "numeric")
            visitor.until(lambda: visitor.there("#wrong-column-2 .notice"))
            assert "Not kept." in visitor.text("#wrong-column-2")
            assert in_sight(visitor, "#wrong-column-2 .notice")
            keep_picture(browser, "web-wrong-kind.png")
            choose(visitor, "kind-2", "categorical")
            visitor.until(lambda: not visitor.there("#wrong-column-2 .notice"))

            # A field that is wrong keeps the form.
            visitor.find("a[href$='/plan']").click()
            visitor.at("/plan")
            visitor.find("#policy-internal").click()
            visitor.find("#purpose").send_keys("Studie 7")
            choose(visitor, "class", "Entlassen")
            visitor.find("#dial-k").send_keys("viele")
            visitor.find("#plan > .actions button").click()
            visitor.until(lambda: "whole number" in visitor.text("#wrong-dial"))
            visitor.until(lambda: visitor.browser.execute_script("return document.readyState") == "complete")
            assert "'viele' was given" in visitor.text("#wrong-dial")
            keep_picture(browser, "web-wrong-field.png")
            assert visitor.find("#purpose").get_attribute("value") == "Studie 7"
            assert visitor.find("#policy-internal").is_selected()
            assert visitor.find("#class").get_attribute("value") == "Entlassen"
            visitor.find("#dial-k").clear()
            visitor.find("#plan > .actions button").click()
            visitor.at("/jobs/")
            visitor.until(lambda: visitor.there(".actions a.quiet"))
            keep_picture(browser, "web-job.png")
            visitor.find("#result").click()
            visitor.at("/result")
            browser.switch_to.frame(visitor.find("iframe"))
            assert visitor.text("h1")
            browser.switch_to.default_content()
            browser.back()
            visitor.until(lambda: visitor.there(".actions a.quiet"))
            visitor.find(".actions a.quiet").click()
            visitor.at("/plan?job=")
            assert visitor.find("#purpose").get_attribute("value") == "Studie 7"
            assert visitor.find("#policy-internal").is_selected()
            keep_picture(browser, "web-back.png")
            assert not [one for one in complaints(browser) if "422" not in one["message"]]

        with web_app(tmp_path / "root") as app:
            visitor = Visitor(browser, app)
            visitor.enter()
            drop(visitor, table)
            assert "Aufenthalte.schema.toml" in visitor.text("#found")
            assert "proposed for dropping" not in visitor.text("#columns")
            keep_picture(browser, "web-found.png")
            assert visitor.find("#role-0").get_attribute("value") == "person"
            assert visitor.find("#sensitivity-3").get_attribute("value") == "confidential"
            assert visitor.find("#role-4").get_attribute("value") == "class"
            assert "--class Entlassen" in visitor.text("#command-line")
            visitor.find("#found button").click()
            visitor.until(lambda: visitor.there("#unused"))
            assert visitor.find("#sensitivity-3").get_attribute("value") == "ordinary"
            assert sorted(path.name for path in (tmp_path / "root").glob("*.toml")) == [saved.name]

            # A file that cannot be read ends the waiting sign.
            bad = tmp_path / "own" / "bad.parquet"
            bad.write_bytes(b"PAR1 and nothing else")
            browser.get(app.address)
            visitor.find("#file").send_keys(str(bad))
            visitor.find("#drop button").click()
            visitor.at("/tables/")
            visitor.until(lambda: visitor.there(".notice.bad"))
            assert not visitor.there(".busy")
            assert visitor.text(".notice.bad").startswith("bad.parquet is a damaged")
            keep_picture(browser, "web-unreadable.png")


def drop(visitor: Visitor, table: Path) -> None:
    visitor.at("/")
    visitor.find("#file").send_keys(str(table))
    visitor.find("#drop button").click()
    visitor.at("/tables/")
    visitor.until(lambda: visitor.there("#column-4"))


def in_sight(visitor: Visitor, selector: str) -> bool:
    """Whether an element stands in the part of the page that the window shows."""
    script = (
        "const box = arguments[0].getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight"
    )
    return bool(visitor.browser.execute_script(script, visitor.find(selector)))
