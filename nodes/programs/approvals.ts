import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { ApprovedWrite, GraphState } from "../../state/state.js";
import { canonicalJson, sha256 } from "../../tools/library/records/hash.js";
import { threadOf } from "../shared/runBasics.js";
import { runWorkspace } from "../workspace/workspace.js";

type OfRun = Pick<GraphState, "run">;

/** Records that a person has approved writes of a run, on its thread. */
export async function recordApprovals(
  state: OfRun,
  config: LangGraphRunnableConfig,
  writes: readonly ApprovedWrite[],
): Promise<void> {
  await runWorkspace().runtime.journal.approve(runOf(state, config), writes.map(keyOf));
}

/**
 * The state with only those approvals of its program that a person has given to this run of this thread. A copy of a
 * thread has brought others with it, and so has an earlier checkpoint that somebody has gone back to.
 */
export async function withOwnApprovals(
  state: GraphState,
  config: LangGraphRunnableConfig,
): Promise<GraphState> {
  const { program } = state;
  if (!program || program.approved.length === 0) return state;
  const known = await runWorkspace().runtime.journal.approvedWrites(runOf(state, config));
  const approved = program.approved.filter((write) => known.has(keyOf(write)));
  if (approved.length === program.approved.length) return state;
  return { ...state, program: { ...program, approved } };
}

function runOf(state: OfRun, config: LangGraphRunnableConfig) {
  return { threadId: threadOf(state, config), runId: state.run.id };
}

function keyOf({ place, tool, definition, args, instead }: ApprovedWrite): string {
  return sha256(canonicalJson({ place, tool, definition, args, instead }));
}
