"""The benchmarks are run from the checkout, so they are found beside the tests' own folder."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))
