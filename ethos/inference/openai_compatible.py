"""Ask an endpoint that speaks OpenAI's chat completions, such as a local llama.cpp or Ollama. Standard library only."""

from __future__ import annotations

import json
import os
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from ethos.core.model.errors import Refused, refuse
from ethos.core.model.settings import LlmSettings
from ethos.core.ports.language_model import Completion

_LONGEST = 1_000_000  # bytes of an answer


class OpenAiCompatible:
    """The endpoint of `[llm]`. The key is read from the environment, never from a file."""

    def __init__(self, settings: LlmSettings) -> None:
        self._settings = settings

    def complete(self, system: str, prompt: str, max_tokens: int) -> Completion:
        """Return the answer to a prompt. Raises Refused where the endpoint cannot be reached or answers otherwise."""
        asked = {
            "model": self._settings.model,
            "max_tokens": max_tokens,
            "temperature": 0,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": prompt}],
        }
        headers = {"Content-Type": "application/json"}
        if key := os.environ.get(self._settings.key_variable):
            headers["Authorization"] = f"Bearer {key}"
        url = f"{self._settings.endpoint.rstrip('/')}/chat/completions"
        request = Request(url, json.dumps(asked).encode(), headers, method="POST")  # noqa: S310 (http or https: the settings see to it)
        try:
            with urlopen(request, timeout=self._settings.timeout_seconds) as response:  # noqa: S310
                return _completion(json.loads(response.read(_LONGEST)))
        except HTTPError as error:
            raise self._refused(f"it answered {error.code}") from error
        except (OSError, HTTPException) as error:
            raise self._refused(f"it cannot be reached ({error})") from error
        except (ValueError, LookupError, TypeError) as error:
            raise self._refused("it answered something else than a chat completion") from error

    def _refused(self, why: str) -> Refused:
        return refuse("model", f"the language model at {self._settings.endpoint} gave no answer: {why}", hint="see [llm] in config.toml")


def _completion(answer: Any) -> Completion:
    text = answer["choices"][0]["message"]["content"]
    usage = answer.get("usage") or {}
    if not isinstance(text, str):
        raise TypeError
    return Completion(text, int(usage.get("prompt_tokens", 0)), int(usage.get("completion_tokens", 0)))
