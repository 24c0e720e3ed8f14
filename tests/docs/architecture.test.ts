import { basename } from "node:path";
import { readFileSync, readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { generators } from "../../eval/generation/graphs/generators.js";
import { graphs } from "../../graphs/index.js";

const architecture = readFileSync("docs/architecture.md", "utf8");

/** Stages that a wiring has twice, under the names of their purposes. */
const NAMED_BY_PURPOSE = ["searchPriming", "searchRequest", "planBudgetAnew"];

it("draws tulip as it is wired", async () => {
  const drawing = (await graphs.tulip.graph.getGraphAsync()).drawMermaid().trim();
  expect(architecture).toContain(`\`\`\`mermaid\n${drawing}\n\`\`\``);
});

it("has a line for every stage that a graph has", async () => {
  const drawn = await Promise.all(
    [...Object.values(graphs), ...Object.values(generators)].map(async ({ graph }) =>
      Object.keys((await graph.getGraphAsync()).nodes),
    ),
  );
  const stages = new Set(
    drawn.flat().filter((name) => !name.startsWith("__") && !NAMED_BY_PURPOSE.includes(name)),
  );
  for (const stage of stages)
    expect(architecture).toMatch(new RegExp(`^\\| \`${stage}\` +\\|`, "m"));
});

it("serves in langgraph.json exactly the graphs that there are", () => {
  const served = JSON.parse(readFileSync("langgraph.json", "utf8")) as {
    graphs: Record<string, string>;
  };
  const ids = [...Object.keys(graphs), ...Object.keys(generators)];
  expect(served.graphs).toEqual(
    Object.fromEntries(
      ids.map((id) => [
        id,
        `./${id in generators ? "eval/generation/graphs" : "graphs"}/${id}.ts:graph`,
      ]),
    ),
  );
  const files = ["graphs", "eval/generation/graphs"]
    .flatMap((folder) => readdirSync(folder).map((file) => `${folder}/${file}`))
    .filter((file) => readFileSync(file, "utf8").includes("export const graph ="));
  expect(files.map((file) => basename(file, ".ts")).toSorted()).toEqual(ids.toSorted());
});
