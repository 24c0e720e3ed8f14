import { canonicalJson } from "../../tools/library/records/hash.js";
import type { ToolDefinition } from "../../tools/tool.js";

/** Parameters that have another name now, by tool: the old name and the new one. */
export type RenamedParameters = Record<string, { from: string; to: string }>;

type Tool = Pick<ToolDefinition, "id" | "parameters">;

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
