"""Models from outside, each optional: word vectors for the port `encoder`, and the endpoint that `[llm]` names for `language_model`."""
