"""The language model that the user names in `[llm]`, if any. Nothing here is loaded while there is none."""
