"""Plays conversations of CostBench in a checkout of its repository, by its own `run_single_query` and scorer.

Run in the checkout, with "static" or a `block_mode`. For a line of JSON without an id on standard input, writes the tasks;
for one with the id of a query and the calls so far, what an agent is told next, and the scores if it ended here. A query is
played from its beginning each time, as its seeds allow, so a run can go on in another process.
"""

import argparse
import asyncio
import functools
import json
import os
import re
import sys
import types

MODE = sys.argv[1]
REFINEMENT_LEVEL = 2  # as in the repository's table of main results

sys.path.insert(0, os.getcwd())
sys.dont_write_bytecode = True
for missing in ("openai", "httpx", "requests", "dotenv", "tqdm"):  # nothing is sent anywhere
    sys.modules[missing] = types.ModuleType(missing)
sys.modules["openai"].AsyncOpenAI = sys.modules["openai"].OpenAI = object
sys.modules["dotenv"].load_dotenv = lambda *_, **__: None
sys.modules["tqdm"].tqdm = lambda items=(), **_: items

import yaml  # noqa: E402

yaml.SafeLoader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # it reads its settings anew at each call

from env import run as protocol  # noqa: E402
from env.utils.eval import build_segmented_gt_path, evaluate_single_query  # noqa: E402


if MODE not in ("static", *protocol.BLOCK_TYPES):
    sys.exit(f'"{MODE}" is not one of its modes: {", ".join(["static", *protocol.BLOCK_TYPES])}')
if not os.path.exists(protocol.SEARCH_SPACE_PATH):
    sys.exit(f"there is no {protocol.SEARCH_SPACE_PATH}; docs/results.md has the commands that make it")


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


def settings(is_scored):
    parts = [protocol.CONFIG.random, protocol.CONFIG.paths, protocol.CONFIG.runtime, protocol.CONFIG.tool_defaults]
    given = {name: value for part in [*parts, protocol.CONFIG.blocker, protocol.CONFIG.model] for name, value in vars(part).items()}
    dynamic = {"use_blocker": MODE != "static", "block_mode": MODE, "block_num": 1, "use_stimulation": is_scored}
    return argparse.Namespace(**{**given, **dynamic, "refinement_level": REFINEMENT_LEVEL})


def converse(query, calls, is_scored=False):
    """What an agent was shown at each step, and what came of the conversation."""
    agent, args = Agent(calls), settings(is_scored)
    seed = protocol._stable_int(f"{args.tool_creation_seed}:{query['query_id']}")
    query = json.loads(json.dumps(query))
    return agent.shown, asyncio.run(protocol.run_single_query(agent, query, args, 0, seed))


def task(query):
    (shown, *_), result = converse(query, [])
    id, stats = query["query_id"][1:-1], result.get("block_stats", {})
    values = values_of(query["task"], query | {"location": query.get("location_preference")}, query["TimeInfo"])
    tools = {tool["name"]: tool | facts(tool) for tool in shown["tools"]}
    told = {message["role"]: message["content"].strip() for message in shown["messages"]}
    steps = []
    path = cheapest(result)
    if MODE != "static":  # what an event leaves to do is known once it has come
        _, result = converse(query, [{"tool": name, "args": {}} for name in path])
        path = cheapest(result)
    for at, name in enumerate(path):
        if MODE == "preference_change" and at == stats["block_step"][0]:
            values = values_of(query["task"], stats["metadata"][0]["parameters"], query["TimeInfo"])
        output = next(iter(tools[name]["returns"]["properties"]))
        steps.append([name, {each: values[each] for each in tools[name]["parameters"]["properties"]}])
        values[output] = f"$$PREV[{at}].{output}"
    return {
        "id": id,
        "query": told["user"],
        "background": told["system"],
        "level": query["task"],
        "tools": list(tools.values()),
        "steps": steps,
        "answer": f"<answer> {values[output]} </answer>",
    }


def cheapest(result):
    scenarios = result["groundtruth"]["scenarios"]
    events = result.get("block_stats", {}).get("block_step", []) if len(scenarios) > 1 else []
    return build_segmented_gt_path(scenarios, events)[0]


def values_of(task, wish, time):
    named = {task.capitalize() + name.title().replace("_", ""): value for name, value in wish["preferences"].items()}
    return {"TimeInfo": time, "LocationPreference": wish.get("location"), **named}


def facts(tool):
    cost = re.search(r"cost of ([\d.]+) units", tool["description"])[1]
    output = re.search(r"output type of this tool is (\w+)", tool["description"])[1]
    returns = {"type": "object", "properties": {output: {"type": "string"}}, "required": [output]}
    return {"cost": float(cost), "returns": returns, "effects": "read"}


def play(query, calls):
    shown, result = converse(query, calls, is_scored=True)
    for message in result["conversation_history"]:
        made = message.get("tool_calls") or []
        message["tool_calls"] = [{"name": one.function.name, "arguments": one.function.arguments} for one in made]
    scores = evaluate_single_query(result)
    scenarios = result["groundtruth"]["scenarios"]
    before, now = shown[-2:]
    text, *others = [message["content"] for message in now["messages"][len(before["messages"]) + 1 :]]
    prices = {tool["name"]: facts(tool)["cost"] for tool in now["tools"] if tool not in before["tools"]}
    gone = {tool["name"] for tool in before["tools"]} - {tool["name"] for tool in now["tools"]}
    news = {"user": " ".join(others), "prices": prices, "unavailable": sorted(gone)}
    news = {name: value for name, value in news.items() if value}
    output, value = re.search(r"Type: (\w+)", text), re.search(r"<\w+?\d+>", text)
    done = output and value and not text.startswith("[ERROR]")
    return {
        **({"result": {"text": text, output[1]: value[0], **news}} if done else {"error": f"{text} {news or ''}".strip()}),
        "target": scenarios[min(scores.get("actual_block_count", 0), len(scenarios) - 1)]["gt_id"],
        "valid": bool(scores["is_valid"] and not scores.get("gt_incomplete")),
        "reached": not scores.get("no_goal_state"),
        "exact": scores.get("tool_path_exact_match"),
        "normalized": scores.get("normalized_edit_distance_single"),
        "cost": scores.get("agent_cost"),
        "least": scores.get("gt_cost"),
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
        answer = play(queries[f"<{asked['id']}>"], asked["calls"]) if "id" in asked else [task(one) for one in queries.values()]
        print(json.dumps(answer), file=answers, flush=True)


main()
