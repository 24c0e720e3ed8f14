import type { EditRecord } from "../../../state/state.js";
import type { CreationRequest } from "./requests.js";

/** The world of runs that make tools: the tools of their thread. */
export const MADE_TOOLS = "made tools";

/** What a run did to the tools of its thread. */
export interface MadeTools {
  edits: EditRecord[];
  /** The last tool that was created, updated or reused; null for none. */
  tool: { id: string; code: string; calls: string[] } | null;
  /** How many of its hidden checks pass. */
  passed: number;
  failing: FailedCheck[];
}

export interface FailedCheck {
  /** The call and what was expected: `round_significant(5, 0) => throws`. */
  check: string;
  /** The actual result, in words. */
  got: string;
}

/** The right outcome, and how many hidden checks there are. */
export interface WantedTools {
  wanted: CreationRequest["wanted"];
  checks: number;
}

/**
 * Compares what a run made with what was wanted.
 *
 * @returns `same`: the right tool was made, calls what it has to and passes all hidden checks; `unwanted`: tools that
 * were made or changed and should not have been
 */
export function compareMadeTools(
  { wanted, checks }: WantedTools,
  { edits, tool, passed }: MadeTools,
): { same: boolean; unwanted: number } {
  const changed = edits.filter(({ outcome }) => outcome === "done");
  const isWanted = ({ kind, tool: id }: EditRecord) =>
    kind === wanted.kind && (wanted.kind === "create" || ("tool" in wanted && id === wanted.tool));
  const right = changed.filter(isWanted);
  const unwanted = new Set(changed.filter((edit) => !isWanted(edit)).map(({ tool: id }) => id))
    .size;
  if (wanted.kind === "nothing" || wanted.kind === "reuse")
    return { same: unwanted === 0, unwanted };
  const calls = wanted.kind === "create" ? (wanted.calls ?? []) : [];
  const callsAll = calls.every((id) => tool?.calls.includes(id));
  return { same: right.length > 0 && unwanted === 0 && callsAll && passed === checks, unwanted };
}
