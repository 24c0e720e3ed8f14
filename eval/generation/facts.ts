import { isPlainObject } from "../../plans/references.js";
import type { ToolDefinition } from "../../tools/tool.js";
import { sharedTopics, topicsOf, topicsOfField, topicsOfResult } from "./topics.js";

/** A text that the world of a library has: an id, a name, a day. */
export interface Fact {
  value: string;
  /** What it is about, as words. */
  topics: string[];
}

/** Longer texts are nothing that a request would repeat. */
const LONGEST = 60;

/** The facts that the result of a call holds. */
export function factsIn(options: {
  tool: Pick<ToolDefinition, "name" | "returns">;
  result: unknown;
}): Fact[] {
  const { tool, result } = options;
  const said = topicsOfResult(tool);
  return textsIn(result, said.size > 0 ? said : topicsOf(tool.name));
}

/** Facts with each value once, in the order in which the values were found. */
export function withoutDoubles(facts: readonly Fact[]): Fact[] {
  const topics = new Map<string, Set<string>>();
  for (const fact of facts) {
    topics.set(fact.value, new Set([...(topics.get(fact.value) ?? []), ...fact.topics]));
  }
  return [...topics].map(([value, words]) => ({ value, topics: [...words] }));
}

/** The values that are most about these topics; none where no fact is about any. */
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
