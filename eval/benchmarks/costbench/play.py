"""Plays conversations of CostBench in a checkout of its repository, by its own `run_single_query` and scorer.

Run with the checkout as the working folder. For each line of JSON on standard input, which has a mode ("static" or a
`block_mode`), the id of a query and the calls so far, writes a line: what an agent is shown next, and the scores if it
ended here. A query is played from its beginning each time, as its seeds allow, so a run can go on in another process.
For a line without an id, writes the ids of all queries.
"""

import argparse
import asyncio
import functools
import json
import os
import sys
import types

REFINEMENT_LEVEL = 2  # as in the repository's table of main results

sys.path.insert(0, os.getcwd())
sys.dont_write_bytecode = True
for missing in ("openai", "httpx", "requests", "dotenv", "tqdm"):  # nothing is sent anywhere
    sys.modules[missing] = types.ModuleType(missing)
sys.modules["openai"].AsyncOpenAI = sys.modules["openai"].OpenAI = object
sys.modules["dotenv"].load_dotenv = lambda *_, **__: None
sys.modules["tqdm"].tqdm = lambda items=(), **_: items

from env import run as protocol  # noqa: E402
from env.utils.eval import evaluate_single_query  # noqa: E402


class Ended(Exception):
    """The calls so far were played."""


class Agent:
    """Stands where the repository asks a model: makes the calls so far, and keeps what it was shown."""

    def __init__(self, calls):
        self.calls, self.shown = iter(enumerate(calls)), []
        self.chat = types.SimpleNamespace(completions=self)

    async def create(self, messages, tools, **_):
        self.shown.append({"messages": list(messages), "tools": [tool["function"] for tool in tools]})
        at, call = next(self.calls, (None, None))
        if call is None:
            raise Ended
        function = types.SimpleNamespace(name=call["tool"], arguments=json.dumps(call["args"]))
        request = types.SimpleNamespace(id=str(at), type="function", function=function)
        message = types.SimpleNamespace(content=None, tool_calls=[request])
        return types.SimpleNamespace(choices=[types.SimpleNamespace(message=message)])


def settings(mode, is_scored):
    parts = [protocol.CONFIG.random, protocol.CONFIG.paths, protocol.CONFIG.runtime, protocol.CONFIG.tool_defaults]
    given = {name: value for part in [*parts, protocol.CONFIG.blocker, protocol.CONFIG.model] for name, value in vars(part).items()}
    dynamic = {"use_blocker": mode != "static", "block_mode": mode, "block_num": 1, "use_stimulation": is_scored}
    return argparse.Namespace(**{**given, **dynamic, "refinement_level": REFINEMENT_LEVEL})


def play(query, calls, args):
    agent = Agent(calls)
    seed = protocol._stable_int(f"{args.tool_creation_seed}:{query['query_id']}")
    query = json.loads(json.dumps(query))
    result = asyncio.run(protocol.run_single_query(agent, query, args, 0, seed))
    for message in result["conversation_history"]:
        made = message.get("tool_calls") or []
        message["tool_calls"] = [{"name": one.function.name, "arguments": one.function.arguments} for one in made]
    scores = evaluate_single_query(result)
    scenarios = result["groundtruth"]["scenarios"]
    target = scenarios[min(scores.get("actual_block_count", 0), len(scenarios) - 1)]
    before, now = (agent.shown[-2:] + agent.shown)[:2] if len(agent.shown) > 1 else (None, agent.shown[-1])
    return {
        "messages": now["messages"][len(before["messages"]) + 1 :] if before else now["messages"],
        "tools": [tool for tool in now["tools"] if not before or tool not in before["tools"]],
        "gone": [tool["name"] for tool in (before or now)["tools"] if tool["name"] not in {one["name"] for one in now["tools"]}],
        "path": [name for step in scenarios[0]["tools"] for name in step],
        "target": target["gt_id"],
        "scores": {
            "valid": scores["is_valid"] and not scores.get("gt_incomplete"),
            "reached": not scores.get("no_goal_state"),
            "exact": scores.get("tool_path_exact_match"),
            "edits": scores.get("edit_distance"),
            "normalized": scores.get("normalized_edit_distance_single"),
            "cost": scores.get("agent_cost"),
            "least": scores.get("gt_cost"),
            "greedy": result.get("stimulation", {}).get("avg_cost"),
        },
    }


@functools.lru_cache
def large_file(path):
    with open(path, encoding="utf-8") as file:
        return json.loads(file.read())


def main():
    parse = json.load
    # The repository reads its database of 48 MB anew at each call.
    json.load = lambda file, **given: large_file(file.name) if "search_space" in file.name else parse(file, **given)
    with open(protocol.CONFIG.paths.query_path, encoding="utf-8") as file:
        queries = {query["query_id"]: query for query in json.load(file)}
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        asked = json.loads(line)
        answer = list(queries) if "id" not in asked else facts(queries[asked["id"]]) | play(
            queries[asked["id"]], asked["calls"], settings(asked["mode"], bool(asked["calls"]))
        )
        print(json.dumps(answer), file=answers, flush=True)


def facts(query):
    return {name: query.get(name) for name in ("task", "TimeInfo", "location_preference", "preferences")}


main()
