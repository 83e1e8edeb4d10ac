import re

from mnemic.extraction.times.doubts import Evidence
from mnemic.extraction.times.grammar import RULES, fragments
from mnemic.extraction.times.lexicon import LETTERS, fold
from mnemic.extraction.times.tokens import tokenize


def test_every_doubt_of_a_rule_can_be_settled() -> None:
    assert {rule.doubt for rule in RULES} - {""} == Evidence("", "", []).doubts


def test_rules_speak_of_letters_that_tokens_have() -> None:
    known = set(LETTERS.values())
    for rule in RULES:
        plain = re.sub(r"\(\?(?:<?[!=]|:)|\{[^}]*\}|\\\\|[][()|?*+\\]", "", rule.pattern)
        assert set(plain) <= known | set("|&=-")


def test_the_longest_phrase_wins() -> None:
    tokens = tokenize(fold("every other Friday"))
    assert [(fragment.first, fragment.last) for fragment in fragments(tokens)] == [(0, len(tokens))]


def test_what_the_numbers_rule_out_is_no_fragment() -> None:
    assert fragments(tokenize(fold("45th of May, 13月40号"))) == []
