import { expect, it } from "vitest";
import { graphs } from "../../graphs/published.js";
import { UnknownName } from "../../common/errors.js";

it("does not type-check with an unknown setting, and names it when it runs", async () => {
  const { graph } = graphs.base;
  const request = "What is 2 + 3?";
  // @ts-expect-error it is topK
  const misspelt = graph.invoke({ request }, { context: { topk: 5 } });
  await expect(misspelt).rejects.toThrow(UnknownName);
});

it("streams and invokes with known settings", async () => {
  const { graph } = graphs.base;
  const context = { model: "offline:planner", maxModelCalls: 3 };
  const { status } = await graph.invoke({ request: "What is 2 + 3?" }, { context });
  expect(status).not.toBe("running");
  const nodes: string[] = [];
  for await (const update of await graph.stream(
    { request: "What is 2 + 3?" },
    { context, streamMode: "updates" },
  )) {
    nodes.push(...Object.keys(update));
  }
  expect(nodes).toContain("respond");
});
