import { isPlainObject } from "../../plans/steps/references.js";
import type { ToolDefinition } from "../../tools/tool.js";
import { sharedTopics, topicsOf, topicsOfField, topicsOfResult } from "./topics.js";

/** A text in the world of a library: an id, a name, a day. */
export interface Fact {
  value: string;
  /** Words for what it is about. */
  topics: string[];
}

/** No request would repeat a longer text. */
const LONGEST = 60;

/** The facts in the result of a call. */
export function factsIn(options: {
  tool: Pick<ToolDefinition, "name" | "returns">;
  result: unknown;
}): Fact[] {
  const { tool, result } = options;
  const said = topicsOfResult(tool);
  return textsIn(result, said.size > 0 ? said : topicsOf(tool.name));
}

/** Merges facts with the same value; keeps the order. */
export function withoutDoubles(facts: readonly Fact[]): Fact[] {
  const topics = new Map<string, Set<string>>();
  for (const fact of facts) {
    topics.set(fact.value, new Set([...(topics.get(fact.value) ?? []), ...fact.topics]));
  }
  return [...topics].map(([value, words]) => ({ value, topics: [...words] }));
}

/** The values that share most topics with these; none if no fact shares any. */
export function factsAbout(options: {
  topics: ReadonlySet<string>;
  facts: readonly Fact[];
}): string[] {
  const { topics, facts } = options;
  const shares = facts.map((fact) => sharedTopics(topics, new Set(fact.topics)));
  const best = Math.max(1, ...shares);
  return facts.filter((_fact, at) => shares[at] === best).map(({ value }) => value);
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
