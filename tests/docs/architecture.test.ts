import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { allGraphs } from "../../graphs/index.js";

const graphs = await allGraphs();

const architecture = readFileSync("docs/architecture.md", "utf8");

/** Stages that a wiring has twice, under the names of their purposes. */
const NAMED_BY_PURPOSE = ["searchPriming", "searchRequest", "planBudgetAnew"];

it("has a line for every stage that a graph has", async () => {
  const drawn = await Promise.all(
    Object.values(graphs).map(async ({ graph }) =>
      Object.keys((await graph.getGraphAsync()).nodes),
    ),
  );
  const stages = new Set(
    drawn.flat().filter((name) => !name.startsWith("__") && !NAMED_BY_PURPOSE.includes(name)),
  );
  for (const stage of stages)
    expect(architecture).toMatch(new RegExp(`^\\| \`${stage}\` +\\|`, "m"));
});
