import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSource } from "../../../tools/sources/index.js";
import { withFiles } from "./support.js";

async function read(file: string, text: string) {
  return await withFiles({ [file]: text }, (folder) => readSource({ file: join(folder, file) }));
}

const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const tool = { name: "weather", description: "The weather of a city" };

const FORMS: [whose: string, written: unknown][] = [
  ["our own", { ...tool, parameters: schema }],
  ["Anthropic's", { ...tool, input_schema: schema }],
  ["MCP's", { ...tool, inputSchema: schema, annotations: null }],
  ["OpenAI's, wrapped", { type: "function", function: { ...tool, parameters: schema } }],
  ["OpenAI's, plain", { type: "function", ...tool, parameters: schema, strict: true }],
  ["Google's", { functionDeclarations: [{ ...tool, parameters: { ...schema, type: "OBJECT" } }] }],
  ["Amazon's", { toolSpec: { ...tool, inputSchema: { json: schema } } }],
  ["Cohere's", { ...tool, parameter_definitions: { city: { type: "str", required: true } } }],
  ["a schema as a text", { ...tool, parameters: JSON.stringify(schema) }],
  [
    "Amazon's requests",
    { toolConfig: { tools: [{ toolSpec: { ...tool, inputSchema: { json: schema } } }] } },
  ],
  ["a map by name", { weather: { description: tool.description, parameters: schema } }],
  ["a namespace", { type: "namespace", name: "n", tools: [{ ...tool, parameters: schema }] }],
  ["the AI SDK's", { ...tool, inputSchema: { jsonSchema: schema } }],
  ["Pydantic AI's", { ...tool, parameters_json_schema: schema }],
  ["LangChain's arguments", { ...tool, args: { city: { type: "string", required: true } } }],
  ["a data set", { query: "x", tools: JSON.stringify([{ ...tool, parameters: schema }]) }],
  ["a data set with one", { function: JSON.stringify({ ...tool, parameters: schema }) }],
  ["BFCL's", { id: "simple_0", question: [[]], function: [{ ...tool, parameters: schema }] }],
  [
    "Llama Stack's",
    {
      tool_name: "weather",
      ...tool,
      parameters: { city: { param_type: "string", required: true } },
    },
  ],
  ["LlamaIndex's", { ...tool, fn_schema: schema }],
  ["smolagents'", { ...tool, inputs: { city: { type: "string", required: true } } }],
  [
    "ToolBench's",
    {
      tool_name: "weather",
      tool_description: tool.description,
      required_parameters: [{ name: "city", type: "STRING", default: "" }],
      optional_parameters: [],
    },
  ],
  [
    "Semantic Kernel's",
    { ...tool, parameters: [{ name: "city", type: "string", is_required: true }] },
  ],
  [
    "Amazon's agents",
    {
      functionSchema: {
        functions: [{ ...tool, parameters: { city: { type: "string", required: true } } }],
      },
    },
  ],
  [
    "a request's session",
    { session: { tools: [{ type: "function", ...tool, parameters: schema }] } },
  ],
  [
    "the AI SDK's map",
    { tools: { weather: { description: tool.description, inputSchema: schema } } },
  ],
  [
    "Amazon's with a text",
    { toolSpec: { ...tool, inputSchema: { json: JSON.stringify(schema) } } },
  ],
  ["LangChain's constructors", { lc: 1, kwargs: { ...tool, schema } }],
  ["AutoGen's", { component_type: "tool", config: { ...tool, parameters: schema } }],
  ["a schema with a name", { ...tool, ...schema }],
  [
    "API-Bank's",
    { ...tool, input_parameters: { city: { type: "str, required", required: true } } },
  ],
  [
    "ToolBench's, of several",
    {
      tool_name: "Skies",
      api_name: "weather",
      required_parameters: [{ name: "city", type: "STRING" }],
    },
  ],
  [
    "a list of texts for yes",
    {
      ...tool,
      parameters: [{ name: "city", schema_data: { type: "string" }, isRequired: "true" }],
    },
  ],
  [
    "a list of parameters",
    { ...tool, parameters: [{ name: "city", type: "str", required: true }] },
  ],
];

describe("A tool is read in the form of", () => {
  it.each(FORMS)("%s, a line each, in a list, or under `tools`", async (_whose, written) => {
    const text = JSON.stringify(written);
    for (const [file, content] of [
      ["tools.jsonl", text],
      ["tools.ndjson", `\uFEFF${text}\r\n`],
      ["tools.json", `[${text}]`],
      ["tools.json", JSON.stringify({ tools: [written] }, undefined, 2)],
      ["tools.jsonl", JSON.stringify([written], undefined, 2)],
      ["tools.json", `// Ours\n[${text}, /* the last */]`],
      ["tools.jsonl", `${text},\n`],
      ["tools.json", JSON.stringify({ jsonrpc: "2.0", id: 1, result: { tools: [written] } })],
    ] as const) {
      const { tools, problems } = await read(file, content);
      expect(problems).toEqual([]);
      expect(tools).toMatchObject([{ id: "weather", parameters: schema }]);
    }
  });
});

it("Objects over several lines may follow each other, as jq writes them.", async () => {
  const text = ["a", "b"].map((name) => JSON.stringify({ name, parameters: schema }, undefined, 2));
  for (const file of ["tools.jsonl", "tools.json"]) {
    const { tools, problems } = await read(file, `${text.join("\n")}\n`);
    expect(problems).toEqual([]);
    expect(tools).toMatchObject([
      { id: "a", parameters: schema },
      { id: "b", parameters: schema },
    ]);
  }
});

it.each([
  ["one behind the other", (a: string, b: string) => `${a}${b}`],
  ["as records", (a: string, b: string) => `\u001E${a}\n\u001E${b}\n`],
  ["between comments and rules", (a: string, b: string) => `// Ours\n${a}\n---\n# More\n${b}`],
  ["in a fence", (a: string, b: string) => `\`\`\`json\n[${a},\n${b}]\n\`\`\``],
])("Objects may stand %s.", async (_how, written) => {
  const [a = "", b = ""] = ["a", "b"].map((name) => JSON.stringify({ name, parameters: schema }));
  const { tools, problems } = await read("tools.jsonl", written(a, b));
  expect(problems).toEqual([]);
  expect(tools.map(({ id }) => id)).toEqual(["a", "b"]);
});

it.each([[[]], [""], [null]])(
  "A tool with %j for its schema takes nothing.",
  async (inputSchema) => {
    const { tools } = await read("tools.json", JSON.stringify([{ ...tool, inputSchema }]));
    expect(tools).toMatchObject([{ parameters: { type: "object", properties: {} } }]);
  },
);

it("A file may be written in UTF-16, as Windows does.", async () => {
  const text = JSON.stringify({ ...tool, description: "Größe 東京", parameters: schema });
  const bytes = Buffer.from(`\uFEFF${text}\r\n${text}\r\n`, "utf16le");
  for (const content of [bytes, Buffer.from(bytes).swap16(), bytes.subarray(2)]) {
    const { tools } = await withFiles({ "tools.jsonl": "" }, async (folder) => {
      const file = join(folder, "tools.jsonl");
      writeFileSync(file, content);
      return await readSource({ file });
    });
    expect(tools[0]).toMatchObject({ id: "weather", description: "Größe 東京" });
  }
});

it("What cannot be kept of a tool's schemas is noted, and the tool is taken.", async () => {
  const properties = { city: { type: "string", pattern: "(?i)^a" } };
  const { tools, problems, notes } = await read(
    "tools.json",
    JSON.stringify([{ ...tool, parameters: { type: "object", properties } }]),
  );
  expect(problems).toEqual([]);
  expect(tools).toHaveLength(1);
  expect(notes).toMatchObject([{ problem: expect.stringMatching(/weather.*city: pattern/) }]);
});

it.each([
  [{ openapi: "3.0.0", paths: {} }, /tools import openapi/],
  [{ mcpServers: {} }, /--config/],
  [[1], /tool 1 is not a JSON object/],
  [{ tools: [{ description: "x" }] }, /has no "name"/],
  [{ name: "shop", version: "1.0.0", description: "x" }, /has a name and no parameters/],
  [[{ type: "web_search_20250305", name: "web_search" }], /run by the provider itself/],
])("A file of something else says how to import it: %j", async (content, problem) => {
  const { tools, problems } = await read("x.json", JSON.stringify(content));
  expect(tools).toEqual([]);
  expect(problems).toMatchObject([{ problem: expect.stringMatching(problem) }]);
});

it("A declaration has the sentence of its deed, and one that is none is a problem.", async () => {
  const rows = [
    { ...tool, parameters: schema, deed: "Looked at {city}" },
    { ...tool, name: "long", parameters: schema, deed: "x".repeat(201) },
  ];
  const { tools, problems } = await read("tools.json", JSON.stringify(rows));
  expect(tools).toMatchObject([{ name: "weather", deed: "Looked at {city}" }]);
  expect(problems).toMatchObject([{ problem: expect.stringMatching(/deed.*200 characters/) }]);
});
