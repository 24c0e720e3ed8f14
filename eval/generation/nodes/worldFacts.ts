import { canBeLiteral, drawLiteral, type Fact } from "../drawLiteral.js";
import { type Chance, chanceOf } from "../chance.js";
import { argumentsOf, topicsOf, topicsOfField, topicsOfResult } from "../joins.js";
import { isPlainObject } from "../../../plans/steps/references.js";
import { requiredOf } from "../../../plans/steps/schemaTypes.js";
import { runWorkspace } from "../../../nodes/workspace/workspace.js";
import type { ToolRuntime } from "../../../tools/runtime/runtime.js";
import type { TrialRun } from "../../../tools/runtime/trials.js";
import type { ToolDefinition, ToolRecord } from "../../../tools/tool.js";
import type { GenerationTools } from "./generationTools.js";

/** Calls of each tool that looks at one thing. */
const LOOKS = 3;

/**
 * The facts of a library's world: calls reading tools without required arguments, then uses their results to call those
 * with one. A library whose tools act on no world has no facts.
 *
 * @param seed decides which things are examined more closely
 */
export async function worldFacts(
  { tools, openTrial, revision }: Pick<GenerationTools, "tools" | "openTrial" | "revision">,
  seed: number,
): Promise<Fact[]> {
  const { runtime } = runWorkspace();
  const key = JSON.stringify([revision, seed]);
  const known = seen.get(runtime);
  if (known?.key === key) return known.facts;
  const trial = await openTrial();
  const facts = await lookAround(tools, trial, chanceOf(seed, "facts"));
  seen.set(runtime, { key, facts });
  return facts;
}

/** A cache: the fresh world is always the same, and examining it takes dozens of calls. */
const seen = new WeakMap<ToolRuntime, { key: string; facts: Fact[] }>();

async function lookAround(
  tools: ReadonlyMap<string, ToolRecord>,
  trial: TrialRun,
  chance: Chance,
): Promise<Fact[]> {
  const readers = [...tools.values()].filter(
    (tool) => tool.effects === "read" && trial.canRun(tool) && actsOnWorld(tool),
  );
  const found: Fact[] = [];
  const look = async (tool: ToolRecord, args: Record<string, unknown>) => {
    const { status, result } = await trial.call({ id: tool.id, tool, args });
    if (status === "done") found.push(...factsIn(tool, result));
  };
  for (const tool of readers.filter((reader) => requiredIn(reader).length === 0)) {
    await look(tool, {});
  }
  const listed = withoutDoubles(found);
  for (const tool of readers.filter((reader) => requiredIn(reader).length === 1)) {
    for (const args of argumentsFor(tool, listed, chance)) await look(tool, args);
  }
  return withoutDoubles(found);
}

function actsOnWorld({ source }: ToolRecord): boolean {
  return source.kind === "function" ? source.takesContext : source.kind === "declared";
}

function requiredIn({ parameters }: ToolRecord): string[] {
  return requiredOf({ schema: parameters, root: parameters });
}

function argumentsFor(
  tool: ToolRecord,
  facts: readonly Fact[],
  chance: Chance,
): Record<string, unknown>[] {
  const [name = ""] = requiredIn(tool);
  const type = argumentsOf(tool).get(name);
  if (!type || !canBeLiteral(type)) return [];
  return Array.from({ length: LOOKS }, () => ({
    [name]: drawLiteral({ name, type, facts, chance }),
  }));
}

/** No request would repeat a longer text. */
const LONGEST = 60;

/** The facts in the result of a call. */
export function factsIn(tool: Pick<ToolDefinition, "name" | "returns">, result: unknown): Fact[] {
  const said = topicsOfResult(tool);
  return textsIn(result, said.size > 0 ? said : topicsOf(tool.name));
}

/** Merges facts with the same value; keeps the order. */
function withoutDoubles(facts: readonly Fact[]): Fact[] {
  const topics = new Map<string, Set<string>>();
  for (const fact of facts) {
    topics.set(fact.value, new Set([...(topics.get(fact.value) ?? []), ...fact.topics]));
  }
  return [...topics].map(([value, words]) => ({ value, topics: [...words] }));
}

function textsIn(value: unknown, topics: ReadonlySet<string>): Fact[] {
  if (typeof value === "string") {
    const isUsable = value.trim() !== "" && value.length <= LONGEST && !/["\n]/.test(value);
    return isUsable ? [{ value, topics: [...topics] }] : [];
  }
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, topics));
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([name, field]) =>
    textsIn(field, topicsOfField({ name, of: topics })),
  );
}
