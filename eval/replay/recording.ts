import { z } from "zod";
import { usageSchema } from "../../state/state.js";
import { canonicalJson } from "../../tools/library/records/hash.js";
import type { ToolDefinition } from "../../tools/tool.js";

/** Parameters that have another name now, by tool: the old name and the new one. */
export type RenamedParameters = Record<string, { from: string; to: string }>;

type Tool = Pick<ToolDefinition, "id" | "parameters">;

const recordedCallSchema = z.object({
  id: z.string(),
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  effects: z.enum(["read", "write"]),
  /** Absent if the tool returned nothing or the call failed. */
  result: z.unknown().optional(),
  error: z.string().optional(),
  ms: z.number(),
  cost: z.number(),
  /** A tool or a saved plan made it, not the model. */
  nested: z.boolean().optional(),
});
export type RecordedCall = z.infer<typeof recordedCallSchema>;

/** What a person was asked about one action, and what the person decided. */
const recordedDecisionSchema = z.object({
  name: z.string(),
  args: z.record(z.string(), z.unknown()),
  type: z.enum(["approve", "edit", "reject"]),
  /** The arguments that the person gave instead. */
  instead: z.record(z.string(), z.unknown()).optional(),
  message: z.string().optional(),
});
export type RecordedDecision = z.infer<typeof recordedDecisionSchema>;

/** A run of a thread as it was: what is needed to make it again without calling a tool, and to compare the two. */
export const recordingSchema = z.object({
  thread: z.string(),
  graph: z.string(),
  /** ISO 8601. */
  endedAt: z.string(),
  /** All that the user gave, and the model, the embeddings and the background as they were. */
  settings: z.record(z.string(), z.unknown()),
  /** The earlier runs of the thread, oldest first. */
  earlier: z.array(z.object({ request: z.string(), answer: z.string() })),
  /** In the order in which they began. */
  calls: z.array(recordedCallSchema),
  decisions: z.array(recordedDecisionSchema),
  status: z.string(),
  answer: z.string(),
  usage: usageSchema,
});
export type Recording = z.infer<typeof recordingSchema>;

/** The calls of the run itself, without those that its tools made. */
export function ownCalls({ calls }: Pick<Recording, "calls">): RecordedCall[] {
  return calls.filter(({ nested }) => !nested);
}

/** Whether a call was made by another call of the same thread: its id begins with that of its caller. */
export function isNested(id: string, calls: readonly { callId: string }[]): boolean {
  return calls.some(({ callId }) => id.startsWith(`${callId}/`));
}

/**
 * What has only been renamed between two libraries: a tool lacks one parameter and has one more, and the two take the same.
 * Where more has changed, nobody can say which parameter is which.
 */
export function renamedParameters(then: readonly Tool[], now: readonly Tool[]): RenamedParameters {
  const before = new Map(then.map(({ id, parameters }) => [id, parameters.properties]));
  const renamed = now.flatMap(({ id, parameters: { properties } }) => {
    const old = before.get(id) ?? properties;
    const [from, ...moreFrom] = Object.keys(old).filter((name) => !(name in properties));
    const [to, ...moreTo] = Object.keys(properties).filter((name) => !(name in old));
    if (from === undefined || to === undefined || moreFrom.length + moreTo.length > 0) return [];
    return takes(old[from]) === takes(properties[to]) ? [[id, { from, to }] as const] : [];
  });
  return Object.fromEntries(renamed);
}

/** A schema without its description. */
function takes(schema: object | undefined): string {
  const { description: _description, ...rest } = { description: "", ...schema };
  return canonicalJson(rest);
}

/** A recorded call with the names that its arguments have now. */
export function asNamedNow<Call extends { tool: string; args: Record<string, unknown> }>(
  call: Call,
  renamed: RenamedParameters,
): Call {
  const rename = renamed[call.tool];
  if (!rename || !(rename.from in call.args)) return call;
  const entries = Object.entries(call.args);
  const args = entries.map(([name, value]) => [name === rename.from ? rename.to : name, value]);
  return { ...call, args: Object.fromEntries(args) as Call["args"] };
}
