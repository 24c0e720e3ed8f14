import type { GeneratedTool } from "../../tools/made/draft.js";
import { canonicalJson } from "../../tools/library/records/hash.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import { wordsOf } from "../../tools/library/vectors/embedding.js";
import { sameValue } from "../../tools/runtime/calls/sameValue.js";
import type { TrialRun } from "../../tools/runtime/trials/trialRun.js";
import type { JsonSchema } from "../../common/schemas/jsonSchema.js";
import type { ExampleCheck, ToolDefinition, ToolRecord } from "../../tools/tool.js";
import { runWorkspace } from "../workspace/workspace.js";

/** A tool to be made, and where it may already exist. */
interface Wanted {
  /** It passes its own examples. */
  tool: GeneratedTool;
  library: ToolLibrary;
  /** Ids of similar tools. */
  similar: readonly string[];
  /** Calls are tried on copies of this run's worlds. */
  threadId: string;
  /** Milliseconds for one call. */
  timeoutMs: number;
  signal?: AbortSignal;
}

/**
 * A library tool that takes the same arguments as a new one and passes all its examples. Similar tools are
 * tried, and those whose name differs only in capitals and separators. Tools that write are not tried, so they
 * are never found.
 */
export async function findDouble(wanted: Wanted): Promise<ToolRecord | undefined> {
  const { tool, library, similar, ...settings } = wanted;
  const trial = await runWorkspace().runtime.openTrial({ ...settings, library });
  const near = library
    .list()
    .filter((each) => similar.includes(each.id) || hasSameName(each, tool));
  for (const candidate of near) {
    if (takesTheSame(candidate, tool) && (await doesTheSame(candidate, tool, trial))) {
      return candidate;
    }
  }
  return undefined;
}

/** Whether two tools' names differ only in capitals and separators. */
export function hasSameName(
  one: Pick<ToolDefinition, "name">,
  other: Pick<ToolDefinition, "name">,
): boolean {
  return bareName(one) === bareName(other);
}

function bareName({ name }: Pick<ToolDefinition, "name">): string {
  return wordsOf(name).replaceAll(" ", "");
}

/** Whether parameters have the same types in the same order; names and descriptions may differ. */
function takesTheSame(one: ToolDefinition, other: ToolDefinition): boolean {
  const [types, otherTypes] = [one, other].map(({ parameters }) =>
    Object.values(parameters.properties).map(typeOf),
  );
  return canonicalJson(types) === canonicalJson(otherTypes);
}

/** A schema without its texts, at any depth. */
function typeOf(schema: JsonSchema): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      ["description", "default", "examples"].includes(key) ? undefined : value,
    ),
  );
}

async function doesTheSame(
  candidate: ToolRecord,
  tool: GeneratedTool,
  trial: TrialRun,
): Promise<boolean> {
  const { checks } = tool.source;
  const hasResult = checks.some(({ expects }) => expects.kind === "value");
  if (!hasResult || candidate.effects === "write" || !trial.canRun(candidate)) return false;
  for (const check of checks) {
    if (!(await holds({ check, candidate, tool, trial }))) return false;
  }
  return true;
}

async function holds(options: {
  check: ExampleCheck;
  candidate: ToolRecord;
  tool: GeneratedTool;
  trial: TrialRun;
}): Promise<boolean> {
  const { check, candidate, tool, trial } = options;
  const [names, otherNames] = [tool, candidate].map(({ parameters }) =>
    Object.keys(parameters.properties),
  );
  const args = Object.entries(check.args).map(([name, value]) => [
    otherNames?.[names?.indexOf(name) ?? -1] ?? name,
    value,
  ]);
  const given = Object.fromEntries(args) as Record<string, unknown>;
  const outcome = await trial.call({ id: "double", tool: candidate, args: given });
  const { expects } = check;
  if (expects.kind === "throws") return ["error", "invalid"].includes(outcome.status);
  return (
    expects.kind === "value" &&
    outcome.status === "done" &&
    sameValue(outcome.result, expects.value)
  );
}
