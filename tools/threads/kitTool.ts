/** The kits whose tools are taken as they are, by the form of their objects; the AI SDK is Vercel's. */
export const KITS = ["langchain", "ai-sdk", "mastra"] as const;
export type Kit = (typeof KITS)[number];

/** A tool made with a kit. */
export interface KitTool {
  kit: Kit;
  /** Its own name; tools of the AI SDK have none and are called by their key. */
  name?: string;
  description: string;
  /** As the kit takes it: a Zod schema, a JSON Schema or the kit's own wrapper; undefined where it takes nothing. */
  schema: unknown;
  /** Like `schema`, of what it gives. */
  output?: unknown;
  /** Settings for us, and where they stand. */
  settings: { place: string; values: Record<string, unknown> };
  /** Absent where only its provider or a client can run it. */
  call?: (args: Record<string, unknown>, options: KitCall) => unknown;
}

/** What a call tells the kit's function beside its arguments. */
export interface KitCall {
  callId: string;
  signal: AbortSignal;
}

/**
 * Recognises a tool by its public form, since a user's copy of a kit is not ours, and none may be installed here.
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

/** Marks the tools of Mastra 1, whose functions take their input first and no longer as `context`. */
const MASTRA_1 = Symbol.for("mastra.core.tool.Tool");

function mastraTool(tool: Record<PropertyKey, unknown>): KitTool | undefined {
  const { id, description, inputSchema: schema, outputSchema: output, requireApproval, mcp } = tool;
  if (typeof id !== "string" || typeof description !== "string") return undefined;
  // Steps of its workflows have the same fields.
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
  // "parameters" until version 4.
  const schema = inputSchema ?? parameters;
  const execute = method(tool, "execute");
  if (schema === undefined || (execute === undefined && typeof description !== "string"))
    return undefined;
  // Others identify themselves, such as a step of a workflow, and are called in ways of their own.
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

/** A schema itself, where a kit lets a function make it when it is needed. */
export function madeSchema(schema: unknown): unknown {
  return isFunction(schema) && !("~standard" in schema) ? schema() : schema;
}

/** Arguments as the kit hands them to its function: with the schema's defaults and conversions. */
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

/** A function of the AI SDK may give results on the way; the last one is the tool's. */
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

/** Functions have fields, too: a schema may be one. */
function recordOf(value: unknown): Record<string, unknown> {
  const isRecord = (typeof value === "object" && value !== null) || typeof value === "function";
  return isRecord ? (value as Record<string, unknown>) : {};
}
