import { describe, expect, it } from "vitest";
import { withParameters } from "../../../plans/program/saved/withParameters.js";
import type { ParametersSchema } from "../../../tools/tool.js";

const parameters: ParametersSchema = {
  type: "object",
  properties: {
    name: { type: "string", description: "Of a person." },
    days: { type: "integer", minimum: 1, default: 7 },
    tags: { type: "array", items: { enum: ["new", "old"] } },
    filter: { type: "object", properties: { since: { type: "string", format: "date" } } },
  },
};

const functions = new Map([["list", { parameters }]]);

function parametrized(code: string, ...wanted: string[]) {
  return withParameters({
    code,
    functions,
    wanted: wanted.map((text) => {
      const [name = "", ...value] = text.split("=");
      return { name, value: value.join("=") };
    }),
  });
}

describe("parameters instead of literals", () => {
  it("have the schema of the argument they go into, however deep or through a constant", () => {
    const code = [
      'const who = "Mira";',
      'const found = await list({ name: who, days: 30, tags: ["new"], filter: { since: "2026-01-30" } });',
      "return `${found.length} found`;",
    ].join("\n");
    expect(parametrized(code, "person=Mira", "age=30", "tag=new", "day=2026-01-30")).toEqual({
      code: code
        .replace('"Mira"', "person")
        .replace("days: 30", "days: age")
        .replace('"new"', "tag")
        .replace('"2026-01-30"', "day"),
      properties: {
        person: { type: "string", description: "Of a person." },
        age: { type: "integer", minimum: 1, description: "For example 30" },
        tag: { enum: ["new", "old"], description: 'For example "new"' },
        day: { type: "string", format: "date", description: 'For example "2026-01-30"' },
      },
      values: { person: "Mira", age: 30, tag: "new", day: "2026-01-30" },
    });
  });

  it("have the type of the literal if it goes into no argument", () => {
    const code = "const few = [1, 2].filter((n) => n > -5);\nreturn `${few.length}, ${true}`;";
    expect(parametrized(code, "least=-5", "all=[1,2]", "sure=true")).toMatchObject({
      code: "const few = all.filter((n) => n > least);\nreturn `${few.length}, ${sure}`;",
      properties: {
        least: { type: "number" },
        all: { type: "array", items: { type: "number" } },
        sure: { type: "boolean" },
      },
    });
  });

  it("replace the value in texts where it is a separate word, and nowhere else", () => {
    const code = [
      'const found = await list({ name: "Mira", days: 30 });',
      "const note = 'Of Mira ${x} `y`, 30 days';",
      "return `Mira's 30: ${found.length} of Miranda, 130, 30.5, 2026-01-30, ${note} Mira`;",
    ].join("\n");
    expect(parametrized(code, "who=Mira", "days=30")).toMatchObject({
      code: [
        "const found = await list({ name: who, days: days });",
        "const note = `Of ${who} \\${x} \\`y\\`, ${days} days`;",
        "return `${who}'s ${days}: ${found.length} of Miranda, 130, 30.5, 2026-01-30, ${note} ${who}`;",
      ].join("\n"),
    });
  });

  it("replace a constant of their name, and keep the lines", () => {
    const code = "const days = 30;\nreturn `${days} days, ${days > 30}`;";
    expect(parametrized(code, "days=30@1")).toMatchObject({
      code: "\nreturn `${days} days, ${days > 30}`;",
    });
  });

  it("are no names of fields", () => {
    const code = 'const found = await list({ name: "name" });\nreturn `${found["name"]}`;';
    expect(parametrized(code, "who=name")).toMatchObject({
      code: 'const found = await list({ name: who });\nreturn `${found["name"]}`;',
    });
  });

  it.each([
    [
      "a number and a text alike",
      'await list({ days: 30 });\nreturn "30";',
      "x=30",
      /30 is 30 on line 1 and "30" on line 2: say which with x=30@1/,
    ],
    [
      "arguments of different types",
      'await list({ name: "new", tags: ["new"] });\nreturn "x";',
      "x=new",
      /list.name on line 1 and list.tags on line 1, which are of different types/,
    ],
    [
      "a name of a variable",
      "let days = 30;\ndays += 1;\nreturn `${days}`;",
      "days=30",
      /of its own/,
    ],
    [
      "a line without it",
      "const a = 1;\nreturn `${a}`;",
      "x=1@2",
      /no literal of the program is 1@2/,
    ],
    ["a name of the host's", "return `${30}`;", "__proto__=30", /no name for a parameter/],
  ])("are refused for %s", (_why, code, wanted, problem) => {
    expect(parametrized(code, wanted)).toEqual({ problem: expect.stringMatching(problem) });
  });
});
