import { CONTROL_NAMES } from "../../tools/control.js";
import { checkProblems, checkText } from "../../tools/sources/made/checkText.js";
import { checkedDraft } from "../../tools/sources/made/checkedDraft.js";
import { draftText } from "../../tools/sources/made/draft.js";
import type { CheckOutcome } from "../../tools/calls/trials.js";
import type { GeneratedTool } from "../../tools/tool.js";
import type { LibraryView } from "../../tools/library/library.js";
import { runWorkspace } from "../../home/workspace.js";

export interface Draft {
  library: LibraryView;
  /** A reply that contains code, or the code itself. */
  text: string;
  /** For a change: the id of the tool; its name stays and its examples must still pass. */
  changes?: string;
  /** It is tried on copies of this run's worlds. */
  threadId: string;
  timeoutMs: number;
  signal?: AbortSignal;
}

/** A draft that passes all its checks, or its problems, one line each. */
export type CheckedDraft =
  | {
      tool: GeneratedTool;
      outcomes: CheckOutcome[];
      /** Examples of the previous version that it changes or drops, in words. */
      breaks: string[];
    }
  | { problem: string };

/**
 * Reads a draft and tries it on its examples in the sandbox. A change must also pass the previous version's
 * examples, or restate them.
 */
export async function checkDraft(draft: Draft): Promise<CheckedDraft> {
  const { library, text, changes, threadId, timeoutMs, signal } = draft;
  const source = changes === undefined ? undefined : library.get(changes)?.source;
  const earlier = source?.kind === "generated" ? source.checks : [];
  const request = {
    reply: text,
    tools: library.list(),
    reserved: CONTROL_NAMES,
    ...(changes === undefined ? {} : { name: changes, earlier }),
  };
  const reading = await checkedDraft(request, { signal });
  if (!reading.ok) return { problem: draftText(reading.problems) };
  const { tool, restated } = reading;
  const { checks } = tool.source;
  const { runtime } = runWorkspace();
  const outcomes = await runtime.tryOut({ tool, checks, library, threadId, timeoutMs, signal });
  const problems = checkProblems({ tool, outcomes });
  if (problems.length > 0) return { problem: problems.join("\n") };
  return { tool, outcomes, breaks: restated.map((check) => checkText(tool, check)) };
}
