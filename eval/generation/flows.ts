import { accepts, ANY, fieldsOf, type Typed } from "../../plans/steps/schemaTypes.js";
import { randomFor } from "../statistics/random.js";
import type { ToolDefinition } from "../../tools/tool.js";

/** A task to be written: tools in an order in which results can flow, and who asks. */
export interface Flow {
  tools: ToolDefinition[];
  persona: string;
}

/** Most calls of a task. */
const LONGEST = 3;

/** People whose words differ (the report has 18 domains with 5 personas each). */
const PERSONAS = [
  "a nurse between two patients, who writes half sentences",
  "a retired teacher, who is polite and exact",
  "a student, who writes as in a chat",
  "the owner of a small shop, who thinks aloud",
  "an engineer, who uses abbreviations",
  "a new colleague, who does not know the terms",
  "a manager on the way to a meeting, who gives orders",
  "a parent, who explains why",
];

/**
 * The flow of a number: a tool, and for later calls tools that take what an earlier one returns, as the type graph has it;
 * where there is none, any other. The same seed gives the same flows.
 */
export function flowOf(
  tools: readonly ToolDefinition[],
  { seed, number }: { seed: number; number: number },
): Flow {
  const random = randomFor(`${seed} ${number}`);
  const any = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)];
  const chosen: ToolDefinition[] = [];
  for (let left = 1 + Math.floor(random() * LONGEST); left > 0; left -= 1) {
    const others = tools.filter((tool) => !chosen.includes(tool));
    const next = others.filter((tool) => chosen.some((earlier) => feeds(earlier, tool)));
    const found = any(next.length > 0 ? next : others);
    if (found) chosen.push(found);
  }
  return { tools: chosen, persona: any(PERSONAS) ?? "" };
}

/** Whether a tool takes the declared result of another, or a field of it. */
function feeds({ returns }: ToolDefinition, { parameters }: ToolDefinition): boolean {
  if (!returns) return false;
  const result: Typed = { schema: returns, root: returns };
  const given = [result, ...(fieldsOf(result)?.values() ?? [])];
  const wanted = fieldsOf({ schema: parameters, root: parameters })?.values() ?? [];
  return [...wanted].some((type) =>
    given.some((one) => one !== ANY && accepts({ wanted: type, given: one })),
  );
}
