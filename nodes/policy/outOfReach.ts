import { several } from "../../common/text.js";
import type { Settings } from "../../state/settings.js";
import type { LibraryView } from "../../tools/library/library.js";
import type { WithheldTool } from "../../tools/library/records/pins.js";

/** Names that are told of each kind. */
const NAMED = 3;

/**
 * What a run cannot reach although it exists, and why, a line for each source: a model that does not know of it would say
 * that there is no such tool.
 */
export function outOfReach(
  library: Pick<LibraryView, "withheld" | "size">,
  { toolIds }: Pick<Settings, "toolIds">,
): string[] {
  const known = library.withheld().filter(({ tool }) => toolIds?.includes(tool.id) ?? true);
  const byKind = new Map<string, WithheldTool[]>();
  for (const one of known) {
    const kind = `${kindOf(one)} ${one.origin}`;
    byKind.set(kind, [...(byKind.get(kind) ?? []), one]);
  }
  const lines = [...byKind.values()].map((tools) => {
    const [first] = tools;
    const source = first?.origin.slice(first.origin.indexOf(":") + 1) ?? "";
    const names = tools.slice(0, NAMED).map(({ tool }) => tool.name);
    const more = tools.length > NAMED ? ` and ${tools.length - NAMED} more` : "";
    return `${names.join(", ")}${more} of ${source}: ${WHY[first ? kindOf(first) : "waits"]}`;
  });
  const others = toolIds === undefined ? 0 : library.size - toolIds.length;
  return others > 0
    ? [...lines, `${several(others, "other tool")}: not granted to this run`]
    : lines;
}

/** The same as a sentence to add to what a search has found; empty if everything is within reach. */
export function outOfReachText(...given: Parameters<typeof outOfReach>): string {
  const lines = outOfReach(...given);
  return lines.length > 0 ? `Exist, but are out of reach: ${lines.join("; ")}.` : "";
}

const WHY = {
  waits: "withheld until a person has reviewed them",
  rejected: "rejected by a person",
  unoffered: "not granted to this person",
};

function kindOf({ isUnoffered, rejected }: WithheldTool): keyof typeof WHY {
  if (isUnoffered) return "unoffered";
  return rejected ? "rejected" : "waits";
}
