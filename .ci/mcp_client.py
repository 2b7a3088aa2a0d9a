"""An independent client of `recount lab serve`: the protocol's official Python SDK.

Lists the tools, calls them, sees the disconnect of the fault, and finds the committed row in the file afterwards.
Usage: mcp_client.py PATH_OF_RECOUNT
"""

import asyncio
import json
import sqlite3
import sys
import tempfile
from pathlib import Path

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

OPERATION = "refund:order_1234:request_9876"
REFUND = {"order_id": "1234", "amount": 200}


def server(recount: str, store: Path, mode: str, fault: str) -> StdioServerParameters:
    args = ["lab", "serve", "--server", mode, "--db", str(store), "--fault", fault]
    return StdioServerParameters(command=recount, args=args)


def rows(store: Path) -> list[tuple]:
    with sqlite3.connect(store) as db:
        return db.execute("SELECT refund_id, amount_minor, operation_id FROM refunds ORDER BY id").fetchall()


async def refund(session: ClientSession) -> dict:
    result = await session.call_tool("refund_order", REFUND, meta={"operation_id": OPERATION})
    assert not result.is_error, result
    return json.loads(result.content[0].text)


async def with_session(parameters: StdioServerParameters, work):
    async with stdio_client(parameters) as (read, write):
        async with ClientSession(read, write, read_timeout_seconds=20) as session:
            await session.initialize()
            return await work(session)


async def lists_and_calls(session: ClientSession):
    tools = {tool.name: tool for tool in (await session.list_tools()).tools}
    assert sorted(tools) == ["get_order", "refund_order"], tools
    assert sorted(tools["refund_order"].input_schema["properties"]) == ["amount", "order_id"]
    result = await session.call_tool("get_order", {"order_id": "1234"})
    order = json.loads(result.content[0].text)
    assert (order["total_minor"], order["refunded_minor"]) == (50000, 0), order
    refused = await session.call_tool("refund_order", {"order_id": "1234", "amount": -1})
    assert refused.is_error, refused


async def sees_the_disconnect(session: ClientSession):
    try:
        await refund(session)
    except Exception as why:  # noqa: BLE001 - whatever the SDK calls it, it is no answer
        print(f"  no answer: {type(why).__name__}: {why}")
        return
    raise AssertionError("an answer came although the connection was to be lost")


async def main(recount: str) -> None:
    for mode, expected in [("unsafe", 2), ("idempotent", 1)]:
        with tempfile.TemporaryDirectory() as folder:
            store = Path(folder) / "store.db"
            print(f"{mode}: list, call")
            await with_session(server(recount, store, mode, "none"), lists_and_calls)
            assert rows(store) == []
            print(f"{mode}: commit, then disconnect")
            await with_session(server(recount, store, mode, "commit-then-disconnect"), sees_the_disconnect)
            first = rows(store)
            assert [row[1:] for row in first] == [(20000, OPERATION)], first
            print(f"  the row is in the file: {first[0][0]}")
            answer = await with_session(server(recount, store, mode, "commit-then-disconnect"), refund)
            assert len(rows(store)) == expected, rows(store)
            assert answer.get("reused", False) == (mode == "idempotent"), answer
            print(f"  sent again with the same id: {len(rows(store))} row(s)")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
