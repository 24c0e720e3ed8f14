import { compileGraph } from "../../graphs/compile.js";
import { loadGraph } from "../../graphs/index.js";
import { findGraph } from "../../graphs/openGraph.js";
import { openWorkspace } from "../../workspace/workspace.js";
import type { GraphState, Usage } from "../../state/state.js";
import { AttemptLost, type RunRequest, type RunState } from "./runner.js";
import { type PastState, stagesOf } from "./stageVisits.js";
import { beginWorld } from "./beginWorld.js";
import { withWholeResults } from "./wholeResults.js";

/**
 * Makes a run without checkpoints, which take half of the time of a run that is short and asks no
 * model elsewhere. One that is broken off cannot go on, and a person cannot be asked.
 *
 * @throws AttemptLost when an earlier start of this attempt has made calls, which the journal would
 * answer from
 */
export async function unsavedRun(request: RunRequest): Promise<RunState> {
  const { threadKey } = request;
  await requireFresh(threadKey);
  await beginWorld(request);
  const { values, steps, failure } = await follow(request);
  return {
    values: await withWholeResults(values),
    stages: stagesOf(historyOf(steps)),
    resumed: false,
    threadId: threadKey,
    failure,
  };
}

/** @throws AttemptLost */
async function requireFresh(threadId: string): Promise<void> {
  const { journal } = openWorkspace().runtime;
  if ((await journal.calls(threadId)).length === 0) return;
  throw new AttemptLost("broken off, and made without checkpoints", threadId);
}

/** A step of a graph: the nodes that ran, and what the run had used by its end. */
interface Step {
  nodes: string[];
  usage: Usage;
}

interface Followed {
  values: Partial<GraphState>;
  steps: Step[];
  failure?: unknown;
}

/** Runs to the end; what breaks the run off is given back, since what it has used counts all the same. */
async function follow({ graph: name, ...request }: RunRequest): Promise<Followed> {
  const { settings, signal, threadKey, onUsage } = request;
  const { wiring } = await loadGraph(findGraph(name));
  const graph = compileGraph(wiring, { name });
  const followed: Followed = { values: {}, steps: [] };
  let nodes: string[] = [];
  try {
    const chunks = await graph.stream(
      { request: request.request },
      {
        configurable: { thread_id: threadKey },
        context: settings,
        streamMode: ["updates", "values"],
        signal,
      },
    );
    for await (const [mode, chunk] of chunks) {
      // What the nodes of a step have written comes before the state that it leads to.
      if (mode === "updates") {
        nodes = [...nodes, ...Object.keys(chunk)];
      } else {
        const values = chunk as GraphState;
        followed.values = values;
        followed.steps.push({ nodes, usage: values.usage });
        nodes = [];
        onUsage?.(values.usage);
      }
    }
    return followed;
  } catch (error) {
    signal.throwIfAborted();
    return { ...followed, failure: error };
  }
}

/** Steps as checkpoints, with as much of each as stages are read from: they name what runs next. */
function historyOf(steps: readonly Step[]): PastState[] {
  return steps.map(({ usage }, index) => ({
    values: { usage },
    next: steps[index + 1]?.nodes ?? [],
  }));
}
