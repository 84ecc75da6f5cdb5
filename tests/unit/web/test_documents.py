"""Documents from child processes: made once, refused in a sentence, and never a crash of the server."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from hushwood.errors import InputError
from hushwood.web.documents import Documents
from support.people_files import write_people


def test_a_document_is_made_once_for_the_same_file(tmp_path: Path) -> None:
    path = write_people(tmp_path, count=30)

    async def ask() -> list[int]:
        documents = Documents(tmp_path)
        made = []
        answer = documents._answer

        async def counted(what: str, words: tuple[str, ...]) -> dict[str, object]:
            made.append(what)
            return await answer(what, words)

        documents._answer = counted  # type: ignore[method-assign]
        first = await asyncio.gather(
            *(documents.ask("table", "people.csv", "", files=(path,)) for _ in range(5))
        )
        assert all(one is first[0] for one in first)
        numbers = [len(made), first[0]["records"]]
        write_people(tmp_path, count=31)
        again = await documents.ask("table", "people.csv", "", files=(path,))
        return [*numbers, len(made), again["records"]]

    assert asyncio.run(ask()) == [1, 30, 2, 31]


def test_a_refusal_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.csv"):
        asyncio.run(Documents(tmp_path).ask("table", "nowhere.csv", ""))


def test_the_end_of_the_server_is_the_end_of_all_processes(tmp_path: Path) -> None:
    async def run() -> None:
        documents = Documents(tmp_path)
        asked = asyncio.create_task(documents.ask("choices"))
        while not documents._asking:
            await asyncio.sleep(0)
        await documents.close()
        with pytest.raises(asyncio.CancelledError):
            await asked

    asyncio.run(run())


def test_a_process_that_breaks_is_a_sentence_too(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="without an answer"):
        asyncio.run(Documents(tmp_path).ask("no such document"))
