import { existsSync } from "node:fs";
import { join } from "node:path";
import { BenchmarkFailed } from "../../../common/errors.js";
import type { PlanStep } from "../../../plans/steps/plan.js";
import { writeReference } from "../../../plans/steps/references.js";
import { defineWorld, type WorldDefinition } from "../../../tools/calls/worlds/worlds.js";
import { canonicalJson, sha256 } from "../../../tools/library/records/hash.js";
import type { ToolDefinition } from "../../../tools/tool.js";
import type { Benchmark, Task } from "../benchmark.js";
import { openPlayer } from "../checkoutPlayer.js";
import {
  COSTBENCH_WORLD,
  type Conversation,
  type InterfaceOfTool,
  type Played,
  type PlayedRun,
} from "./played.js";

/** What happens during a conversation: nothing, or one of the repository's blocking events. */
export const MODES = ["static", "cost_change", "preference_change", "ban_tool", "steplen_change"];

/**
 * CostBench (Liu et al. 2026, arXiv:2511.02734), read from a checkout of its repository: 381 requests, each with 14 tools
 * and prices of its own, solved by chains of tools of which the repository knows the cheapest. Its own code, unchanged,
 * makes the prompts, answers the calls, sets off the events and scores the path.
 *
 * @param folder the checkout, with the search database that its README tells how to make
 * @param mode one of {@link MODES}
 */
export async function costbench(folder: string, mode = "static"): Promise<Benchmark> {
  if (!MODES.includes(mode)) {
    const problem = `"${mode}" is not one of its modes: ${MODES.join(", ")}`;
    throw new BenchmarkFailed({ benchmark: COSTBENCH_WORLD, problem });
  }
  const database = join(folder, "env/data/static/search_spaces/test_search_space.json");
  if (!existsSync(database)) {
    const hint = "docs/results.md has the two commands that make it";
    throw new BenchmarkFailed({
      benchmark: COSTBENCH_WORLD,
      problem: `there is no ${database}`,
      hint,
    });
  }
  const ask = openPlayer({
    benchmark: COSTBENCH_WORLD,
    script: new URL("play.py", import.meta.url),
    folder,
  });
  const play = async (conversation: Conversation) =>
    (await ask({ ...conversation, mode })) as Played;
  const tools: ToolDefinition[] = [];
  const tasks: Task[] = [];
  for (const id of (await ask({})) as string[]) {
    const played = await play({ id, calls: [] });
    const own = played.tools.map((tool) => definitionOf(id, tool));
    tools.push(...own);
    tasks.push(taskOf({ id, played, own, mode }));
  }
  return {
    name: `costbench-${mode}`,
    source: folder,
    hash: sha256(canonicalJson({ mode, tasks, tools })),
    tools,
    tasks,
    argumentRule: "equal",
    others: 0,
    world: { name: COSTBENCH_WORLD },
    ownWorlds: [playedWorld(play)],
  };
}

/** The conversation so far; `played` is what came of its last call. */
type Run = Partial<Conversation> & { played?: PlayedRun };

/** What CostBench's own code says to a call. A call's result has what it returned by the name of its type. */
function playedWorld(play: (conversation: Conversation) => Promise<Played>): WorldDefinition<Run> {
  return defineWorld<Run>({
    name: COSTBENCH_WORLD,
    create: () => ({}),
    save: (run) => run,
    load: (saved) => saved as Run,
    async answer(run, { tool, args }) {
      const [number = "", name = ""] = tool.split(".");
      const id = `<${number}>`;
      const calls = [...(run.calls ?? []), { tool: name, args }];
      const { messages, tools, gone, target, scores } = await play({ id, calls });
      Object.assign(run, { id, calls, played: { target, scores } });
      const [text = "", ...others] = messages.map(({ content }) => content);
      const news = {
        ...(others.length > 0 ? { user: others.join("\n") } : {}),
        ...(tools.length > 0
          ? { prices: Object.fromEntries(tools.map((each) => [each.name, costOf(each)])) }
          : {}),
        ...(gone.length > 0 ? { unavailable: gone } : {}),
      };
      const type = /Type: (\w+)/.exec(text)?.[1];
      const value = /<\w+?\d+>/.exec(text)?.[0];
      const isError = type === undefined || value === undefined;
      if (isError) return { error: [text, ...Object.values(news).map(String)].join(" ") };
      return { result: { text, [type]: value, ...news } };
    },
  });
}

function definitionOf(id: string, tool: InterfaceOfTool): ToolDefinition {
  const { name, description, parameters } = tool;
  const returned = { [outputOf(tool)]: { type: "string" } };
  return {
    id: `${id.slice(1, -1)}.${name}`,
    name,
    description,
    parameters,
    returns: { type: "object", properties: returned, required: Object.keys(returned) },
    source: { kind: "declared", file: `${COSTBENCH_WORLD}.jsonl`, world: COSTBENCH_WORLD },
    effects: "read",
    cost: costOf(tool),
  };
}

/** A protocol without a search shows all tools, so each is found. */
const ALL = { topK: 20 };

/** The gold is the cheapest chain before any event; its values are those that the request was written from. */
function taskOf({
  id,
  played,
  own,
  mode,
}: {
  id: string;
  played: Played;
  own: readonly ToolDefinition[];
  mode: string;
}): Task {
  const { task, preferences, TimeInfo, location_preference, messages, path } = played;
  const subject = task[0]?.toUpperCase() + task.slice(1);
  const values: PlanStep["args"] = { TimeInfo, LocationPreference: location_preference ?? "" };
  for (const [name, value] of Object.entries(preferences)) {
    values[`${subject}${pascal(name)}`] = value;
  }
  const steps = path.map((name, at): PlanStep => {
    const tool = own.find((each) => each.name === name);
    const parameters = Object.keys(Object(tool?.parameters["properties"]));
    const args = Object.fromEntries(parameters.map((each) => [each, values[each] ?? ""]));
    const output = outputOf(tool ?? { description: "" });
    values[output] = { $prev: at, path: [output] };
    return { tool: `${id.slice(1, -1)}.${name}`, args };
  });
  const goal = writeReference({ $prev: steps.length - 1, path: [`Travel${subject}`] });
  return {
    id: id.slice(1, -1),
    query: messages.map(({ content }) => content.trim()).join("\n\n"),
    tools: steps.map(({ tool }) => tool),
    plan: { steps, answer: `<answer> ${goal} </answer>` },
    level: task,
    split: mode,
    candidates: own.map((tool) => tool.id),
    settings: ALL,
  };
}

function pascal(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function costOf({ description }: { description: string }): number {
  return Number(/cost of ([\d.]+) units/.exec(description)?.[1]);
}

function outputOf({ description }: { description: string }): string {
  return /output type of this tool is (\w+)/.exec(description)?.[1] ?? "output";
}
