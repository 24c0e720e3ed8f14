import { expect, it } from "vitest";
import { partsOf } from "../../../server/page/program/origins.js";
import type { ShownCall } from "../../../server/page/routes/watchedRun.js";

/** The parts of an answer that point at the call which gave a result. */
function linked(answer: string, result: unknown): string[] {
  const call = { id: "call", tool: "t", args: {}, result } as unknown as ShownCall;
  return partsOf(answer, [call]).flatMap(({ text, call: origin }) => (origin ? text : []));
}

it.each([
  ["Ada and Adam met Ada.", "Ada", ["Ada", "Ada"]],
  ["The stand, and the standard and.", "and", ["and", "and"]],
  ["Moved to São Paulo, not São Paulos.", "São Paulo", ["São Paulo"]],
  ["東京都の天気です。", "東京都", ["東京都"]],
  ["a+b (c) or a+bc", "a+b (c)", ["a+b (c)"]],
  ["It has 12 items, -12.5 °C and 1,200 m.", [12, -12.5, 1200], ["12", "-12.5", "1,200"]],
  ["ISS-12, v12, 2026-12-12, 12/2026, 1.12 and b12c are no 12, but 12 is.", 12, ["12", "12"]],
  ["The 12%, then (12) and 12.", 12, ["12", "12", "12"]],
])("%s points at %j where it stands as a whole word", (answer, result, expected) => {
  const items = Array.isArray(result) ? { items: result } : result;
  expect(linked(answer, items)).toEqual(expected);
});
