"""What a language model is told to do, from ``dictionaries/model.toml``."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from mnemic.extraction.predicates import shipped_inventory


@cache
def shipped_prompts() -> Mapping[str, str]:
    """Return what is said to the model by stage."""
    raw: dict[str, Any] = tomllib.loads(
        files("mnemic.dictionaries").joinpath("model.toml").read_text(encoding="utf-8")
    )
    listed = "\n".join(f"{name}: {one.say['en']}" for name, one in shipped_inventory().predicates.items())
    prompts = {stage: str(raw[stage]["say"]).strip() for stage in ("extract", "judge", "summarise")}
    return {**prompts, "extract": prompts["extract"].replace("{predicates}", listed)}
