import { MemorySaver } from "@langchain/langgraph";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileGraph } from "../../graphs/compile.js";
import { type GraphId, allGraphs } from "../../graphs/index.js";
import { closeWorkspaces } from "../../home/workspace.js";
import type { GraphState } from "../../state/state.js";
import { type Question, type Reply, scriptedModel } from "../fakes/scriptedModel.js";
import { TEST_LIBRARY, importTestLibrary } from "../fakes/testLibrary.js";

const graphs = await allGraphs();

/** One of each way in which graphs find tools. */
const SEARCHING: GraphId[] = ["tulip", "cot_tulip", "auto_tulip", "dfs_tulip", "react"];
const FOLLOW_UP = "Hm, that cannot be right";

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);

describe.each(SEARCHING)("a follow-up in %s", (id) => {
  it("is offered the tools that the run before it called, even if no search finds them", async () => {
    const { first, second, offered } = await converse({ id });
    expect(first.calls.filter(({ tool }) => tool === "double_number")).not.toEqual([]);
    expect(offered).toEqual(["double_number"]);
    expect(second.answer).not.toContain("No tool was found");
  });

  it("is offered none that the run may not use", async () => {
    const { offered } = await converse({ id, settings: { toolIds: ["greet"] } });
    expect(offered).not.toContain("double_number");
  });
});

it("keeps them through a run that calls nothing, until the next one that does", async () => {
  const thread = conversation("minimal_tulip");
  await thread.say("Double the number 21", calling("double_number", { value: 21 }));
  await thread.say("Thanks, well done", () => ({ stop: "You are welcome." }));
  const after = await thread.say(FOLLOW_UP, calling("double_number", { value: 21 }));
  expect(after.offered).toEqual(["double_number"]);
  await thread.say("Greet a person: Ada", calling("greet", { person: "Ada" }));
  const last = await thread.say(FOLLOW_UP, () => ({ stop: "It is." }));
  expect(last.offered).toEqual(["greet"]);
});

type ActQuestion = Question & { stage: "act" };
type Act = (question: ActQuestion) => Reply;

/** Calls a tool once, and says so. */
function calling(name: string, args: object): Act {
  return ({ input: { observations, search, tools } }) => {
    if (search && search.attempts.length > 0) return { giveUp: "One try is enough." };
    const isDone = observations.length > 0 || tools.length === 0;
    if (!isDone) return { calls: [{ name, args }] };
    return search ? { finish: "Done." } : { stop: "Done." };
  };
}

/** A request that one call answers, and one that speaks of its result. */
async function converse(options: { id: GraphId; settings?: Record<string, unknown> }) {
  const thread = conversation(options.id);
  const { result: first } = await thread.say(
    "Double the number 21",
    calling("double_number", { value: 21 }),
  );
  const { result: second, offered } = await thread.say(
    FOLLOW_UP,
    ({ input: { search } }) => (search ? { finish: "It is." } : { stop: "It is." }),
    options.settings,
  );
  return { first, second, offered };
}

/** A thread of a graph, and what its model is offered first in each run. */
function conversation(id: GraphId) {
  const graph = compileGraph(graphs[id].wiring, { name: id, checkpointer: new MemorySaver() });
  const thread_id = crypto.randomUUID();
  const say = async (request: string, act: Act, settings: Record<string, unknown> = {}) => {
    const model = scriptedModel((question) => replyTo(question, request, act));
    // The library has a tool more, so it is not shown whole.
    const context = { ...TEST_LIBRARY, primingTopK: 5, model: model.spec, ...settings };
    const configurable = { thread_id };
    const result = (await graph.invoke({ request }, { configurable, context })) as GraphState;
    const asked = model.questions.find(({ stage }) =>
      ["act", "compose", "writeProgram"].includes(stage),
    );
    const offered =
      asked && "tools" in asked.input ? asked.input.tools.map(({ name }) => name) : [];
    return { result, offered };
  };
  return { say };
}

function replyTo(question: Question, request: string, act: Act): Reply {
  if (question.stage === "act") return searchFirst(question, request) ?? act(question);
  if (question.stage === "compose" || question.stage === "writeProgram") {
    const isNew = request !== FOLLOW_UP;
    const steps = isNew ? [{ tool: "double_number", args: { value: 21 } }] : [];
    return { text: JSON.stringify({ steps, answer: "Done.", lacking: [] }) };
  }
  return BESIDE(request)[question.stage] ?? { text: "" };
}

/** A model that searches itself has to do so where it has no tools at hand. */
function searchFirst({ input }: ActQuestion, request: string): Reply | undefined {
  if (!input.keepsLibrary || input.tools.length > 0 || input.searched?.length) return undefined;
  return { calls: [{ name: "search_tools", args: { action_descriptions: [request] } }] };
}

function BESIDE(request: string): Partial<Record<Question["stage"], Reply>> {
  return {
    decompose: { subtasks: [] },
    phraseSearch: { searches: [{ subtask: 1, phrase: request }] },
    vote: { text: JSON.stringify({ better: 1 }) },
    judge: { text: JSON.stringify({ reason: "so", helpful: true }) },
    summarize: { text: JSON.stringify({ answer: "Done.", solved: true }) },
    aggregate: { text: JSON.stringify({ result: "Done.", solved: true }) },
    paraphrase: { text: JSON.stringify({ task: "Hm" }) },
  };
}
