import { expect, it } from "vitest";
import { openExperience } from "../../memory/openExperience.js";
import { measuredPrices } from "../../state/budget/prices.js";
import { temporaryFolder } from "../eval/runs/support.js";

it("prices calls by what past ones took: a unit for each second and each 1,000 tokens read (BTP, eq. 1)", async () => {
  const experience = openExperience({ home: temporaryFolder() });
  await experience.add([past("a", 1000, 400), past("b", 3000, 800)]);
  const averages = await experience.averages({ library: "shop", tools: ["search", "order"] });
  expect(averages).toEqual(new Map([["search", { ms: 2000, resultTokens: 150 }]]));
  expect(measuredPrices({ search: 1, order: 5 }, averages)).toEqual({ search: 3.15, order: 5 });
  await experience.close();
});

function past(id: string, ms: number, letters: number) {
  return {
    id,
    library: "shop",
    query: "q",
    tool: "search",
    args: {},
    result: "x".repeat(letters),
    failed: false,
    helpful: null,
    judgedBy: "rule" as const,
    cost: 1,
    ms,
    at: 1,
  };
}
