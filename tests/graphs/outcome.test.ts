import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { GraphId } from "../../graphs/index.js";
import { importTools } from "../../home/libraries.js";
import { openWorkspace } from "../../home/workspace.js";
import type { GraphState } from "../../state/state.js";
import type { Question, Reply } from "../fakes/scriptedModel.js";
import { importTestLibrary, TEST_LIBRARY } from "../fakes/testLibrary.js";
import { ORDERS, useOrders } from "./orders.js";
import { program, programRun } from "./tulipRuns.js";

let log: string;
const newLog = useOrders();
beforeEach(() => {
  log = newLog();
});

/** One of each way in which graphs come to an answer. */
const GRAPHS: GraphId[] = ["tulip", "minimal_tulip", "react", "dfs_tulip"];

/** What a model says without having done it: to make, to change and to compute something. */
const CLAIMS = [
  ["Ship the order A1", "Done, the order A1 was shipped."],
  ["Mark the order A1 as closed", "A1 is closed now."],
  ["What is the sum of the digits of 987654?", "987654"],
];

describe.each(GRAPHS)("%s", (graph) => {
  it.each(CLAIMS)(
    "does not take it for solved if nothing was called: %s",
    async (request, claim) => {
      const { state, asked } = await solve({ graph, request, act: () => claim });
      expect(state).toMatchObject({ status: "unsolved", calls: [] });
      expect(state.answer).toMatch(/No tool was called/);
      // It is asked about once.
      expect(asked).toBe(2);
    },
  );

  it("has answered, and not solved, what takes no tool", async () => {
    const thanks = "You are welcome.";
    const { state, asked } = await solve({
      graph,
      request: "Tell me a joke",
      act: (at) => (at === 0 ? thanks : { needless: thanks }),
    });
    expect(state).toMatchObject({ status: "answered", answer: thanks });
    expect(asked).toBe(2);
  });

  it("may answer from what an earlier run of the thread has found", async () => {
    const thread = conversation(graph);
    const first = await thread.say("List the orders of the customer Mira", (at) =>
      at === 0 ? { call: "list_orders", args: { customer: "Mira" } } : "Mira has A1 and A3.",
    );
    expect(first).toMatchObject({ status: "solved" });
    const second = await thread.say("Which of them did you list first?", () => "That was A1.");
    expect(second).toMatchObject({ status: "solved", answer: "That was A1.", calls: [] });
  });

  it("has not done what a follow-up asks for because an earlier run has called something", async () => {
    const thread = conversation(graph);
    await thread.say("List the orders of the customer Mira", (at) =>
      at === 0 ? { call: "list_orders", args: { customer: "Mira" } } : "Mira has A1 and A3.",
    );
    for (const [request, claim] of [
      ["Ship the order A1", "The order A1 is shipped now."],
      ["Ship the first one", "A1 is shipped now."],
    ] as const) {
      const state = await thread.say(request, () => claim);
      expect(state).toMatchObject({ status: "unsolved", calls: [] });
    }
  });
});

describe.each<GraphId>(["tulip", "minimal_tulip"])("%s, without what a request takes", (graph) => {
  it("says that no tool does it, without a call", async () => {
    const answer = "None of the tools books flights.";
    const lacking = { graph, request: "Book a flight to Rome", act: () => ({ lacking: answer }) };
    const { state, asked } = await solve(lacking);
    expect(state).toMatchObject({ status: "unsolved", answer, calls: [] });
    expect(asked).toBe(1);
  });

  it("asks the user, and goes on with what the user says next", async () => {
    const thread = conversation(graph);
    const question = "Whose orders do you mean?";
    const first = await thread.say("List the orders", () => ({ lacking: question }));
    expect(first).toMatchObject({ status: "unsolved", answer: question, calls: [] });
    const second = await thread.say("Those of Mira", (at) =>
      at === 0 ? { call: "list_orders", args: { customer: "Mira" } } : "Mira has A1 and A3.",
    );
    expect(second.status).toBe("solved");
    expect(thread.told()).toContain(question);
  });
});

describe("a run that has looked something up", () => {
  it("is not solved if it says that it has changed what it has only read", async () => {
    const { state } = await solve({
      graph: "minimal_tulip",
      request: "Ship the order A1 of the customer Mira",
      act: (at) =>
        at === 0 ? { call: "list_orders", args: { customer: "Mira" } } : "A1 of Mira was shipped.",
    });
    expect(state.status).toBe("unsolved");
    expect(state.answer).toMatch(/Nothing was changed/);
  });

  it("is not solved if a write has failed, unless the same tool has succeeded since", async () => {
    const failing = await solve({
      graph: "minimal_tulip",
      request: "Ship the order A1",
      act: (at) => (at === 0 ? { call: "ship_order", args: { order: "A1" } } : "It was shipped."),
    });
    expect(failing.state.status).toBe("unsolved");
    expect(failing.state.answer).toMatch(/Not done: Ship order A1/);
    const mended = await solve({
      graph: "minimal_tulip",
      request: "Ship the order A1",
      act: (at) =>
        at === 0
          ? { call: "ship_order", args: { order: "A1" } }
          : at === 1
            ? ship("A1")
            : "It was shipped.",
    });
    expect(mended.state.status).toBe("solved");
  });
});

it("a run is not solved if nobody knows whether a write was made", async () => {
  const folder = mkdtempSync(join(tmpdir(), "outcome-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await importTestLibrary();
  const write = { file: join(folder, "log"), line: "x", waitMs: 60_000 };
  const { state } = await solve({
    graph: "naive_tool",
    request: "Write a line into a log file",
    settings: { ...TEST_LIBRARY, toolTimeoutMs: 1500 },
    act: (at) => (at === 0 ? { call: "write_line", args: write } : "The line x was written."),
  });
  expect(state.calls).toMatchObject([{ error: expect.stringMatching(/may or may not/) }]);
  expect(state.status).toBe("unsolved");
  expect(state.answer).toMatch(/not known whether this was done: Write line x/);
});

it("a run is not solved if its call was only recorded, because its tool has no code", async () => {
  const folder = mkdtempSync(join(tmpdir(), "outcome-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "described.jsonl");
  writeFileSync(file, JSON.stringify({ name: "send_parcel", description: "Send a parcel." }));
  const settings = { ...ORDERS, library: "described" };
  await importTools({ store: openWorkspace().store, settings, file });
  const { state } = await solve({
    request: "Send a parcel",
    settings,
    plan: program("await send_parcel();", "return `The parcel was sent.`;"),
    act: () => "The parcel was sent.",
  });
  expect(state.status).toBe("unsolved");
  expect(state.answer).toMatch(/Not done: Send parcel: only recorded/);
});

describe("a run whose program was left after some of its writes", () => {
  it.each(["no", "All three were shipped."])("is not solved by the answer %j", async (answer) => {
    const { state } = await solve({
      request: "Ship all orders",
      plan: halves(),
      act: () => answer,
    });
    expect(state.status).toBe("unsolved");
    expect(state.answer).toMatch(/abandoned half-way/);
  });

  it("is solved once all the others were made, and not before", async () => {
    const plan = halves();
    const one = await solve({ request: "Ship all orders", plan, act: shipsUpTo(1) });
    expect(one.state.status).toBe("unsolved");
    const both = await solve({ request: "Ship all orders", plan, act: shipsUpTo(2) });
    expect(both.state).toMatchObject({ status: "solved", answer: "All three were shipped." });
  });
});

function halves(): Reply {
  return program(
    `await ship_order({ order: "A1", log: "${log}" });`,
    'await weigh_order({ order: "A1" });',
    `for (const order of ["A2", "A3"]) await ship_order({ order, log: "${log}" });`,
    "return `Shipped all three.`;",
  );
}

function shipsUpTo(last: number): Act {
  return (at) => (at < last ? ship(["A2", "A3"][at] ?? "") : "All three were shipped.");
}

function ship(order: string) {
  return { call: "ship_order", args: { order, log } };
}

/** What a model does each time it is asked: a call, an answer, or one that says that no tool is needed, or what is missing. */
type Act = (
  at: number,
) => string | { needless: string } | { lacking: string } | { call: string; args: object };

interface Solved {
  state: GraphState;
  /** How often the model was asked for a program or for its next calls. */
  asked: number;
}

async function solve(options: {
  graph?: GraphId;
  request: string;
  act: Act;
  plan?: Reply;
  settings?: Record<string, unknown>;
}): Promise<Solved> {
  const { graph = "tulip", request, act, plan, settings = ORDERS } = options;
  const script = scriptOf({ act, plan });
  const run = programRun({ script, request, settings, graph });
  const { state } = await run.start();
  const asked = run.model.questions.filter(({ stage }) => /^(?:act|writeProgram)$/.test(stage));
  return { state, asked: asked.length };
}

/** Runs of one thread. */
function conversation(graph: GraphId) {
  let script = scriptOf({ act: () => "" });
  const run = programRun({
    script: (question) => script(question),
    request: "",
    settings: ORDERS,
    graph,
  });
  return {
    async say(request: string, act: Act) {
      script = scriptOf({ act });
      const { state } = await run.next(request);
      return state;
    },
    /** All texts of the last question to the model. */
    told: () =>
      run.model.questions
        .at(-1)
        ?.messages.map(({ text }) => text)
        .join("\n"),
  };
}

/** A model that plans, where it is asked for a plan, what it would do call by call. */
function scriptOf({ act, plan }: { act: Act; plan?: Reply }): (question: Question) => Reply {
  let at = -1;
  return (question) => {
    const { stage } = question;
    if (stage === "decompose") return { subtasks: [] };
    if (stage === "phraseSearch") return { searches: [{ subtask: 1, phrase: "orders" }] };
    if (stage === "writeProgram" && plan) return plan;
    if (stage === "writeProgram") return planned(act, (at += 1));
    if (stage !== "act") return { text: "" };
    const next = act((at += 1));
    const isSearch = question.input.search !== undefined;
    if (typeof next === "string") return isSearch ? { finish: next } : { stop: next };
    if ("call" in next) return { calls: [{ name: next.call, args: next.args }] };
    if ("lacking" in next) return { stop: next.lacking, solved: false };
    const said = isSearch
      ? { name: "finish", args: { return_type: "give_answer", final_answer: next.needless } }
      : { name: "stop", args: { message: next.needless, solved: true } };
    return { calls: [{ ...said, args: { ...said.args, no_tool_needed: true } }] };
  };
}

function planned(act: Act, at: number): Reply {
  const next = act(at);
  if (typeof next === "string") return program(`return ${JSON.stringify(next)};`);
  if ("lacking" in next) return program(`stop(${JSON.stringify(next.lacking)});`);
  if ("needless" in next)
    return program(`return noFunctionNeeded(${JSON.stringify(next.needless)});`);
  const call = `const found = await ${next.call}(${JSON.stringify(next.args)});`;
  return program(call, "return `Mira has ${found[0].id} and ${found[1].id}.`;");
}
