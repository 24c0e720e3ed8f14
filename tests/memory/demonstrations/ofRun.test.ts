import { describe, expect, it } from "vitest";
import { demonstrationsOfRun } from "../../../memory/demonstrations/ofRun.js";
import type { Call, GraphState } from "../../../state/state.js";
import { emptyState } from "../../fakes/emptyState.js";

function call(tool: string, more: Partial<Call> = {}): Call {
  return {
    id: `${tool} ${(made += 1)}`,
    tool,
    args: { n: made },
    result: made,
    ms: 1,
    cost: 1,
    ...more,
  };
}
let made = 0;

/** A run whose subtasks have each found some tools. */
function decomposed(found: Record<string, string[]>, calls: Call[]): GraphState {
  const texts = Object.keys(found);
  return emptyState({
    run: { id: "run", request: "the request" },
    answer: "the answer",
    calls,
    subtasks: texts.map((text) => ({ id: text, text, depth: 0, status: "found", phrases: [] })),
    searches: texts.map((text) => ({
      phrase: text,
      subtask: text,
      depth: 0,
      hits: (found[text] ?? []).map((tool) => ({ tool, distance: 0.5 })),
    })),
  });
}

/** Each demonstration as its level, task and tools. */
function shown(state: GraphState): [string, string, ...string[]][] {
  return demonstrationsOfRun({ state, library: "math", at: 7 }).map(({ level, task, calls }) => [
    level,
    task,
    ...calls.map(({ tool }) => tool),
  ]);
}

describe("demonstrations of a run", () => {
  it("show the request with its answer and all calls that went well", () => {
    const calls = [
      call("add", { error: "no numbers", result: undefined }),
      call("add"),
      call("greet", { refused: true }),
      call("halve", { result: undefined, resultRef: "journal" }),
    ];
    const [whole] = demonstrationsOfRun({ state: decomposed({}, calls), library: "math", at: 7 });
    expect(whole).toEqual({
      library: "math",
      task: "the request",
      calls: [
        { tool: "add", args: calls[1]?.args, result: calls[1]?.result },
        { tool: "halve", args: calls[3]?.args },
      ],
      answer: "the answer",
      level: "subtask",
      source: "run",
      at: 7,
    });
  });

  it("give each subtask the call at its place, if each found that tool", () => {
    const found = { "the sum": ["add", "halve"], "the next sum": ["add"] };
    expect(shown(decomposed(found, [call("add"), call("add")]))).toEqual([
      ["subtask", "the request", "add", "add"],
      ["subtask", "the sum", "add"],
      ["subtask", "the next sum", "add"],
      ["tool", "the sum", "add"],
    ]);
  });

  it("leave out subtasks whose calls are uncertain", () => {
    const found = { "the sum": ["add"], "the next sum": ["add"], greeting: ["greet"] };
    const calls = [call("greet"), call("add"), call("add"), call("greet")];
    expect(shown(decomposed(found, calls))).toEqual([
      ["subtask", "the request", "greet", "add", "add", "greet"],
      ["subtask", "greeting", "greet", "greet"],
      ["tool", "greeting", "greet"],
    ]);
  });

  it("never show one call of several under the name of the request", () => {
    const calls = [call("add", { id: "1" }), call("greet", { id: "2" })];
    const whole = ["subtask", "the request", "add", "greet"];
    expect(shown(decomposed({}, calls))).toEqual([whole]);
    const task = {
      parent: "1",
      level: 1,
      plans: [],
      wordings: [],
      hints: [],
      tools: [],
      created: "",
      result: "3",
      status: "done" as const,
    };
    const tasks = [
      { ...task, id: "1", text: "The request ", parent: null, calls: ["2"] },
      { ...task, id: "1.1", text: "the request", calls: ["1"] },
    ];
    const taskTree = { tasks, agenda: [], step: "done" as const };
    expect(shown({ ...decomposed({}, calls), taskTree })).toEqual([whole]);
  });

  it("show the tasks of a tree that are done, with their own calls and results", () => {
    const calls = [call("add", { id: "1" }), call("greet", { id: "2" })];
    const task = {
      parent: "1",
      level: 1,
      plans: [],
      wordings: [],
      hints: [],
      tools: [],
      created: "",
      result: "3",
    };
    const state = emptyState({
      ...decomposed({}, calls),
      taskTree: {
        tasks: [
          { ...task, id: "1.1", text: "the sum", calls: ["1"], status: "done" },
          { ...task, id: "1.2", text: "the greeting", calls: ["2"], status: "failed" },
        ],
        agenda: [],
        step: "done",
      },
    });
    expect(shown(state).filter(([level]) => level === "subtask")).toEqual([
      ["subtask", "the request", "add", "greet"],
      ["subtask", "the sum", "add"],
    ]);
    const [, part] = demonstrationsOfRun({ state, library: "math", at: 7 });
    expect(part).toMatchObject({ task: "the sum", answer: "3" });
  });
});
