import { describe, expect, it } from "vitest";
import { checkedProgram } from "../../../nodes/programs/checkProgram.js";
import { tool } from "../../tools/library/support.js";

const taking = (...required: string[]) => ({
  type: "object" as const,
  properties: Object.fromEntries(required.map((name) => [name, { type: "string" as const }])),
  required,
});
const functionOf = (id: string, ...required: string[]) => ({
  ...tool(id, { description: id, parameters: taking(...required) }),
  version: 1,
  hash: id,
});
const FUNCTIONS = new Map(
  [
    functionOf("edit_file", "path", "edits"),
    functionOf("move_file", "source", "destination"),
    ...["a", "b", "c", "d"].map((id) => functionOf(`open_${id}`, "id")),
  ].map((one) => [one.id, one]),
);
const GROUPS = {
  list: [],
  size: FUNCTIONS.size,
  functionName: ({ id }: { id: string }) => id,
  toolNamed: () => undefined,
  namesakes: () => [],
  functionsIn: () => [],
  kinOf: () => [],
};
const problemOf = async (code: string) => {
  const { issues } = await checkedProgram({ code, functions: FUNCTIONS, groups: GROUPS });
  return issues.map(({ problem }) => problem).join("\n");
};

describe("a fault in the arguments of a call", () => {
  it("names the function that takes just these", async () => {
    expect(await problemOf('await edit_file({ source: "a", destination: "b" });')).toMatch(
      /takes no argument "source".*those of move_file\.$/,
    );
  });

  it.each([
    ["many do", 'await edit_file({ id: "a" });'],
    ["none does", 'await edit_file({ source: "a", target: "b" });'],
    [
      "its own are only of another type",
      'await move_file({ source: { a: 1 }, destination: "b" });',
    ],
  ])("names no other function where %s", async (_, code) => {
    const problem = await problemOf(code);
    expect(problem).not.toBe("");
    expect(problem).not.toContain("those of");
  });
});
