import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { importsLangChain, readLangChainTools } from "../../../tools/sources/langChainTools.js";
import { type SourceReading, nameInSource } from "../../../tools/tool.js";
import { fixture, withFiles } from "./support.js";

const file = fixture("langchain.ts");

/** Enough time to start a thread and import a module, however busy the machine. */
const PATIENT_MS = 100_000;

/** An object that looks like a LangChain tool, without the package. */
const lookAlike = (fields: string): string =>
  `{ invoke() {}, name: "look", description: "Looks.", schema: { type: "object", properties: {} }, ${fields} }`;

async function readModule(
  text: string,
  { name = "tools.mts", timeoutMs = PATIENT_MS }: { name?: string; timeoutMs?: number } = {},
): Promise<SourceReading> {
  return await withFiles({ [name]: text }, (folder) =>
    readLangChainTools({ file: join(folder, name), timeoutMs }),
  );
}

describe("LangChain tools", () => {
  it("are read with their schemas, made by Zod 4, by Zod 3 and as JSON Schema.", async () => {
    const { tools, problems } = await readLangChainTools({ file, timeoutMs: PATIENT_MS });
    expect(problems).toEqual([]);
    expect(tools.map(({ name }) => name)).toEqual(["by_json", "by_text", "older", "get_weather"]);
    const [byJson, , older, weather] = tools;
    expect(byJson?.parameters).toMatchObject({ properties: { q: { type: "string" } } });
    expect(older).toMatchObject({
      parameters: { properties: { b: { type: "string", default: "x" } }, required: ["a"] },
      effects: "write",
    });
    expect(weather).toEqual({
      id: "get_weather",
      name: "get_weather",
      description: "The weather of a city.",
      parameters: {
        type: "object",
        properties: {
          city: { type: "string", description: "name of the city" },
          days: {
            type: "integer",
            minimum: Number.MIN_SAFE_INTEGER,
            maximum: Number.MAX_SAFE_INTEGER,
            default: 3,
          },
          unit: { type: "string", enum: ["celsius", "fahrenheit"] },
        },
        required: ["city"],
        additionalProperties: false,
      },
      source: { kind: "langchain", file, exportName: "weather" },
      effects: "read",
      cost: 2,
      timeoutMs: 500,
      approval: true,
    });
  });

  it("are recognised by their fields, even in a CommonJS file.", async () => {
    const files = {
      "package.json": `{ "type": "commonjs" }`,
      "tools.ts": `export const look: object = ${lookAlike("")}; export const none = { name: "x" };`,
    };
    await withFiles(files, async (folder) => {
      const { tools, problems } = await readLangChainTools({
        file: join(folder, "tools.ts"),
        timeoutMs: PATIENT_MS,
      });
      expect(problems).toEqual([]);
      expect(tools.map(nameInSource)).toEqual(["look"]);
    });
  });

  it("say in their metadata what a call has done.", async () => {
    const look = lookAlike('metadata: { deed: "Looked at {place}" }');
    const { tools } = await readModule(`export const look = ${look};`);
    expect(tools).toMatchObject([{ name: "look", deed: "Looked at {place}" }]);
  });

  describe("with fields that no tool may have", () => {
    const WRONG = [
      [
        'metadata: { effects: "none" }',
        'has metadata.effects "none"; it must be "read" or "write"',
      ],
      [
        "metadata: { cost: -1 }",
        "has metadata.cost -1; it must be a number of budget units, 0 or more",
      ],
      [
        "metadata: { timeoutMs: 0 }",
        "has metadata.timeoutMs 0; it must be a number of milliseconds",
      ],
      ['metadata: { approval: "yes" }', 'has metadata.approval "yes"; it must be true or false'],
      ['metadata: { deed: "" }', 'has metadata.deed ""; it must be a sentence of at most 200'],
      ['description: " "', "has no description; give tool() one"],
      ['schema: { type: "string" }', "takes no object"],
    ] as const;
    let reading: SourceReading;
    beforeAll(async () => {
      const exports = WRONG.map(([fields], at) => `export const look${at} = ${lookAlike(fields)};`);
      reading = await readModule(exports.join("\n"));
    });

    it.each(WRONG.map(([fields, said], at) => ({ fields, said, at })))(
      "such as $fields are a problem of the export",
      ({ said, at }) => {
        expect(reading.tools).toEqual([]);
        expect(reading.problems).toHaveLength(WRONG.length);
        expect(reading.problems[at]).toMatchObject({ exportName: `look${at}` });
        expect(reading.problems[at]?.problem).toContain(`tool "look" ${said}`);
      },
    );
  });

  it("with a schema that JSON cannot express are reported, and the others load.", async () => {
    const zod = import.meta.resolve("zod");
    const { tools, problems } = await readModule(
      `import { z } from ${JSON.stringify(zod)};
       export const bad = ${lookAlike("schema: z.object({ at: z.date() })")};
       export const good = ${lookAlike("name: 'good'")};`,
    );
    expect(tools.map(({ name }) => name)).toEqual(["good"]);
    expect(problems).toMatchObject([{ exportName: "bad" }]);
    expect(problems[0]?.problem).toContain("has a schema that JSON cannot express: ");
  });
});

describe("A module that cannot be imported", () => {
  it.each([
    ["throws", `throw new Error("no\\nkey");`, "Error: no"],
    ["ends the process", `process.exit(3);`, "exit code 3"],
    [
      "imports what is not there",
      `import "absent-package";`,
      "Cannot find package 'absent-package'",
    ],
  ])("because it %s gives a problem in one line.", async (_how, text, said) => {
    const { tools, problems } = await readModule(text);
    expect(tools).toEqual([]);
    expect(problems).toMatchObject([{ line: 1, exportName: "*" }]);
    expect(problems[0]?.problem).toContain(
      "the tools that it makes when it runs could not be read: ",
    );
    expect(problems[0]?.problem).toContain(said);
    expect(problems[0]?.problem).not.toContain("\n");
  });

  it.each([
    ["an endless loop", `for (;;);`],
    ["a promise without an end", `await new Promise(() => setInterval(() => {}, 1000));`],
  ])("because of %s is given up after its time.", async (_how, text) => {
    const { tools, problems } = await readModule(text, { timeoutMs: 1500 });
    expect(tools).toEqual([]);
    expect(problems[0]?.problem).toContain("did not end within 1.5 s");
  });
});

describe("A file is worth importing", () => {
  it.each([
    [`import { tool } from "@langchain/core/tools";`, true],
    [`import {\n  tool,\n} from 'langchain';`, true],
    [`import { Calculator } from "@langchain/community/tools/calculator";`, true],
    [`export { search } from "langchain/tools";`, true],
    [`import type { StructuredTool } from "@langchain/core/tools";`, false],
    [`import { HumanMessage } from "@langchain/core/messages";`, true],
    [`import { helper } from "./langchain";`, false],
    [`export const a = 1;`, false],
  ])("when it has %j: %s.", async (text, expected) => {
    await withFiles({ "tools.ts": text }, (folder) => {
      expect(importsLangChain([join(folder, "tools.ts")])).toBe(expected);
    });
  });
});
