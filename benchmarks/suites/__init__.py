"""The suites by name. Each says what it measures, where its data come from, and runs over a folder of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.suites import (
    changes,
    conversations,
    locomo,
    longmemeval,
    memdaily,
    own,
    passages,
    software,
)
from benchmarks.suites.figures import Figures, changing, guarded, ranked, silent
from benchmarks.suites.retrieval import Recall, Result, Run

__all__ = ["SUITES", "Figures", "Result", "Run", "Suite"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A suite: what it measures, the usual name of its data's folder, whose data these are, and how it runs."""

    about: str
    folder: str
    source: str
    run: Callable[[Path, Run], Result]


def _recall(suite: Recall, *, source: str) -> Suite:
    return Suite(about=suite.about, folder=suite.folder, source=source, run=suite.run)


_LOCOMO = "github.com/snap-research/locomo, data/locomo10.json (CC BY-NC 4.0)"
_LONGMEMEVAL = "github.com/xiaowu0162/LongMemEval (MIT)"
_MEMDAILY = "github.com/nuster1128/MemSim, data_generation/final_dataset (no licence given)"
_FACTS = "MemoryAgentBench, FactConsolidation sh_6k (MIT)"
_BEAM = "github.com/mohammadtavakoli78/BEAM, chats/100K (CC BY-SA 4.0)"
_CONTRACTS = "github.com/wuyuVerse/AutoMemoryBench, data/sample (Apache-2.0)"
_TWOWIKI = "github.com/OSU-NLP-Group/HippoRAG (MIT); questions of circlemind-ai/fast-graphrag (MIT)"
_SOFTWARE = "github.com/jeniyat/StackOverflowNER (MIT)"
_OURS = "written by this project; the form is in benchmarks/form.py and benchmarks/suites/conversations.py"

SUITES: Mapping[str, Suite] = {
    "locomo": _recall(
        Recall(about="turns that answer, long chats", folder="locomo", load=locomo.load, figures=ranked),
        source=_LOCOMO,
    ),
    "longmemeval": _recall(
        Recall(
            about="turns that answer, chats with an assistant", folder="longmemeval",
            load=longmemeval.load, figures=ranked,
        ),
        source=_LONGMEMEVAL,
    ),
    "conversations": _recall(
        Recall(
            about="turns that answer, Chinese and English", folder="conversations",
            load=conversations.load, figures=ranked,
        ),
        source=_OURS,
    ),
    "memdaily_zh": _recall(
        Recall(about="messages that answer, Chinese", folder="memdaily_zh", load=memdaily.load, figures=ranked),
        source=_MEMDAILY,
    ),
    "memdaily_zh_mixed": _recall(
        Recall(
            about="the same among 300 messages of strangers", folder="memdaily_zh",
            load=memdaily.mixed, figures=ranked,
        ),
        source=_MEMDAILY,
    ),
    "factconsolidation_6k": _recall(
        Recall(
            about="the newest of contradicting facts", folder="factconsolidation_6k",
            load=changes.facts, figures=changing,
        ),
        source=_FACTS,
    ),
    "beam_100k": _recall(
        Recall(
            about="the newest after an update, and evidence", folder="beam_100k",
            load=changes.beam, figures=changing,
        ),
        source=_BEAM,
    ),
    "automemorybench_sample": _recall(
        Recall(
            about="what must not come back", folder="automemorybench_sample",
            load=changes.contracts, figures=guarded,
        ),
        source=_CONTRACTS,
    ),
    "twowiki_101": _recall(
        Recall(about="passages over several hops", folder="twowiki_101", load=passages.load, figures=ranked),
        source=_TWOWIKI,
    ),
    "abstention": _recall(
        Recall(
            about="questions that nothing answers", folder="conversations",
            load=conversations.strangers, figures=silent,
        ),
        source=_OURS,
    ),
    "stackoverflow_ner": Suite(
        about="names of software", folder="stackoverflow_ner", source=_SOFTWARE, run=software.measure
    ),
    "scenarios": Suite(
        about="what a memory must say", folder="scenarios", source=_OURS, run=own.play_scenarios
    ),
    "statements": Suite(
        about="what one message states", folder="statements", source=_OURS, run=own.read_statements
    ),
    "times": Suite(
        about="expressions of time", folder=".", source="recognizers-text (MIT), duckling (BSD-3-Clause)",
        run=own.resolve_times,
    ),
}  # fmt: skip
