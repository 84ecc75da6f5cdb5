"""A real browser for tests: Debian's Chromium without a window, sizes and colour schemes, and what its console said."""

from __future__ import annotations

import base64
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)


@contextmanager
def chromium(folder: Path, **preferences: Any) -> Iterator[Chrome]:
    """A browser with a fresh profile in `folder`; where there is none, the test is skipped, but not in CI."""
    if CHROMIUM is None or DRIVER is None:
        reason = "needs chromium and chromedriver (Debian: apt-get install chromium chromium-driver)"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={folder}"):
        options.add_argument(flag)
    if preferences:
        options.add_experimental_option("prefs", preferences)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    try:
        yield driver
    finally:
        driver.quit()


def look(browser: Chrome, width: int, scheme: str) -> None:
    """Show pages at a width, in a colour scheme."""
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})


def complaints(browser: Chrome) -> list[dict[str, Any]]:
    """What the console complained about since it was last asked."""
    entries: list[dict[str, Any]] = browser.execute("getLog", {"type": "browser"})["value"]
    return [entry for entry in entries if entry["level"] in ("SEVERE", "WARNING")]


def keep_picture(browser: Chrome, name: str) -> None:
    """Save the whole page as a picture, if the variable HUSHWOOD_PICTURES names a folder."""
    folder = os.environ.get("HUSHWOOD_PICTURES")
    if folder:
        answer = browser.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True})
        (Path(folder) / name).write_bytes(base64.b64decode(answer["data"]))
