"""A server's jars: fetched once with Maven, kept outside the tree, used again."""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path
from string import Template

from tests.servers.releases import Release

_POM = Template("""<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId><artifactId>server</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.neo4j.app</groupId><artifactId>neo4j-server</artifactId><version>$version</version></dependency>
    <dependency><groupId>org.neo4j</groupId><artifactId>neo4j</artifactId><version>$version</version></dependency>
  </dependencies>
</project>
""")


def jars(release: Release) -> Path:
    """Return the folder with the jars of ``release``, fetching them the first time (some 150 MB)."""
    place = _cache() / "neo4j" / release.version
    place.parent.mkdir(parents=True, exist_ok=True)
    with open(place.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not place.is_dir():
            _fetch(release, place)
    return place


def _fetch(release: Release, place: Path) -> None:
    half = place.with_suffix(".part")
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir()
    (half / "pom.xml").write_text(_POM.substitute(version=release.version), encoding="utf-8")
    subprocess.run(
        [
            "mvn",
            "-q",
            "-B",
            "dependency:copy-dependencies",
            "-DincludeScope=runtime",
            "-DoutputDirectory=lib",
        ],
        cwd=half,
        check=True,
        timeout=600,
    )
    (half / "lib").rename(place)
    shutil.rmtree(half)


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mnemic"
