import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { GraphId } from "../../graphs/index.js";
import { importTools } from "../../home/libraries.js";
import { closeWorkspaces, openWorkspace } from "../../home/workspace.js";
import type { ReviewRequest } from "../../nodes/policy/askDecisions.js";
import type { Reply } from "../fakes/scriptedModel.js";
import { TEST_LIBRARY } from "../fakes/testLibrary.js";
import { program, programRun } from "./tulipRuns.js";

const folder = mkdtempSync(join(tmpdir(), "tulipgraph-changed-"));
afterAll(async () => {
  await closeWorkspaces();
  rmSync(folder, { recursive: true });
});

/** How the writing tool is defined. */
interface Shape {
  description?: string;
  effects?: string;
  parameter?: string;
  returns?: string;
  name?: string;
}

/** What may happen to the tool that a person was asked about. */
const CHANGES: Record<string, Shape> = {
  "its description changes": { description: "Ship an order, and bill it twice" },
  "it takes another parameter": { parameter: ", gift = false" },
  "it is said to only read": { effects: "read" },
  "it returns something else": { returns: "number" },
  "it is gone": { name: "send_order" },
};

/** A library with a tool that writes lines, and waits with the first one until a gate is open. */
function newShop() {
  const name = `shop${crypto.randomUUID().slice(0, 8)}`;
  const [orders, log, gate] = ["orders", "log", "gate"].map((file) => join(folder, name + file));
  const file = join(folder, `${name}.ts`);
  const settings = { ...TEST_LIBRARY, library: name, threshold: 0 };
  const put = async (shape: Shape) => {
    writeFileSync(file, toolsOf({ shape, orders, log, gate }));
    await importTools({ store: openWorkspace().store, settings, file });
  };
  const open = (ids: string[]) => writeFileSync(String(orders), JSON.stringify(ids));
  open(["A1", "A3"]);
  return {
    put,
    open,
    settings,
    openGate: () => writeFileSync(String(gate), ""),
    /** Until the first write is under way. */
    begun: async () => {
      await expect.poll(() => existsSync(`${gate}.waiting`), { timeout: 30_000 }).toBe(true);
    },
    shipped: () => (existsSync(String(log)) ? readFileSync(String(log), "utf8").split("\n") : []),
  };
}

function toolsOf(options: { shape: Shape; orders?: string; log?: string; gate?: string }): string {
  const { shape, orders, log, gate } = options;
  const { description = "Ship an order", effects = "write", parameter = "" } = shape;
  const { name = "ship_order", returns = "string" } = shape;
  const value = returns === "string" ? "order" : "1";
  return `
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * List the open orders.
 *
 * @name open_orders
 * @effects read
 */
export function openOrders(): string[] {
  return JSON.parse(readFileSync(${JSON.stringify(orders)}, "utf8"));
}

/**
 * ${description}.
 *
 * @name ${name}
 * @effects ${effects}
 */
export async function shipOrder(order: string${parameter}): Promise<${returns}> {
  writeFileSync(${JSON.stringify(`${gate}.waiting`)}, "");
  while (!existsSync(${JSON.stringify(gate)})) await sleep(20);
  appendFileSync(${JSON.stringify(log)}, order + "\\n");
  return ${value};
}
`;
}

const SHIPPING = program(
  "const orders = await open_orders();",
  "for (const order of orders) await ship_order({ order });",
  "return `Shipped ${orders.length}.`;",
);

const ship = (order: string): Reply => ({ calls: [{ name: "ship_order", args: { order } }] });

/** Ways to run, and what the model says in each. */
const WAYS: { graph: GraphId; approval: string; script: Reply[] }[] = [
  { graph: "tulip", approval: "plan", script: [SHIPPING, { stop: "Not all.", solved: false }] },
  { graph: "tulip", approval: "writes", script: [SHIPPING, { stop: "Not all.", solved: false }] },
  ...(["naive_tool", "react"] as const).map((graph) => ({
    graph,
    approval: "writes",
    script: [ship("A1"), ship("A3"), { stop: "Done." }],
  })),
];

type Way = (typeof WAYS)[number];

async function waitingRun({ graph, approval, script }: Way) {
  const shop = newShop();
  await shop.put({});
  const run = programRun({
    graph,
    script,
    request: "Ship the open orders",
    settings: { ...shop.settings, approval },
  });
  const { waiting } = await run.start();
  expect(waiting).toMatchObject({ actionRequests: [{ args: { order: "A1" } }, ...other(waiting)] });
  return { shop, run };
}

function other(waiting: unknown) {
  return (waiting as ReviewRequest).actionRequests.slice(1);
}

const cases = WAYS.flatMap((way) =>
  Object.entries(CHANGES).map(([what, shape]) => ({ ...way, what, shape })),
);

describe("a tool that a person was asked about", () => {
  it.each(cases)("in $graph, approval $approval: is asked about again if $what", async (one) => {
    const { shop, run } = await waitingRun(one);
    shop.openGate();
    await shop.put(one.shape);
    const { waiting } = await run.decideAll({ type: "approve" });
    expect(shop.shipped()).toEqual([]);
    // There is nothing left that could be asked about: what the program would do is for the model to say anew.
    if (one.shape.name || (one.shape.effects && one.approval === "plan")) return;
    expect((waiting as ReviewRequest).problem).toMatch(/has changed/);
    const { waiting: next } = await run.decideAll({ type: "reject", message: "Not like this." });
    expect(shop.shipped()).not.toContain("A1");
    expect(Object(next).problem ?? "").toBe("");
  });
});

describe("the next write", () => {
  // Where each call is asked about by itself, one that is said to only read was never shown as a write.
  it.each(cases.filter(({ shape, approval }) => !shape.effects || approval === "plan"))(
    "in $graph, approval $approval: is asked about again if $what while the first is made",
    async (one) => {
      const { shop, run } = await waitingRun(one);
      const deciding = run.decideAll({ type: "approve" });
      await shop.begun();
      await shop.put(one.shape);
      shop.openGate();
      const { waiting } = await deciding;
      expect(shop.shipped()).toEqual(["A1", ""]);
      // A program whose results are not what its tools declare by now is left.
      if (one.shape.name || (one.shape.returns && one.graph === "tulip")) return;
      expect(waiting).toMatchObject({ actionRequests: [{ args: { order: "A3" } }] });
    },
  );
});

describe("what a program would write", () => {
  it.each(["plan", "writes"])(
    "with approval %s: is asked about again if somebody else has edited the program",
    async (approval) => {
      const [first] = WAYS;
      if (!first) throw new Error("there is a way");
      const { shop, run } = await waitingRun({ ...first, approval });
      shop.openGate();
      await run.edit((state) => ({
        program: state.program && {
          ...state.program,
          code: state.program.code.replace("const order of orders", 'const order of ["A9"]'),
        },
      }));
      const { waiting } = await run.decide({ type: "approve" });
      expect(shop.shipped()).toEqual([]);
      expect(waiting).toMatchObject({ actionRequests: [{ args: { order: "A9" } }] });
    },
  );

  it("is what was shown, even if the tool that was read says something else by now", async () => {
    const [, way] = WAYS;
    if (!way) throw new Error("there is a way");
    const { shop, run } = await waitingRun(way);
    shop.openGate();
    shop.open(["B1", "B2"]);
    const { waiting } = await run.decideAll({ type: "approve" });
    expect(shop.shipped()).toEqual(["A1", ""]);
    expect(waiting).toMatchObject({ actionRequests: [{ args: { order: "A3" } }] });
  });

  it("is asked about again if a read between two writes says something else by now", async () => {
    const script = [
      program(
        'await ship_order({ order: "A1" });',
        "const [order] = await open_orders();",
        "await ship_order({ order });",
        "return `Shipped two.`;",
      ),
    ];
    const { shop, run } = await waitingRun({ graph: "tulip", approval: "plan", script });
    shop.openGate();
    shop.open(["B1"]);
    const { waiting } = await run.decideAll({ type: "approve" });
    expect(shop.shipped()).toEqual(["A1", ""]);
    expect(waiting).toMatchObject({ actionRequests: [{ args: { order: "B1" } }] });
  });
});
