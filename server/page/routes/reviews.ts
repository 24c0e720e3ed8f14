import { z } from "zod";
import { LibraryFailed, UnknownName, oneLine } from "../../../common/errors.js";
import { lineDiff } from "../../../common/lineDiff.js";
import type { LibraryEditor, LibraryView } from "../../../tools/library/library.js";
import { definitionText } from "../../../tools/library/records/definitionText.js";
import { undoProposals } from "../../../tools/library/records/undoProposals.js";
import type { WithheldTool } from "../../../tools/library/records/pins.js";
import { conflict } from "../../problem.js";

/** Of two definitions that are compared for the page (characters). */
const LONGEST_COMPARED = 20_000;

/** What is decided about withheld definitions, as they were seen. */
export const verdictForm = z.object({
  library: z.string(),
  verdict: z.enum(["accept", "reject"]),
  tools: z.array(z.object({ tool: z.string(), hash: z.string() })).default([]),
  /** Ways back that were proposed, as they were seen. */
  waysBack: z.array(z.object({ tool: z.string(), undo: z.string() })).default([]),
});

export type Verdict = z.output<typeof verdictForm>;

/** A definition of a connected source that nobody has accepted yet. */
export type ShownWithheld = ReturnType<typeof shownWithheld>;

export function shownWithheld({ tool, origin, at, rejected, hash, accepted }: WithheldTool) {
  const before = accepted ? definitionText(accepted) : "";
  const now = definitionText(tool);
  const isShort = before.length + now.length <= LONGEST_COMPARED;
  const compared = isShort ? lineDiff({ label: "", text: before }, { label: "", text: now }) : "";
  return {
    tool: tool.id,
    origin,
    at,
    rejected,
    isNew: accepted === undefined,
    /** Of what is decided; empty for a definition that is too long for the page, which nobody can decide there. */
    hash: isShort ? hash : "",
    /** From the accepted definition to this one, line by line, without the labels. */
    difference: compared.split("\n").slice(2).join("\n"),
  };
}

/** How a change by a tool may be taken back, which holds once somebody accepts it. */
export type ShownWayBack = ReturnType<typeof shownWaysBack>[number];

/** Each tool is compared with the others of its source: a large library has them in `tulipgraph tools review` alone. */
const MOST_COMPARED = 2000;

export function shownWaysBack(library: LibraryView) {
  return library.size > MOST_COMPARED ? [] : undoProposals(library.list());
}

/** @throws HttpProblem 409 if one of them does not wait for a decision, or is no longer as it was seen */
export async function decideAsSeen(library: LibraryEditor, { verdict, tools, waysBack }: Verdict) {
  const proposed = new Map(shownWaysBack(library).map((one) => [one.tool, one]));
  const gone = waysBack.find(({ tool, undo }) => proposed.get(tool)?.undo !== undo);
  if (gone) throw conflict(`${gone.tool}: this way back is not proposed`);
  for (const { tool, undo } of waysBack) {
    const { before } = proposed.get(tool) ?? {};
    await library.label([tool], { undo: verdict === "accept" ? { undo, before } : {} });
  }
  if (tools.length === 0) return;
  const ids = tools.map(({ tool }) => tool);
  const [accept, reject] = verdict === "accept" ? [ids, []] : [[], ids];
  const seen = new Map(tools.map(({ tool, hash }) => [tool, hash]));
  try {
    await library.decide({ accept, reject, seen });
  } catch (error) {
    if (!(error instanceof LibraryFailed || error instanceof UnknownName)) throw error;
    throw conflict(oneLine(error.message));
  }
}
