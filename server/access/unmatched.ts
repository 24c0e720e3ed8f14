import { messageOf } from "../../common/errors.js";
import { nearestName } from "../../common/nearNames.js";
import { libraryNames } from "../../home/libraries.js";
import type { Workspace } from "../../home/workspace.js";
import { parseSettings } from "../../state/settings.js";
import { fits, namesOf } from "./grants.js";
import type { Policy } from "./policy.js";

const KINDS = ["sources", "groups", "tools"] as const;

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
  const shared = libraries?.shared ?? [];
  const lines = shared.flatMap((form) => unmatched("libraries.shared", form, known));
  let wanted = grants.flatMap((grant, at) =>
    KINDS.flatMap((kind) => (grant[kind] ?? []).map((form) => ({ at, kind, form }))),
  );
  const found = { sources: [] as string[], groups: [] as string[], tools: [] as string[] };
  // Catalogs that ship and may not have been used yet come last, because they have to be read first.
  for (const library of known.toReversed()) {
    if (wanted.length === 0) break;
    try {
      const { list } = await workspace.library(parseSettings({ library }));
      for (const names of list().map(namesOf))
        for (const kind of KINDS) found[kind].push(...names[kind]);
    } catch (error) {
      lines.push(`library ${library} cannot be read: ${messageOf(error)}`);
    }
    wanted = wanted.filter(({ kind, form }) => !found[kind].some((name) => fits(name, form)));
  }
  for (const { at, kind, form } of wanted)
    lines.push(...unmatched(`grants.${at}.${kind}`, form, found[kind]));
  return lines;
}

function unmatched(field: string, form: string, known: readonly string[]): string[] {
  if (known.some((name) => fits(name, form))) return [];
  const near = nearestName(form, known);
  const meant = near === undefined ? "" : `; did you mean "${near}"?`;
  return [`operator's file: ${field}: there is no "${form}" yet${meant}`];
}
