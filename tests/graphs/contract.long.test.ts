import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileGraph } from "../../graphs/compile.js";
import { GRAPH_IDS, type GraphId, allGraphs } from "../../graphs/index.js";
import { closeWorkspaces } from "../../home/workspace.js";
import type { ComposeStyle } from "../../nodes/planning/planForms.js";
import type { GraphState } from "../../state/state.js";
import { type Question, type Reply, scriptedModel } from "../fakes/scriptedModel.js";
import { TEST_LIBRARY, importTestLibrary } from "../fakes/testLibrary.js";

const graphs = await allGraphs();

/** Graphs that search over steps. */
const SEARCHING = GRAPH_IDS.filter((id) => /^(react|dfsdt|tot)/.test(id));

const WITHOUT_TOOLS: GraphId[] = ["base"];

/** Graphs whose answer is a plan of which nothing is called. */
const PLANNING = GRAPH_IDS.filter((id) => id.startsWith("iit"));

/** Graphs whose model calls tools at the stage `act`. */
const ACTING = GRAPH_IDS.filter((id) => !WITHOUT_TOOLS.includes(id) && !PLANNING.includes(id));

/** Those that are given all tools of the library. */
const WITH_ALL_TOOLS: GraphId[] = ["naive_tool", "cot_tool", "tptu_base", "tptu_demos"];

/** What all graphs have to keep is seen in each of them; the rest in one of each family: the others share its stages. */
const ONE_OF_EACH_FAMILY: GraphId[] = [
  "tulip",
  "base",
  "cot_tulip",
  "iit_reflexion",
  "auto_tulip",
  "dfs_tulip",
  "tot_dfs_prompt_btp",
];

/** Those of them whose model calls tools. */
const ACTING_FAMILIES = ONE_OF_EACH_FAMILY.filter((id) => ACTING.includes(id));

/** Those of them whose model searches for tools. */
const FINDING_FAMILIES = ACTING_FAMILIES.filter((id) => !WITH_ALL_TOOLS.includes(id));

/** Those whose runs may be long: searches over steps are as deep as published. */
const LONG = ACTING_FAMILIES.filter((id) => !SEARCHING.includes(id));

const REQUEST = "Double the number 21";

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);

describe.each(GRAPH_IDS)("%s", (id) => {
  const { usesTools, answer, status, happyCalls } = expectedOf(id);

  it("answers a request that one tool call solves, without a wasted model call", async () => {
    const model = scriptedModel(solving);
    const result = await run({ id, model: model.spec });
    expect(result).toMatchObject({ status, answer });
    expect(model.questions.map(({ stage }) => stage)).toHaveLength(happyCalls);
    expect(result.usage).toMatchObject({
      modelCalls: happyCalls,
      inputTokens: 10 * happyCalls,
      outputTokens: 2 * happyCalls,
    });
    const doubled = { tool: "double_number", args: { value: 21 }, result: 42 };
    expect(result.calls).toMatchObject(usesTools ? [doubled] : []);
    // What a run returns, and nothing else.
    expect(Object.keys(result).toSorted()).toEqual([
      "answer",
      "calls",
      "deeds",
      "ledger",
      "messages",
      "plan",
      "program",
      "status",
      "usage",
    ]);
    expect(result.messages.at(-1)).toMatchObject({ content: answer });
    expectValidHistory(result.messages);
  });
});

describe.each(ONE_OF_EACH_FAMILY)("%s", (id) => {
  const { answer, status, happyCalls } = expectedOf(id);

  it("takes the last human message as the request, with default settings if none are given", async () => {
    const model = scriptedModel(solving);
    const messages = [new HumanMessage("Hello"), new AIMessage("Hi"), new HumanMessage(REQUEST)];
    const result = await run({ id, model: model.spec, input: { messages } });
    expect(result.status).toBe(status);
    expect(model.questions.at(-1)?.input.request).toBe(REQUEST);
    expect(model.questions.at(-1)?.input.earlierTurns).toEqual([
      { role: "user", text: "Hello" },
      { role: "assistant", text: "Hi" },
    ]);
  });

  it("ends with status limit and a valid history, and gives the next request fresh limits", async () => {
    const { graph, config } = threadOf(id);
    for (const maxModelCalls of callsOf(id).slice(1)) {
      const context = { ...TEST_LIBRARY, model: scriptedModel(solving).spec, maxModelCalls };
      const limited = (await graph.invoke(
        { request: REQUEST },
        { ...config, context },
      )) as GraphState;
      expect(limited.status).toBe("limit");
      expect(limited.answer).toContain(`the limit of ${maxModelCalls} model calls`);
      expect(limited.usage.modelCalls).toBe(maxModelCalls);
      expectValidHistory(limited.messages);
    }
    const context = { ...TEST_LIBRARY, model: scriptedModel(solving).spec };
    const result = (await graph.invoke({ request: REQUEST }, { ...config, context })) as GraphState;
    expect(result).toMatchObject({ status, answer });
    expect(result.usage.modelCalls).toBe(happyCalls);
    expectValidHistory(result.messages);
  });
});

describe.each(ONE_OF_EACH_FAMILY)("%s", (id) => {
  const { usesTools, answer, status, happyCalls } = expectedOf(id);

  it("resumes after a model failure at any call, and repeats no finished stage", async () => {
    for (const failing of callsOf(id)) {
      const { graph, config } = threadOf(id);
      let failed = false;
      const model = scriptedModel((question, index) => {
        if (index !== failing || failed) return solving(question);
        failed = true;
        return new Error("out of order");
      });
      const context = { ...TEST_LIBRARY, model: model.spec };
      await expect(graph.invoke({ request: REQUEST }, { ...config, context })).rejects.toThrow(
        /out of order/,
      );
      const result = (await graph.invoke(null, { ...config, context })) as GraphState;
      expect(result).toMatchObject({ status, answer });
      expect(model.questions).toHaveLength(happyCalls + 1);
      expect(result.calls).toHaveLength(usesTools ? 1 : 0);
    }
  });

  it("tells the model when a reply is empty, and ends with status error after three at a stage that cannot do without", async () => {
    const once = scriptedModel((question, index) =>
      index === 0 ? { text: "" } : solving(question),
    );
    const mended = await run({ id, model: once.spec });
    expect(mended).toMatchObject({ status });
    expect(mended.usage.modelCalls).toBe(happyCalls + 1);
    expect(once.questions[1]?.messages.at(-1)?.text).toMatch(/^Your last reply/);
    const silent = scriptedModel([{ text: "" }]);
    const result = await run({ id, model: silent.spec });
    expect(result.status).toBe("error");
    expect(result.answer).toMatch(/no usable reply/);
    const stages = silent.questions.map(({ stage }) => stage);
    expect(stages.slice(-3)).toEqual(Array(3).fill(stages.at(-1)));
    expect(stages).toHaveLength(3 * new Set(stages).size);
    expectValidHistory(result.messages);
  });

  it("ends unsolved with the model's own words when it refuses", async () => {
    const refusal = "I will not do that.";
    const model = scriptedModel([new AIMessage({ content: "", additional_kwargs: { refusal } })]);
    const result = await run({ id, model: model.spec });
    expect(result).toMatchObject({ status: "unsolved", answer: refusal });
    expect(result.usage.modelCalls).toBe(1);
    expectValidHistory(result.messages);
  });

  it("keeps the conversation of a thread and starts each request afresh", async () => {
    const { graph, config } = threadOf(id);
    const model = scriptedModel(solving);
    const context = { ...TEST_LIBRARY, model: model.spec };
    await graph.invoke({ request: REQUEST }, { ...config, context });
    const second = (await graph.invoke({ request: REQUEST }, { ...config, context })) as GraphState;
    expect(second.calls).toHaveLength(usesTools ? 1 : 0);
    expect(second.usage.modelCalls).toBe(happyCalls);
    expect(second.messages.filter(({ type }) => type === "human")).toHaveLength(2);
    expect(model.questions.at(-1)?.input.earlierTurns).toEqual([
      { role: "user", text: REQUEST },
      { role: "assistant", text: answer },
    ]);
    expectValidHistory(second.messages);
  });
});

describe.each(LONG)("%s, with tools", (id) => {
  it("runs more than the 25 steps at which LangGraph stops by default", async () => {
    // Each call takes two steps at least.
    const model = scriptedModel((question) => {
      const made = isReady(question) ? question.input.observations.length : 14;
      return made < 14
        ? { calls: [{ name: "double_number", args: { value: 34 - made } }] }
        : acting(question);
    });
    const result = await run({ id, model: model.spec });
    expect(result.status).toBe("solved");
    expect(result.calls).toHaveLength(14);
  });
});

describe.each(ACTING_FAMILIES)("%s, with tools", (id) => {
  it("gives calls without an id, or with a used one, their own id", async () => {
    const model = scriptedModel((question) => {
      if (!isReady(question) || question.input.observations.length > 2) return acting(question);
      if (question.input.search?.attempts.length) return { giveUp: "One try is enough." };
      const call = { name: "double_number", args: { value: question.input.observations.length } };
      return { calls: [{ ...call, id: "call_0" }] };
    });
    const result = await run({ id, model: model.spec });
    expect(result.calls.map(({ result: doubled }) => doubled)).toEqual([0, 2, 4]);
    expect(new Set(result.calls.map((call) => call.id)).size).toBe(3);
  });

  it("asks once more for a call if the first reply is plain text, and then is not solved", async () => {
    const thinking = "Let me work through this step by step.";
    const once = scriptedModel((question) =>
      isReady(question) && !isAskedAgain(question) && question.input.observations.length === 0
        ? { text: thinking }
        : acting(question),
    );
    const mended = await run({ id, model: once.spec });
    expect(mended).toMatchObject({ status: "solved", answer: "It is 42." });
    expect(once.questions.find(isAskedAgain)?.messages.at(-1)?.text).toContain(thinking);
    const always = scriptedModel((question) =>
      isReady(question) ? { text: thinking } : acting(question),
    );
    const result = await run({ id, model: always.spec });
    expect(result.status).not.toBe("solved");
    expect(result.calls).toEqual([]);
    expectValidHistory(result.messages);
  });

  it("lets no value from nowhere out, nor a placeholder for one", async () => {
    for (const answer of ["It is 865.", "It is {{steps[1].result}}.", "It is $$PREV[0] - 865."]) {
      const model = scriptedModel((question) => {
        const reply = acting(question);
        if ("stop" in reply) return { stop: answer };
        return "finish" in reply ? { finish: answer } : reply;
      });
      const result = await run({ id, model: model.spec });
      expect(result.answer).toMatch(/\b42\b/);
      expect(result.answer).not.toMatch(/865|steps|PREV/);
      const again = model.questions.filter(isAskedAgain);
      expect(again.length).toBeGreaterThan(0);
      expect(again[0]?.messages.at(-1)?.text).toContain(answer);
    }
  });
});

describe.each(ACTING_FAMILIES)("%s, with tools", (id) => {
  it.each([
    ["unsolved", {}, "Done, 21 was doubled."],
    ["unsolved", {}, "21"],
    ["answered", { no_tool_needed: true }, "Hello!"],
  ])("is %s, never solved, if it called nothing: %j", async (status, needless, words) => {
    const model = scriptedModel((question) => {
      if (!isReady(question)) return acting(question);
      return question.input.search
        ? calling("finish", { return_type: "give_answer", final_answer: words, ...needless })
        : calling("stop", { message: words, solved: true, ...needless });
    });
    const result = await run({ id, model: model.spec });
    expect(result).toMatchObject({ status, calls: [] });
    expect(result.answer).toContain(words);
    expect(result.answer.includes("No tool was called")).toBe(status === "unsolved");
  });

  it("does not accept an answer while other calls are open", async () => {
    const model = scriptedModel((question) => {
      if (!isReady(question) || question.input.observations.length > 0) return acting(question);
      if (question.input.search?.attempts.length) return { giveUp: "One try is enough." };
      return {
        calls: [
          { name: "double_number", args: { value: 21 } },
          question.input.search
            ? { name: "finish", args: { return_type: "give_answer", final_answer: "It is 41." } }
            : { name: "stop", args: { message: "It is 41.", solved: true } },
        ],
      };
    });
    const result = await run({ id, model: model.spec });
    expect(result.answer).toBe("It is 42.");
    expect(result.calls).toHaveLength(1);
    expectValidHistory(result.messages);
  });
});

describe.each(FINDING_FAMILIES)("%s, whose first search finds the wrong tool", (id) => {
  // The one tool that the request and its parts are near to is `greet`.
  const input = { request: "Greet a person whose age is twice 21" };
  const settings = { topK: 1, primingTopK: 1, threshold: 2 };

  it("offers the model another search, and then what that finds", async () => {
    const model = scriptedModel((question) => searchingAgain(question));
    const result = await run({ id, model: model.spec, input, settings });
    expect(result).toMatchObject({ status: "solved", answer: "It is 42." });
    expect(result.calls).toMatchObject([{ tool: "double_number", result: 42 }]);
    const [first, ...later] = model.questions.filter(isReady);
    expect(first?.tools).toEqual(expect.arrayContaining(["greet", "search_tools"]));
    expect(first?.tools).not.toContain("double_number");
    expect(later.at(-1)?.tools).toContain("double_number");
    expect(told(model.questions, "search_tools").at(-1)).toBe("double a number: double_number");
    expect(result.usage.modelCalls).toBe(model.questions.length);
    expectValidHistory(result.messages);
  });

  it("is ended if a model keeps searching for the same", async () => {
    const model = scriptedModel((question) =>
      isReady(question) ? searchFor(["double a number"]) : beside(question),
    );
    const limits = { maxModelCalls: 30 };
    const result = await run({
      id,
      model: model.spec,
      input,
      settings: { ...settings, ...limits },
    });
    expect(["unsolved", "limit"]).toContain(result.status);
    // Those that try each step twice need their limit for it, and trees of tasks ask anew for each plan.
    const most = /dfs|tot/.test(id) ? limits.maxModelCalls : 11;
    expect(result.usage.modelCalls).toBeLessThanOrEqual(most);
    expectValidHistory(result.messages);
  });
});

/** What is expected of a graph's run with the scripted model of this file. */
function expectedOf(id: GraphId) {
  const said = WITHOUT_TOOLS.includes(id) ? "answered" : "solved";
  return {
    usesTools: ACTING.includes(id),
    answer: PLANNING.includes(id) ? SOLUTION : "It is 42.",
    status: PLANNING.includes(id) ? "planned" : said,
    happyCalls: graphs[id].modelCalls,
  };
}

/** A model whose first search finds `greet`, and which then searches for what it needs. */
function searchingAgain(question: Question): Reply {
  if (!isReady(question)) return beside(question);
  const { tools, observations } = question.input;
  if (!tools.some(({ name }) => name === "double_number")) {
    return question.input.search?.attempts.length
      ? solvingStep(question)
      : searchFor(["double a number"]);
  }
  const doubled = observations.filter(({ tool }) => tool === "double_number");
  return solvingStep({ ...question, input: { ...question.input, observations: doubled } });
}

/** What such a model says beside its next steps: nothing that leads to the right tool. */
function beside(question: Question): Reply {
  if (question.stage === "act") return searchFor(["greet a person"]);
  if (question.stage === "decompose") return { subtasks: ["Greet a person"] };
  if (question.stage !== "phraseSearch") return acting(question);
  return { searches: [{ subtask: 1, phrase: "greet a person" }] };
}

function searchFor(action_descriptions: string[]): Reply {
  return calling("search_tools", { action_descriptions });
}

function calling(name: string, args: object): Reply {
  return { calls: [{ name, args }] };
}

/** What a model was told of its calls of a tool. */
function told(questions: readonly Question[], tool: string): string[] {
  const answers = questions.flatMap(({ messages }) =>
    messages.filter((message) => ToolMessage.isInstance(message) && message.name === tool),
  );
  return [...new Map(answers.map((message) => [message.id, message.text])).values()];
}

/** The model calls of the happy path, from 0. */
function callsOf(id: GraphId): number[] {
  return Array.from({ length: graphs[id].modelCalls }, (_, index) => index);
}

/** Whether a model that is asked for its next calls has tools to call. */
function isReady(question: Question): question is ActQuestion {
  if (question.stage !== "act") return false;
  return !question.input.keepsLibrary || question.input.searched?.length !== 0;
}

/** Whether a model is shown its last answer, to give another one. */
function isAskedAgain({ stage, messages }: Question): boolean {
  return stage === "act" && messages.at(-1)?.text.startsWith("Your last reply was:") === true;
}

/** A model that solves the request with one call, at whatever stage it is asked. */
function solving(question: Question): Reply {
  if (question.stage === "act") return solvingStep(question);
  return question.stage === "compose" ? PLANS[question.input.style] : BESIDE[question.stage];
}

/** As `solving`, by a model that plans nothing ahead where it may leave that. */
function acting(question: Question): Reply {
  if (question.stage === "writeProgram") return { text: "return ``;" };
  if (question.stage !== "compose") return solving(question);
  return { text: JSON.stringify({ steps: [], answer: "", lacking: [] }) };
}

/** The plan that solves the request, as "AI Agent 007" writes it. */
const SOLUTION = JSON.stringify([
  {
    tool_name: "double_number",
    arguments: [{ argument_name: "value", argument_value: 21 }],
  },
]);

/** What the model says at the stages beside `act`. */
const BESIDE: Record<Exclude<Question["stage"], "act" | "compose">, Reply> = {
  decompose: { subtasks: ["Double the number 21 once"] },
  phraseSearch: { searches: [{ subtask: 1, phrase: "double a number" }] },
  vote: { text: JSON.stringify({ reason: "It goes on.", better: "A" }) },
  summarize: { text: JSON.stringify({ answer: "It is 42." }) },
  judge: { text: JSON.stringify({ reason: "A value.", helpful: true }) },
  paraphrase: { text: JSON.stringify({ task: "Twice the number 21" }) },
  aggregate: { text: JSON.stringify({ result: "It is 42.", solved: true }) },
  writeTool: { text: "USE: double_number" },
  outline: {
    text: JSON.stringify({
      tasks: [{ thought: "Once.", tool_name: "double_number", task: "Double 21" }],
    }),
  },
  composeSteps: { text: SOLUTION },
  reflect: { text: JSON.stringify({ accepted: true, cue: "" }) },
  reflectOnAnswer: { text: JSON.stringify({ wrong: [], open: [] }) },
  writeProgram: {
    text: "const doubled = await double_number({ value: 21 });\nreturn `It is ${doubled}.`;",
  },
  look: { text: "42" },
  writeRequest: { text: JSON.stringify({ request: "What is twice 21?" }) },
};

/** The whole plan, in each of the forms in which plans are asked for. */
const PLANS: Record<ComposeStyle, Reply> = {
  typed: {
    text: JSON.stringify({
      steps: [{ tool: "double_number", args: { value: 21 } }],
      answer: "It is $$PREV[0].",
    }),
  },
  stateAction: { text: `One call does it.\n${SOLUTION}` },
  code: { text: "const doubled = double_number({ value: 21 });" },
  enforced: { text: SOLUTION },
  retrieved: { text: SOLUTION },
  controlLlm: {
    text: JSON.stringify([
      { task: "Double it", id: 0, dep: [-1], tool: "double_number", args: { value: 21 } },
    ]),
  },
};

function solvingStep({ input }: ActQuestion): Reply {
  const { tools, observations, search, keepsLibrary, searched } = input;
  if (keepsLibrary && searched?.length === 0) {
    const searches = { action_descriptions: ["double a number"] };
    return { calls: [{ name: "search_tools", args: searches }] };
  }
  if (search && search.attempts.length > 0) return { giveUp: "One try is enough." };
  if (tools.length === 0) return { text: "It is 42." };
  const done = observations.some(({ error }) => error === undefined);
  if (!done) return { calls: [{ name: "double_number", args: { value: 21 } }] };
  return search ? { finish: "It is 42." } : { stop: "It is 42." };
}

type ActQuestion = Extract<Question, { stage: "act" }>;

function threadOf(id: GraphId) {
  const graph = compileGraph(graphs[id].wiring, { name: id, checkpointer: new MemorySaver() });
  return { graph, config: { configurable: { thread_id: crypto.randomUUID() } } };
}

async function run(options: {
  id: GraphId;
  model: string;
  input?: { request?: string; messages?: BaseMessage[] };
  settings?: Record<string, unknown>;
}): Promise<GraphState> {
  const { id, model, input = { request: REQUEST }, settings } = options;
  const context = { ...TEST_LIBRARY, model, ...settings };
  return (await graphs[id].graph.invoke(input, { context })) as GraphState;
}

/** Providers refuse a history in which a call has no answer, or an answer no call. */
function expectValidHistory(messages: BaseMessage[]): void {
  const open = new Set<string>();
  const faults: string[] = [];
  for (const message of messages) {
    if (ToolMessage.isInstance(message)) {
      if (!open.delete(message.tool_call_id)) faults.push(`no call for ${message.tool_call_id}`);
      continue;
    }
    faults.push(...[...open].map((id) => `${id} has no answer`));
    open.clear();
    const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
    for (const { id } of calls) open.add(id ?? "");
  }
  expect([...faults, ...open]).toEqual([]);
}
