import { expect, it, onTestFinished, vi } from "vitest";
import { newHome } from "../../fakes/homes.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import { ORDERS } from "../../graphs/orders.js";
import { servePage, shippingAll } from "../page/servedPage.js";
import { spansIn, startCollector } from "./collector.js";

it("a run on a server continues the trace of the request that started it, and counts in the metrics", async () => {
  const { url: collector, received } = await startCollector();
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", collector);
  vi.stubEnv("OTEL_BSP_SCHEDULE_DELAY", "50");
  const home = newHome();
  const server = await servePage({ home });
  onTestFinished(server.close);
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const response = await fetch(`${server.url}/runs/wait`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      traceparent: `00-${traceId}-b7ad6b7169203331-01`,
    },
    body: JSON.stringify({
      assistant_id: "tulip",
      input: { request: "Ship the orders of the customer Mira" },
      context: { ...ORDERS, model: scriptedModel([shippingAll(`${home}/log`)]).spec },
    }),
  });
  expect(await response.json()).toMatchObject({ status: "solved" });
  await vi.waitFor(
    () => {
      const names = spansIn(received).map(({ name }) => name);
      expect(names).toContain("invoke_agent tulip");
    },
    { timeout: 60_000 },
  );
  expect(new Set(spansIn(received).map((span) => span.traceId))).toEqual(new Set([traceId]));
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).toContain('tulipgraph_runs_total{graph="tulip",status="success"} 1');
  expect(metrics).toContain('{method="POST",route="/runs/wait",status="200"} 1');
});
