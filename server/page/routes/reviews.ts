import { z } from "zod";
import { LibraryFailed, UnknownName, oneLine } from "../../../common/errors.js";
import { lineDiff } from "../../../common/lineDiff.js";
import type { LibraryEditor } from "../../../tools/library/library.js";
import { definitionText } from "../../../tools/library/records/definitionText.js";
import type { WithheldTool } from "../../../tools/library/records/pins.js";
import { HttpProblem } from "../../problem.js";

/** Of two definitions that are compared for the page (characters). */
const LONGEST_COMPARED = 20_000;

/** What is decided about withheld definitions, as they were seen. */
export const verdictForm = z.object({
  library: z.string(),
  verdict: z.enum(["accept", "reject"]),
  tools: z.array(z.object({ tool: z.string(), hash: z.string() })).min(1),
});

export type Verdict = z.output<typeof verdictForm>;

/** A definition of a connected source that nobody has accepted yet. */
export type ShownWithheld = ReturnType<typeof shownWithheld>;

export function shownWithheld(withheld: WithheldTool) {
  const { tool, origin, at, rejected, hash, accepted } = withheld;
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

/** @throws HttpProblem 409 if one of them is not withheld, or no longer as it was seen */
export async function decideAsSeen(library: LibraryEditor, { verdict, tools }: Verdict) {
  const ids = tools.map(({ tool }) => tool);
  const [accept, reject] = verdict === "accept" ? [ids, []] : [[], ids];
  const seen = new Map(tools.map(({ tool, hash }) => [tool, hash]));
  try {
    await library.decide({ accept, reject, seen });
  } catch (error) {
    if (!(error instanceof LibraryFailed || error instanceof UnknownName)) throw error;
    throw new HttpProblem({ status: 409, problem: oneLine(error.message) });
  }
}
