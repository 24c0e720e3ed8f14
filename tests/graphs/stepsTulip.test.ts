import { existsSync, readFileSync } from "node:fs";
import { ToolMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { beforeEach, describe, expect, it } from "vitest";
import { compileGraph } from "../../graphs/compile.js";
import { allGraphs } from "../../graphs/index.js";
import { importTools } from "../../workspace/libraries.js";
import { openWorkspace } from "../../workspace/workspace.js";
import type { GraphState } from "../../state/state.js";
import { type Question, type Reply, scriptedModel } from "../fakes/scriptedModel.js";
import { ORDERS, useOrders } from "./orders.js";

const graphs = await allGraphs();

const LISTED = { tool: "list_orders", args: { customer: "Mira" } };

let log: string;
const newLog = useOrders();
beforeEach(() => {
  log = newLog();
});

describe("a plan that holds", () => {
  it("carries results from step to step, and takes one model call", async () => {
    const { result, model } = await solve([
      plan({
        steps: [
          { tool: "list_orders", args: { customer: "Mira" } },
          { tool: "add_amounts", args: { amounts: ["$$PREV[0][0].total", "$$PREV[0][1].total"] } },
          { tool: "euros_to_dollars", args: { euros: "$$PREV[1]" } },
        ],
        answer: "Mira's orders come to $$PREV[1] € or $$PREV[2] $.",
      }),
    ]);
    expect(result).toMatchObject({
      status: "solved",
      answer: "Mira's orders come to 42 € or 84 $.",
    });
    expect(result.calls.map(({ args }) => args)).toEqual([
      { customer: "Mira" },
      { amounts: [40, 2] },
      { euros: 42 },
    ]);
    expect(stagesOf(model)).toEqual(["compose"]);
  });

  it("makes independent calls together", async () => {
    const { result } = await solve([
      plan({
        steps: [
          { tool: "list_orders", args: { customer: "Mira" } },
          { tool: "list_orders", args: { customer: "Jonas" } },
          { tool: "add_amounts", args: { amounts: ["$$PREV[0][0].total", "$$PREV[1][0].total"] } },
        ],
        answer: "$$PREV[2]",
      }),
    ]);
    const waves = result.messages.flatMap((message) =>
      "tool_calls" in message && Array.isArray(message.tool_calls) && message.tool_calls.length > 0
        ? [message.tool_calls.length]
        : [],
    );
    expect(waves).toEqual([2, 1]);
    expect(result.answer).toBe("65");
  });

  it("passes on results that are too long for the state", async () => {
    const { result } = await solve([
      plan({
        steps: [
          { tool: "write_report", args: { customer: "Jonas" } },
          { tool: "list_orders", args: { customer: "$$PREV[0].customer" } },
        ],
        answer: "$$PREV[1][0].id",
      }),
    ]);
    expect(result).toMatchObject({ status: "solved", answer: "A2" });
    expect(result.calls[0]?.resultRef).toBeDefined();
  });

  it("may need no tool at all", async () => {
    const { result } = await solve([plan({ steps: [], answer: "Hello!" })]);
    expect(result).toMatchObject({ status: "solved", answer: "Hello!", calls: [] });
  });

  it("takes a second model call if the answer has to be worded", async () => {
    const steps = [{ tool: "list_orders", args: { customer: "Mira" } }];
    const { result, model } = await solve([
      plan({ steps, answer: "" }),
      { stop: "Two orders, A1 and A3." },
    ]);
    expect(result).toMatchObject({ status: "solved", answer: "Two orders, A1 and A3." });
    expect(stagesOf(model)).toEqual(["compose", "act"]);
    expect(result.calls).toHaveLength(1);
  });

  it("is repaired without the model if only its form is wrong", async () => {
    const { result, model } = await solve([
      plan({
        steps: [
          { tool: "listOrders", args: { Customer: "Mira" } },
          { tool: "add_amounts", args: { amounts: "$$PREV[0][0].total" } },
        ],
        answer: "$$PREV[1]",
      }),
    ]);
    expect(result).toMatchObject({ status: "solved", answer: "40" });
    expect(stagesOf(model)).toEqual(["compose"]);
    expect(result.plan?.repairs.length).toBeGreaterThan(1);
  });
});

it("may use a library tool that no search found, if the model knows its name", async () => {
  const { result, model } = await solve(
    [plan({ steps: [{ tool: "euros_to_dollars", args: { euros: 4 } }], answer: "$$PREV[0]" })],
    { settings: { primingTopK: 1 }, request: "List the orders of a customer" },
  );
  expect(offeredAt(model, 0)).toEqual(["list_orders"]);
  expect(result).toMatchObject({ status: "solved", answer: "8" });
});

describe("what a plan lacks a tool for", () => {
  it("is searched for, and the plan is rewritten with what was found", async () => {
    const settings = { primingTopK: 1 };
    const { result, model } = await solve(
      [
        plan({
          steps: [{ tool: "list_orders", args: { customer: "Mira" } }],
          answer: "",
          lacking: ["convert an amount from euros to dollars"],
        }),
        plan({
          steps: [
            { tool: "list_orders", args: { customer: "Mira" } },
            { tool: "euros_to_dollars", args: { euros: "$$PREV[0][0].total" } },
          ],
          answer: "$$PREV[1] $",
        }),
      ],
      { settings, request: "List the orders of the customer Mira in dollars" },
    );
    expect(result).toMatchObject({ status: "solved", answer: "80 $" });
    expect(stagesOf(model)).toEqual(["compose", "compose"]);
    expect(offeredAt(model, 0)).toEqual(["list_orders"]);
    expect(offeredAt(model, 1)).toContain("euros_to_dollars");
  });

  it("is reworded if no tool is found, and named in an unsolved answer; the plan stays as it is", async () => {
    const settings = { threshold: 0.5, maxDepth: 1 };
    const rest = plan({
      steps: [{ tool: "list_orders", args: { customer: "Jonas" } }],
      answer: "His order is $$PREV[0][0].id.",
      lacking: ["paint a fence"],
    });
    const reworded = { searches: [{ subtask: 1, phrase: "colour some boards" }] };
    const { result, model } = await solve([rest, reworded], {
      settings,
      request: "List the orders of a customer: Jonas",
    });
    expect(stagesOf(model)).toEqual(["compose", "phraseSearch"]);
    expect(model.questions[1]?.input).toMatchObject({ tried: ["paint a fence"] });
    expect(result.status).toBe("unsolved");
    expect(result.answer).toBe("His order is A2. Not done, for lack of a tool: paint a fence.");
  });

  it("is named at once if there is nothing else to do", async () => {
    const nothing = plan({ steps: [], answer: "", lacking: ["paint a fence"] });
    const settings = { threshold: 0.5, maxDepth: 0 };
    const { result, model } = await solve([nothing], {
      settings,
      request: "List the orders of a customer: Jonas",
    });
    expect(stagesOf(model)).toEqual(["compose"]);
    expect(result).toMatchObject({
      status: "unsolved",
      answer: "Not done, for lack of a tool: paint a fence.",
    });
  });

  it("is searched for in other words if what was found does not help", async () => {
    const lacking = plan({ steps: [], answer: "", lacking: ["give money another name"] });
    const { result, model } = await solve(
      [
        lacking,
        lacking,
        { searches: [{ subtask: 1, phrase: "convert an amount from euros to dollars" }] },
        plan({ steps: [{ tool: "euros_to_dollars", args: { euros: 4 } }], answer: "$$PREV[0]" }),
      ],
      { settings: { primingTopK: 1, topK: 1 }, request: "List the orders of a customer" },
    );
    expect(result).toMatchObject({ status: "solved", answer: "8" });
    expect(stagesOf(model)).toEqual(["compose", "compose", "phraseSearch", "compose"]);
  });

  it("is given up if the model has no other words for it", async () => {
    const lacking = plan({ steps: [], answer: "", lacking: ["paint a fence"] });
    const settings = { threshold: 0.5, maxDepth: 3 };
    const { result, model } = await solve([lacking, { searches: [] }], {
      settings,
      request: "List the orders of a customer: Jonas",
    });
    expect(stagesOf(model)).toEqual(["compose", "phraseSearch"]);
    expect(result.answer).toBe("Not done, for lack of a tool: paint a fence.");
  });

  it("is told apart from what was found, if both were lacking", async () => {
    const lacking = ["paint a fence", "convert an amount from euros to dollars"];
    const { result, model } = await solve(
      [
        plan({ steps: [], answer: "", lacking }),
        plan({
          steps: [{ tool: "euros_to_dollars", args: { euros: 4 } }],
          answer: "$$PREV[0] $.",
          lacking: ["paint a fence"],
        }),
      ],
      {
        settings: { primingTopK: 1, threshold: 0.5, maxDepth: 0 },
        request: "List the orders of a customer",
      },
    );
    expect(stagesOf(model)).toEqual(["compose", "compose"]);
    expect(model.questions[1]?.input).toMatchObject({
      missed: ["paint a fence"],
      searched: ["convert an amount from euros to dollars"],
    });
    expect(result.answer).toBe("8 $. Not done, for lack of a tool: paint a fence.");
  });

  it("is no reason to plan again if other words find only what was on offer", async () => {
    const lacking = plan({ steps: [], answer: "", lacking: ["give money another name"] });
    const { result, model } = await solve(
      [lacking, lacking, { searches: [{ subtask: 1, phrase: "list the orders of a customer" }] }],
      {
        settings: { primingTopK: 1, topK: 1, maxDepth: 1 },
        request: "List the orders of a customer",
      },
    );
    expect(stagesOf(model)).toEqual(["compose", "compose", "phraseSearch"]);
    expect(result).toMatchObject({
      status: "unsolved",
      answer: "Not done, for lack of a tool: give money another name.",
    });
  });
});

const shipStep = (order: string) => ({ tool: "ship_order", args: { order, log } });
const shipCall = (order: string) => ({ name: "ship_order", args: { log, order } });

describe("a write that was made already", () => {
  it("is not repeated after the plan has failed, until the model was told and asks for it again", async () => {
    const steps = [shipStep("A1"), shipStep("A2"), { tool: "weigh_order", args: { order: "A1" } }];
    const { result, model } = await solve([
      plan({ steps, answer: "It weighs $$PREV[2]." }),
      { calls: [shipCall("A1")] },
      { calls: [shipCall("A2")] },
      { calls: [shipCall("A2")] },
      { stop: "Shipped.", solved: true },
    ]);
    expect(readFileSync(log, "utf8")).toBe("A1\nA2\nA2\n");
    expect(result.calls.map(({ refused = false }) => refused)).toEqual([
      false,
      false,
      false,
      true,
      true,
      false,
    ]);
    const told = model.questions[2]?.messages.at(-1);
    expect(told?.text).toMatch(/already called .* gave "shipped A1"/);
  });

  it("is repeated if another write came in between, in a plan and call by call", async () => {
    const steps = [shipStep("A1"), shipStep("A2"), shipStep("A1")];
    await solve([
      plan({ steps, answer: "" }),
      { calls: [shipCall("A3")] },
      { calls: [shipCall("A1")] },
      { stop: "Done." },
    ]);
    expect(readFileSync(log, "utf8")).toBe("A1\nA2\nA1\nA3\nA1\n");
  });

  it("ends a plan that contains it twice in a row, unless a person has agreed", async () => {
    const twice = plan({ steps: [shipStep("A1"), shipStep("A1")], answer: "Shipped twice." });
    const { model } = await solve([twice, { stop: "Shipped once." }]);
    expect(readFileSync(log, "utf8")).toBe("A1\n");
    expect(stagesOf(model)).toEqual(["compose", "act"]);
    const thread = onThread([twice], { approval: "plan" });
    await thread.start();
    await thread.decide({ type: "approve" });
    expect(readFileSync(log, "utf8")).toBe("A1\nA1\nA1\n");
  });
});

describe("a plan with an argument that no parameter takes", () => {
  it("does not start, so nothing is written because of it", async () => {
    const steps = [
      { tool: "ship_order", args: { order: "A1", log } },
      { tool: "list_orders", args: { customer: "Mira", colour: "red" } },
      { tool: "ship_order", args: { order: "$$PREV[1][0].id", log } },
    ];
    const { result } = await solve(
      [plan({ steps, answer: "Shipped." }), { stop: "Nothing was shipped.", solved: false }],
      { settings: { maxReflections: 0 } },
    );
    expect(existsSync(log)).toBe(false);
    expect(result).toMatchObject({ status: "unsolved", calls: [] });
    expect(result.plan?.left).toContain("colour");
  });
});

describe("a plan that does not hold", () => {
  it("is continued call by call from where it stopped, and nothing is done twice", async () => {
    const { result, model } = await solve([
      plan({
        steps: [
          { tool: "ship_order", args: { order: "A1", log } },
          { tool: "weigh_order", args: { order: "A1" } },
          { tool: "ship_order", args: { order: "A2", log } },
        ],
        answer: "Shipped; it weighs $$PREV[1].",
      }),
      { calls: [{ name: "ship_order", args: { order: "A2", log } }] },
      { stop: "Shipped both; nothing is known of the weight.", solved: false },
    ]);
    expect(result).toMatchObject({ status: "unsolved" });
    expect(readFileSync(log, "utf8")).toBe("A1\nA2\n");
    expect(stagesOf(model)).toEqual(["compose", "act", "act"]);
    const [, act] = model.questions;
    expect(act?.input).toMatchObject({
      plan: {
        left: "step 1, weigh_order, has failed",
        remaining: [`step 2: ship_order(${JSON.stringify({ log, order: "A2" })})`],
      },
    });
    expect(act?.messages.filter((message) => ToolMessage.isInstance(message))).toHaveLength(2);
  });

  it("is left if a result is not what its tool declares", async () => {
    const { result, model } = await solve(wrongResult());
    expect(result.calls).toHaveLength(1);
    expect(model.questions[1]?.input).toMatchObject({
      plan: {
        left: expect.stringMatching(/step 0, days_until_arrival.*should be a number, and is/),
      },
    });
  });

  it("is left if what comes next depends on what is seen", async () => {
    const { result, model } = await solve([
      plan({
        steps: [{ tool: "list_orders", args: { customer: "Mira" }, look_at_result: true }],
        answer: "",
      }),
      {
        calls: [
          { name: "ship_order", args: { order: "A1", log } },
          { name: "ship_order", args: { order: "A3", log } },
        ],
      },
      { stop: "Both are on their way." },
    ]);
    expect(result.status).toBe("solved");
    expect(readFileSync(log, "utf8").trim().split("\n").toSorted()).toEqual(["A1", "A3"]);
    expect(model.questions[1]?.input).toMatchObject({
      plan: { left: "what comes next depends on the result of step 0", remaining: [] },
    });
  });

  it("is left if a reference turns out to lead to nothing", async () => {
    const { result } = await solve([
      plan({
        steps: [
          { tool: "list_orders", args: { customer: "Nobody" } },
          { tool: "weigh_order", args: { order: "$$PREV[0][0].id" } },
        ],
        answer: "$$PREV[1]",
      }),
      { stop: "Nobody has no orders." },
    ]);
    expect(result).toMatchObject({ status: "solved", answer: "Nobody has no orders." });
    expect(result.calls).toHaveLength(1);
    expect(result.plan?.left).toMatch(/\$\$PREV\[0\]\[0\]\.id leads to nothing/);
  });

  it.each([
    ["a cycle", { tool: "weigh_order", args: { order: "$$PREV[0]" } }, "$$PREV[0]"],
    ["an output that is not there", { tool: "weigh_order", args: { order: "$$PREV[7]" } }, "x"],
    ["a field that the result lacks", LISTED, "$$PREV[0][0].colour"],
    ["a type that cannot be mended", { tool: "add_amounts", args: { amounts: { a: 1 } } }, "x"],
    ["a tool that does not exist", { tool: "paint_fence", args: {} }, "x"],
    ["an answer that refers to nothing", LISTED, "$$PREV[3]"],
  ])("is rewritten with what the check says, before anything runs: %s", async (_, step, answer) => {
    const good = plan({ steps: [LISTED], answer: "$$PREV[0][0].id" });
    const { result, model } = await solve([plan({ steps: [step], answer }), good]);
    expect(result).toMatchObject({ status: "solved", answer: "A1" });
    expect(stagesOf(model)).toEqual(["compose", "compose"]);
    expect(model.questions[1]?.input).toMatchObject({
      failed: { cue: "", problems: [expect.any(String)] },
    });
    expect(result.calls).toHaveLength(1);
  });

  it("is rewritten at most twice, then given up for single calls", async () => {
    const bad = plan({ steps: [{ tool: "paint_fence", args: {} }], answer: "x" });
    const { result, model } = await solve([bad, bad, bad, { stop: "No fence." }]);
    expect(stagesOf(model)).toEqual(["compose", "compose", "compose", "act"]);
    expect(result).toMatchObject({ status: "solved", answer: "No fence.", calls: [] });
    expect(result.plan?.left).toMatch(/a fault that was not mended: step 0: unknown tool/);
  });

  it("is no plan if the model writes prose: it is asked twice more, then makes single calls", async () => {
    const prose = { text: "I would first look at the orders and then decide." };
    const { result, model } = await solve([prose, prose, prose, { stop: "No orders are needed." }]);
    expect(stagesOf(model)).toEqual(["compose", "compose", "compose", "act"]);
    expect(model.questions[1]?.messages.at(-1)?.text).toMatch(/could not be read as a plan/);
    expect(result.status).toBe("solved");
    expect(model.questions[3]?.input).not.toHaveProperty("plan");
  });

  it("is continued with single calls if one of its tools was removed meanwhile", async () => {
    const library = { ...ORDERS, library: "removed" };
    await importTools({
      store: openWorkspace().store,
      context: library,
      file: "tests/fixtures/orders/tools.ts",
    });
    const whole = await openWorkspace().library(library);
    const { result } = await solve(
      [
        plan({ steps: [LISTED, { tool: "weigh_order", args: { order: "A1" } }], answer: "x" }),
        { stop: "There are no scales for A1." },
      ],
      { settings: library, onPause: () => whole.remove(["weigh_order"]) },
    );
    expect(result).toMatchObject({ status: "solved", answer: "There are no scales for A1." });
    expect(result.plan?.left).toMatch(/weigh_order/);
  });
});

describe("a plan that is held for approval", () => {
  const writing = plan({
    steps: [LISTED, { tool: "ship_order", args: { order: "$$PREV[0][0].id", log: "LOG" } }],
    answer: "$$PREV[1]",
  });
  const held = () => ({ text: (writing as { text: string }).text.replace("LOG", log) });

  it("is shown whole before anything runs, and then runs without another question", async () => {
    const thread = onThread([held()], { approval: "plan" });
    const [request] = (await thread.start()) as { kind: string; steps: unknown[] }[];
    expect(request).toMatchObject({
      kind: "plan",
      steps: [
        { tool: "list_orders", args: { customer: "Mira" }, effects: "read" },
        { tool: "ship_order", args: { order: "$$PREV[0][0].id" }, effects: "write" },
      ],
      answer: "$$PREV[1]",
    });
    expect(existsSync(log)).toBe(false);
    const result = await thread.decide({ type: "approve" });
    expect(result).toMatchObject({ status: "solved", answer: "shipped A1" });
    expect(readFileSync(log, "utf8")).toBe("A1\n");
  });

  it("shows where it stops to look at a result, and what it leaves undone", async () => {
    const partly = plan({
      steps: [{ ...LISTED, look_at_result: true }],
      answer: "",
      lacking: ["paint a fence"],
    });
    const thread = onThread([partly, partly], { approval: "plan", maxParaphrases: 0 });
    const [request] = (await thread.start()) as { kind: string }[];
    expect(request).toMatchObject({
      steps: [{ tool: "list_orders", lookAtResult: true }],
      lacking: ["paint a fence"],
    });
  });

  it("is rewritten with the reason of its rejection", async () => {
    const other = plan({ steps: [LISTED], answer: "$$PREV[0][0].id" });
    const thread = onThread([held(), other], { approval: "plan" });
    await thread.start();
    await thread.decide({ type: "reject", message: "Only list them." });
    const result = await thread.decide({ type: "approve" });
    expect(result).toMatchObject({ status: "solved", answer: "A1" });
    expect(thread.model.questions[1]?.input).toMatchObject({
      failed: { cue: "Only list them." },
    });
    expect(existsSync(log)).toBe(false);
  });

  it("ends the run if it is rejected without a reason", async () => {
    const thread = onThread([held()], { approval: "plan" });
    await thread.start();
    const result = await thread.decide({ type: "reject" });
    expect(result).toMatchObject({ status: "unsolved", calls: [] });
    expect(result.answer).toMatch(/rejected the plan/);
  });

  it("is replaced by the person's own, which is checked, and shown again if it does not fit", async () => {
    const thread = onThread([held()], { approval: "plan" });
    await thread.start();
    const bad = { steps: [{ tool: "paint_fence", args: {} }], answer: "" };
    const again = await thread.decide({ type: "edit", plan: bad });
    expect(again).toMatchObject([{ problem: expect.stringMatching(/unknown tool "paint_fence"/) }]);
    const own = {
      steps: [{ tool: "list_orders", args: { customer: "Jonas" } }],
      answer: "$$PREV[0][0].id",
    };
    const result = await thread.decide({ type: "edit", plan: own });
    expect(result).toMatchObject({ status: "solved", answer: "A2" });
  });

  it("is shown again, with what is wrong, if the answer is not a decision", async () => {
    const steps = [{ tool: "ship_order", args: { order: "A1", log } }];
    const thread = onThread([plan({ steps, answer: "Shipped." })], { approval: "plan" });
    await thread.start();
    expect(await thread.decide({ type: "maybe" })).toMatchObject([
      { kind: "plan", problem: expect.stringMatching(/decision/) },
    ]);
    expect(existsSync(log)).toBe(false);
    expect(await thread.decide({ type: "approve" })).toMatchObject({ status: "solved" });
    expect(readFileSync(log, "utf8")).toBe("A1\n");
  });

  it("still asks about a write outside the plan", async () => {
    const thread = onThread(
      [
        plan({ steps: [], answer: "" }),
        { calls: [{ name: "ship_order", args: { order: "A1", log } }] },
      ],
      { approval: "plan" },
    );
    expect(await thread.start()).toMatchObject([{ kind: "approval" }]);
    expect(existsSync(log)).toBe(false);
  });
});

describe("a plan under a budget", () => {
  it("is granted its calls and no others", async () => {
    const { result } = await solve(
      [
        plan({
          steps: [LISTED, { tool: "euros_to_dollars", args: { euros: 2 } }],
          answer: "$$PREV[1] dollars",
        }),
      ],
      { settings: { budget: 5 } },
    );
    expect(result).toMatchObject({ status: "solved", answer: "4 dollars" });
    expect(result.ledger).toMatchObject({ spent: 4, planned: { calls: 2, cost: 4 } });
  });

  it("checks results and keeps its order after its granted calls are used up", async () => {
    const { result } = await solve(wrongResult(), { settings: { budget: 5 } });
    expect(result.calls).toHaveLength(1);
    expect(result.plan?.left).toMatch(/should be a number, and is/);
  });

  it("is rewritten before anything runs if the budget does not cover all of it", async () => {
    const dear = { tool: "euros_to_dollars", args: { euros: 2 } };
    const { result, model } = await solve(
      [
        plan({ steps: [LISTED, dear, { ...dear, args: { euros: 3 } }], answer: "x" }),
        { text: JSON.stringify({ accepted: false, cue: "Convert once." }) },
        plan({ steps: [LISTED, dear], answer: "$$PREV[1]" }),
      ],
      { settings: { budget: 5 } },
    );
    expect(result).toMatchObject({ status: "solved", answer: "4" });
    expect(model.questions[0]?.input).toMatchObject({
      budget: { left: 5, prices: { euros_to_dollars: 3 } },
    });
    expect(model.questions[2]?.input).toMatchObject({
      failed: { problems: ["its calls cost 7 in all, and 5 of the budget is left"] },
    });
    expect(result.ledger?.spent).toBe(4);
  });

  it("is rewritten because of its price alone if the model has no advice", async () => {
    const dear = { tool: "euros_to_dollars", args: { euros: 2 } };
    const prose = { text: "Hm." };
    const { result, model } = await solve(
      [
        plan({ steps: [dear, { ...dear, args: { euros: 3 } }], answer: "x" }),
        prose,
        prose,
        prose,
        plan({ steps: [dear], answer: "$$PREV[0]" }),
      ],
      { settings: { budget: 5 } },
    );
    expect(stagesOf(model)).toEqual(["compose", "reflect", "reflect", "reflect", "compose"]);
    expect(model.questions[4]?.input).toMatchObject({
      failed: { cue: "", problems: [expect.stringMatching(/cost 6 in all/)] },
    });
    expect(result).toMatchObject({ status: "solved", answer: "4" });
  });

  it("leaves the rest of the budget to single calls once the plan is left", async () => {
    const { result } = await solve(
      [
        plan({ steps: [{ tool: "weigh_order", args: { order: "A1" } }], answer: "$$PREV[0]" }),
        { calls: [{ name: "list_orders", args: { customer: "Mira" } }] },
        { stop: "A1 has no weight." },
      ],
      { settings: { budget: 5 } },
    );
    expect(result.calls.map(({ tool, refused }) => [tool, refused])).toEqual([
      ["weigh_order", undefined],
      ["list_orders", undefined],
    ]);
    expect(result.ledger?.spent).toBe(2);
  });
});

it("continues after the last finished wave when an interrupted run is resumed", async () => {
  const steps = [
    { tool: "ship_order", args: { order: "A1", log } },
    { tool: "weigh_order", args: { order: "A1" } },
  ];
  let broken = true;
  const thread = onThread((question) => {
    if (question.stage === "compose") return plan({ steps, answer: "x" });
    if (!broken) return { stop: "Shipped." };
    broken = false;
    return new Error("out of order");
  }, {});
  await expect(thread.start()).rejects.toThrow(/out of order/);
  const result = await thread.goOn();
  expect(result).toMatchObject({ status: "solved", answer: "Shipped." });
  expect(readFileSync(log, "utf8")).toBe("A1\n");
  expect(stagesOf(thread.model)).toEqual(["compose", "act", "act"]);
});

const REQUEST = "What do the orders of the customer Mira add up to in dollars, and ship one?";

function plan(written: {
  steps: { tool: string; args: object; look_at_result?: boolean }[];
  answer: string;
  lacking?: string[];
}): Reply {
  return { text: JSON.stringify({ thought: "As planned.", lacking: [], ...written }) };
}

/** A plan whose first step gives a text instead of a number, and what is said in place of its answer. */
function wrongResult(): Reply[] {
  const steps = [
    { tool: "days_until_arrival", args: { order: "A1" } },
    { tool: "add_amounts", args: { amounts: ["$$PREV[0]"] } },
  ];
  return [plan({ steps, answer: "$$PREV[1] days" }), { stop: "It arrives soon." }];
}

async function solve(
  replies: Reply[],
  options: {
    request?: string;
    settings?: Record<string, unknown>;
    onPause?: () => Promise<unknown>;
  } = {},
) {
  const { request = REQUEST, settings = {}, onPause } = options;
  const model = scriptedModel(replies);
  const context = { ...ORDERS, model: model.spec, ...settings };
  if (!onPause) {
    const result = (await graphs.steps_tulip.graph.invoke({ request }, { context })) as GraphState;
    return { result, model };
  }
  const thread = onThread(replies, { ...settings, approval: "plan" });
  await thread.start();
  await onPause();
  return { result: await thread.decide({ type: "approve" }), model: thread.model };
}

/** A run that can pause, and be gone on with. */
function onThread(
  script: Reply[] | ((question: Question) => Reply),
  settings: Record<string, unknown>,
) {
  const model = scriptedModel(script);
  const graph = compileGraph(graphs.steps_tulip.wiring, {
    name: "steps_tulip",
    checkpointer: new MemorySaver(),
  });
  const config = {
    configurable: { thread_id: crypto.randomUUID() },
    context: { ...ORDERS, model: model.spec, ...settings },
  };
  const invoke = async (input: Parameters<typeof graph.invoke>[0]) => {
    const state = (await graph.invoke(input, config)) as GraphState;
    const { tasks } = await graph.getState(config);
    const waiting = tasks.flatMap(({ interrupts }) =>
      interrupts.map(({ value }): unknown => value),
    );
    return waiting.length > 0 ? waiting : state;
  };
  return {
    model,
    start: () => invoke({ request: REQUEST }),
    goOn: () => invoke(null),
    decide: async (decision: object) =>
      (await invoke(new Command({ resume: { decisions: [decision] } }))) as GraphState,
  };
}

function stagesOf({ questions }: { questions: Question[] }): string[] {
  return questions.map(({ stage }) => stage);
}

function offeredAt({ questions }: { questions: Question[] }, at: number): string[] {
  const question = questions[at];
  return question?.stage === "compose" ? question.input.tools.map(({ name }) => name) : [];
}
