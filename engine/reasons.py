"""Why a row is not in an answer, in words: the short ones of the answer itself, and a sentence with the figures."""

from collections.abc import Mapping
from enum import StrEnum


class Out(StrEnum):
    """What keeps a row out that nothing speaks against in itself; else the reason stands in the answer's ``suppressed``."""

    NOT_ASKED = "its layer was not asked"
    FILTERED = "filtered out"
    UNSEEN = "never nominated"
    CROWD = "behind too many others"
    ASSISTANT = "an assistant's words"
    QUESTION = "a question itself"
    FLOOR = "below the floor"
    FAINT = "too faint beside the best"
    LIMIT = "beyond the limit"
    BUDGET = "beyond the budget"


_SENTENCES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "": "it is returned in place {place}: it scores {score:.4f}, and {takes:.4f} is enough",
        "no word is asked": "the question holds no word, so nothing was looked for",
        "small talk: needs no memory": "the question is small talk, so nothing was looked for",
        Out.NOT_ASKED: "only {asked} were looked at; ask with depth {depth} to look at {other}",
        Out.FILTERED: "it does not keep the bound {bound} that the question came with; without it, it would score {score:.4f}",
        Out.UNSEEN: "no channel brought it among its first {seeds}",
        Out.CROWD: "{ahead} rows score more than its {score:.4f}, and so many are not looked at closely",
        Out.ASSISTANT: "an assistant said it, whose words are taken for facts only when they are asked for (depth deep)",
        Out.QUESTION: "it asks itself, and answers only where the raw words are asked for (depth deep)",
        Out.FLOOR: "it scores {score:.4f}, {gap:.4f} less than the {takes:.4f} that the best must reach",
        Out.FAINT: "it scores {score:.4f}, {gap:.4f} less than {takes:.4f}, a fifth of the best: that says little beside it",
        Out.LIMIT: "it is in place {place}, and {limit} were asked for",
        Out.BUDGET: "it is among the items in place {place}, but the text had no room left within {budget} tokens",
        "replaced": "it was overruled by “{by}”",
        "possibly out of date": "“{by}” may have replaced it, and answers the question as well",
        "said by another item": "another item shows the same words of the same messages: “{by}”",
        "quarantined": "it is unsure, and waits to be confirmed",
        "merged": "it lives on in a profile",
        "archived": "it was put away, because nobody asked for it for long",
        "retired": "it was taken back as a mistake",
        "unknown": "it was not known yet at the moment that is asked about",
        "future": "it had not been said, or had not begun, at the moment that is asked about",
        "ended": "it holds no longer",
        "expired": "its time is over",
        "present": "it took the place of what is asked about: how it was before",
    },
    "zh": {
        "": "它排在第 {place} 位被返回：得分 {score:.4f}，达到 {takes:.4f} 即可",
        "no word is asked": "问题里没有词，所以什么也没有查",
        "small talk: needs no memory": "问题是闲聊，所以什么也没有查",
        Out.NOT_ASKED: "只查了{asked}；用 depth {depth} 才会查{other}",
        Out.FILTERED: "它不符合提问时的限定 {bound}；没有这个限定时得分 {score:.4f}",
        Out.UNSEEN: "没有一个渠道把它列入前 {seeds} 名",
        Out.CROWD: "有 {ahead} 条得分高于它的 {score:.4f}，超出了细看的范围",
        Out.ASSISTANT: "这是助手说的话，只有明确要原话时（depth deep）才算数",
        Out.QUESTION: "它本身是个问题，只有明确要原话时（depth deep）才会返回",
        Out.FLOOR: "它得 {score:.4f} 分，离最好的一条必须达到的 {takes:.4f} 还差 {gap:.4f}",
        Out.FAINT: "它得 {score:.4f} 分，离最高分的五分之一 {takes:.4f} 还差 {gap:.4f}，相比之下说明不了什么",
        Out.LIMIT: "它排在第 {place} 位，而只要 {limit} 条",
        Out.BUDGET: "它在结果中排第 {place} 位，但 {budget} 个词元的文本放不下它",
        "replaced": "它已被“{by}”取代",
        "possibly out of date": "“{by}”可能已取代它，而且同样回答了问题",
        "said by another item": "另一条结果是同一消息里的同样的话：“{by}”",
        "quarantined": "它还不确定，等待确认",
        "merged": "它已并入档案",
        "archived": "它很久没人问起，已归档",
        "retired": "它是个错误，已收回",
        "unknown": "在所问的时刻还不知道它",
        "future": "在所问的时刻还没有说过它，或它还没开始",
        "ended": "它已不再成立",
        "expired": "它已过期",
        "present": "问的是从前，而它是后来取而代之的",
    },
}

_MISSING: Mapping[str, Mapping[str, str]] = {
    "en": {
        "no word": "a word of the question in it: {words}",
        "words": "more of the question's words than {words}, which put it in place {place} by words; {seeds} are looked at",
        "far": "a nearer meaning: it is in place {place} of all by meaning ({score:.3f}); {seeds} are looked at",
        "farther": "a nearer meaning: it is not among the nearest {seeds} by meaning",
        "no vectors": "an embedder, which would find it by its meaning",
        "no name": "a name in the question of somebody or something that is known",
        "entity": "one of the names in the question: {names}",
        "graph": "a way of at most {hops} steps through the graph from {names}",
    },
    "zh": {
        "no word": "包含问题中的某个词：{words}",
        "words": "除 {words} 外更多问题中的词：按词它排第 {place}，只看前 {seeds}",
        "far": "意思更接近：按意思它排第 {place}（{score:.3f}），只看前 {seeds}",
        "farther": "意思更接近：按意思它不在前 {seeds} 名",
        "no vectors": "一个向量模型，才能按意思找到它",
        "no name": "问题中出现某个已知的名字",
        "entity": "提到问题中的某个名字：{names}",
        "graph": "从 {names} 出发在图中最多 {hops} 步可达",
    },
}

_LAYERS: Mapping[str, Mapping[str, str]] = {
    "en": {"memory": "memories", "turn": "raw turns"},
    "zh": {"memory": "记忆", "turn": "原话"},
}


def sentence(tongue: str, reason: str, **figures: object) -> str:
    """Return a reason as a sentence in a language."""
    return _SENTENCES[tongue][reason].format_map(figures)


def missing(tongue: str, what: str, **figures: object) -> str:
    """Return what would have had to be there."""
    return _MISSING[tongue][what].format_map(figures)


def layer_called(tongue: str, layer: str) -> str:
    """Return what people call a layer."""
    return _LAYERS[tongue][layer]
