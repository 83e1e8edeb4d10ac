"""The releases of Neo4j that the tests run on, and what each of them needs to run."""

import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Release:
    """One version of the server: its artifacts' version, its main class, the Javas that run it."""

    name: str
    version: str
    main: str
    java: range


RELEASES = {
    release.name: release
    for release in (
        Release("neo4j-5.26", "5.26.31", "org.neo4j.server.CommunityEntryPoint", range(17, 22)),
        Release("neo4j-2026", "2026.09.0", "org.neo4j.server.Neo4jCommunity", range(21, 100)),
    )
}

NAME_ONE = "or name a server: MNEMIC_TEST_NEO4J=bolt://user:password@host:7687"
"""How every line ends that says what is missing."""

_HOMES = ("/usr/lib/jvm/*", "/Library/Java/JavaVirtualMachines/*/Contents/Home", "/opt/java/*")


def find_java(release: Release) -> Path | None:
    """Return a ``java`` that runs ``release``: of ``JAVA_HOME``, of the path, or wherever the system keeps them."""
    for home in _homes():
        if _major(home) in release.java:
            return home / "bin" / "java"
    return None


def missing(release: Release) -> str:
    """Return on one line what to install so that ``release`` can run here, or nothing."""
    wanted = []
    if find_java(release) is None:
        wanted.append(
            f"Java {release.java.start} (e.g. apt install openjdk-{release.java.start}-jre-headless)"
        )
    if shutil.which("mvn") is None:
        wanted.append("Maven (e.g. apt install maven)")
    if not wanted:
        return ""
    return f"{release.name} needs {' and '.join(wanted)}; {NAME_ONE}"


def _homes() -> Iterator[Path]:
    if named := os.environ.get("JAVA_HOME"):
        yield Path(named)
    if found := shutil.which("java"):
        yield Path(found).resolve().parent.parent
    for pattern in _HOMES:
        yield from sorted(Path("/").glob(pattern.lstrip("/")))


def _major(home: Path) -> int:
    """Return the version that the file ``release`` of a Java home tells; 0 where this is none."""
    told = home / "release"
    if not told.is_file() or not (home / "bin" / "java").exists():
        return 0
    found = re.search(r'JAVA_VERSION="(\d+)', told.read_text(encoding="utf-8"))
    return int(found[1]) if found else 0
