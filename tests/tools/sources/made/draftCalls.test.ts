import { describe, expect, it } from "vitest";
import { problemsOf, record, toolOf } from "./support.js";

const VISIT = `/**
 * Goes to places and counts what is there.
 * @param places Names of the places, in order.
 * @returns the sum of the counts
 * @calls look, goto
 * @example await visit(["a"]) => runs
 * @example await visit([]) => 0
 */
export async function visit(places: string[]): Promise<number> {
  let sum = 0;
  for (const place of places) {
    await callTool("goto", { place });
    sum += await callTool("look", { place, count: 1 });
  }
  return sum;
}`;

describe("A draft that calls tools", () => {
  const tools = [record("goto", { effects: "write" }), record("look")];

  it("lists them, is checked against their types, and counts as writing if one of them does.", () => {
    const tool = toolOf(VISIT, { tools });
    expect(tool.effects).toBe("write");
    expect(tool.source.calls).toEqual(["look", "goto"]);
    expect(tool.source.checks[0]?.expects).toEqual({ kind: "runs" });
    expect(toolOf(VISIT, { tools: [record("goto"), record("look")] }).effects).toBe("read");
  });

  it.each([
    [
      "a missing argument",
      "{ place, count: 1 }",
      "{ count: 1 }",
      "13:35",
      "Property 'place' is missing",
    ],
    [
      "a tool off the list",
      '"look"',
      '"jump"',
      "13:18",
      '@calls lists look, goto; add "@calls jump"',
    ],
    [
      "a circle",
      "@calls look, goto",
      "@calls look, goto, round",
      "5:-",
      "round calls visit itself",
    ],
  ])("is refused with %s.", (_fault, part, by, place, said) => {
    const source = { kind: "generated", calls: ["visit"] } as never;
    const all = [
      ...tools,
      record("turn", { source }),
      record("round", { source: { kind: "generated", calls: ["turn"] } as never }),
    ];
    const [problem] = problemsOf(VISIT.replace(part, by), { tools: all });
    expect(`${problem?.line}:${problem?.column ?? "-"}`).toBe(place);
    expect(problem?.problem).toContain(said);
  });
});
