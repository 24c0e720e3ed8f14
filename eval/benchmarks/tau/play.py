"""Plays tasks of tau-bench retail in a checkout of its repository, with its own tools, data and reward.

For a line of JSON without an id on standard input, writes the tasks; for one with the id of a task and the calls so far,
what the last call returns and whether the data are then as the repository's actions leave them. There is no simulated
user: whoever acts is given what the user is told.
"""

import json
import os
import sys
import types

sys.path.insert(0, os.getcwd())
sys.dont_write_bytecode = True
for missing in ("litellm", "openai", "anthropic"):  # nothing is sent anywhere
    sys.modules[missing] = types.ModuleType(missing)
sys.modules["litellm"].completion = None

from tau_bench.envs.retail import MockRetailDomainEnv  # noqa: E402
from tau_bench.types import Action  # noqa: E402

PART = sys.argv[1]
WRITES = ("cancel", "exchange", "modify", "return")


def environment(at):
    return MockRetailDomainEnv(user_strategy="human", user_model="", task_split=PART, task_index=at)


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
        }


def misses(env, action):
    """Whether a look-up finds nothing: some that the repository lists do."""
    if action.name.startswith(WRITES) or action.name not in env.tools_map:
        return False
    return str(env.tools_map[action.name].invoke(data=env.data, **action.kwargs)).startswith("Error")


def play(id, calls):
    env = environment(int(id.rsplit("_", 1)[1]))
    for call in calls:
        said = env.step(Action(name=call["tool"], kwargs=call["args"])).observation
    reward = env.calculate_reward().info
    right = reward.r_actions if hasattr(reward, "r_actions") else same_data(env, calls)
    return {"error" if said.startswith("Error") else "result": said, "right": bool(right)}


def same_data(env, calls):
    """The reward of a task with outputs does not say whether the data are right."""
    gold = env.get_data_hash()
    env.data = env.data_load_func()
    for call in calls:
        env.step(Action(name=call["tool"], kwargs=call["args"]))
    return env.get_data_hash() == gold


answers, sys.stdout = sys.stdout, sys.stderr
for line in sys.stdin:
    asked = json.loads(line)
    answer = play(**asked) if "id" in asked else list(tasks())
    print(json.dumps(answer), file=answers, flush=True)
