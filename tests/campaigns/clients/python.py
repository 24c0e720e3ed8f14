"""What LangGraph's SDK for Python and its RemoteGraph get from a server: a line for each check.

Run by tests/campaigns/clients.ts: python.py URL ASSISTANT, an assistant that asks before it writes.
"""

import asyncio
import sys
import uuid

from langgraph.pregel.remote import RemoteGraph
from langgraph_sdk import get_client, get_sync_client

URL, ASKING = sys.argv[1:]
ASK = {"request": "What is 3 times 4?"}
MOVE = {"request": "Move todo 1 to 2026-11-27"}
APPROVE = {"resume": {"decisions": [{"type": "approve"}]}}
client = get_client(url=URL, api_key=None)
sync = get_sync_client(url=URL, api_key=None)
results = []


async def check(name, awaitable, holds=lambda _: True):
    """Says whether something was answered, and as it should be."""
    try:
        answer = await awaitable if hasattr(awaitable, "__await__") else awaitable
        problem = None if holds(answer) else f"answered {str(answer)[:300]}"
    except Exception as error:  # noqa: BLE001
        answer, problem = None, f"{type(error).__name__}: {str(error)[:300]}"
    results.append(problem is None)
    print("ok" if problem is None else f"FAILS {problem}", "-", name, flush=True)
    return answer


async def refused(name, awaitable, status):
    async def fails():
        try:
            await awaitable
        except Exception as error:  # noqa: BLE001
            return getattr(getattr(error, "response", error), "status_code", None) == status
        return False

    await check(name, fails(), bool)


async def gathered(stream):
    return [part async for part in stream]


def solved(state):
    return state["status"] == "solved" and "12" in state["answer"]


async def assistants():
    found = client.assistants
    made = await check("assistants.create", found.create("tulip", context={"topK": 3}, name="few"))
    id = made["assistant_id"]
    await check("assistants.get", found.get(id), lambda one: one["context"] == {"topK": 3})
    await check("assistants.search", found.search(graph_id="tulip"), lambda all: len(all) > 1)
    await check("assistants.search by name", found.search(name="few"), lambda all: len(all) == 1)
    await check("assistants.count", found.count(graph_id="tulip"), lambda count: count > 1)
    await check("assistants.get_graph", found.get_graph(id), lambda graph: len(graph["nodes"]) > 3)
    await check("assistants.get_graph xray", found.get_graph(id, xray=True), lambda g: g["edges"])
    schemas = found.get_schemas(id)
    await check("assistants.get_schemas", schemas, lambda s: "request" in s["input_schema"]["properties"])
    await check("assistants.get_subgraphs", found.get_subgraphs(id), lambda all: isinstance(all, dict))
    await check("assistants.update", found.update(id, context={"topK": 4}), lambda one: one["version"] == 2)
    await check("assistants.get_versions", found.get_versions(id), lambda all: len(all) == 2)
    await check("assistants.set_latest", found.set_latest(id, 1), lambda one: one["context"] == {"topK": 3})
    await check("assistants.delete", found.delete(id))
    await refused("assistants.get of none", found.get(id), 404)


async def threads():
    found = client.threads
    made = await check("threads.create", found.create(metadata={"of": "python"}))
    id = made["thread_id"]
    same = found.create(thread_id=id, if_exists="do_nothing")
    await check("threads.create once", same, lambda one: one["thread_id"] == id)
    await check("threads.get", found.get(id), lambda one: one["status"] == "idle")
    await check("threads.update", found.update(id, metadata={"more": 1}))
    await check("threads.search", found.search(metadata={"of": "python"}), lambda all: len(all) == 1)
    await check("threads.count", found.count(metadata={"of": "python"}), lambda count: count == 1)
    await check("runs.wait", client.runs.wait(id, "tulip", input=ASK), solved)
    await check("threads.get_state", found.get_state(id), lambda state: solved(state["values"]))
    history = await check("threads.get_history", found.get_history(id, limit=50), lambda all: len(all) > 3)
    place = history[2]["checkpoint"]
    await check("threads.get_state at a checkpoint", found.get_state(id, checkpoint=place))
    by_id = found.get_state(id, checkpoint_id=place["checkpoint_id"])
    await check("threads.get_state by its id", by_id)
    changed = found.update_state(id, {"answer": "by hand"})
    await check("threads.update_state", changed, lambda state: state["checkpoint"])
    copy = await check("threads.copy", found.copy(id))
    await check("threads.get_state of a copy", found.get_state(copy["thread_id"]), lambda s: s["values"])
    await check("threads.prune", found.prune([copy["thread_id"]], strategy="keep_latest"))
    await check("threads.delete", found.delete(copy["thread_id"]))
    await refused("threads.get of none", found.get(copy["thread_id"]), 404)
    steps = [{"updates": [{"values": ASK, "as_node": "__start__"}]}]
    await check("threads.create supersteps", found.create(graph_id="tulip", supersteps=steps))
    await check("threads.create ttl", found.create(ttl={"ttl": 60, "strategy": "delete"}))


async def runs():
    found = client.runs
    id = (await client.threads.create())["thread_id"]
    run = await check("runs.create", found.create(id, "tulip", input=ASK))
    await check("runs.join", found.join(id, run["run_id"]), solved)
    await check("runs.get", found.get(id, run["run_id"]), lambda one: one["status"] == "success")
    await check("runs.list", found.list(id), lambda all: len(all) == 1)
    for mode in ["values", "updates", "messages", "messages-tuple", "custom", "events", "debug", "tasks", "checkpoints"]:
        parts = gathered(found.stream(id, "tulip", input=ASK, stream_mode=mode))
        await check(f"runs.stream {mode}", parts, lambda all: all and all[-1].event != "error")
    both = gathered(found.stream(id, "tulip", input=ASK, stream_mode=["values", "updates"]))
    await check("runs.stream of two modes", both, lambda all: {"values", "updates"} <= {p.event for p in all})
    kept = await found.create(id, "tulip", input=ASK, stream_resumable=True)
    joined = gathered(found.join_stream(id, kept["run_id"], last_event_id="-1"))
    await check("runs.join_stream", joined, lambda all: len(all) > 1)
    await check("runs.wait without a thread", found.wait(None, "tulip", input=ASK), solved)
    await check("runs.stream without a thread", gathered(found.stream(None, "tulip", input=ASK)), len)
    batch = [{"assistant_id": "tulip", "input": ASK}] * 2
    await check("runs.create_batch", found.create_batch(batch), lambda all: len(all) == 2)
    late = await check("runs.create later", found.create(id, "tulip", input=ASK, after_seconds=600))
    await check("runs.cancel", found.cancel(id, late["run_id"], wait=True))
    late = await found.create(id, "tulip", input=ASK, after_seconds=600)
    await check("runs.cancel_many", found.cancel_many(thread_id=id, run_ids=[late["run_id"]]))
    await check("runs.delete", found.delete(id, late["run_id"]))
    unknown = found.wait(id, "tulip", input=ASK, context={"libary": "math"})
    await refused("runs.wait with an unknown setting", unknown, 422)
    events = gathered(client.threads.join_stream(id, stream_mode=["run_modes"]))
    try:
        await asyncio.wait_for(events, 1)
    except TimeoutError:
        pass
    await check("threads.join_stream", client.threads.get(id))


async def approvals():
    id = (await client.threads.create())["thread_id"]
    waiting = client.runs.wait(id, ASKING, input=MOVE)
    await check("runs.wait for an approval", waiting, lambda state: state["__interrupt__"])
    await check("threads.search interrupted", client.threads.search(status="interrupted"), len)
    state = await client.threads.get_state(id)
    await check("threads.get_state tasks", state, lambda one: one["tasks"][0]["interrupts"])
    done = client.runs.wait(id, ASKING, command=APPROVE)
    await check("runs.wait with a decision", done, lambda one: one["status"] == "solved")


async def others():
    store = client.store
    await check("store.put_item", store.put_item(["python"], "a", {"n": 1}))
    await check("store.get_item", store.get_item(["python"], key="a"), lambda one: one["value"] == {"n": 1})
    await check("store.search_items", store.search_items(["python"]), lambda all: len(all["items"]) == 1)
    await check("store.list_namespaces", store.list_namespaces(), lambda all: ["python"] in all["namespaces"])
    await check("store.delete_item", store.delete_item(["python"], key="a"))
    cron = await check("crons.create", client.crons.create("tulip", schedule="0 9 * * *", input=ASK))
    await check("crons.search", client.crons.search(), lambda all: len(all) == 1)
    await check("crons.count", client.crons.count(), lambda count: count == 1)
    await check("crons.update", client.crons.update(cron["cron_id"], schedule="0 10 * * *"))
    await check("crons.delete", client.crons.delete(cron["cron_id"]))
    id = (await client.threads.create())["thread_id"]
    cron = await check("crons.create_for_thread", client.crons.create_for_thread(id, "tulip", schedule="0 9 * * *", input=ASK))
    await client.crons.delete(cron["cron_id"])
    await check("the synchronous client", sync.runs.wait(None, "tulip", input=ASK), solved)


async def remote():
    graph = RemoteGraph("tulip", url=URL)
    id = (await client.threads.create())["thread_id"]
    config = {"configurable": {"thread_id": id}}
    await check("RemoteGraph.ainvoke", graph.ainvoke(ASK, config), solved)
    await check("RemoteGraph.invoke", graph.invoke(ASK, config), solved)
    await check("RemoteGraph.astream", gathered(graph.astream(ASK, config, stream_mode="updates")), len)
    await check("RemoteGraph.stream", list(graph.stream(ASK, config, stream_mode="values")), len)
    await check("RemoteGraph.get_state", graph.get_state(config), lambda state: solved(state.values))
    await check("RemoteGraph.aget_state", graph.aget_state(config), lambda state: state.next == ())
    history = list(graph.get_state_history(config, limit=3))
    await check("RemoteGraph.get_state_history", history, lambda all: len(all) == 3)
    await check("RemoteGraph.update_state", graph.update_state(config, {"answer": "by hand"}))
    await check("RemoteGraph.get_graph", graph.get_graph(), lambda drawn: len(drawn.nodes) > 3)
    await check("RemoteGraph.aget_graph", graph.aget_graph(xray=True), lambda drawn: drawn.edges)


async def main():
    for part in [assistants, threads, runs, approvals, others, remote]:
        try:
            await part()
        except Exception as error:  # noqa: BLE001
            results.append(False)
            print(f"FAILS {type(error).__name__}: {error} - the rest of {part.__name__}", flush=True)
    print(f"{sum(results)} of {len(results)} checks of python's clients pass")
    sys.exit(0 if all(results) else 1)


asyncio.run(main())
