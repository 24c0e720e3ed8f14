import { join } from "node:path";
import type { ToolDefinition } from "../../../tools/tool.js";
import { folderOf, type Lines } from "../benchmarks/support.js";

/** Three tools, and requests of two splits; the last one has no relevant tool. */
export const TOOLS = [
  { id: "add", name: "add", description: "sum of two numbers" },
  { id: "multiply", name: "multiply", description: "product of two numbers" },
  { id: "flight", name: "book_flight", description: "reserve a seat in a plane" },
];
export const QUERIES = [
  { id: "1", query: "sum of numbers", tools: ["add"], split: "math" },
  { id: "2", query: "reserve a plane seat", tools: ["flight"], split: "travel" },
  { id: "3", query: "tell a joke", tools: [], split: "math" },
];

/** Files of a retrieval set for one test. */
export function filesOf({
  tools = TOOLS,
  queries = QUERIES,
}: {
  tools?: Lines | string;
  queries?: Lines | string;
} = {}) {
  const folder = folderOf({ "tools.jsonl": tools, "queries.jsonl": queries });
  return {
    folder,
    toolsFile: join(folder, "tools.jsonl"),
    queriesFile: join(folder, "queries.jsonl"),
  };
}

/** A declared tool without a function. */
export function declared(
  id: string,
  description: string,
  properties: ToolDefinition["parameters"]["properties"] = {},
): ToolDefinition {
  return {
    id,
    name: id,
    description,
    parameters: { type: "object", properties },
    source: { kind: "declared", file: "tools.jsonl" },
    effects: "read",
  };
}
