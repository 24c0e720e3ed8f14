import { describe, expect, it } from "vitest";
import { readFunctions } from "../../../tools/sources/functions/functions.js";
import { type ToolSource, nameInSource } from "../../../tools/tool.js";
import { fixture, readText, toolOf } from "./support.js";

const file = fixture("signatures.ts");
const reading = readFunctions({ file });

type FunctionSource = Extract<ToolSource, { kind: "function" }>;

function callOf(exportName: string): Partial<FunctionSource> {
  const {
    kind: _kind,
    file: _file,
    exportName: _export,
    ...call
  } = toolOf(reading, exportName).source as FunctionSource;
  return call;
}

const NUMBER = { type: "number" };
const TEXT = { type: "string" };

/** The schema of an export, and how to call it. */
const SIGNATURES: [
  exportName: string,
  parameters: { properties: object; required?: string[] },
  call: object,
][] = [
  ["optional", { properties: { a: TEXT, b: NUMBER, c: TEXT }, required: ["a"] }, {}],
  [
    "defaultFirst",
    { properties: { a: { type: "number", default: 1 }, b: NUMBER }, required: ["b"] },
    {},
  ],
  [
    "destructured",
    {
      properties: {
        city: TEXT,
        days: { type: "number", default: 3 },
        units: { type: "string", enum: ["metric", "imperial"], default: "metric" },
        place: {
          type: "object",
          properties: { north: { type: "number", default: 0 }, east: NUMBER },
          required: ["east"],
          default: { east: 1 },
        },
        now: NUMBER,
      },
      required: ["city"],
    },
    {
      callStyle: "object",
    },
  ],
  [
    "interfaceOnly",
    {
      properties: { words: { type: "string", description: "The words." }, limit: NUMBER },
      required: ["words"],
    },
    { callStyle: "object" },
  ],
  [
    "destructuredSecond",
    {
      properties: {
        id: { type: "string", description: "which one" },
        options: {
          type: "object",
          properties: {
            loud: { type: "boolean", description: "whether to shout", default: false },
          },
          description: "how",
          default: {},
        },
      },
      required: ["id"],
    },
    {},
  ],
  [
    "rest",
    {
      properties: {
        first: TEXT,
        others: { type: "array", items: { type: "string", enum: ["b", "a"] } },
      },
      required: ["first"],
    },
    {
      rest: true,
    },
  ],
  ["withContext", { properties: { id: TEXT }, required: ["id"] }, { takesContext: true }],
  [
    "objectWithContext",
    { properties: { id: TEXT }, required: ["id"] },
    { callStyle: "object", takesContext: true },
  ],
  ["typed", { properties: { a: NUMBER, b: TEXT }, required: ["a"] }, {}],
];

describe("A signature", () => {
  it.each(SIGNATURES)(
    "of %s gives its whole schema and the way to call it.",
    (name, parameters, call) => {
      expect(toolOf(reading, name).parameters).toEqual({
        type: "object",
        additionalProperties: false,
        ...parameters,
      });
      expect(callOf(name)).toEqual({
        callStyle: "positional",
        parameterNames: Object.keys(parameters.properties),
        takesContext: false,
        ...call,
      });
    },
  );

  it("yields literal defaults of every form but no computed ones.", () => {
    const { properties, required } = toolOf(reading, "defaults").parameters;
    const defaults = Object.entries(properties).flatMap(([name, schema]) =>
      "default" in schema ? [[name, schema.default]] : [],
    );
    expect(Object.fromEntries(defaults)).toEqual({
      text: "x",
      negative: -1.5,
      yes: true,
      none: null,
      list: ["a", "b"],
      object: { a: 1, b: [] },
      constant: 20,
      color: "green",
      asserted: "m",
    });
    expect(properties.computed).toEqual({ type: "string", format: "date-time" });
    expect(required).toBeUndefined();
  });

  it("takes the elements of a tuple that is spread.", async () => {
    const text = `/** Goes. */ export function go(...to: [x: number, y?: number]): void { void to; }`;
    const tool = toolOf(await readText(text), "go");
    expect(tool.parameters.properties.to).toMatchObject({ minItems: 1, maxItems: 2 });
  });

  it("recognises a ToolContext whose module does not exist.", async () => {
    const text = `import type { ToolContext } from "./absent.js";
      /** Greets. */ export function greet(name: string, ctx: ToolContext<{ n: number }>): string { return name; }`;
    const { tools, problems } = await readText(text);
    expect(problems).toEqual([]);
    expect(tools[0]?.source).toMatchObject({ parameterNames: ["name"], takesContext: true });
  });
});

const RETURNS: [exportName: string, returns: object | undefined][] = [
  [
    "asynchronous",
    { type: "object", properties: { half: NUMBER, done: { type: "boolean" } }, required: ["half"] },
  ],
  [
    "inferred",
    {
      type: "object",
      properties: { double: NUMBER, at: { type: "string", format: "date-time" } },
      required: ["double", "at"],
    },
  ],
  ["givesFunction", undefined],
  ["givesMap", undefined],
  [
    "givesList",
    {
      type: "array",
      items: { type: "string", enum: ["long", "short"] },
      description: "the parts, in order",
    },
  ],
  ["guard", { type: "boolean" }],
  ["interfaceOnly", {}],
];

describe("The result of a function", () => {
  it.each(RETURNS)("is read for %s.", (name, returns) => {
    expect(toolOf(reading, name).returns).toEqual(returns);
  });
});

describe("An export", () => {
  it("that is not a function is left out without a problem.", () => {
    expect(reading.problems).toEqual([]);
    const names = reading.tools.map(nameInSource);
    expect(names).not.toContain("AlsoNotATool");
    expect(names).not.toContain("neitherATool");
    expect(names).not.toContain("NotATool");
  });

  it("by default has the name of its function.", () => {
    const tool = toolOf(reading, "default");
    expect(tool).toMatchObject({ id: "walk", name: "walk" });
    expect(tool.source).toMatchObject({ file, exportName: "default" });
  });

  it("can be called as its source says.", async () => {
    const tool = toolOf(reading, "rest");
    const module = (await import(tool.source.file)) as Record<
      string,
      (...args: string[]) => unknown
    >;
    expect(module[nameInSource(tool)]?.("x", "a", "b")).toBe("x a b");
  });

  it("that is exported by name and by default is one tool.", async () => {
    const text = `/** Adds. */ export function add(a: number): number { return a; }\nexport default add;`;
    const { tools, problems } = await readText(text);
    expect(problems).toEqual([]);
    expect(tools.map(nameInSource)).toEqual(["add"]);
  });

  it("is in source order.", async () => {
    const text = `/** One. */ export const one = (): number => 1;
      /** Two. */ export function two(): number { return 2; }
      /** Three. */ export default function three(): number { return 3; }
      /** Four. */ export const four = (): number => 4;`;
    const { tools } = await readText(text);
    expect(tools.map((tool) => tool.name)).toEqual(["one", "two", "three", "four"]);
  });
});
