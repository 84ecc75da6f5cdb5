"""Pages around one desk, asked for without a server; what child processes would say is given."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import asdict
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from zipfile import ZipFile

import pytest

from hushwood.errors import InputError
from hushwood.reports.release.clearance import clearance
from hushwood.web.commands import Command
from hushwood.web.desk import Desk
from hushwood.web.schemas import Decision
from hushwood.web.server import application
from support.asgi import Replied, send_request
from support.people_files import write_people
from support.sample_verdicts import mixed_verdict

COLUMN = {
    "kind": "categorical",
    "why": "texts",
    "role": "ordinary",
    "storage": "String",
    "low": "",
    "high": "",
    "missing": 0.0,
    "different": 2,
    "examples": ["a", "b"],
    "shape": [{"label": "a", "count": 3}, {"label": "b", "count": 1}],
    "warnings": [],
    "drop": False,
}
AGE = {**COLUMN, "name": "age", "kind": "numeric", "low": "17", "high": "90"}
NAME = {**COLUMN, "name": "name", "drop": True, "warnings": ["Column 'name' looks like names."]}
ILL = {**COLUMN, "name": "ill"}
DOCUMENTS: dict[str, Any] = {
    "table": {
        "name": "people.csv",
        "records": 120,
        "notes": ["The file is Windows-1252 text."],
        "kinds": ["numeric", "categorical"],
        "roles": [
            "class",
            "ordinary",
            "confidential",
            "quasi-identifier",
            "identifier",
            "ignored",
            "new role",
        ],
        "columns": [AGE, NAME, ILL],
    },
    "choices": {
        "techniques": [
            {"name": "segment-shuffle", "says": "It.", "dial": "k", "values": [], "recommended": True}
        ],
        "policies": [
            {
                "name": "public",
                "title": "All",
                "recipient": "all",
                "says": "",
                "published": False,
                "limits": [],
            }
        ],
    },
    "release": {
        "technique": "segment-shuffle",
        "class": ["ill"],
        "records": 120,
        "part": "not-cleared",
        "files": ["released.csv"],
        "acceptance": None,
        "steps": [],
        "verdict": None,
        "columns": [],
        "tried": None,
        "names": {},
    },
    "compare": {"checks": [], "measures": [], "notes": ["A note."], "titles": {}, "made": ["k 50", "k 100"]},
}
FORM = "application/x-www-form-urlencoded"


class Pages:
    """An application, and what its desk holds."""

    def __init__(self, folder: Path, root: str = "root", session: str = "session") -> None:
        for name in (root, session):
            (folder / name).mkdir(exist_ok=True)
        self.desk = Desk(folder / root, folder / session)
        self.app = application(self.desk)
        self.documents = dict(DOCUMENTS)
        self.desk.documents.ask = self.ask  # type: ignore[method-assign]
        write_people(self.desk.root)

    async def ask(self, what: str, *words: str, files: tuple[Path, ...] = ()) -> dict[str, Any]:
        del words, files
        found: dict[str, Any] = self.documents[what]
        if "refused" in found:
            raise InputError(found["refused"])
        return found

    def get(self, path: str, *headers: tuple[str, str]) -> Replied:
        return asyncio.run(send_request(self.app, path=path, headers=headers))

    def post(self, where: str, /, *headers: tuple[str, str], **form: str) -> Replied:
        given = (("Content-Type", FORM), *headers)
        return asyncio.run(send_request(self.app, "POST", where, given, [urlencode(form).encode()]))


@pytest.fixture
def pages(tmp_path: Path) -> Pages:
    pages = Pages(tmp_path)
    assert pages.post("/open", path="people.csv").headers["location"] == "/tables/1"
    return pages


def test_start_lists_what_is_there(pages: Pages) -> None:
    text = pages.get("/").body.decode()

    assert '<option value="people.csv">' in text
    assert "/tables/1" in text


def test_columns_show_what_was_found_and_what_is_proposed(pages: Pages) -> None:
    text = pages.get("/tables/1/columns").body.decode()

    assert "1 column looks as if it identifies people, and is proposed for dropping: name" in text
    assert 'value="17"' in text
    assert "New role" in text
    assert "hushwood inspect people.csv --schema people.schema.toml" in text


def test_a_change_is_kept_and_a_wrong_one_is_not(pages: Pages) -> None:
    pages.get("/tables/1/columns")
    changed = {"column": "age", "role": "ordinary", "sensitivity": "confidential", "kind": "numeric"}
    answer = pages.post("/tables/1/columns", ("HX-Request", "true"), **changed, low="0", high="90")
    assert answer.status == 200
    assert 'role = "confidential"\nlow = 0\n' in pages.get("/tables/1/schema").body.decode()

    for wrong in ({"low": "x"}, {"role": "king"}, {"kind": "kind"}, {"column": "nothing"}):
        refused = pages.post("/tables/1/columns", ("HX-Request", "true"), **{**changed, **wrong})
        assert refused.status == 422
        place = "#problem" if "column" in wrong else "#wrong-column-0"
        assert refused.headers["hx-retarget"] == place
        assert place[1:] in pages.get("/tables/1/columns").body.decode() or place == "#problem"
    assert "confidential" in pages.get("/tables/1/schema").body.decode()


def test_a_limit_stays_when_something_else_of_the_column_changes(pages: Pages) -> None:
    """What was decided comes back as what was found, and is no less decided for that."""
    pages.get("/tables/1/columns")
    form = {"column": "age", "role": "ordinary", "kind": "numeric", "high": "90"}
    pages.post("/tables/1/columns", **form, low="0", sensitivity="ordinary")
    decided = {**AGE, "low": "0"}
    pages.documents["table"] = {**DOCUMENTS["table"], "columns": [decided, NAME, ILL]}
    pages.post("/tables/1/columns", **form, low="0", sensitivity="confidential")

    assert pages.desk.table(1).decisions["age"].low == "0"  # type: ignore[index]


def test_every_change_is_on_disk_at_once_and_found_by_the_next_server(pages: Pages, tmp_path: Path) -> None:
    pages.get("/tables/1/columns")
    saved = pages.desk.root / "people.schema.toml"
    assert not saved.exists()
    pages.post("/tables/1/columns", column="age", role="ordinary", sensitivity="confidential", kind="numeric")
    assert 'role = "confidential"' in saved.read_text()

    again = Pages(tmp_path, root="root", session="other")
    again.post("/open", path="people.csv")
    text = again.get("/tables/1/columns").body.decode()
    assert "Decisions saved in <strong>people.schema.toml</strong> are used again" in text
    assert again.desk.table(1).decisions == pages.desk.table(1).decisions
    again.post("/tables/1/columns", column="ill", role="class", kind="categorical")
    assert 'role = "class"' in saved.read_text()
    assert sorted(path.name for path in again.desk.root.iterdir()) == ["people.csv", "people.schema.toml"]

    assert again.post("/tables/1/afresh").status == 303
    text = again.get("/tables/1/columns").body.decode()
    assert "people.schema.toml lies here and is not used, because you began without it" in text
    assert again.desk.table(1).decisions == {"name": Decision(role="identifier")}


def test_a_table_that_cannot_be_read_says_so_where_it_was_awaited(pages: Pages) -> None:
    pages.documents["table"] = {"refused": "people.csv is damaged."}
    answer = pages.get("/tables/1/columns", ("HX-Request", "true"))

    assert (answer.status, "hx-retarget" in answer.headers) == (422, False)
    assert b"people.csv is damaged." in answer.body
    assert b"busy" not in answer.body


def test_a_change_that_the_table_refuses_is_undone(pages: Pages) -> None:
    pages.get("/tables/1/columns")
    decisions = dict(pages.desk.table(1).decisions or {})
    described = pages.desk.described

    async def refuse(table: Any) -> dict[str, Any]:
        if table.decisions and "ill" in table.decisions:
            raise InputError("Column 'ill' is no number.")
        return await described(table)

    pages.desk.described = refuse  # type: ignore[method-assign]
    answer = pages.post("/tables/1/columns", column="ill", role="ordinary", kind="numeric")
    assert b"is no number" in answer.body
    assert pages.desk.table(1).decisions == decisions


def test_how_a_file_is_written_is_said_again(pages: Pages) -> None:
    pages.post("/tables/1/dialect", encoding="latin-1", separator="")

    assert pages.desk.table(1).dialect == {"encoding": "latin-1"}
    assert "inspect people.csv --encoding latin-1" in pages.get("/tables/1/columns").body.decode()


def test_a_plan_becomes_the_command_and_then_the_job(pages: Pages) -> None:
    assert "people-release" in pages.get("/tables/1/plan").body.decode()
    form = {"policy": "public", "technique": "segment-shuffle", "output": "out", "class": "ill", "dial": "60"}
    shown = pages.post("/tables/1/plan/command", **form).body.decode()
    line = (
        "hushwood release people.csv --schema people.schema.toml --class ill --policy public "
        "--technique segment-shuffle --k 60 -o out"
    )
    assert line in shown
    assert 'role = "class"' in (pages.desk.root / "people.schema.toml").read_text()

    assert pages.post("/tables/1/plan", **form).headers["location"] == "/jobs/1"
    assert pages.desk.job(1).command.line == line
    assert "Waiting" in pages.get("/jobs/1").body.decode() or "Starting" in pages.get("/jobs/1").body.decode()


@pytest.mark.parametrize(
    "wrong",
    [
        {"output": "../out"},
        {"output": "people.csv"},
        {"output": ""},
        {"technique": "x"},
        {"policy": "x"},
        {"dial": "x"},
    ],
)
def test_a_wrong_plan_starts_nothing(pages: Pages, wrong: dict[str, str]) -> None:
    form = {"policy": "public", "technique": "segment-shuffle", "output": "out", "class": "ill", **wrong}

    form["purpose"] = "A study of X"
    answer = pages.post("/tables/1/plan", **form)
    assert answer.status == 422
    assert pages.desk.queue.jobs == {}
    field = f'id="wrong-{next(iter(wrong))}" aria-live="assertive"><p class="notice bad" role="alert">'
    assert field in answer.body.decode()
    assert 'value="A study of X"' in answer.body.decode()
    shown = pages.post("/tables/1/plan/command", ("HX-Request", "true"), **form)
    if wrong not in ({"output": "../out"}, {"output": "people.csv"}):
        assert shown.headers["hx-retarget"] == f"#wrong-{next(iter(wrong))}"
    assert b"A study of X" in pages.get("/tables/1/plan").body


def test_back_to_the_form_finds_it_as_it_was(pages: Pages) -> None:
    form = {"policy": "public", "technique": "segment-shuffle", "output": "out", "class": "ill"}
    given = {"purpose": "A study of X", "strength": "tune", "evidence": "full"}
    pages.post("/tables/1/plan", **form, **given)
    pages.post("/tables/1/plan", **{**form, "output": "other", "purpose": "Y"})
    (pages.desk.root / "out").mkdir()
    text = pages.get(pages.desk.job(1).back).body.decode()

    assert 'value="A study of X"' in text
    assert 'id="by-tuning" checked' in text
    assert '<option value="full" selected>' in text
    assert '<option value="ill" selected>' in text
    assert 'name="output" value="out-2"' in text
    advised = pages.get(f"{pages.desk.job(1).back}&technique=segment-shuffle&dial=90&blur=45").body.decode()
    assert 'id="by-hand" checked' in advised
    assert 'value="A study of X"' in advised
    assert "--k 90 --blur 45" in advised

    tree = {"class": "ill", "k": "7", "sensitive": "age", "output": "tree"}
    pages.post("/tables/1/tree", **tree)
    text = pages.get(pages.desk.job(3).back).body.decode()
    assert 'name="k" inputmode="numeric" value="7"' in text
    assert 'value="age" id="sensitive-1" checked' in text
    for wrong in ({"k": "x"}, {"l": "x"}, {"output": ""}, {"class": ""}):
        answer = pages.post("/tables/1/tree", **{**tree, "output": "new", **wrong})
        assert answer.status == 422
        field = f'id="wrong-{next(iter(wrong))}" aria-live="assertive"><p class="notice bad" role="alert">'
        assert field in answer.body.decode()
        assert 'value="age" id="sensitive-1" checked' in answer.body.decode()


def test_a_class_is_chosen_also_if_nothing_else_was_decided(pages: Pages) -> None:
    pages.documents["table"] = {**DOCUMENTS["table"], "columns": [AGE, ILL]}

    form = {"policy": "public", "technique": "segment-shuffle", "output": "out"}
    for target, words in (("ill", "--class ill"), ("age", "--class age"), ("", "people.csv --policy")):
        # A schema file that says nothing any more is not named.
        shown = pages.post("/tables/1/plan/command", **form, **{"class": target}).body.decode()
        assert words in shown
    pages.post("/tables/1/plan/command", **form, **{"class": "ill"})
    line = "publish-tree people.csv --schema people.schema.toml --class ill -k 5"
    assert line in pages.get("/tables/1/tree").body.decode()


def test_jobs_are_cancelled_and_listed(pages: Pages) -> None:
    form = {"class": "ill", "k": "4", "output": "tree"}
    assert pages.post("/tables/1/tree", **form).headers["location"] == "/jobs/1"
    assert pages.post("/jobs/1/cancel").status == 303
    assert "cancelled" in pages.get("/jobs").body.decode()
    events = pages.get("/jobs/1/events").body.decode()
    assert re.fullmatch(r'data: \{"state": "cancelled".*\}\n\n', events)


def a_release(pages: Pages, part: str, private: str = "private/key") -> Path:
    """A release folder, with a file in each part that its manifest does not name."""
    folder = pages.desk.root / "out"
    for place in (part, "private"):
        (folder / place).mkdir(parents=True)
        (folder / place / "original.csv").write_text("age,ill\n")
    manifest = {"files": {f"{part}/released.csv": ""}, "private_files": {private: None}}
    (folder / part / "manifest.json").write_text(json.dumps(manifest))
    (folder / part / "released.csv").write_text("age,ill\n")
    (folder / "private" / "key").write_text("secret")
    return folder


def packed(replied: Replied) -> list[str]:
    with ZipFile(BytesIO(replied.body)) as found:
        return sorted(found.namelist())


def test_private_needs_a_confirmation_and_the_link_and_share_a_clearance(pages: Pages) -> None:
    a_release(pages, "not-cleared")
    pages.desk.owns = lambda text: text == "the link"
    private = "/result/private?folder=out"

    assert "held back" in pages.get("/result?folder=out").body.decode()
    assert pages.get("/result/share?folder=out").status == 422
    assert pages.post(private).status == 422
    assert pages.post(private, confirm="yes").status == 422
    assert pages.post(private, confirm="yes", link="another link").status == 422
    assert pages.post(private, link="the link").status == 422
    assert packed(pages.post(private, confirm="yes", link="the link")) == ["out-private/key"]
    assert not list(pages.desk.session.glob("*.zip"))
    assert pages.post("/result/accept?folder=out", reason=" ", by="me").status == 422
    assert pages.post("/result/accept?folder=out", reason="why", by="me").status == 303
    assert pages.desk.job(1).command.words == ("accept", "out", "--reason", "why", "--by", "me")


def test_only_what_the_manifest_names_is_packed(pages: Pages) -> None:
    folder = a_release(pages, "share", private="private/../../people.csv")
    pages.desk.owns = bool

    names = ["out-share/manifest.json", "out-share/released.csv"]
    assert packed(pages.get("/result/share?folder=out")) == names
    assert pages.post("/result/private?folder=out", confirm="yes", link="it").status == 422
    (folder / "share" / "released.csv").unlink()
    (folder / "share" / "released.csv").symlink_to(pages.desk.root / "people.csv")
    assert b"are missing" in pages.get("/result/share?folder=out").body


@pytest.mark.parametrize("manifest", ["", "{}", '{"files": {}, "private_files": {}}', "[1]"])
def test_an_empty_result_is_no_zip(pages: Pages, manifest: str) -> None:
    folder = a_release(pages, "share")
    (folder / "share" / "manifest.json").write_text(manifest)
    answer = pages.get("/result/share?folder=out")

    assert answer.status == 422
    assert b"That did not work" in answer.body


def test_reports_are_shown_without_an_origin(pages: Pages) -> None:
    private = pages.desk.root / "out" / "private"
    private.mkdir(parents=True)
    (private / "report.html").write_text("<h1>Report</h1>")
    (private / "key").write_text("secret")
    answer = pages.get("/result/report?folder=out&which=internal")

    assert answer.body == b"<h1>Report</h1>"
    assert answer.headers["content-security-policy"].startswith("sandbox allow-scripts;")
    for which in ("key", "../key", "", "map"):
        assert pages.get(f"/result/report?folder=out&which={which}").status == 422


def test_the_sign_off_opens_by_itself_to_be_printed(pages: Pages) -> None:
    """It was in a frame, and in a zip with the key."""
    folder = a_release(pages, "share")
    (folder / "private" / "signoff.html").write_text("<h1>Sign-off</h1>")
    link = re.search(
        r'target="_blank" rel="noopener" href="([^"]+)"', pages.get("/result?folder=out").body.decode()
    )

    assert link is not None
    assert pages.get(link[1].replace("&amp;", "&")).body == b"<h1>Sign-off</h1>"


def test_what_bears_on_signing_and_on_use_is_on_the_first_screen(pages: Pages) -> None:
    a_release(pages, "share")
    use = {"tone": "bad", "headline": "Large loss for analysts.", "check": ""}
    verdict = asdict(clearance(mixed_verdict()))
    said = {"use": use, "notices": ["A column is released unchanged."], "verdict": verdict, "changes": []}
    pages.documents["release"] = {**DOCUMENTS["release"], **said}
    first = pages.get("/result?folder=out").body.decode().split('class="checks"')[0]

    assert "Large loss for analysts." in first
    assert "is released unchanged." in first


def test_audit_and_verify_take_files_below_only(pages: Pages) -> None:
    (pages.desk.root / "out" / "share").mkdir(parents=True)
    assert pages.post("/verify", folder="out", original="people.csv").status == 303
    assert pages.desk.job(1).command.words == ("verify", "out", "people.csv")
    for wrong in ({"folder": "out", "original": "../x.csv"}, {"folder": "nowhere"}):
        assert pages.post("/verify", **wrong).status == 422
    body = b'--x\r\nContent-Disposition: form-data; name="original_below"\r\n\r\n../people.csv\r\n--x--\r\n'
    headers = (("Content-Type", "multipart/form-data; boundary=x"),)
    assert asyncio.run(send_request(pages.app, "POST", "/audit", headers, [body])).status == 422
    fields = {"original_below": "people.csv", "released_below": "", "class": "ill", "evidence": "full"}

    def sent(**other: str) -> Replied:
        parts = {**fields, **other}.items()
        text = "".join(f'--x\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n' for k, v in parts)
        return asyncio.run(send_request(pages.app, "POST", "/audit", headers, [f"{text}--x--\r\n".encode()]))

    refused = sent().body.decode()
    assert 'id="wrong-released_below" aria-live="assertive"><p class="notice bad"' in refused
    kept = ('<option value="people.csv" selected>', 'value="ill"', '<option value="full" selected>')
    assert all(text in refused for text in kept)
    assert sent(released_below="people.csv").headers["location"] == "/jobs/2"
    assert all(text in pages.get(pages.desk.job(2).back).body.decode() for text in kept)
    assert pages.get("/audit").status == pages.get("/verify").status == 200


def test_two_releases_are_compared(pages: Pages) -> None:
    for name in ("a", "b"):
        (pages.desk.root / name / "share").mkdir(parents=True)
        (pages.desk.root / name / "share" / "manifest.json").write_text("{}")

    assert "A note." in pages.get("/compare?first=a&second=b").body.decode()
    assert pages.get("/compare?first=a&second=a").status == 422


def test_the_server_can_be_stopped(pages: Pages) -> None:
    stopped: list[bool] = []
    pages.desk.stop = lambda: stopped.append(True)

    assert pages.post("/stop").status == 200
    assert stopped == [True]


def test_every_point_of_a_map_can_be_opened_and_released(pages: Pages) -> None:
    (pages.desk.root / "out" / "share").mkdir(parents=True)
    (pages.desk.root / "out" / "share" / "manifest.json").write_text("{}")
    risk = {
        "check": "linkage.excess",
        "value": 0.02,
        "high": 0.04,
        "at_most": 0.2,
        "status": "pass",
        "reason": "",
    }
    points = [
        {
            "score": {"label": f"segment-shuffle k={k}", "risks": [risk]},
            "technique": "segment-shuffle",
            "options": f"--technique segment-shuffle --k {k} --blur 5",
            "risk": 0.2,
            "utility": 0.8,
            "judged": True,
            "cleared": True,
        }
        for k in (10, 20)
    ]
    tried = {"winner": "segment-shuffle k=10", "points": points}
    names = {"linkage.excess": "Nearest-record linkage"}
    pages.documents["release"] = {**DOCUMENTS["release"], "part": "share", "tried": tried, "names": names}
    before = pages.post("/result/point?folder=out", number="2")
    assert b"was made earlier" in before.body

    words = ("tune", "people.csv", "--class", "ill", "--technique", "segment-shuffle", "-o", "out")
    pages.desk.queue.add("Tune", Command(words, output="out")).state = "done"
    text = pages.get("/result?folder=out").body.decode()
    assert [f'href="#point-{number}"' in text and f'id="point-{number}"' in text for number in (1, 2, 3)] == [
        True,
        True,
        False,
    ]
    assert "Nearest-record linkage: +2.0 points, up to +4.0; 20 allowed" in text

    assert pages.post("/result/point?folder=out", number="2").status == 303
    assert pages.desk.job(2).command.line == (
        "hushwood release people.csv --class ill --technique segment-shuffle --k 20 --blur 5 -o out-2"
    )
    assert pages.post("/result/point?folder=out", number="9").status == 422
