"""The web app in a real browser: the whole way from a file to a downloaded release, as people go it.

Set HUSHWOOD_PICTURES to a folder to keep the pictures that are taken on the way.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support.chromium import chromium, complaints, keep_picture, look
from support.german_file import write_german_file
from support.people_files import write_people
from support.real_data import data_folder
from support.web_app import WebApp, web_app

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

AXE = Path(__file__).parents[1] / "support" / "axe" / "axe.min.js"
# The frame of a report is left out: it is another page, tested in test_report.
FIND_FAULTS = """const done = arguments[arguments.length - 1];
    axe.run(document, {iframes: false}).then(found => done(found.violations
        .filter(one => ['serious', 'critical'].includes(one.impact))
        .map(one => one.id + ': ' + one.nodes.map(node => node.html.slice(0, 120)).join(' | '))))"""
OVERFLOW = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
FOCUS = "return document.activeElement.id || document.activeElement.textContent.trim()"
SETTLED = "return document.readyState === 'complete' && !document.querySelector('.htmx-request, .busy')"


class Visitor:
    """A person at the web app: goes on when a page is there, and looks at every page closely."""

    def __init__(self, browser: Chrome, app: WebApp) -> None:
        self.browser = browser
        self.app = app

    def enter(self) -> None:
        self.browser.get(self.app.link)
        self.until(lambda: "token" not in self.browser.current_url)

    def until(self, true: Callable[[], object], seconds: float = 150) -> None:
        from selenium.common.exceptions import StaleElementReferenceException
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.browser, seconds, 0.1, [StaleElementReferenceException]).until(lambda _: true())

    def at(self, path: str) -> None:
        """Wait until a page is there and has all its parts."""
        self.until(lambda: path in self.browser.current_url and self.browser.execute_script(SETTLED))

    def find(self, selector: str) -> Any:
        return self.browser.find_element("css selector", selector)

    def there(self, selector: str) -> bool:
        return bool(self.browser.find_elements("css selector", selector))

    def text(self, selector: str) -> str:
        return str(self.find(selector).text)

    def look_closely(self, name: str) -> None:
        """Narrow and wide, light and dark: nothing sticks out, nothing is hard to use, nothing complains."""
        self.browser.execute_script(AXE.read_text("utf-8"))
        for width, scheme in ((1280, "light"), (1280, "dark"), (400, "dark"), (400, "light")):
            look(self.browser, width, scheme)
            assert self.browser.execute_script(OVERFLOW) <= 0, (name, width)
            if (width, scheme) in ((1280, "dark"), (400, "light")):
                assert self.browser.execute_async_script(FIND_FAULTS) == [], (name, width, scheme)
            keep_picture(self.browser, f"web-{name}-{width}-{scheme}.png")
        look(self.browser, 1280, "light")
        assert complaints(self.browser) == [], name

    def press(self, *keys: str) -> None:
        from selenium.webdriver import ActionChains

        ActionChains(self.browser).send_keys(*keys).perform()

    def tab_to(self, wanted: str) -> None:
        """Go to an element by its id or its text, with the keyboard alone."""
        from selenium.webdriver.common.keys import Keys

        for _ in range(200):
            self.press(Keys.TAB)
            if self.browser.execute_script(FOCUS) == wanted:
                return
        raise AssertionError(f"{wanted} cannot be reached with the keyboard")

    def drop(self, path: Path) -> None:
        """Drag a file from another window onto the page."""
        for kind in ("dragEnter", "dragOver", "drop"):
            data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
            self.browser.execute_cdp_cmd(
                "Input.dispatchDragEvent", {"type": kind, "x": 300, "y": 300, "data": data}
            )

    def requested(self) -> set[str]:
        """The addresses that were asked for since this was last called."""
        entries = self.browser.execute("getLog", {"type": "performance"})["value"]
        messages = (json.loads(entry["message"])["message"] for entry in entries)
        sent = (
            one["params"]["request"]["url"]
            for one in messages
            if one["method"] == "Network.requestWillBeSent"
        )
        return {address for address in sent if not address.startswith(("data:", "blob:"))}


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """One server and one browser for all visits; what is downloaded lies in the folder `downloads`."""
    folder = tmp_path_factory.mktemp("web")
    for name in ("root", "downloads"):
        (folder / name).mkdir()
    preferences = {"download.default_directory": str(folder / "downloads")}
    with web_app(folder / "root") as app, chromium(folder / "profile", **preferences) as browser:
        found = Visitor(browser, app)
        look(browser, 1280, "light")
        found.enter()
        yield found


def downloaded(visitor: Visitor, name: str) -> dict[str, bytes]:
    path = visitor.app.root.parent / "downloads" / name
    visitor.until(path.is_file)
    with zipfile.ZipFile(path) as packed:
        return {Path(name).name: packed.read(name) for name in packed.namelist()}


def plain_manifest(text: bytes) -> dict[str, Any]:
    """A manifest without what depends on the private sign-off page, which shows the date and the command."""
    manifest: dict[str, Any] = json.loads(text)
    assert manifest.pop("mac")
    for name in ("signoff.html", "signoff.json"):
        assert manifest["private_files"].pop(f"private/{name}")
    return manifest


def run_in(folder: Path, line: str) -> None:
    """Type a command that a page shows into a terminal."""
    program, *words = shlex.split(line)
    assert program == "hushwood"
    subprocess.run(
        [sys.executable, "-m", "hushwood", *words, "--quiet"], cwd=folder, env=os.environ, check=True
    )


def common_adults() -> str:
    """600 people of Adult without rare levels, by which people can be singled out."""
    header, *lines = (data_folder() / "adult" / "adult.csv").read_text().splitlines()[:1501]
    rows = [line.split(",") for line in lines]
    texts = [place for place, value in enumerate(rows[0]) if not value.strip().lstrip("-").isdecimal()]
    for _ in range(3):
        counts = {place: Counter(row[place] for row in rows) for place in texts}
        rows = [row for row in rows if all(counts[place][row[place]] >= 25 for place in texts)]
    return "\n".join([header, *(",".join(row) for row in rows[:600]), ""])


def test_adult_with_the_keyboard_alone(visitor: Visitor) -> None:
    from selenium.webdriver.common.keys import Keys

    (visitor.app.root / "adult.csv").write_text(common_adults())
    visitor.requested()
    visitor.browser.get(visitor.app.address)
    visitor.at("/")
    visitor.look_closely("start")
    visitor.tab_to("path")
    visitor.press("adult", Keys.TAB, Keys.ENTER)
    visitor.at("/tables/")
    visitor.until(lambda: visitor.there("#column-14"))
    visitor.look_closely("table")

    visitor.tab_to("sensitivity-0")
    visitor.press("Others")
    visitor.until(lambda: "--schema adult.schema.toml" in visitor.text("#command-line"))
    assert visitor.browser.execute_script(FOCUS) == "sensitivity-0"
    visitor.tab_to("Go on to the plan")
    visitor.press(Keys.ENTER)
    visitor.at("/plan")
    visitor.look_closely("plan")

    visitor.tab_to("policy-public")
    visitor.press(Keys.ARROW_DOWN)
    visitor.tab_to("class")
    visitor.press("income")
    visitor.until(lambda: "--class income --policy internal" in visitor.text("#command-line"))
    command = visitor.text("#command-line")
    visitor.tab_to("Make the release")
    visitor.press(Keys.ENTER)
    visitor.at("/jobs/")
    assert visitor.text("#command-line") == command
    visitor.look_closely("run")
    visitor.until(lambda: visitor.there("#result"))
    visitor.tab_to("result")
    visitor.press(Keys.ENTER)
    visitor.at("/result")
    visitor.look_closely("result")

    assert visitor.text("#answer") == "Cleared for use inside the organisation"
    visitor.tab_to("Download share/ as a zip")
    visitor.press(Keys.ENTER)
    files = downloaded(visitor, "adult-release-share.zip")
    run_in(visitor.app.root, visitor.text("#again"))
    again = {p.name: p.read_bytes() for p in (visitor.app.root / "adult-release-again" / "share").iterdir()}
    assert plain_manifest(files.pop("manifest.json")) == plain_manifest(again.pop("manifest.json"))
    assert files == again
    assert set(files) == {"released.csv", "report.html", "dictionary.md"}

    visitor.browser.switch_to.frame(visitor.find("iframe"))
    assert visitor.find("h1").text
    visitor.browser.switch_to.default_content()
    assert all(address.startswith(visitor.app.address + "/") for address in visitor.requested())


def test_a_german_file_that_is_dropped(visitor: Visitor, tmp_path: Path) -> None:
    visitor.browser.get(visitor.app.address)
    visitor.at("/")
    visitor.drop(write_german_file(tmp_path))
    visitor.at("/tables/")
    visitor.until(lambda: visitor.there("#column-6"))

    names = [element.text for element in visitor.browser.find_elements("css selector", ".column h2")]
    assert names == ["Name", "Größe", "Gewicht", "Aufnahme", "Straße", "Geschlecht", "Krank"]
    assert "Windows-1252" in visitor.text("#columns")
    assert "Name" in visitor.text(".notice")
    assert "dropped" in visitor.find("#column-0").get_attribute("class")
    choose(visitor, "role-6", "class")
    visitor.until(lambda: "--class Krank" in visitor.text("#command-line"))
    visitor.find("a[href$='/plan']").click()
    visitor.at("/plan")
    visitor.find("#policy-internal").click()
    visitor.until(lambda: "internal" in visitor.text("#command-line"))
    visitor.find("#plan > .actions button").click()
    visitor.at("/jobs/")
    visitor.until(lambda: visitor.there("#result"))
    visitor.find("#result").click()
    visitor.at("/result")
    if not visitor.there("a[download]"):  # a small table may be too small to be cleared
        visitor.find("#reason").send_keys("A trial with invented people")
        visitor.find("#by").send_keys("Käthe")
        visitor.find(".accept button").click()
        visitor.until(lambda: visitor.there("#result"))
        visitor.find("#result").click()
        visitor.at("/result")
    visitor.find("a[download]").click()
    table = downloaded(visitor, "Aufnahmen Köln-release-share.zip")["released.csv"]
    assert table.startswith("Größe;Gewicht;Aufnahme;Straße;Geschlecht;Krank\r\n".encode("cp1252"))
    assert b"ller" not in table
    for link in ("a guess", visitor.app.link):  # what could undo the release takes more than the browser
        visitor.find("details:has(#link) summary").click()
        visitor.find("#confirm").click()
        visitor.find("#link").send_keys(link)
        keep_picture(visitor.browser, "web-private.png")
        visitor.find("button.danger").click()
        if link != visitor.app.link:
            visitor.until(lambda: "copy it from there" in visitor.text("main"))
            visitor.find("main a.button").click()
            visitor.at("/result")
    assert "key" in downloaded(visitor, "Aufnahmen Köln-release-private.zip")
    assert [one for one in complaints(visitor.browser) if "422" not in one["message"]] == []
    assert complaints(visitor.browser) == []


def choose(visitor: Visitor, place: str, value: str) -> None:
    from selenium.webdriver.support.ui import Select

    Select(visitor.find(f"#{place}")).select_by_value(value)


@pytest.mark.slow
def test_a_search_whose_points_can_be_opened(visitor: Visitor) -> None:
    write_people(visitor.app.root, "small.csv", 60)
    open_table(visitor, "small.csv")
    choose(visitor, "role-3", "class")
    visitor.until(lambda: "--class ill" in visitor.text("#command-line"))
    visitor.browser.get(f"{visitor.browser.current_url}/plan")
    visitor.at("/plan")
    visitor.find("#policy-internal").click()
    visitor.find("#by-tuning").click()
    visitor.until(lambda: visitor.text("#command-line").startswith("hushwood tune"))
    assert not visitor.find("#dial-k").is_displayed()
    visitor.find("#plan > .actions button").click()
    visitor.at("/jobs/")
    visitor.until(lambda: visitor.there("#result"))
    visitor.find("#result").click()
    visitor.at("/result")

    points = visitor.browser.find_elements("css selector", ".map a")
    assert len(points) > 3
    visitor.browser.execute_script("arguments[0].focus()", points[1])
    visitor.press("\ue007")
    assert visitor.find("#point-2").get_attribute("open") == "true"
    assert "--technique segment-shuffle --k" in visitor.text("#point-2 code")
    visitor.look_closely("map")


def open_table(visitor: Visitor, name: str) -> None:
    visitor.browser.get(visitor.app.address)
    visitor.at("/")
    choose(visitor, "path", name)
    visitor.find("form[action='/open'] button").click()
    visitor.at("/tables/")
    visitor.until(lambda: visitor.there("#column-0"))


def test_other_pages_are_easy_to_use(visitor: Visitor) -> None:
    write_people(visitor.app.root, "other.csv", 60)
    open_table(visitor, "other.csv")
    tree = visitor.browser.current_url.replace(visitor.app.address, "") + "/tree"
    for path in (tree, "/audit", "/verify", "/jobs"):
        visitor.browser.get(visitor.app.address + path)
        visitor.at(path)
        visitor.look_closely(path.strip("/").split("/")[-1])
