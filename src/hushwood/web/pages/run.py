"""Run: how far a job is, what comes before it in the queue, and how to cancel it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from hushwood.errors import visible
from hushwood.web.desk import Desk
from hushwood.web.queue import Job
from hushwood.web.rendering import desk_of, duration, page

_PAUSE = 0.2


async def show(request: Request) -> Response:
    """The page of one job."""
    job = _job(request)
    return page(request, "run.html.j2", job=job, now=_now(desk_of(request), job))


async def everything(request: Request) -> Response:
    """All jobs of this run, the newest first."""
    return page(request, "jobs.html.j2", jobs=list(reversed(desk_of(request).queue.jobs.values())))


async def events(request: Request) -> Response:
    """Where the job stands, again whenever that changes, as server-sent events."""
    return StreamingResponse(_events(desk_of(request), _job(request)), media_type="text/event-stream")


async def _events(desk: Desk, job: Job) -> AsyncIterator[str]:
    last, silent = "", 0
    while not desk.stopping:
        now = json.dumps(_now(desk, job))
        silent += 1
        if now != last or silent > 50:  # a browser that has gone is noticed by writing to it
            yield f"data: {now}\n\n"
            last, silent = now, 0
        if job.over:
            return
        await asyncio.sleep(_PAUSE)


def _now(desk: Desk, job: Job) -> dict[str, object]:
    """All that the page shows about a job, as texts."""
    left = job.left
    ahead = desk.queue.ahead_of(job)
    stage = job.stage
    if job.state == "waiting":
        stage = f"Waiting for {ahead} other {'job' if ahead == 1 else 'jobs'}." if ahead else "Starting."
    return {
        "state": job.state,
        "over": job.over,
        "stage": visible(job.answer if job.over else stage[:1].upper() + stage[1:]),
        "done": job.done if job.total > 1 else None,
        "total": job.total if job.total > 1 else None,
        "ran": duration(job.seconds) if job.began else "",
        "left": "" if left is None or job.over else f"about {duration(max(left, 1))} left in this part",
        "result": job.result if job.state == "done" else "",
    }


async def cancel(request: Request) -> Response:
    """Cancel the job; when the answer comes, its process has ended."""
    job = _job(request)
    await desk_of(request).queue.cancel(job)
    return RedirectResponse(f"/jobs/{job.number}", 303)


def _job(request: Request) -> Job:
    return desk_of(request).job(int(request.path_params["number"]))


ROUTES = [
    Route("/jobs", everything),
    Route("/jobs/{number:int}", show),
    Route("/jobs/{number:int}/events", events),
    Route("/jobs/{number:int}/cancel", cancel, methods=["POST"]),
]
