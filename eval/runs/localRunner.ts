import { type AgentGraph, compileGraph } from "../../graphs/compile.js";
import { hasEnded, openGraph, findGraph } from "../../graphs/openGraph.js";
import { openWorkspace } from "../../nodes/workspace/workspace.js";
import type { GraphState, Usage } from "../../state/state.js";
import { MADE_TOOLS } from "../benchmarks/creation/compareMadeTools.js";
import { beginMadeTools, madeIn } from "../benchmarks/creation/madeTools.js";
import { registerSimulated } from "../simulated/provider.js";
import { AttemptLost, type Runner, type RunRequest, type RunState } from "./runner.js";
import type { Checkpointing } from "./experiment.js";
import { type PastState, stagesOf } from "./stageVisits.js";
import { loadGraph } from "../../graphs/index.js";

/** Runs graphs in this process, with data in its home. */
export function localRunner({ checkpoints }: { checkpoints?: Checkpointing } = {}): Runner {
  registerSimulated();
  const make = checkpoints === "none" ? unsavedRun : run;
  return {
    run: async (request) => {
      const state = await make(request);
      return { ...state, ...(await changeIn(request, state)) };
    },
  };
}

async function run(request: RunRequest): Promise<RunState> {
  const graph = await openGraph(request.graph);
  const thread = { configurable: { thread_id: request.threadKey } };
  const before = await graph.getState(thread);
  const begun = before.createdAt !== undefined;
  const ended = begun && hasEnded(before);
  if (begun && !ended) await requireCertainty(request.threadKey);
  await beginWorld(request);
  const failure = ended ? undefined : await stream(graph, request, begun);
  return { ...(await readRun(graph, request)), resumed: begun, failure };
}

/**
 * A write that was under way when the process died may or may not have happened. A resumed run would tell
 * the model so, and could not be compared with others.
 *
 * @throws AttemptLost
 */
async function requireCertainty(threadId: string): Promise<void> {
  const calls = await openWorkspace().runtime.journal.calls(threadId);
  const cut = calls.find(({ status, effects }) => status === "started" && effects === "write");
  if (cut) throw new AttemptLost(`broken off while ${cut.tool} was running`, threadId);
}

/** Returns what broke the run off instead of throwing it: what the run used until then still counts. */
async function stream(graph: AgentGraph, request: RunRequest, begun: boolean): Promise<unknown> {
  const { settings, signal, threadKey, onUsage } = request;
  try {
    const updates = await graph.stream(begun ? null : { request: request.request }, {
      configurable: { thread_id: threadKey },
      context: settings,
      streamMode: "values",
      durability: "sync",
      signal,
    });
    for await (const values of updates) {
      const { usage } = values as Partial<GraphState>;
      if (usage) onUsage?.(usage);
    }
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    return error;
  }
}

async function readRun(graph: AgentGraph, request: RunRequest) {
  const thread = { configurable: { thread_id: request.threadKey } };
  const history: PastState[] = [];
  for await (const state of graph.getStateHistory(thread)) history.unshift(state);
  const { tasks } = await graph.getState(thread);
  return {
    values: await withWholeResults(history.at(-1)?.values ?? {}),
    stages: stagesOf(history),
    threadId: request.threadKey,
    waiting: tasks.some(({ interrupts }) => interrupts.length > 0),
  };
}

/**
 * Makes a run without checkpoints, which take half the time of a short run that asks no remote model. It
 * cannot be resumed, and cannot pause for a person.
 *
 * @throws AttemptLost if an earlier start of this attempt made calls: the journal would replay them
 */
async function unsavedRun(request: RunRequest): Promise<RunState> {
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

/** A step of a graph: the nodes that ran, and the usage of the run after it. */
interface Step {
  nodes: string[];
  usage: Usage;
}

interface Followed {
  values: Partial<GraphState>;
  steps: Step[];
  failure?: unknown;
}

/** Returns what broke the run off, as `stream` does. */
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
      // The updates of a step come before the state they lead to.
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

/** Steps in the shape of checkpoints, which name the nodes that run next, for `stagesOf`. */
function historyOf(steps: readonly Step[]): PastState[] {
  return steps.map(({ usage }, index) => ({
    values: { usage },
    next: steps[index + 1]?.nodes ?? [],
  }));
}

/** Lets a run begin where its task says; a resumed run has done so already. */
async function beginWorld({ threadKey, world, settings }: RunRequest): Promise<void> {
  if (world?.start === undefined) return;
  const { name, start } = world;
  if (name === MADE_TOOLS) await beginMadeTools({ threadId: threadKey, start, settings });
  else await openWorkspace().runtime.worlds.begin({ name, runId: threadKey, start });
}

/** What a run changed in its world, if it has one. */
async function changeIn(
  { threadKey, world, settings, signal }: RunRequest,
  { values }: RunState,
): Promise<Pick<RunState, "change">> {
  if (world === undefined) return {};
  const { name, start = "" } = world;
  if (name === MADE_TOOLS) {
    const { edits = [] } = values;
    return {
      change: { ...(await madeIn({ threadId: threadKey, start, settings, edits, signal })) },
    };
  }
  const { worlds } = openWorkspace().runtime;
  const opened = await worlds.open({ name, runId: threadKey });
  return { change: opened.change() as Record<string, unknown> };
}

/** Replaces references to long results by the results: a record must make sense on its own. */
async function withWholeResults(values: Partial<GraphState>): Promise<Partial<GraphState>> {
  const { journal } = openWorkspace().runtime;
  const whole = values.calls?.map(async ({ resultRef, ...call }) =>
    resultRef === undefined ? call : { ...call, result: await journal.result(resultRef) },
  );
  const calls = whole && (await Promise.all(whole));
  return { ...values, ...(calls ? { calls } : {}) };
}
