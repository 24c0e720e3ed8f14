import { ToolMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { LONGEST_OUTCOMES } from "../../common/bounds.js";
import { allGraphs } from "../../graphs/index.js";
import type { GraphState } from "../../state/state.js";
import { type Question, type Reply, scriptedModel } from "../fakes/scriptedModel.js";
import { ORDERS, useOrders } from "./orders.js";
import { program } from "./tulipRuns.js";

const graphs = await allGraphs();

const REQUEST = "Write a report on the customer Mira, and list her orders";

/** A report that is longer than all results may be, a short list, and a call that fails. */
const LEFT = program(
  'const report = await write_report({ customer: "Mira" });',
  'const orders = await list_orders({ customer: "Mira" });',
  'const weight = await weigh_order({ order: "A1" });',
  "return `${report.customer} has ${orders.length} orders of ${weight} kg.`;",
);

const ENDED = { stop: "There is a report, and the orders are A1 and A3.", solved: true };

useOrders();

describe("what follows a program that is left", () => {
  it("is told short results whole, and as much of the long ones as fits", async () => {
    const { model } = await solve([LEFT, ENDED]);
    const [report, orders, weight] = told(model.questions[1]);
    expect(orders).toContain('{"id":"A3","customer":"Mira","total":2}');
    expect(weight).toContain("no scales for A1");
    expect(report?.length).toBeGreaterThan(1000);
    const results = told(model.questions[1]).join("");
    expect(results.length).toBeLessThan(LONGEST_OUTCOMES + 200);
  });

  it("is told a long result whole if it makes the look-up again", async () => {
    const again = { calls: [{ name: "write_report", args: { customer: "Mira" } }] };
    const { result, model } = await solve([LEFT, again, ENDED]);
    const [cut] = told(model.questions[1]);
    expect(cut).toMatch(/of 100\d{3} characters are shown.*the same call/);
    const whole = told(model.questions[2]).at(-1);
    expect(whole?.length).toBeGreaterThan(100_000);
    expect(made(result, "write_report")).toBe(2);
    expect(JSON.stringify(result.calls).length).toBeLessThan(5000);
    expect(result.status).toBe("solved");
  });
});

/** Takes a name for a date, after its call. */
const dated = (...more: string[]) =>
  program(
    'const [order] = await list_orders({ customer: "Jonas" });',
    "const day = new Date(order.customer).getDate();",
    ...more,
    "return `It came on day ${day}.`;",
  );

describe("a program that fails at what it makes of its results", () => {
  it("has made its calls, so that only the answer is asked for", async () => {
    const worded = { result: "Jonas ordered A2 for 25 euros.", solved: true };
    const answer = { text: JSON.stringify(worded) };
    const { result, model } = await solve([dated(), answer], "What has Jonas ordered?");
    expect(model.questions.map(({ stage }) => stage)).toEqual(["writeProgram", "aggregate"]);
    expect(result).toMatchObject({ status: "solved", answer: "Jonas ordered A2 for 25 euros." });
    expect(made(result, "list_orders")).toBe(1);
  });

  it("is gone on with call by call if it has not made all", async () => {
    const more = 'const report = await write_report({ customer: "Jonas" });';
    const { model } = await solve([dated(more), ENDED]);
    expect(model.questions.map(({ stage }) => stage).slice(0, 2)).toEqual(["writeProgram", "act"]);
  });
});

it("a model that repeats what only its name says to be a look-up ends as soon as with any other", async () => {
  const model = scriptedModel(() => ({ calls: [{ name: "read_note", args: { order: "A1" } }] }));
  const context = { ...ORDERS, model: model.spec };
  const { graph } = graphs.naive_tool;
  const result = (await graph.invoke({ request: "Read the note" }, { context })) as GraphState;
  expect(result.status).toBe("unsolved");
  expect(result.answer).toContain("wrap A1");
  expect(model.questions.length).toBeLessThan(8);
});

/** What the model was told that calls have given. */
function told(question: Question | undefined): string[] {
  return (question?.messages ?? []).flatMap((message) =>
    ToolMessage.isInstance(message) && message.name !== "stop" ? message.text : [],
  );
}

function made({ calls }: GraphState, tool: string): number {
  return calls.filter((call) => call.tool === tool && !call.refused).length;
}

async function solve(replies: Reply[], request = REQUEST) {
  const model = scriptedModel(replies);
  const context = { ...ORDERS, model: model.spec };
  const result = (await graphs.tulip.graph.invoke({ request }, { context })) as GraphState;
  return { result, model };
}
