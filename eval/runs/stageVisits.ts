import { type GraphState, NOTHING_USED, type Usage } from "../../state/state.js";
import type { StageVisit } from "./runRecord.js";

/**
 * The parts of a checkpoint that show a run's stages. `StateSnapshot` of a graph in this process and
 * `ThreadState` of a graph API both have this shape, but name the checkpoint and its parent differently.
 */
export interface PastState {
  values: Partial<GraphState>;
  /** Nodes that were about to run. */
  next: readonly string[];
  /** `source`: "input", "loop" after a step, "update" and "fork" where no node ran. */
  metadata?: object | null;
  config?: InProcessCheckpoint;
  parentConfig?: InProcessCheckpoint;
  checkpoint?: ServedCheckpoint | null;
  parent_checkpoint?: ServedCheckpoint | null;
}

interface InProcessCheckpoint {
  configurable?: Record<string, unknown>;
}

interface ServedCheckpoint {
  checkpoint_id?: string | null;
}

/**
 * The stages of a thread's last run in order, each with its own usage: the usage after it minus the usage
 * before it. Their sum is the usage in the last checkpoint.
 *
 * A resumed run shows each stage once, since an interrupted stage leaves no checkpoint. Of a forked thread,
 * the last branch counts.
 *
 * @param history checkpoints of one thread, oldest first
 */
export function stagesOf(history: readonly PastState[]): StageVisit[] {
  return lastRun(lastBranch(history)).flatMap(({ before, after }) => visitOf(before, after));
}

/** The last checkpoint with its ancestors; the whole history if checkpoints do not name them. */
function lastBranch(history: readonly PastState[]): PastState[] {
  const byId = new Map(history.map((state) => [idOf(state), state]));
  const last = history.at(-1);
  if (last === undefined || idOf(last) === undefined) return [...history];
  const branch: PastState[] = [];
  for (let state: PastState | undefined = last; state; state = parentOf(state, byId)) {
    branch.push(state);
  }
  return branch.toReversed();
}

function idOf({ checkpoint, config }: PastState): unknown {
  return checkpoint?.checkpoint_id ?? config?.configurable?.["checkpoint_id"];
}

function parentOf(state: PastState, byId: ReadonlyMap<unknown, PastState>): PastState | undefined {
  const { parent_checkpoint: served, parentConfig: inProcess } = state;
  const id = served?.checkpoint_id ?? inProcess?.configurable?.["checkpoint_id"];
  return id === undefined ? undefined : byId.get(id);
}

/** One step of the graph: the checkpoint before it, and the one after it. */
interface Step {
  before: PastState;
  after: PastState;
}

/** The steps since the last request: `intake` starts a run and resets its usage. */
function lastRun(branch: readonly PastState[]): Step[] {
  const steps = branch.slice(1).flatMap((after, index): Step[] => {
    const before = branch[index];
    return before && isStep(after) ? [{ before, after }] : [];
  });
  const start = steps.findLastIndex(({ before }) => before.next.includes("intake"));
  return steps.slice(Math.max(start, 0));
}

/** Input, manual changes and copies make checkpoints too, but no node ran before those. */
function isStep({ metadata }: PastState): boolean {
  const source = metadata && "source" in metadata ? metadata.source : undefined;
  return source === undefined || source === "loop";
}

function visitOf(before: PastState, after: PastState): StageVisit[] {
  const stages = before.next.filter((node) => node !== "__start__");
  if (stages.length === 0) return [];
  const isStart = stages.includes("intake");
  const used = usageBetween(isStart ? NOTHING_USED : before.values.usage, after.values.usage);
  return [{ stage: stages.join("+"), ...used }];
}

function usageBetween(before: Usage = NOTHING_USED, after: Usage = NOTHING_USED) {
  return {
    modelCalls: after.modelCalls - before.modelCalls,
    inputTokens: after.inputTokens - before.inputTokens,
    outputTokens: after.outputTokens - before.outputTokens,
    embeddingTokens: after.embeddingTokens - before.embeddingTokens,
    ms: after.ms - before.ms,
  };
}
