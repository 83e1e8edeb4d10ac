"""What tests of several folders share: the servers."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.servers.releases import NAME_ONE
from tests.servers.shared import Access, shared


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say once what to install where tests on real servers were left out; ``-q`` shows no reasons."""
    reports = terminalreporter.stats.get("skipped", [])
    reasons = {report.longrepr[2] for report in reports if isinstance(report.longrepr, tuple)}
    for reason in sorted(reason for reason in reasons if NAME_ONE in reason):
        terminalreporter.write_line(reason.removeprefix("Skipped: "), yellow=True)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Access]]:
    """Return the server of a name when it is first asked for; it runs until the test run ends."""
    base = tmp_path_factory.getbasetemp()
    folder = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    running: dict[str, Access] = {}
    with ExitStack() as stack:

        def start(name: str) -> Access:
            if name not in running:
                running[name] = stack.enter_context(shared(name, Path(folder)))
            return running[name]

        yield start
