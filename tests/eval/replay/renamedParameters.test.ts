import { expect, it } from "vitest";
import { asNamedNow, renamedParameters } from "../../../eval/replay/recording.js";

/** A tool with these parameters, each with its type. */
function tool(properties: Record<string, string>) {
  const typed = Object.entries(properties).map(([name, type]) => [name, { type }] as const);
  return {
    id: "move",
    parameters: { type: "object" as const, properties: Object.fromEntries(typed) },
  };
}

const THEN = tool({ id: "number", due: "string" });

it.each([
  ["one name is gone and one is new", { id: "number", day: "string" }, { from: "due", to: "day" }],
  ["the new one takes something else", { id: "number", day: "number" }, undefined],
  ["two names have changed", { number: "number", day: "string" }, undefined],
  ["one is only new", { id: "number", due: "string", why: "string" }, undefined],
  ["one is only gone", { id: "number" }, undefined],
])("tells a renamed parameter where %s", (_what, now, renamed) => {
  expect(renamedParameters([THEN], [tool(now)])["move"]).toEqual(renamed);
});

it("gives the arguments of recorded calls their new names", () => {
  const renamed = { move: { from: "due", to: "day" } };
  const call = { tool: "move", args: { id: 2, due: "2026-11-27" } };
  expect(asNamedNow(call, renamed).args).toEqual({ id: 2, day: "2026-11-27" });
  expect(asNamedNow({ ...call, tool: "list" }, renamed).args).toEqual(call.args);
});
