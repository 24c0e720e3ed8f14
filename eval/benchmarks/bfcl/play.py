"""Plays multi-turn tasks of BFCL v4 in a checkout of its repository, with its own classes and checker.

Run with `berkeley-function-call-leaderboard` as the working folder. For a line of JSON without an id on standard input,
writes the tasks; for one with the id of a task and the calls so far, what the last call returns and whether the checker
accepts them all.
"""

import ast
import json
import os
import sys

sys.path.insert(0, os.getcwd())
sys.dont_write_bytecode = True

from bfcl_eval.constants.executable_backend_config import MULTI_TURN_FUNC_DOC_FILE_MAPPING  # noqa: E402
from bfcl_eval.eval_checker.multi_turn_eval.multi_turn_checker import multi_turn_checker  # noqa: E402
from bfcl_eval.eval_checker.multi_turn_eval.multi_turn_utils import execute_multi_turn_func_call  # noqa: E402

PART = sys.argv[1]
DATA = "bfcl_eval/data"


def lines(path):
    with open(f"{DATA}/{path}", encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def functions(entry):
    for name in entry["involved_classes"]:
        for tool in lines(f"multi_turn_func_doc/{MULTI_TURN_FUNC_DOC_FILE_MAPPING[name]}"):
            if tool["name"] not in entry.get("excluded_function", []):
                yield {key: tool[key] for key in ("name", "description", "parameters")}


def step(text, tools):
    call = ast.parse(text, mode="eval").body
    names = list(next(tool for tool in tools if tool["name"] == call.func.id)["parameters"]["properties"])
    args = dict(zip(names, call.args)) | {one.arg: one.value for one in call.keywords}
    return [call.func.id, {name: ast.literal_eval(value) for name, value in args.items()}]


def task(entry):
    tools = list(functions(entry))
    turns = [message["content"] for turn in entry["question"] for message in turn]
    steps = [step(text, tools) for turn in GOLD[entry["id"]] for text in turn]
    return {"id": entry["id"], "query": "\n".join(turns), "level": PART, "tools": tools, "steps": steps}


def play(entry, calls):
    made = [f"{call['tool']}({', '.join(f'{name}={value!r}' for name, value in call['args'].items())})" for call in calls]
    play.count = getattr(play, "count", 0) + 1  # the checker keeps its objects by this name
    known = (entry["initial_config"], entry["involved_classes"], f"run{play.count}", entry["id"])
    results, _ = execute_multi_turn_func_call(made, *known, long_context="long_context" in entry["id"])
    gold = [text for turn in GOLD[entry["id"]] for text in turn]
    verdict = multi_turn_checker([[made]], [gold], entry, PART, known[2])
    result = results[-1]
    failed = result.startswith("Error") or '"error"' in result[:10]
    return {"error" if failed else "result": result, "right": verdict["valid"]}


ENTRIES = {entry["id"]: entry for entry in lines(f"BFCL_v4_{PART}.json")}
GOLD = {entry["id"]: entry["ground_truth"] for entry in lines(f"possible_answer/BFCL_v4_{PART}.json")}

answers, sys.stdout = sys.stdout, sys.stderr
for line in sys.stdin:
    asked = json.loads(line)
    answer = play(ENTRIES[asked["id"]], asked["calls"]) if "id" in asked else [task(one) for one in ENTRIES.values()]
    print(json.dumps(answer), file=answers, flush=True)
