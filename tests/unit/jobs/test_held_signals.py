from __future__ import annotations

import os
import signal
import threading

import pytest

from hushwood.jobs.held_signals import held_signals, stop_signals


def test_an_interrupt_comes_when_the_block_has_ended() -> None:
    steps = []
    with pytest.raises(KeyboardInterrupt):
        with held_signals():
            with held_signals():
                os.kill(os.getpid(), signal.SIGINT)
                steps.append("inner")
            steps.append("outer")
        steps.append("after")
    assert steps == ["inner", "outer"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_handlers_are_put_back_and_ignored_signals_stay_ignored() -> None:
    before = {number: signal.getsignal(number) for number in stop_signals()}
    old = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with pytest.raises(ZeroDivisionError), held_signals():
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
            assert signal.getsignal(signal.SIGTERM) is not before[signal.SIGTERM]
            raise ZeroDivisionError
    finally:
        signal.signal(signal.SIGHUP, old)
    assert {number: signal.getsignal(number) for number in stop_signals()} == before


def test_other_threads_need_no_protection() -> None:
    entered = []

    def work() -> None:
        with held_signals():
            entered.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert entered == [signal.default_int_handler]
