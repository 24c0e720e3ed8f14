import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openBenchmark } from "../../../eval/benchmarks/index.js";
import { folderOf } from "./support.js";

const hasPython = spawnSync("python3", ["--version"]).status === 0;

/** An environment that rewards as the repository's does: its own data are the right ones afterwards. */
const ENVIRONMENT = `
class Tool:
    def __init__(self, does):
        self.does = does
    def invoke(self, data, **kwargs):
        if self.does == "cancel":
            data["cancelled"].append(kwargs["order"])
        return "Error: no such order" if kwargs.get("order") == "#9" else "done"

class Task:
    def __init__(self, *actions):
        self.instruction, self.actions, self.outputs = "You want it gone", list(actions), []

class MockRetailDomainEnv:
    def __init__(self, user_strategy, user_model, task_split, task_index):
        from tau_bench.types import Action
        names = ("cancel", "look", "transfer")
        cancel = Action(name="cancel", kwargs={"order": "#1"})
        self.tasks = [Task(cancel), Task(Action(name="look", kwargs={}))]
        self.task, self.wiki, self.data = self.tasks[task_index], "Be polite.", {"cancelled": []}
        self.tools_map = {name: Tool(name) for name in names}
        self.tools_info = [
            {"type": "function", "function": {"name": name, "description": name, "parameters": {"type": "object"}}}
            for name in names
        ]
        self.terminate_tools = ["transfer"]

    def step(self, action):
        said = self.tools_map[action.name].invoke(data=self.data, **action.kwargs)
        if action.name in self.terminate_tools:
            self.calculate_reward()
        return type("Response", (), {"observation": said})

    def get_data_hash(self):
        return str(self.data)

    def calculate_reward(self):
        self.data = {"cancelled": []}
        for action in self.task.actions:
            self.step(action)
`;

/** A checkout of the repository as far as it is used. */
async function played() {
  const folder = folderOf({});
  const files = {
    "tau_bench/types.py":
      "class Action:\n    def __init__(self, name, kwargs):\n        self.name, self.kwargs = name, kwargs\n",
    "tau_bench/envs/retail/__init__.py": ENVIRONMENT,
    "tau_bench/envs/retail/tasks_test.py": "",
  };
  mkdirSync(join(folder, "tau_bench/envs/retail"), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { tasks, ownWorlds } = await openBenchmark(folder);
  const [world] = ownWorlds ?? [];
  const run = world?.create();
  const call = async (tool: string, args = {}) =>
    await world?.answer?.(run, { tool: `test_0.${tool}`, args });
  const isRight = () => (Object(run && world?.save(run)) as { right?: boolean }).right;
  return { tasks, call, isRight };
}

it.skipIf(!hasPython)("knows which tasks are right without a call", async () => {
  const { tasks } = await played();
  expect(tasks.map((task) => task.rightWithoutCalls)).toEqual([undefined, true]);
});

it.skipIf(!hasPython)("compares the data after each call with the right ones", async () => {
  const { call, isRight } = await played();
  expect(await call("look")).toEqual({ result: "done" });
  expect(isRight()).toBe(false);
  expect(await call("look", { order: "#9" })).toEqual({ error: "Error: no such order" });
  await call("cancel", { order: "#1" });
  expect(isRight()).toBe(true);
  await call("look");
  expect(isRight()).toBe(true);
  await call("cancel", { order: "#2" });
  expect(isRight()).toBe(false);
});

it.skipIf(!hasPython)("ends with a transfer, which makes nothing right", async () => {
  const { call, isRight } = await played();
  expect(await call("transfer")).toEqual({ result: "done" });
  expect(isRight()).toBe(false);
  const late = { error: "Error: the conversation has ended" };
  expect(await call("cancel", { order: "#1" })).toEqual(late);
  expect(isRight()).toBe(false);
});
