import { describe, expect, it } from "vitest";
import { withParameters } from "../../../plans/language/saved/withParameters.js";
import type { ParametersSchema } from "../../../tools/tool.js";
import { programOf } from "./programRuns.js";

const parameters: ParametersSchema = {
  type: "object",
  properties: {
    name: { type: "string", description: "Of a person." },
    days: { type: "integer", minimum: 1, default: 7 },
    tags: { type: "array", items: { enum: ["new", "old"] } },
  },
};

function parametrized(code: string, wanted: Record<string, unknown>) {
  const parts = Object.entries(wanted).map(([name, value]) => ({ name, value }));
  return withParameters(programOf(code), new Map([["list", { parameters }]]), parts);
}

describe("parameters instead of literals", () => {
  it("have the schema of the argument they are given as, else the type of their value", () => {
    const code = [
      'const found = await list({ name: "Mira", days: 30, tags: ["new"] });',
      "const few = [1, 2].filter((n) => n > -5);",
      "return `${found.length} found, ${few.length}, ${true}`;",
    ].join("\n");
    const values = { person: "Mira", age: 30, tags: ["new"], all: [1, 2], least: -5, sure: true };
    expect(parametrized(code, values)).toEqual({
      code: code
        .replace('"Mira"', "person")
        .replace("days: 30", "days: age")
        .replace('["new"]', "tags")
        .replace("[1, 2]", "all")
        .replace("-5", "least")
        .replace("${true}", "${sure}"),
      properties: {
        person: { type: "string", description: "Of a person." },
        age: { type: "integer", minimum: 1, description: "For example 30" },
        tags: { type: "array", items: { type: "string" }, description: 'For example ["new"]' },
        all: { type: "array", items: { type: "number" }, description: "For example [1,2]" },
        least: { type: "number", description: "For example -5" },
        sure: { type: "boolean", description: "For example true" },
      },
      values,
    });
  });

  it("replace the value in texts where it is a separate word, and nowhere else", () => {
    const code = [
      'const found = await list({ name: "Mira", days: 30 });',
      "const note = 'Of Mira ${x} `y`, 30 days';",
      "return `Mira's 30: ${found.length} of Miranda, 130, 30.5, 2026-01-30, ${note} Mira`;",
    ].join("\n");
    expect(parametrized(code, { who: "Mira", days: 30 })).toMatchObject({
      code: [
        "const found = await list({ name: who, days: days });",
        "const note = `Of ${who} \\${x} \\`y\\`, ${days} days`;",
        "return `${who}'s ${days}: ${found.length} of Miranda, 130, 30.5, 2026-01-30, ${note} ${who}`;",
      ].join("\n"),
    });
  });

  it("are not names of fields, and a number is not the text of its digits", () => {
    const code = 'const found = await list({ name: "30" });\nreturn `${found["30"]}${30}`;';
    expect(parametrized(code, { who: "30" })).toMatchObject({
      code: 'const found = await list({ name: who });\nreturn `${found["30"]}${30}`;',
    });
  });

  it.each<[string, string, Record<string, unknown>, RegExp]>([
    [
      "a name of a variable",
      "let days = 30;\ndays += 1;\nreturn `${days}`;",
      { days: 30 },
      /of its own/,
    ],
    [
      "a value that is not there",
      'const a = "1";\nreturn `${a}`;',
      { x: 1 },
      /no literal of the program is 1/,
    ],
    ["a value twice", "return `${30}`;", { x: 30, y: 30 }, /two parameters stand for 30/],
    ["a name of the host's", "return `${30}`;", JSON.parse('{"__proto__": 30}'), /not a name/],
  ])("are refused for %s", (_why, code, wanted, problem) => {
    expect(parametrized(code, wanted)).toEqual({ problem: expect.stringMatching(problem) });
  });
});
