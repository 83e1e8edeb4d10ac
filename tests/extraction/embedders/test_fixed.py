import numpy as np
import pytest

from mnemic.extraction.embedders.fixed import FixedEmbedder


def test_equal_words_are_near_and_others_are_not() -> None:
    same, shared, other = FixedEmbedder().passages(
        ["payment service", "the payment plan", "a walk by the sea"]
    )
    query = FixedEmbedder().query("Payment service")
    assert query @ same == pytest.approx(1)
    assert query @ same > query @ shared > query @ other


def test_chinese_characters_are_words() -> None:
    near, far = FixedEmbedder().passages(["支付系统换库了", "周末去爬山"])
    query = FixedEmbedder().query("支付系统")
    assert query @ near > query @ far


@pytest.mark.parametrize("text", ["", "…", "\x00", "\ud800", "word " * 1000])
def test_every_text_has_a_unit_vector(text: str) -> None:
    assert np.linalg.norm(FixedEmbedder(dimension=50).query(text)) == pytest.approx(1)


def test_no_texts_give_no_rows() -> None:
    assert FixedEmbedder(dimension=16).passages([]).shape == (0, 16)
