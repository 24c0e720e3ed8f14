import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  CLOSED_LOOP,
  MANY_STEPS,
  MOST_MODEL_CALLS,
} from "../../../../eval/benchmarks/robot/growth.js";
import { judgeRobot } from "../../../../eval/benchmarks/robot/judge.js";
import { ROBOT_SCENES, UNEVEN } from "../../../../eval/benchmarks/robot/scenes.js";
import { robotWorld } from "../../../../tools/catalogs/robot/world.js";
import type { GeneratedTool } from "../../../../tools/generated/draft.js";
import { readDraft } from "../../../../tools/generated/readDraft.js";
import { definitionHash } from "../../../../tools/library/hash.js";
import { createToolRuntime, type ToolRuntime } from "../../../../tools/runtime/runtime.js";
import type { ToolRecord } from "../../../../tools/tool.js";
import { type Skill, SKILLS } from "../../../fixtures/robot/skills.js";
import { robotTools, tableOf, type TestTable } from "../../../tools/catalogs/robot/support.js";

const definition = robotWorld({ scenes: ROBOT_SCENES, start: "breakfast" });

const TASKS = [...CLOSED_LOOP, ...MANY_STEPS];

let home: string;
let runtime: ToolRuntime;
let shipped: ToolRecord[];
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "tulipgraph-robot-"));
  runtime = createToolRuntime({ home, worlds: [definition] });
  shipped = (await robotTools()).map((tool) => ({
    ...tool,
    version: 1,
    hash: definitionHash(tool),
  }));
});
afterAll(async () => {
  await runtime.close();
  rmSync(home, { recursive: true, force: true });
});

function taskOf({ task }: Skill) {
  const found = TASKS.find(({ id }) => id === task);
  if (!found) throw new Error(`there is no task ${task}`);
  return found;
}

function written({ code }: Skill): GeneratedTool {
  const reading = readDraft({ reply: code, tools: shipped, reserved: [] });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.tool;
}

/** What a run has done that calls a written tool, and the shipped ones, in the order of the skill. */
async function changeBy(skill: Skill, threadId: string): Promise<unknown> {
  const definition = written(skill);
  const tool = { ...definition, version: 1, hash: definitionHash(definition) };
  const tools = new Map([...shipped, tool].map((each) => [each.id, each]));
  runtime.worlds.begin({
    name: "robot",
    runId: threadId,
    start: taskOf(skill).expected.start,
  });
  for (const [index, { tool: id, args }] of skill.calls.entries()) {
    const record = tools.get(id);
    if (!record) throw new Error(`there is no tool ${id}`);
    const calls = [{ id: `call-${index}`, tool: record, args }];
    const [outcome] = await runtime.runCalls({
      threadId,
      timeoutMs: 30_000,
      calls,
      library: tools,
    });
    expect(outcome).toMatchObject({ status: "done" });
  }
  return runtime.worlds.open({ name: "robot", runId: threadId }).change();
}

describe("the tools that a model may write for the robot", () => {
  it("are there for each of at least six tasks", () => {
    expect(SKILLS.map(({ task }) => task)).toEqual(TASKS.map(({ id }) => id));
    expect(SKILLS.length).toBeGreaterThanOrEqual(6);
  });

  it.each(SKILLS)("do the task $task exactly, in the sandbox", async (skill) => {
    const change = await changeBy(skill, `run of ${skill.task}`);
    expect(judgeRobot(taskOf(skill).expected, change)).toMatchObject({ same: true, unwanted: 0 });
  });

  it.each(SKILLS)("pass their own examples on the table of $task, and leave it alone", async (skill) => {
    const tool = written(skill);
    const threadId = `try-out for ${skill.task}`;
    const { start } = taskOf(skill).expected;
    runtime.worlds.begin({ name: "robot", runId: threadId, start });
    const outcomes = await runtime.tryOut({
      tool,
      checks: tool.source.checks,
      threadId,
      timeoutMs: 30_000,
      library: new Map(shipped.map((each) => [each.id, each])),
    });
    expect(outcomes.map(({ passed }) => passed)).toEqual(tool.source.checks.map(() => true));
    expect(runtime.worlds.open({ name: "robot", runId: threadId }).change()).toEqual({});
  });

  it.each(SKILLS)("leave model calls to spare in the task $task", (skill) => {
    // One to search, one to wish for the tool, one to write it, one for each call, one to answer.
    expect(3 + skill.calls.length + 1).toBeLessThan(MOST_MODEL_CALLS);
    expect(taskOf(skill).maxModelCalls).toBe(MOST_MODEL_CALLS);
  });
});

describe("a closed loop", () => {
  /** Moves what is named until nothing is, in each round as much as is known; counts the rounds. */
  async function roundsOf(table: TestTable, named: () => Promise<string | undefined>) {
    let rounds = 1;
    let blocker = await named();
    while (blocker !== undefined) {
      await table.call("move_object_away_from_person", {
        object_name: blocker,
        away_from: "Felix",
      });
      blocker = await named();
      rounds += 1;
    }
    return rounds;
  }

  it.each(CLOSED_LOOP)(
    "takes more rounds of looking and moving in $id than a run has model calls",
    async ({ expected }) => {
      const table = tableOf({ definition, start: expected.start });
      const rounds = await roundsOf(table, async () => {
        const [tool, args, key] =
          expected.start === "row before the phone"
            ? ([
                "check_hindering_reasons",
                { person_name: "Felix", object_name: "phone" },
                "hidden_by",
              ] as const)
            : ([
                "check_reach_object_for_robot",
                { object_name: behindRow(expected.start) },
                "blocked_by",
              ] as const);
        return ((await table.call(tool, args)) as Record<string, string | undefined>)[key];
      });
      expect(rounds).toBeGreaterThan(MOST_MODEL_CALLS);
    },
  );

  it("gives away what is behind to no look beforehand", async () => {
    const table = tableOf({ definition, start: "row before the phone" });
    const { things } = ROBOT_SCENES["row before the phone"] ?? { things: {} };
    const named = new Set<unknown>();
    for (const object_name of Object.keys(things)) {
      const seen = await table.call("check_hindering_reasons", { person_name: "Felix", object_name });
      named.add((seen as Record<string, unknown>)["hidden_by"]);
    }
    expect(named.size).toBeLessThan(5);
  });

  function behindRow(start: string): string {
    return start === "row before the robot" ? "blue_glass" : "bottle_of_iced_tea";
  }
});

describe("a task of many steps", () => {
  it.each(MANY_STEPS)("takes as many calls as a run has model calls or more: $id", ({ gold }) => {
    // With one look before and one answer behind, one call at a time is too much.
    expect(gold.length + 2).toBeGreaterThan(MOST_MODEL_CALLS);
  });

  it("has no shorter way to even out the glasses: no few of them are even among themselves", () => {
    const average = UNEVEN.reduce((sum, ml) => sum + ml, 0) / UNEVEN.length;
    const balanced = Array.from({ length: 2 ** UNEVEN.length - 2 }, (_, index) => index + 1).filter(
      (chosen) =>
        UNEVEN.reduce((sum, ml, at) => sum + (chosen & (1 << at) ? ml - average : 0), 0) === 0,
    );
    expect(balanced).toEqual([]);
  });
});
