"""A process with two threads that tell stores where Ada lives: ``NUMBER ROUNDS``, then a line for each store.

A line is a JSON array: where the store is, its tenant, credentials. It is answered with ``open``; an empty
line lets the writing begin. Every message has an id, and is told twice. Prints what was stored.
"""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from mnemic import Mnemic
from tests.engine.told import START

CITIES = ("Paris", "Rome", "Oslo", "Madrid", "Vienna", "Dublin", "Lisbon", "Prague")


def tell_all(where: str, tenant: str, credentials: tuple[str, str] | None, number: int, rounds: int) -> None:
    """Tell from two threads, each ``rounds`` messages."""
    with Mnemic(where, user="ada", tenant=tenant, embedder="none", credentials=credentials) as memory:
        print("open", flush=True)
        sys.stdin.readline()

        def tell(thread: int) -> int:
            stored = 0
            for turn in range(rounds):
                told = {
                    "id": f"w{number}-{thread}-{turn}",
                    "at": START + timedelta(minutes=turn),
                    "content": f"I live in {CITIES[(2 * number + thread + turn) % len(CITIES)]}.",
                    "role": "user",
                }
                stored += len(memory.remember([told]).turns)
                memory.remember([told])
            return stored

        with ThreadPoolExecutor(2) as pool:
            print(sum(pool.map(tell, range(2))), flush=True)


if __name__ == "__main__":
    while line := sys.stdin.readline():
        place, name, given = json.loads(line)
        tell_all(place, name, tuple(given) if given else None, int(sys.argv[1]), int(sys.argv[2]))
