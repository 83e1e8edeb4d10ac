"""A process with two threads that tell one store where Ada lives: ``WHERE TENANT NUMBER ROUNDS``.

Every message has an id, and is told twice. Prints what was stored.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from mnemic import Mnemic
from tests.engine.told import START

CITIES = ("Paris", "Rome", "Oslo", "Madrid", "Vienna", "Dublin", "Lisbon", "Prague")


def main(where: str, tenant: str, number: int, rounds: int) -> None:
    """Tell from two threads, each ``rounds`` messages."""
    with Mnemic(where, user="ada", tenant=tenant, embedder="none") as memory:
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
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
