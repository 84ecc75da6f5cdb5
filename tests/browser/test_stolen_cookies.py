"""Another user's pages in the owner's browser: none gets the cookie of the web app, or the name that it belongs to."""

from __future__ import annotations

from pathlib import Path

from support.chromium import chromium
from support.people_files import write_people
from support.thief import thief
from support.web_app import web_app


def test_pages_of_another_port_get_nothing(tmp_path: Path) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    root = tmp_path / "root"
    root.mkdir()
    write_people(root)
    with web_app(root) as app, chromium(tmp_path / "profile") as browser, thief() as other:
        wait = WebDriverWait(browser, 60, 0.1)
        browser.get(app.link)
        wait.until(lambda _: "token" not in browser.current_url)
        assert "Which table" in browser.find_element("css selector", "h1").text

        names = ("127.0.0.1", "localhost", "thief.localhost")
        images = [f"http://{name}:{other.port}/{number}.png" for number, name in enumerate(names)]
        images += [f"http://{name}:{app.port}/" for name in names]
        other.page = "<title>done</title>" + "".join(f'<img src="{image}">' for image in images)
        heads: list[dict[str, str]] = []
        for name in names:
            other.heads.clear()
            browser.get(f"http://{name}:{other.port}/")
            wait.until(lambda _: len(other.heads) >= 4)
            heads += other.heads
        assert not any("cookie" in head for head in heads)
        secret = app.host.partition(".")[0]
        assert not any(secret in value for head in [*heads, *other.heads] for value in head.values())

        # Our page is still the owner's, and a page that links to his tells him nothing.
        browser.get(app.address)
        assert "Which table" in browser.find_element("css selector", "h1").text
        browser.execute_script(
            "const a = document.createElement('a'); a.href = arguments[0]; document.body.append(a); a.click()",
            f"http://127.0.0.1:{other.port}/linked",
        )
        wait.until(lambda _: browser.title == "done")
        assert not any(secret in value for head in [*heads, *other.heads] for value in head.values())
