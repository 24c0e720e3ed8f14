import { existsSync, readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import type { ReviewRequest } from "../../nodes/policy/askDecisions.js";
import type { Reply } from "../fakes/scriptedModel.js";
import { program, programRun, stagesOf } from "./tulipRuns.js";
import { ORDERS, useOrders } from "./orders.js";

let log: string;
const newLog = useOrders();
beforeEach(() => {
  log = newLog();
});

describe("the writes of a program that are held for approval", () => {
  it("are shown one by one with their values once everything they need was read, and run without another question", async () => {
    const run = heldRun([shippingAll()]);
    const { state, waiting } = await run.start();
    expect(waiting).toEqual({
      kind: "writes",
      program: expect.stringContaining("for (const order of orders)"),
      bill: "3 calls (list_orders 1, ship_order 2)",
      complete: true,
      problem: "",
      actionRequests: ["A1", "A3"].map((order) => ({ name: "ship_order", args: { order, log } })),
      reviewConfigs: ["A1", "A3"].map(() => ({
        actionName: "ship_order",
        allowedDecisions: ["approve", "edit", "reject"],
        argsSchema: expect.objectContaining({ type: "object" }),
        definition: expect.stringMatching(/^[0-9a-f]{64}$/),
      })),
    });
    expect(state.calls.map(({ tool }) => tool)).toEqual(["list_orders"]);
    expect(shipped()).toEqual([]);
    const { state: ended, waiting: more } = await run.decideAll({ type: "approve" });
    expect(more).toBeUndefined();
    expect(ended).toMatchObject({ status: "solved", answer: "Shipped 2 orders." });
    expect(shipped()).toEqual(["A1", "A3"]);
    expect(stagesOf(run.model)).toEqual(["writeProgram"]);
  });

  it("are shown all at once even if each iteration reads before it writes, and are made with what is read then", async () => {
    const run = heldRun([
      program(
        'for (const customer of ["Mira", "Jonas"]) {',
        "  const [order] = await list_orders({ customer });",
        `  await ship_order({ order: order.id, log: "${log}" });`,
        "}",
        "return `Shipped one of each.`;",
      ),
    ]);
    const { waiting } = await run.start();
    expect(waiting).toMatchObject({
      actionRequests: [{ args: { order: "A1" } }, { args: { order: "A2" } }],
      complete: true,
    });
    expect(shipped()).toEqual([]);
    const { state, waiting: more } = await run.decideAll({ type: "approve" });
    expect(more).toBeUndefined();
    expect(state.status).toBe("solved");
    expect(shipped()).toEqual(["A1", "A2"]);
    expect(state.calls.map(({ tool, args }) => args["customer"] ?? tool)).toEqual([
      "Mira",
      "Jonas",
      "ship_order",
      "Jonas",
      "ship_order",
    ]);
  });

  it("are made with the arguments that a person gave, without those that the person removed", async () => {
    const run = heldRun([shippingAll()]);
    await run.start();
    const { state, waiting: more } = await run.decide(
      { type: "reject", message: "not that one" },
      edited("ship_order", { order: "A2", log }),
    );
    expect(more).toBeUndefined();
    expect(shipped()).toEqual(["A2"]);
    expect(state.calls.map(({ args }) => args["order"])).toEqual([undefined, "A2"]);
    expect(state.status).toBe("solved");
    // The program counts what it has listed: what was made of that is told beside it.
    expect(state.answer).toMatch(
      /^Shipped 2 orders\. 1 write was removed .* 1 write was made with/,
    );
  });

  it.each([
    ["is missing", [], /1 decision instead of 2/],
    ["is about another tool", [edited("list_orders", {})], /list_orders.*ship_order/],
    ["has arguments that do not fit", [edited("ship_order", { order: 3 })], /log/],
  ])("are shown again if a decision %s", async (_, other, problem) => {
    const run = heldRun([shippingAll()]);
    await run.start();
    const { waiting } = await run.decide({ type: "approve" }, ...other);
    expect((waiting as ReviewRequest).actionRequests).toHaveLength(2);
    expect((waiting as ReviewRequest).problem).toMatch(problem);
    await run.decideAll({ type: "approve" });
    expect(shipped()).toEqual(["A1", "A3"]);
  });

  it("are shown again for a program that a person gives instead, and nothing is read twice", async () => {
    const run = heldRun([shippingAll()]);
    await run.start();
    const code = [
      'const orders = await list_orders({ customer: "Mira" });',
      `await ship_order({ order: orders[1].id, log: "${log}" });`,
      "return `Shipped ${orders[1].id}.`;",
    ].join("\n");
    const { waiting } = await run.decide(edited("program", { code }));
    expect(waiting).toMatchObject({
      actionRequests: [{ args: { order: "A3" } }],
      program: code,
    });
    const { state } = await run.decideAll({ type: "approve" });
    expect(state).toMatchObject({ status: "solved", answer: "Shipped A3." });
    expect(state.calls.map(({ tool }) => tool)).toEqual(["list_orders", "ship_order"]);
    expect(stagesOf(run.model)).toEqual(["writeProgram"]);
  });

  it.each([
    ["cannot be read", "while (true) {}", /line 1/],
    ["calls what there is not", "return `${await paint_fence()}`;", /paint_fence/],
    ["does not type-check", "return `${await list_orders({ name: 'Mira' })}`;", /customer|name/],
  ])("are shown again if a person's program %s", async (_, code, problem) => {
    const run = heldRun([shippingAll()]);
    await run.start();
    const { waiting } = await run.decide(edited("program", { code }));
    expect((waiting as ReviewRequest).problem).toMatch(problem);
    expect(shipped()).toEqual([]);
  });

  it("are rewritten with the reason of their rejection", async () => {
    const run = heldRun([
      shippingAll(),
      program(
        'const orders = await list_orders({ customer: "Mira" });',
        "return `${orders.length} orders are open.`;",
      ),
    ]);
    await run.start();
    const { state } = await run.decideAll({ type: "reject", message: "Only count them." });
    expect(run.model.questions[1]?.input).toMatchObject({ failed: { cue: "Only count them." } });
    expect(state).toMatchObject({ status: "solved", answer: "2 orders are open." });
    expect(state.calls).toHaveLength(1);
    expect(shipped()).toEqual([]);
  });

  it("end the run if they are rejected without a reason", async () => {
    const run = heldRun([shippingAll()]);
    await run.start();
    const { state } = await run.decideAll({ type: "reject" });
    expect(state).toMatchObject({ status: "unsolved" });
    expect(state.answer).toMatch(/rejected the writes.*Nothing was written/);
    expect(shipped()).toEqual([]);
  });
});

describe("a program that is rewritten after some of its writes were made", () => {
  it("does not make them again", async () => {
    const twice = program(
      `const said = await ship_order({ order: "A1", log: "${log}" });`,
      `await ship_order({ order: said, log: "${log}" });`,
      "return `${said}.`;",
    );
    const once = program(
      `const said = await ship_order({ order: "A1", log: "${log}" });`,
      "return `${said}.`;",
    );
    const run = heldRun([twice, once]);
    await run.start();
    await run.decideAll({ type: "approve" });
    const { state, waiting } = await run.decideAll({ type: "reject", message: "Once is enough." });
    expect(waiting).toBeUndefined();
    expect(state).toMatchObject({ status: "solved", answer: "shipped A1." });
    expect(shipped()).toEqual(["A1"]);
  });
});

describe("single writes of a program", () => {
  it("are asked about one by one if writing calls need approval", async () => {
    const run = heldRun([shippingAll()], { approval: "writes" });
    const first = await run.start();
    expect(first.waiting).toMatchObject({
      kind: "approval",
      actionRequests: [{ args: { order: "A1" } }],
    });
    const second = await run.decideAll({ type: "approve" });
    expect(second.waiting).toMatchObject({
      kind: "approval",
      actionRequests: [{ args: { order: "A3" } }],
    });
    const { state } = await run.decideAll({ type: "approve" });
    expect(state.status).toBe("solved");
    expect(shipped()).toEqual(["A1", "A3"]);
  });
});

function edited(name: string, args: object) {
  return { type: "edit", editedAction: { name, args } };
}

function shippingAll(): Reply {
  return program(
    'const orders = await list_orders({ customer: "Mira" });',
    "for (const order of orders) {",
    `  await ship_order({ order: order.id, log: "${log}" });`,
    "}",
    "return `Shipped ${orders.length} orders.`;",
  );
}

function heldRun(script: Reply[], settings: Record<string, unknown> = {}) {
  return programRun({
    script,
    request: "Ship the orders of the customer Mira",
    settings: { ...ORDERS, approval: "plan", ...settings },
  });
}

function shipped(): string[] {
  return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
}
