"""The methods as a server of the `mcp` library, for HTTP. They run in threads, because the socket and the store block."""

from __future__ import annotations

from typing import Any, TypeVar

import anyio
import mcp_types as types
from anyio.to_thread import run_sync
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel

from ethos import __version__
from ethos.core.model.errors import Refused
from ethos.edge.client.mcp.bridge import Bridge
from ethos.edge.client.mcp.methods import INSTRUCTIONS, METHODS

_THREADS = 8  # requests worked on at once

Context = Any
Result = TypeVar("Result", bound=BaseModel)


def server_of(bridge: Bridge) -> Server[Any]:
    """Return the server of these tools, resources and prompts."""
    threads = anyio.CapacityLimiter(_THREADS)

    async def done(method: str, params: BaseModel | None, result: type[Result]) -> Result:
        given = {} if params is None else params.model_dump(by_alias=True, mode="json", exclude_none=True)
        try:
            return result.model_validate(await run_sync(METHODS[method].does, bridge.ask, given, limiter=threads))
        except Refused as refused:
            raise MCPError(code=types.INVALID_PARAMS, message=f"{refused.problem.what} -> {refused.problem.hint}") from refused

    async def list_tools(_ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return await done("tools/list", params, types.ListToolsResult)

    async def call_tool(_ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        return await done("tools/call", params, types.CallToolResult)

    async def list_resources(_ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        return await done("resources/list", params, types.ListResourcesResult)

    async def read_resource(_ctx: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        return await done("resources/read", params, types.ReadResourceResult)

    async def list_prompts(_ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        return await done("prompts/list", params, types.ListPromptsResult)

    async def get_prompt(_ctx: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        return await done("prompts/get", params, types.GetPromptResult)

    return Server(
        "ethos",
        version=__version__,
        title="Ethos",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )
