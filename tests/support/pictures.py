"""`make pictures`: the pictures of the README and the docs, taken of the web app and of a report."""

from __future__ import annotations

import base64
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import hushwood as hw
from hushwood.demo.synthetic_tables import credit_risk
from hushwood.tables.frames.storage import frame_from_table
from support.chromium import chromium, look
from support.web_app import web_app

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

SEED = "1" * 64
DRAWN = """return [...document.querySelectorAll("[data-chart]")].filter(b => b.offsetParent)
    .every(b => b.querySelector("svg"))"""
PATIENCE = 600.0


def take(docs: Path) -> None:
    """Take all of them into the folder of the documentation."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["HUSHWOOD_LEDGER"] = str(folder / "ledger.json")
        for inner in ("root", "profile"):
            (folder / inner).mkdir()
        with chromium(folder / "profile") as browser:
            of_report(browser, folder, docs)
            of_web_app(browser, folder / "root", docs / "pictures")


def of_report(browser: Chrome, folder: Path, docs: Path) -> None:
    """The first screen of the internal report on a generated table."""
    people = frame_from_table(credit_risk(2000, SEED))
    hw.release(people, target="Credit Risk", seed=SEED, policy="public", output=folder / "out")
    browser.get((folder / "out" / "private" / "report.html").as_uri())
    wait(browser, DRAWN)
    picture(browser, docs / "report.png", 1100)


def of_web_app(browser: Chrome, root: Path, pictures: Path) -> None:
    """The columns of a demo table, the plan, and the result of its release."""
    with web_app(root) as app:
        browser.get(app.link)
        wait(browser, "return location.search === '' && document.getElementById('drop') !== null")
        browser.find_element("css selector", "form.demo button").click()
        wait(browser, "return document.getElementById('column-0') !== null")
        picture(browser, pictures / "web-table.png", 900)
        browser.get(f"{app.address}/tables/1/plan?policy=internal&dial=100")
        wait(browser, "return document.getElementById('plan') !== null")
        picture(browser, pictures / "web-plan.png", 900)
        browser.find_element("css selector", "#plan > .actions button").click()
        wait(browser, "return document.getElementById('result') !== null")
        browser.find_element("css selector", "#result").click()
        wait(browser, "return document.getElementById('answer') !== null")
        picture(browser, pictures / "web-result.png", 1000)


def wait(browser: Chrome, script: str) -> None:
    end = time.monotonic() + PATIENCE
    while not browser.execute_script(script):
        if time.monotonic() > end:
            raise TimeoutError(script)
        time.sleep(0.2)


def picture(browser: Chrome, path: Path, height: int) -> None:
    """The upper part of a page, as a wide window shows it in a light room."""
    look(browser, 1280, "light")
    clip = {"x": 0, "y": 0, "width": 1280, "height": height, "scale": 1}
    asked = {"clip": clip, "captureBeyondViewport": True}
    path.write_bytes(base64.b64decode(browser.execute_cdp_cmd("Page.captureScreenshot", asked)["data"]))
    sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    take(Path(sys.argv[1]))
