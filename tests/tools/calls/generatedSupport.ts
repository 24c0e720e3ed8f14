import { definitionHash } from "../../../tools/library/records/hash.js";
import type { GeneratedTool, ToolRecord } from "../../../tools/tool.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";

/** A tool as a model writes it; parameters are what its properties say, all of them optional. */
export function generatedTool(
  id: string,
  {
    program,
    properties = {},
    calls = [],
    rest = false,
    ...tool
  }: {
    program: string;
    properties?: Record<string, JsonSchema>;
    calls?: string[];
    rest?: boolean;
  } & Partial<Pick<GeneratedTool, "effects" | "cost" | "timeoutMs">>,
): GeneratedTool {
  return {
    id,
    name: id,
    description: id,
    parameters: { type: "object", properties, required: [], additionalProperties: false },
    source: {
      kind: "generated",
      file: "generated",
      code: `export ${program}`,
      program,
      exportName: id,
      parameterNames: Object.keys(properties),
      calls,
      checks: [],
      ...(rest ? { rest } : {}),
    },
    effects: "read",
    ...tool,
  };
}

/** The same as the library keeps it. */
export function recordOf(tool: GeneratedTool): ToolRecord {
  return { ...tool, version: 1, hash: definitionHash(tool) };
}
