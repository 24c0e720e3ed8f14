/** The kits whose tools are used as they are; the AI SDK is Vercel's. */
export const KITS = ["langchain", "ai-sdk", "mastra"] as const;
export type Kit = (typeof KITS)[number];

/** A tool made with a kit. */
export interface KitTool {
  kit: Kit;
  /** Its own name; tools of the AI SDK have none and are called by their key. */
  name?: string;
  description: string;
  /** As the kit accepts it: a Zod schema, a JSON Schema or the kit's own wrapper; undefined for no arguments. */
  schema: unknown;
  /** Like `schema`, for the result. */
  output?: unknown;
  /** Settings meant for us, and where the author writes them. */
  settings: { place: string; values: Record<string, unknown> };
  /** Absent if only its provider or a client can run it. */
  call?: (args: Record<string, unknown>, options: KitCall) => unknown;
}

/** What a call passes to the kit's function besides its arguments. */
export interface KitCall {
  callId: string;
  signal: AbortSignal;
}

/**
 * Recognises a tool by the shape of its object: a user's copy of a kit is not ours, and here none may be installed.
 *
 * @returns undefined for anything else
 */
export function kitTool(value: unknown): KitTool | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const fields = value as Record<string, unknown>;
  return langChainTool(fields) ?? mastraTool(fields) ?? aiSdkTool(fields);
}

function langChainTool(tool: Record<string, unknown>): KitTool | undefined {
  const { name, description, schema, metadata } = tool;
  if (!isFunction(tool["invoke"]) || typeof name !== "string") return undefined;
  if (typeof description !== "string" || schema === undefined) return undefined;
  return {
    kit: "langchain",
    name,
    description,
    schema,
    settings: { place: "metadata", values: recordOf(metadata) },
    call: (args, { signal }) => method(tool, "invoke")?.(args, { signal }),
  };
}

/** Marks the tools of Mastra 1, whose functions take the input as first argument and no longer as `context`. */
const MASTRA_1 = Symbol.for("mastra.core.tool.Tool");

function mastraTool(tool: Record<PropertyKey, unknown>): KitTool | undefined {
  const { id, description, inputSchema: schema, outputSchema: output, requireApproval, mcp } = tool;
  if (typeof id !== "string" || typeof description !== "string") return undefined;
  // Steps of Mastra's workflows have the same fields.
  if (!(MASTRA_1 in tool) && tool.constructor.name !== "Tool") return undefined;
  const { readOnlyHint } = recordOf(recordOf(mcp)["annotations"]);
  const values = {
    ...(readOnlyHint === true ? { effects: "read" } : {}),
    ...(requireApproval ? { approval: true } : {}),
  };
  const execute = method(tool, "execute");
  return {
    kit: "mastra",
    name: id,
    description,
    schema,
    output,
    settings: { place: "mcp.annotations", values },
    call:
      execute &&
      (async (args, { callId, signal }) => {
        const input = await parsedInput(schema, args);
        const options = { toolCallId: callId, messages: [], abortSignal: signal };
        if (MASTRA_1 in tool) return await execute(input, options);
        return await execute({ context: input, runtimeContext: new Map() }, options);
      }),
  };
}

function aiSdkTool(tool: Record<string, unknown>): KitTool | undefined {
  const { description, inputSchema, parameters, outputSchema: output, needsApproval } = tool;
  // Version 4 and older call it "parameters".
  const schema = inputSchema ?? parameters;
  const execute = method(tool, "execute");
  if (schema === undefined || (execute === undefined && typeof description !== "string"))
    return undefined;
  // Objects with an id, such as a step of a workflow, are called differently.
  if (execute !== undefined && "id" in tool) return undefined;
  const options = recordOf(recordOf(tool["providerOptions"])["tulipgraph"]);
  return {
    kit: "ai-sdk",
    description: typeof description === "string" ? description : "",
    schema,
    output,
    settings: {
      place: "providerOptions.tulipgraph",
      values: { ...(needsApproval ? { approval: true } : {}), ...options },
    },
    call:
      execute &&
      (async (args, { callId, signal }) => {
        const input = await parsedInput(schema, args);
        const given = { toolCallId: callId, messages: [], abortSignal: signal };
        return await lastValue(await execute(input, given));
      }),
  };
}

/** The schema itself; kits also accept a function that makes it when needed. */
export function madeSchema(schema: unknown): unknown {
  return isFunction(schema) && !("~standard" in schema) ? schema() : schema;
}

/** Arguments as the kit passes them to its function: with the schema's defaults and conversions. */
async function parsedInput(written: unknown, args: Record<string, unknown>): Promise<unknown> {
  const schema = recordOf(madeSchema(written));
  const standard = method(recordOf(schema["~standard"]), "validate");
  if (standard !== undefined) {
    const { issues, value } = (await standard(args)) as { issues?: unknown[]; value?: unknown };
    if (issues === undefined) return value;
    throw new Error(issues.map((issue) => String(recordOf(issue)["message"])).join("; "));
  }
  const parse = method(schema, "parseAsync");
  if (parse !== undefined) return await parse(args);
  const validate = method(schema, "validate");
  if (validate === undefined) return args;
  const checked = (await validate(args)) as { success: boolean; value?: unknown; error?: unknown };
  if (checked.success) return checked.value;
  throw checked.error;
}

/** A function of the AI SDK may yield interim results; the last one counts. */
async function lastValue(result: unknown): Promise<unknown> {
  if (typeof result !== "object" || result === null || !(Symbol.asyncIterator in result))
    return result;
  let last: unknown;
  for await (const value of result as AsyncIterable<unknown>) last = value;
  return last;
}

type AnyFunction = (...args: unknown[]) => unknown;

function method(holder: Record<string, unknown>, name: string): AnyFunction | undefined {
  const value = holder[name];
  return isFunction(value) ? value.bind(holder) : undefined;
}

function isFunction(value: unknown): value is AnyFunction {
  return typeof value === "function";
}

/** A function counts as a record, because a schema may be one. */
function recordOf(value: unknown): Record<string, unknown> {
  const isRecord = (typeof value === "object" && value !== null) || typeof value === "function";
  return isRecord ? (value as Record<string, unknown>) : {};
}
