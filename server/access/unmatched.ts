import { messageOf } from "../../common/errors.js";
import { nearestName } from "../../common/nearNames.js";
import { libraryNames } from "../../home/libraries.js";
import type { Workspace } from "../../home/workspace.js";
import { parseSettings } from "../../state/settings.js";
import { fits, namesOf } from "./grants.js";
import type { Policy } from "./policy.js";

/** The fields of a grant that name tools, each with the word for what it names. */
const FIELDS = { sources: "source", groups: "group", tools: "tool" } as const;

const fields = Object.keys(FIELDS) as (keyof typeof FIELDS)[];

/**
 * Names in the operator's file by which the home has nothing: a misspelt one would quietly share or grant nothing. They
 * are told and not refused, because libraries and sources may come later.
 *
 * @returns a line for each
 */
export async function unmatchedNames(
  { libraries, grants = [] }: Pick<Policy, "libraries" | "grants">,
  workspace: Pick<Workspace, "store" | "library">,
): Promise<string[]> {
  const known = await libraryNames(workspace.store);
  const lines = (libraries?.shared ?? []).flatMap((form) =>
    missing({ field: "libraries.shared", what: "library", form, known }),
  );
  let wanted = grants.flatMap((grant, at) =>
    fields.flatMap((field) => (grant[field] ?? []).map((form) => ({ at, field, form }))),
  );
  const found: Record<(typeof fields)[number], string[]> = { sources: [], groups: [], tools: [] };
  // Catalogs that ship and may not have been used yet come last, because they have to be read first.
  for (const library of known.toReversed()) {
    if (wanted.length === 0) break;
    try {
      const { list } = await workspace.library(parseSettings({ library }));
      for (const names of list().map(namesOf))
        for (const field of fields) found[field].push(...names[field]);
    } catch (error) {
      lines.push(`library ${library} cannot be read: ${messageOf(error)}`);
    }
    wanted = wanted.filter(({ field, form }) => !found[field].some((name) => fits(name, form)));
  }
  const unmatched = wanted.flatMap(({ at, field, form }) =>
    missing({ field: `grants.${at}.${field}`, what: FIELDS[field], form, known: found[field] }),
  );
  return [...lines, ...unmatched];
}

function missing(options: {
  field: string;
  what: string;
  form: string;
  known: readonly string[];
}): string[] {
  const { field, what, form, known } = options;
  if (known.some((name) => fits(name, form))) return [];
  const near = nearestName(form, known);
  const meant = near === undefined ? "" : `; did you mean "${near}"?`;
  return [`${field} of the operator's file: there is no ${what} "${form}" yet${meant}`];
}
