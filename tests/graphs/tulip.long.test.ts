import { existsSync, readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import type { Question, Reply } from "../fakes/scriptedModel.js";
import { program, programRun, stagesOf } from "./tulipRuns.js";
import { ORDERS, useOrders } from "./orders.js";

const REQUEST = "Ship the orders of the customer Mira that come to more than 5 euros";

let log: string;
const newLog = useOrders();
beforeEach(() => {
  log = newLog();
});

it("closes the loop over the work items of a simulated company in one model call", async () => {
  const request = "Move all work items that are overdue to Friday, 14 March 2025";
  const { result, model } = await solve(
    [
      program(
        "const ids = await list_overdue_work_items();",
        "const items = await get_work_items({ work_ids: ids });",
        "const late = items.filter((item) => daysBetween(item.due_on, today) > 3);",
        "for (const item of late) {",
        '  await set_due_date({ work_ids: [item.id], due_on: "2025-03-14" });',
        "}",
        "return `Moved ${late.length} of ${items.length} overdue work items.`;",
      ),
    ],
    { request, settings: { library: "work", embeddings: "local:sentence-encoder" } },
  );
  expect(stagesOf(model)).toEqual(["writeProgram"]);
  const [listed, looked, ...moved] = result.calls;
  const overdue = listed?.result as string[];
  const items = looked?.result as { id: string; due_on: string }[];
  const late = items.filter(({ due_on }) => due_on < "2025-03-09");
  expect(late.length).toBeGreaterThan(0);
  expect(late.length).toBeLessThan(items.length);
  expect(moved.map(({ args }) => args)).toEqual(
    late.map(({ id }) => ({ work_ids: [id], due_on: "2025-03-14" })),
  );
  expect(result).toMatchObject({
    status: "solved",
    answer: `Moved ${late.length} of ${overdue.length} overdue work items.`,
  });
});

describe("a program that holds", () => {
  it("decides, loops and counts without the model", async () => {
    const { result, model } = await solve([shipping()]);
    expect(result).toMatchObject({ status: "solved", answer: "Shipped 1 of 2 orders." });
    expect(shipped()).toEqual(["A1"]);
    expect(stagesOf(model)).toEqual(["writeProgram"]);
  });

  it("makes independent reads together, and writes in order", async () => {
    const { result } = await solve([
      program(
        'const [one, other] = await Promise.all([list_orders({ customer: "Mira" }), list_orders({ customer: "Jonas" })]);',
        "for (const order of [...one, ...other]) {",
        `  await ship_order({ order: order.id, log: "${log}" });`,
        "}",
        "return `Shipped ${one.length + other.length} orders.`;",
      ),
    ]);
    const waves = result.messages.flatMap((message) =>
      "tool_calls" in message && Array.isArray(message.tool_calls) && message.tool_calls.length > 0
        ? [message.tool_calls.length]
        : [],
    );
    expect(waves).toEqual([2, 1, 1, 1]);
    expect(shipped()).toEqual(["A1", "A3", "A2"]);
    const ids = result.calls.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^[\w-]{1,40}$/.test(id))).toBe(true);
  });

  it("ends unsolved, with its own reason, if it says that it cannot be done", async () => {
    const { result, model } = await solve([
      program(
        'const orders = await list_orders({ customer: "Nobody" });',
        'if (orders.length === 0) throw new Error("Nobody has no orders.");',
        "return `${orders.length}`;",
      ),
    ]);
    expect(result).toMatchObject({ status: "unsolved", answer: "Nobody has no orders." });
    expect(stagesOf(model)).toEqual(["writeProgram"]);
  });

  it("asks the model about a value if only judgement decides", async () => {
    const { result, model } = await solve((question) =>
      question.stage === "look"
        ? { text: "A3" }
        : program(
            'const orders = await list_orders({ customer: "Mira" });',
            'const id = await look(orders, "Which one is the smallest? Only its id.");',
            `await ship_order({ order: id, log: "${log}" });`,
            "return `Shipped ${id}.`;",
          ),
    );
    expect(stagesOf(model)).toEqual(["writeProgram", "look"]);
    expect(model.questions[1]?.input).toMatchObject({
      question: "Which one is the smallest? Only its id.",
      value: [{ id: "A1" }, { id: "A3" }],
    });
    expect(result).toMatchObject({ status: "solved", answer: "Shipped A3." });
    expect(shipped()).toEqual(["A3"]);
  });

  it("may end without an answer, which the model then words from the results", async () => {
    const { result, model } = await solve((question) =>
      question.stage === "aggregate"
        ? { text: JSON.stringify({ result: "Shipped A2.", solved: true }) }
        : program(`await ship_order({ order: "A2", log: "${log}" });`),
    );
    expect(stagesOf(model)).toEqual(["writeProgram", "aggregate"]);
    expect(result).toMatchObject({ status: "solved", answer: "Shipped A2." });
    expect(shipped()).toEqual(["A2"]);
  });
});

describe("what a program lacks a tool for", () => {
  const request = "List the orders of a customer";
  const found = program(
    "const dollars = await euros_to_dollars({ euros: 4 });",
    "return `${dollars} $`;",
  );

  it("is searched for by the name the program uses, and the program is completed", async () => {
    const { result, model } = await solve(
      [
        program(
          "const dollars = await convert_euros_to_dollars({ amount: 4 });",
          "return `${dollars} $`;",
        ),
        found,
      ],
      { settings: { primingTopK: 1 }, request },
    );
    expect(stagesOf(model)).toEqual(["writeProgram", "writeProgram"]);
    expect(offeredAt(model, 1)).toContain("euros_to_dollars");
    expect(model.questions[1]?.input).toMatchObject({
      failed: { plan: expect.stringContaining("convert_euros_to_dollars") },
    });
    expect(result).toMatchObject({ status: "solved", answer: "8 $" });
  });

  it("is searched for in the words of need, before anything runs", async () => {
    const { result, model } = await solve(
      [
        program(
          'const orders = await list_orders({ customer: "Mira" });',
          'need("convert an amount from euros to dollars");',
          "return `${orders.length}`;",
        ),
        found,
      ],
      { settings: { primingTopK: 1 }, request },
    );
    expect(stagesOf(model)).toEqual(["writeProgram", "writeProgram"]);
    expect(result).toMatchObject({ status: "solved", answer: "8 $" });
    expect(result.calls).toHaveLength(1);
  });

  it("is named in an unsolved answer if no tool is found for it", async () => {
    const { result, model } = await solve(
      [
        program('need("paint a fence");', "return `Painted.`;"),
        program(
          'const orders = await list_orders({ customer: "Jonas" });',
          "return `His order is ${orders[0].id}.`;",
        ),
      ],
      { settings: { threshold: 0.5, maxDepth: 0 }, request: `${request}: Jonas` },
    );
    expect(stagesOf(model)).toEqual(["writeProgram", "writeProgram"]);
    expect(model.questions[1]?.input).toMatchObject({ missed: ["paint a fence"] });
    expect(result).toMatchObject({
      status: "unsolved",
      answer: "His order is A2. Not done, for lack of a tool: paint a fence.",
    });
  });
});

describe("a program for what no tool does", () => {
  it.each([
    ["a function", "await paint_fence({ colour: 1 });\nreturn `Painted.`;", /paint fence/],
    ["a need", 'need("paint a fence");\nreturn `Painted.`;', /paint a fence/],
  ])(
    "ends unsolved and names it, without a call, if it asks again for %s",
    async (_, code, named) => {
      const { result, model } = await solve(() => program(code));
      expect(stagesOf(model)).not.toContain("act");
      expect(stagesOf(model).filter((stage) => stage === "writeProgram").length).toBeLessThan(4);
      expect(result).toMatchObject({ status: "unsolved", calls: [] });
      expect(result.answer).toMatch(named);
    },
  );
});

describe("a program that does not hold", () => {
  it("is rewritten by what the check says of it, without another stage", async () => {
    const { result, model } = await solve([
      program(
        'const orders = await list_orders({ customer: "Mira", colour: "red" });',
        "return `${orders.length} orders`;",
      ),
      program(
        'const orders = await list_orders({ customer: "Mira" });',
        "return `${orders.length} orders`;",
      ),
    ]);
    expect(stagesOf(model)).toEqual(["writeProgram", "writeProgram"]);
    expect(model.questions[1]?.input).toMatchObject({
      failed: { problems: [expect.stringMatching(/^line 1: .*colour/)] },
    });
    expect(result).toMatchObject({ status: "solved", answer: "2 orders" });
  });

  it("is rewritten twice, then given up for single calls", async () => {
    const bad = program("const orders = await list_orders({ colour: 1 });", "return `${orders}`;");
    const { result, model } = await solve((question) =>
      question.stage === "act" ? { stop: "No order.", solved: false } : bad,
    );
    expect(stagesOf(model)).toEqual(["writeProgram", "writeProgram", "writeProgram", "act"]);
    expect(result.program?.left).toMatch(/it still has a fault/);
    expect(result.calls).toEqual([]);
  });

  it("is asked for once more if it calls nothing, and is not solved if it stays so", async () => {
    const idle = program("return `Mira has no orders.`;");
    const { result, model } = await solve([idle, idle]);
    expect(stagesOf(model)).toEqual(["writeProgram", "writeProgram"]);
    expect(model.questions[1]?.input).toMatchObject({
      failed: { problems: [expect.stringMatching(/calls no function/)] },
    });
    expect(result.status).toBe("unsolved");
    expect(result.answer).toMatch(/^Mira has no orders\. No tool was called/);
  });

  it("is not a program if the model writes prose: it is asked once more, then makes single calls", async () => {
    const prose = { text: "I would first look at the orders and then decide." };
    const { result, model } = await solve([prose, prose, { stop: "No order.", solved: false }]);
    expect(stagesOf(model)).toEqual(["writeProgram", "writeProgram", "act"]);
    expect(model.questions[1]?.messages.at(-1)?.text).toContain("I would first look");
    expect(model.questions[2]?.input).not.toHaveProperty("plan");
    expect(result.program?.left).toBe("no program could be read");
  });

  it("is continued call by call from where it stopped, and nothing is done twice", async () => {
    const { result, model } = await solve([
      program(
        'for (const order of await list_orders({ customer: "Mira" })) {',
        `  await ship_order({ order: order.id, log: "${log}" });`,
        "}",
        'const weight = await weigh_order({ order: "A1" });',
        "return `Shipped; it weighs ${weight}.`;",
      ),
      { calls: [{ name: "ship_order", args: { order: "A1", log } }] },
      { stop: "Shipped both; nothing is known of the weight.", solved: false },
    ]);
    expect(result.status).toBe("unsolved");
    expect(shipped()).toEqual(["A1", "A3"]);
    expect(stagesOf(model)).toEqual(["writeProgram", "act", "act"]);
    expect(model.questions[1]?.input).toMatchObject({
      plan: {
        left: expect.stringMatching(/line 4.*weigh_order/),
        code: expect.stringContaining("ship_order"),
      },
    });
    expect(model.questions[2]?.messages.at(-1)?.text).toMatch(
      /already called .* gave "shipped A1"/,
    );
  });

  it("stops with the value before any write if a result is not what its tool declares", async () => {
    const { result } = await solve([
      program(
        'const days = await days_until_arrival({ order: "A1" });',
        `if (days !== 3) await ship_order({ order: "A1", log: "${log}" });`,
        "return `${days} days`;",
      ),
      { stop: "It arrives soon." },
    ]);
    expect(result.program?.left).toMatch(/should be a number, and is.*soon, A1/);
    expect(existsSync(log)).toBe(false);
  });
});

describe("the answer of a program", () => {
  const orders = 'const orders = await list_orders({ customer: "Mira" });';

  const ENDS = [
    ["a guess", "return `There are ${orders.length} orders, which come to 865 €.`;"],
    ["a guess by another name", "const all = 865;\nreturn `They come to ${all} €.`;"],
    ["nothing of what was found", "return `The orders were listed.`;"],
    ["no words", "return ``;"],
  ];

  it.each(ENDS)(
    "is worded by a model that sees the results but no tools if it contains %s",
    async (_, end = "") => {
      const { result, model } = await solve([program(orders, end), worded("A1 and A3.")]);
      expect(result).toMatchObject({ status: "solved", answer: "A1 and A3." });
      expect(stagesOf(model)).toEqual(["writeProgram", "aggregate"]);
      expect(model.questions[1]?.messages.map(({ text }) => text).join()).toContain('"A1"');
      expect(model.questions[1]?.input).toMatchObject({ task: REQUEST });
      expect(model.questions[1]?.tools).toEqual([]);
      expect(result.calls).toHaveLength(1);
    },
  );
});

describe("a program beyond its bounds", () => {
  it("stops before its first write, and says what it would need", async () => {
    const many = program(
      'const orders = await list_orders({ customer: "Mira" });',
      `for (const time of ${JSON.stringify(Array.from({ length: 101 }, (_, at) => at))}) {`,
      `  for (const order of orders) await ship_order({ order: \`\${order.id}-\${time}\`, log: "${log}" });`,
      "}",
      "return `Shipped them.`;",
    );
    const { result } = await solve([many]);
    expect(result.status).toBe("limit");
    expect(result.answer).toMatch(/203 .*ship_order 202 ×.*Nothing was written/);
    expect(result.calls.map(({ tool }) => tool)).toEqual(["list_orders"]);
    expect(existsSync(log)).toBe(false);
  });
});

it("continues in the middle of a loop when an interrupted run is resumed", async () => {
  let broken = true;
  const run = programRun({
    script: (question) => {
      if (question.stage !== "look") return looking();
      if (!broken) return { text: "yes" };
      broken = false;
      return new Error("out of order");
    },
    request: REQUEST,
    settings: ORDERS,
  });
  await expect(run.start()).rejects.toThrow(/out of order/);
  const { state } = await run.goOn();
  expect(state).toMatchObject({ status: "solved", answer: "Shipped 2 orders." });
  expect(shipped()).toEqual(["A1", "A3"]);
  expect(state.calls).toHaveLength(3);
});

/** Ships what comes to more than so much. */
function shipping({ than = 5 } = {}): Reply {
  return program(
    'const orders = await list_orders({ customer: "Mira" });',
    `const large = orders.filter((order) => order.total > ${than});`,
    "for (const order of large) {",
    `  await ship_order({ order: order.id, log: "${log}" });`,
    "}",
    "return `Shipped ${large.length} of ${orders.length} orders.`;",
  );
}

function worded(result: string, solved = true): Reply {
  return { text: JSON.stringify({ result, solved }) };
}

/** Ships one after another, and asks before each. */
function looking(): Reply {
  return program(
    'const orders = await list_orders({ customer: "Mira" });',
    "let count = 0;",
    "for (const order of orders) {",
    '  if (look(order, "Is it heavy? yes or no") === "yes") {',
    `    await ship_order({ order: order.id, log: "${log}" });`,
    "    count += 1;",
    "  }",
    "}",
    "return `Shipped ${count} orders.`;",
  );
}

async function solve(
  script: Reply[] | ((question: Question) => Reply),
  options: { request?: string; settings?: Record<string, unknown> } = {},
) {
  const { request = REQUEST, settings = {} } = options;
  const run = programRun({ script, request, settings: { ...ORDERS, ...settings } });
  const { state } = await run.start();
  return { result: state, model: run.model };
}

function shipped(): string[] {
  return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
}

function offeredAt({ questions }: { questions: Question[] }, at: number): string[] {
  const question = questions[at];
  return question?.stage === "writeProgram" ? question.input.tools.map(({ name }) => name) : [];
}
