import { ToolMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileGraph } from "../../graphs/compile.js";
import { type GraphId, allGraphs } from "../../graphs/index.js";
import { closeWorkspaces } from "../../home/workspace.js";
import type { GraphState } from "../../state/state.js";
import { type Question, type Reply, scriptedModel } from "../fakes/scriptedModel.js";
import { TEST_LIBRARY, importTestLibrary } from "../fakes/testLibrary.js";

const graphs = await allGraphs();

const REQUEST = "Double the number 21";

const DOUBLED = { tool: "double_number", args: { value: 21 }, result: 42 };

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);

describe("a plan that cannot be read", () => {
  it.each<[GraphId, RegExp, RegExp]>([
    ["iit_main", /\[\{"tool_name": "name", "arguments"/, /"steps"/],
    ["iit_enforced", /"steps": \[\{"tool_name": "name"/, /"answer"/],
    ["iit_code", /const r0 = name\(/, /tool_name/],
  ])("is asked for again in the form of %s, and shown", async (id, wanted, unwanted) => {
    const prose = "I would first double it. ".repeat(100);
    const { model } = await run(id, [{ text: prose }]);
    const told = model.questions[1]?.messages.at(-1)?.text ?? "";
    expect(told).toContain(prose.slice(0, 500));
    expect(told.length).toBeLessThan(1800);
    expect(told).toMatch(wanted);
    expect(told).not.toMatch(unwanted);
  });
});

describe("subtasks", () => {
  it.each([
    ["a bare list", '["Double the number 21"]'],
    ["a fence with a trailing comma", '```json\n{"subtasks": ["Double the number 21",],}\n```'],
    ["numbered lines", "The subtasks are:\n\n1. **Double the number 21**"],
  ])("are read from %s", async (_, text) => {
    const { result, model } = await cotTulip({ decompose: { text } });
    expect(result.subtasks.map((subtask) => subtask.text)).toEqual(["Double the number 21"]);
    expect(model.questions.filter(({ stage }) => stage === "decompose")).toHaveLength(1);
  });
});

describe("searches", () => {
  it.each<[string, Reply]>([
    ["without numbers", asCall({ searches: [{ phrase: "double" }, { phrase: "twice" }] })],
    ["as plain phrases", asCall({ searches: ["double", "twice a number"] })],
  ])("are read %s", async (_, phraseSearch) => {
    const { result, model } = await cotTulip({ phraseSearch });
    expect(result).toMatchObject({ status: "solved", calls: [DOUBLED] });
    expect(result.searches[0]).toMatchObject({ phrase: "double" });
    expect(model.questions.filter(({ stage }) => stage === "phraseSearch")).toHaveLength(1);
  });
});

describe("a model that writes its calls as text", () => {
  it.each<GraphId>(["cot_tulip", "react"])(
    "is right in %s, and is shown results in the way in which it calls",
    async (id) => {
      const { result, model } = await run(id, inText);
      expect(result).toMatchObject({ status: "solved", calls: [DOUBLED] });
      expect(result.answer).toContain("42");
      const shown = model.questions.at(-1)?.messages ?? [];
      expect(shown.every((message) => !ToolMessage.isInstance(message))).toBe(true);
    },
  );
});

/** The right call at each stage, as a fenced object behind a sentence. */
function inText(question: Question): Reply {
  if (question.stage === "decompose") return { text: "1. Double the number 21" };
  if (question.stage === "phraseSearch") return { text: "1. double a number" };
  if (question.stage === "summarize") return { text: '{"answer": "It is 42."}' };
  if (question.stage === "aggregate") return { text: '{"result": "42", "solved": true}' };
  if (question.stage !== "act") return { text: "" };
  const { keepsLibrary, observations, search, searched } = question.input;
  if (keepsLibrary && searched?.length === 0) {
    return textCall("search_tools", { action_descriptions: ["double a number"] });
  }
  if (observations.length === 0) return textCall("double_number", { value: 21 });
  return search
    ? textCall("finish", { return_type: "give_answer", final_answer: "It is 42." })
    : textCall("stop", { message: "It is 42.", solved: true });
}

/** A run in which the model is right at all stages but those given. */
async function cotTulip(replies: Partial<Record<Question["stage"], Reply>>) {
  const right: Partial<Record<Question["stage"], Reply>> = {
    decompose: { subtasks: [REQUEST] },
    phraseSearch: { searches: [{ subtask: 1, phrase: "double a number" }] },
  };
  return run("cot_tulip", (question) => {
    const reply = replies[question.stage] ?? right[question.stage];
    if (reply) return reply;
    const isDone = question.stage === "act" && question.input.observations.length > 0;
    return isDone
      ? { stop: "It is 42." }
      : { calls: [{ name: "double_number", args: { value: 21 } }] };
  });
}

async function run(
  id: GraphId,
  script: Reply[] | ((question: Question) => Reply),
  settings: Record<string, unknown> = {},
) {
  const model = scriptedModel(script);
  const graph = compileGraph(graphs[id].wiring, { name: id, checkpointer: new MemorySaver() });
  const config = {
    context: { ...TEST_LIBRARY, model: model.spec, ...settings },
    configurable: { thread_id: crypto.randomUUID() },
  };
  await graph.invoke({ request: REQUEST }, config);
  const { values } = await graph.getState(config);
  return { model, result: values as GraphState };
}

function asCall(args: unknown): Reply {
  return { calls: [{ name: "search_tools", args }] };
}

function textCall(name: string, args: unknown): Reply {
  const call = JSON.stringify({ name, arguments: args });
  return { text: `I call it.\n\`\`\`json\n${call}\n\`\`\`` };
}
