"""Errors can be sent between processes, as process pools do, and say the same there."""

import pickle

import pytest

from mnemic import InvalidInput, MnemicError, NotFound
from mnemic.errors import StoreBusy, UnknownName


@pytest.mark.parametrize(
    "error",
    [
        InvalidInput("limit", "is 0", "choose 1 or more"),
        NotFound("entity", "chekout", ["checkout"]),
        UnknownName("depth", "dep", ["deep", "warm"]),
        StoreBusy("held by another process"),
    ],
)
def test_an_error_survives_pickling(error: MnemicError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (str(again), again.args, vars(again)) == (str(error), error.args, vars(error))
