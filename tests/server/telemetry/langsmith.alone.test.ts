import { expect, it, vi } from "vitest";
import { allGraphs } from "../../../graphs/index.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import { ORDERS, useOrders } from "../../graphs/orders.js";
import { program } from "../../graphs/tulipRuns.js";
import { startCollector } from "./collector.js";

const { tulip } = await allGraphs();
useOrders();

// LangSmith's client reads its variables only once in a process, so there is only one test.
it("runs reach LangSmith with its usual variables, without keys, and without contents if these are to be hidden", async () => {
  const { url, received } = await startCollector();
  const key = "lsv2_pt_0123456789abcdef0123456789abcdef_0123456789";
  vi.stubEnv("OPENAI_API_KEY", "sk-proj-a1b2c3d4e5f6g7h8i9j0");
  vi.stubEnv("SHOP_PASSWORD", "pass-word-1");
  vi.stubEnv("LANGSMITH_TRACING", "true");
  vi.stubEnv("LANGSMITH_ENDPOINT", url);
  vi.stubEnv("LANGSMITH_API_KEY", key);
  vi.stubEnv("LANGSMITH_PROJECT", "shop");
  vi.stubEnv("LANGSMITH_HIDE_INPUTS", "true");
  vi.stubEnv("LANGSMITH_HIDE_OUTPUTS", "true");

  const script = [
    program(
      'const orders = await list_orders({ customer: "Mira" });',
      "return `${orders.length}`;",
    ),
  ];
  const context = { ...ORDERS, model: scriptedModel(script).spec };
  await tulip.graph.invoke({ request: "How many orders has Mira?" }, { context });
  const runs = () => received.filter(({ path }) => path.startsWith("/runs"));
  const sent = () =>
    runs()
      .map(({ body }) => body)
      .join("\n");
  // Runs are sent in batches, in the background.
  await vi.waitFor(
    () => {
      for (const name of ["writeProgram", "list_orders", "respond", "shop"])
        expect(sent()).toContain(name);
    },
    { timeout: 60_000 },
  );
  expect(runs()[0]?.headers["x-api-key"]).toBe(key);
  for (const secret of ["a1b2c3d4e5", "pass-word-1", key]) expect(sent()).not.toContain(secret);
  expect(sent()).not.toContain("Mira");
});
