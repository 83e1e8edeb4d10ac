"""From the environment to a language model: none unless an address is set."""

from mnemic.api.settings import model_environment
from mnemic.errors import InvalidInput
from mnemic.extraction.llm.base import LanguageModel


def model_meant() -> LanguageModel | None:
    """Return the endpoint that the environment names; None where it names none.

    Raises ``InvalidInput`` naming what cannot be used.
    """
    told = model_environment()
    if told.url is None:
        return None
    if told.name is None:
        raise InvalidInput("MNEMIC_MODEL_NAME", "is missing", "name the model as its endpoint does")
    from mnemic.extraction.llm.endpoint import Endpoint  # httpx costs time, and few ask a model

    stages = [stage.strip() for stage in told.stages.split(",") if stage.strip()]
    key = told.key.get_secret_value() if told.key else None
    return Endpoint(told.url, name=told.name, key=key, stages=stages, timeout=told.timeout)
