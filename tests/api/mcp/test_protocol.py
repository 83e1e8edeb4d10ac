"""Both protocols: that of today, where each request stands for itself, and the one that begins with a handshake."""

from importlib.metadata import version

import pytest

from mnemic import Mnemic
from tests.api.mcp.conftest import server_of, talking


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_an_assistant_of_either_age_is_served(memory: Mnemic, mode: str) -> None:
    with talking(server_of(memory), mode) as assistant:
        assert assistant.server_info.name == "mnemic"
        assert assistant.server_info.version == version("mnemic")
        capabilities = assistant.server_capabilities
        assert capabilities.tools is not None
        assert capabilities.resources is not None
        assert capabilities.prompts is not None
        assert capabilities.logging is None
        assert "recall" in assistant.instructions
        assistant.use("remember", text="We moved the checkout from MySQL to PostgreSQL.")
        assert "PostgreSQL" in assistant.use("recall", query="What does the checkout run on?")
        assert "limit" in assistant.fail("recall", query="x", limit=0)
        assert assistant.read_resource("mnemic://about/checkout").contents[0].text
        assert assistant.get_prompt("use-memory").messages
