"""The report in a real browser: it fits narrow and wide screens, light and dark, and loads without an error.

Set HUSHWOOD_PICTURES to a folder to keep the pictures that are taken on the way.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import hushwood as hw
from hushwood.demo.synthetic_tables import credit_risk
from hushwood.evaluation.publication import Publication
from hushwood.policies.advice import MadeHow
from hushwood.policies.policy import policy_named
from hushwood.policies.verdict import verdict_on
from hushwood.releasing.options import PerturbOptions
from hushwood.reports.release.page import internal_report, publishable_report
from hushwood.reports.signoff import SignOff, signoff_page
from hushwood.reports.tree.page import tree_report
from hushwood.tables.frames.storage import frame_from_table
from support.chromium import chromium, complaints, keep_picture, look
from support.sample_publication import many_groups
from support.sample_release import foreign_evaluation

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

OVERFLOW = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
LOADED = "return performance.getEntriesByType('resource').map(e => e.name)"
NAMELESS_SCROLLERS = """return [...document.querySelectorAll('main *')]
    .filter(e => e.scrollWidth > e.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(e).overflowX))
    .filter(e => e.tabIndex < 0 || !e.getAttribute('aria-label')).map(e => e.className)"""
UNNAMED_PICTURES = """return [...document.querySelectorAll('[role=img]')]
    .filter(e => !e.getAttribute('aria-label') && !e.querySelector('title')).map(e => e.outerHTML.slice(0, 80))"""
UNTITLED_SECTIONS = """return [...document.querySelectorAll('main section')].filter(e => {
    const named = document.getElementById(e.getAttribute('aria-labelledby'));
    return !e.getAttribute('aria-label') && !(named && named.textContent.trim())}).map(e => e.id)"""
# The contrast of every text with the nearest background behind it, by WCAG's formula; 4.5 is its level AA.
FAINT_TEXTS = """
    const parts = c => (c.match(/[\\d.]+/g) || [0, 0, 0, 0]).map(Number);
    const light = c => { const [r, g, b] = parts(c).map(v => v / 255).map(
        v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
    const behind = e => { for (let at = e; at; at = at.parentElement) {
        const c = getComputedStyle(at).backgroundColor; if (parts(c).length < 4 || parts(c)[3] > .9) return c; }
        return 'rgb(255, 255, 255)'; };
    return [...document.querySelectorAll('main :is(p, dt, dd, th, td, h2, h3, .badge, .ends span)')]
        .filter(e => e.textContent.trim() && e.offsetParent).filter(e => {
            const a = light(getComputedStyle(e).color), b = light(behind(e));
            return (Math.max(a, b) + .05) / (Math.min(a, b) + .05) < 4.5; })
        .map(e => e.className + ' ' + e.textContent.trim().slice(0, 40)).slice(0, 5)"""
# Charts in folded parts are drawn when they are unfolded.
DRAWN = """return [...document.querySelectorAll('[data-chart]')].filter(b => b.offsetParent)
    .every(b => b.querySelector('svg'))"""
UNFOLD = "document.querySelectorAll('details').forEach(d => d.open = true)"
HEIGHT = "return document.documentElement.scrollHeight"
FOLDED = "return [...document.querySelectorAll('details.fold')].filter(d => !d.open).length"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with chromium(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Both reports and the sign-off of a real release of the generated Credit Risk table, with the verdict of a policy;
    and the reports of a foreign release and of a published tree."""
    folder = tmp_path_factory.mktemp("pages")
    people = frame_from_table(credit_risk(2000, "0" * 64))
    done = hw.release(people, target="Credit Risk", seed="1" * 64, evidence="full")
    evaluation = done.evaluation
    assert evaluation is not None
    verdict = verdict_on(evaluation, policy_named("public"), MadeHow(PerturbOptions(), 2000, "full"))
    facts = SignOff("2026-01-31", "2027-01-31", {"released.csv": "ab" * 32}, "k-1", "hushwood release x.csv")
    texts = {
        "internal": internal_report(evaluation, verdict),
        "publishable": publishable_report(evaluation, verdict),
        "foreign": internal_report(foreign_evaluation()),
        "tree": tree_report(Publication.from_json(many_groups(60))),
        "signoff": signoff_page(evaluation, verdict, facts),
    }
    for name, text in texts.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in texts}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("version", ["internal", "publishable", "foreign", "tree", "signoff"])
def test_renders_whole(
    browser: Chrome, pages: dict[str, Path], version: str, width: int, scheme: str
) -> None:
    errors = show(browser, pages[version], width, scheme)

    assert errors == []
    assert browser.execute_script(OVERFLOW) <= 0
    assert browser.execute_script(DRAWN)
    assert browser.execute_script(LOADED) == []
    keep_picture(browser, f"report-{version}-{width}-{scheme}.png")


@pytest.mark.parametrize("version", ["internal", "publishable", "foreign"])
def test_the_first_screen_is_short(browser: Chrome, pages: dict[str, Path], version: str) -> None:
    show(browser, pages[version], 1280, "light")

    # Twelve limits of the strictest policy, each a row, and what to change.
    assert browser.execute_script(HEIGHT) <= 3900


def test_a_link_to_a_folded_section_unfolds_it_and_draws_its_charts(
    browser: Chrome, pages: dict[str, Path]
) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait

    show(browser, pages["internal"], 1280, "light")
    folded = browser.execute_script(FOLDED)
    browser.find_element(By.CSS_SELECTOR, "nav a[href='#intruder']").click()

    WebDriverWait(browser, 30).until(lambda driver: driver.execute_script(FOLDED) == folded - 1)
    WebDriverWait(browser, 30).until(lambda driver: driver.execute_script(DRAWN))
    assert browser.execute_script("return document.querySelector('#intruder [data-chart] svg') !== null")


def test_the_sign_off_prints_on_three_pages(browser: Chrome, pages: dict[str, Path]) -> None:
    browser.get(pages["signoff"].as_uri())
    printed = base64.b64decode(
        browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})["data"]
    )

    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 3


def test_dark_differs_from_light(browser: Chrome, pages: dict[str, Path]) -> None:
    colours = []
    for scheme in ("light", "dark"):
        show(browser, pages["internal"], 800, scheme)
        script = "return [document.body, document.querySelector('[data-chart] path[fill^=var]')]"
        body, bar = browser.execute_script(script)
        colours.append((body.value_of_css_property("background-color"), bar.value_of_css_property("fill")))

    assert colours[0][0] != colours[1][0]
    assert colours[0][1] != colours[1][1]


@pytest.mark.parametrize("version", ["internal", "tree"])
def test_all_details_can_be_opened_without_overflow(
    browser: Chrome, pages: dict[str, Path], version: str
) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    show(browser, pages[version], 400, "light")
    browser.execute_script(UNFOLD)

    assert browser.execute_script(OVERFLOW) <= 0
    WebDriverWait(browser, 30).until(lambda driver: driver.execute_script(DRAWN))
    assert browser.execute_script(OVERFLOW) <= 0


@pytest.mark.parametrize("version", ["internal", "tree"])
def test_everything_that_scrolls_can_be_reached_by_keyboard_and_has_a_name(
    browser: Chrome, pages: dict[str, Path], version: str
) -> None:
    show(browser, pages[version], 400, "light")
    browser.execute_script(UNFOLD)

    assert browser.execute_script(NAMELESS_SCROLLERS) == []


@pytest.mark.parametrize("version", ["internal", "tree"])
def test_headings_and_charts_tell_a_screen_reader_what_they_are(
    browser: Chrome, pages: dict[str, Path], version: str
) -> None:
    show(browser, pages[version], 1280, "light")

    assert browser.execute_script(UNNAMED_PICTURES) == []
    assert browser.execute_script(UNTITLED_SECTIONS) == []


@pytest.mark.parametrize("version", ["internal", "tree"])
def test_text_is_strong_enough_to_read(browser: Chrome, pages: dict[str, Path], version: str) -> None:
    for scheme in ("light", "dark"):
        show(browser, pages[version], 1280, scheme)
        browser.execute_script(UNFOLD)
        assert browser.execute_script(FAINT_TEXTS) == []


@pytest.mark.parametrize("version", ["internal", "tree"])
def test_nothing_sticks_out_of_a_printed_page(browser: Chrome, pages: dict[str, Path], version: str) -> None:
    show(browser, pages[version], 1280, "light")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    size = {"width": 720, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    assert browser.execute_script(OVERFLOW) <= 0
    printed = browser.execute_cdp_cmd("Page.printToPDF", {"paperWidth": 8.27, "paperHeight": 11.69})
    assert base64.b64decode(printed["data"]).startswith(b"%PDF")


def test_first_tab_stop_skips_to_the_report(browser: Chrome, pages: dict[str, Path]) -> None:
    from selenium.webdriver.common.keys import Keys

    show(browser, pages["internal"], 1280, "light")
    active = browser.switch_to
    active.active_element.send_keys(Keys.TAB)
    assert active.active_element.text == "Skip to the report"
    active.active_element.send_keys(Keys.ENTER)
    assert active.active_element.get_attribute("id") == "main"


def show(browser: Chrome, page: Path, width: int, scheme: str) -> list[dict[str, Any]]:
    """Open the page, wait for the charts, and return what the console complained about."""
    from selenium.webdriver.support.ui import WebDriverWait

    look(browser, width, scheme)
    complaints(browser)
    browser.get(page.as_uri())
    WebDriverWait(browser, 30).until(lambda driver: driver.execute_script(DRAWN))
    return complaints(browser)
