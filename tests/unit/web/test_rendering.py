"""Texts of a table stay texts in a page."""

from __future__ import annotations

from hushwood.web.rendering import _environment, duration, share


def test_markup_and_hidden_signs_stay_text() -> None:
    shown = _environment().from_string("{{ name }}").render(name="<script>alert(1)</script>\u202e\x1b")

    assert shown == "&lt;script&gt;alert(1)&lt;/script&gt;\\u202e\\x1b"


def test_numbers_in_words() -> None:
    assert (share(0.0), share(0.001), share(0.256)) == ("none", "under 1\xa0%", "26\xa0%")
    assert (duration(0.2), duration(59.4), duration(61)) == ("0 s", "59 s", "1 min 1 s")
