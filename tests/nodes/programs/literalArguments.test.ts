import { describe, expect, it } from "vitest";
import { literalIssues } from "../../../nodes/programs/checkProgram.js";
import { programOf } from "../../plans/language/programRuns.js";
import { toolRecord } from "../../tools/calls/support.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";

const text = (more: JsonSchema) => ({ type: "string", ...more });
const PROPERTIES = {
  id: text({ format: "uuid" }),
  day: text({ format: "date" }),
  at: text({ format: "date-time" }),
  mail: text({ format: "email" }),
  room: text({ pattern: "^[A-Z]-\\d+$" }),
  share: { type: "number", minimum: 0, maximum: 1 },
  days: { type: "array", items: text({ format: "date" }), maxItems: 2 },
  owner: { anyOf: [text({ format: "email" }), { type: "null" }] },
  file: text({ format: "byte" }),
  place: { type: "object", properties: { zip: text({ minLength: 5 }) } },
};

function issuesOf(code: string, more: object = {}): string[] {
  const tool = toolRecord("book", { properties: PROPERTIES, required: ["id"] });
  const parameters = { ...tool.parameters, ...more };
  const record = { ...tool, parameters, hash: JSON.stringify(parameters) };
  return literalIssues(programOf(code), new Map([["book", record]])).map(
    ({ line, problem }) => `${line} ${problem}`,
  );
}

describe("an argument that stands in the program", () => {
  it.each([
    ["id", '"17"', "uuid"],
    ["day", '"2026-02-30"', "a date such as"],
    ["at", '"tomorrow"', "a date and time such as"],
    ["mail", '"Ada"', "email"],
    ["room", '"17"', "pattern"],
    ["share", "-1", ">= 0"],
    ["share", "40", "<= 1"],
    ["days", '["2026-01-01", "today"]', "days[1]"],
    ["owner", '"nobody"', "email or null"],
    ["place", '{ zip: "12" }', "place.zip"],
  ])("is an issue where it breaks its schema: %s %s", (name, value, told) => {
    const [issue, ...others] = issuesOf(`const a = 1;\nreturn await book({ ${name}: ${value} });`);
    expect(issue).toMatch(/^2 book: `/);
    expect(issue).toContain(told);
    expect(others).toEqual([]);
  });

  it.each([
    ["fits", '{ id: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", owner: null, share: 0.5 }'],
    [
      "is only known once the program runs",
      "{ day: today, mail: who.mail, room: `A-${1 + 1}`, share: -who.debt }",
    ],
    ["may be replaced by another", '{ id: "17", ...who }'],
    ["is made to fit", '{ share: "0.5", days: "2026-01-01" }'],
    [
      "names a file",
      '{ file: "received/00112233445566778899aabbccddeeff.png", room: "received/00112233445566778899aabbccddeeff.png" }',
    ],
  ])("is none if it %s", (_, args) => {
    expect(issuesOf(`const who = await find({});\nreturn await book(${args});`)).toEqual([]);
  });

  it("is none if another argument decides about it", () => {
    const strict = { properties: { id: { minLength: 50 } } };
    const more = { if: { required: ["share"] }, else: strict };
    const code = 'return await book({ id: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", share: who });';
    expect(issuesOf(`const who = await find({});\n${code}`, more)).toEqual([]);
  });
});
