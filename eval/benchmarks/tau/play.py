"""Plays tasks of tau-bench retail in a checkout of its repository, with its own tools, data and reward.

For a line of JSON without an id on standard input, writes the tasks; for one with the id of a task and the calls so far,
what the last call returns and whether the data are then as the repository's actions leave them. There is no simulated
user: whoever acts is given what the user is told. A transfer to a human ends the conversation, as it does there.
"""

import json
import os
import sys
import types
from functools import cache

sys.path.insert(0, os.getcwd())
sys.dont_write_bytecode = True
for missing in ("litellm", "openai", "anthropic"):  # nothing is sent anywhere
    sys.modules[missing] = types.ModuleType(missing)
sys.modules["litellm"].completion = None

from tau_bench.envs.retail import MockRetailDomainEnv  # noqa: E402
from tau_bench.types import Action  # noqa: E402

PART = sys.argv[1]
OPEN = {}  # runs that were played last, so that each call is made once: their data, and whether these are right
MOST_OPEN = 8
WRITES = ("cancel", "exchange", "modify", "return")


def environment(at):
    env = MockRetailDomainEnv(user_strategy="human", user_model="", task_split=PART, task_index=at)
    # A reward in the middle would put the right data in the place of the run's.
    env.ends, env.terminate_tools = env.terminate_tools, []
    return env


def tasks():
    env = environment(0)
    tools = [
        tool["function"] | {"effects": "write" if tool["function"]["name"].startswith(WRITES) else "read"}
        for tool in env.tools_info
    ]
    for at, task in enumerate(env.tasks):
        yield {
            "id": f"{PART}_{at}",
            "query": f"The user, who has confirmed every step: {task.instruction}",
            "background": env.wiki,
            "level": PART,
            "tools": tools,
            "steps": [[one.name, one.kwargs] for one in task.actions if not misses(env, one)],
            "facts": task.outputs,
            "unchanged": not any(one.name.startswith(WRITES) for one in task.actions),
        }


def misses(env, action):
    """Whether a look-up finds nothing: some that the repository lists do."""
    if action.name.startswith(WRITES) or action.name not in env.tools_map:
        return False
    return str(env.tools_map[action.name].invoke(data=env.data, **action.kwargs)).startswith("Error")


def play(id, calls):
    at = int(id.rsplit("_", 1)[1])
    *before, call = calls
    env, right = OPEN.pop(key(id, before), None) or replayed(at, before)
    if any(one["tool"] in env.ends for one in before):
        said = "Error: the conversation has ended"
    else:
        said = env.step(Action(name=call["tool"], kwargs=call["args"])).observation
    if call["tool"].startswith(WRITES):
        right = env.get_data_hash() == gold(at)
    OPEN[key(id, calls)] = env, right
    if len(OPEN) > MOST_OPEN:
        del OPEN[next(iter(OPEN))]
    return {"error" if said.startswith("Error") else "result": said, "right": right}


def key(id, calls):
    return json.dumps([id, calls])


def replayed(at, calls):
    env = environment(at)
    for call in calls:
        env.step(Action(name=call["tool"], kwargs=call["args"]))
        if call["tool"] in env.ends:
            break
    return env, env.get_data_hash() == gold(at)


@cache
def gold(at):
    """The reward of a task with outputs does not say whether the data are right, but leaves them as they should be."""
    env = environment(at)
    env.calculate_reward()
    return env.get_data_hash()


answers, sys.stdout = sys.stdout, sys.stderr
for line in sys.stdin:
    asked = json.loads(line)
    answer = play(**asked) if "id" in asked else list(tasks())
    print(json.dumps(answer), file=answers, flush=True)
