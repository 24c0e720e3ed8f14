import { expect, it } from "vitest";
import { graphs } from "../../graphs/published.js";
import { UnknownName } from "../../common/errors.js";

it("does not type-check with a setting that there is not, and says so when it runs", async () => {
  const { graph } = graphs.base;
  const request = "What is 2 + 3?";
  // @ts-expect-error it is topK
  const misspelt = graph.invoke({ request }, { context: { topk: 5 } });
  await expect(misspelt).rejects.toThrow(UnknownName);
});

it("streams and invokes with the settings that there are", async () => {
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
