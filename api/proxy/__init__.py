"""The chat proxy: OpenAI's chat completions with a memory: recalled before, remembered after, forwarded between."""
