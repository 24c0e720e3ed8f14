import { expect, it } from "vitest";
import { toldTools } from "../../../nodes/policy/offeredTools.js";
import type { ToolRecord } from "../../../tools/tool.js";

const tool = (name: string, server: string) =>
  ({ id: `${server}.${name}`, name, cost: 5, source: { file: `mcp:${server}` } }) as ToolRecord;

const TOOLS = [tool("find", "hotels"), tool("book", "hotels"), tool("book", "trains")];

/** Cost of each tool that is left, by its id, after results of `hotels.find`. */
function costsAfter(...results: unknown[]): object {
  const calls = results.map((result) => ({ tool: "hotels.find", result }));
  return Object.fromEntries(toldTools(TOOLS, calls).map(({ id, cost }) => [id, cost]));
}

const AS_DECLARED = { "hotels.find": 5, "hotels.book": 5, "trains.book": 5 };

it("tools cost what the last result of their own source tells", () => {
  const costs = costsAfter({ prices: { book: 9 } }, "a hotel", { prices: { book: 7 } });
  expect(costs).toEqual({ ...AS_DECLARED, "hotels.book": 7 });
});

it("tools that a result of their source calls unavailable are gone, until it prices them again", () => {
  const { "hotels.book": _, ...others } = AS_DECLARED;
  expect(costsAfter({ unavailable: ["book"] })).toEqual(others);
  expect(costsAfter({ unavailable: ["book"] }, { prices: { book: 6 } })).toMatchObject({
    "hotels.book": 6,
  });
});

it.each([
  { prices: { book: -1 } },
  { prices: { book: "free" } },
  { prices: [7] },
  { prices: null },
  { unavailable: 3 },
  { unavailable: ["Grand Hotel"] },
])("a result that only looks like such news changes nothing: %j", (result) => {
  expect(costsAfter(result)).toEqual(AS_DECLARED);
});
