import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";
import type { AgentGraph } from "../../graphs/compile.js";
import { hasEnded, openGraph } from "../../graphs/openGraph.js";
import { openWorkspace } from "../../home/workspace.js";
import type { GivenDecision, ReviewRequest } from "../../nodes/policy/askDecisions.js";
import { COUNTS_RECORDED_KEY } from "../../nodes/policy/deeds.js";
import { type GraphState, NOTHING_USED } from "../../state/state.js";
import { canonicalJson } from "../../tools/library/records/hash.js";
import { MADE_TOOLS } from "../benchmarks/creation/compareMadeTools.js";
import { beginMadeTools, madeIn } from "../benchmarks/creation/madeTools.js";
import type { Recording } from "../replay/recording.js";
import { registerSimulated } from "../simulated/provider.js";
import type { StageVisit } from "./runRecord.js";
import { AttemptLost, type Runner, type RunRequest, type RunState } from "./runner.js";

/** Runs graphs in this process, with data in its home. */
export function localRunner(): Runner {
  registerSimulated();
  return {
    run: async (request) => {
      const state = await run(request);
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
    let input: Parameters<AgentGraph["stream"]>[0] = begun ? null : firstInput(request);
    do {
      const updates = await graph.stream(input, {
        configurable: { thread_id: threadKey, [COUNTS_RECORDED_KEY]: true },
        context: settings,
        streamMode: "values",
        durability: "sync",
        signal,
      });
      for await (const values of updates) {
        const { usage } = values as Partial<GraphState>;
        if (usage) onUsage?.(usage);
      }
      input = await decided(graph, request);
    } while (input !== null);
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    return error;
  }
}

/** The request, after the earlier ones of its thread with their answers. */
function firstInput({ request, recording }: RunRequest) {
  const messages = recording?.earlier.flatMap((turn) => [
    new HumanMessage(turn.request),
    new AIMessage(turn.answer),
  ]);
  return messages && messages.length > 0 ? { request, messages } : { request };
}

/** The decisions of the recorded run, if a person is asked; a run without a recording waits. */
async function decided(graph: AgentGraph, { threadKey, recording }: RunRequest) {
  if (!recording) return null;
  const { tasks } = await graph.getState({ configurable: { thread_id: threadKey } });
  const [asked] = tasks.flatMap(({ interrupts }) => interrupts);
  if (!asked) return null;
  return new Command({ resume: decideAgain(recording, asked.value as ReviewRequest) });
}

async function readRun(graph: AgentGraph, request: RunRequest) {
  const thread = { configurable: { thread_id: request.threadKey } };
  const history: PastState[] = [];
  for await (const state of graph.getStateHistory(thread)) history.unshift(state);
  const { tasks } = await graph.getState(thread);
  return {
    values: await withWholeResults(history.at(-1)?.values ?? {}, async (ref) => ({
      result: await openWorkspace().runtime.journal.result(ref),
    })),
    stages: stagesOf(history),
    threadId: request.threadKey,
    waiting: tasks.some(({ interrupts }) => interrupts.length > 0),
  };
}

/** A checkpoint, with the nodes that were about to run. */
interface PastState {
  values: Partial<GraphState>;
  next: readonly string[];
}

/**
 * The stages of a run in order, each with its own usage: the usage after it minus the usage before it. Their sum is the
 * usage in the last checkpoint. A resumed run shows each stage once, since an interrupted stage leaves no checkpoint.
 *
 * @param history checkpoints of the thread of one run, oldest first
 */
export function stagesOf(history: readonly PastState[]): StageVisit[] {
  return history.slice(1).flatMap(({ values }, index) => {
    const before = history[index];
    const stages = (before?.next ?? []).filter((node) => node !== "__start__");
    if (stages.length === 0) return [];
    const [from, to] = [before?.values.usage ?? NOTHING_USED, values.usage ?? NOTHING_USED];
    return [
      {
        stage: stages.join("+"),
        modelCalls: to.modelCalls - from.modelCalls,
        inputTokens: to.inputTokens - from.inputTokens,
        ...(to.cachedTokens && { cachedTokens: to.cachedTokens - (from.cachedTokens ?? 0) }),
        outputTokens: to.outputTokens - from.outputTokens,
        embeddingTokens: to.embeddingTokens - from.embeddingTokens,
        ms: to.ms - from.ms,
      },
    ];
  });
}

/** Lets a run begin with the tools that its task names; a resumed run has them already. */
async function beginWorld({ threadKey, world, settings }: RunRequest): Promise<void> {
  if (world?.name !== MADE_TOOLS) return;
  await beginMadeTools({ threadId: threadKey, request: world.task, settings });
}

async function changeIn(
  { threadKey, world, settings, signal }: RunRequest,
  { values }: RunState,
): Promise<Pick<RunState, "change">> {
  if (world === undefined) return {};
  const { name, task: request } = world;
  if (name === MADE_TOOLS) {
    const { edits = [] } = values;
    const made = await madeIn({ threadId: threadKey, request, settings, edits, signal });
    return { change: { ...made } };
  }
  const { worlds } = openWorkspace().runtime;
  const opened = await worlds.open({ name, runId: threadKey });
  return { change: opened.change() as Record<string, unknown> };
}

/** Replaces references to long results by what is read for them: a record must make sense on its own. */
export async function withWholeResults(
  values: Partial<GraphState>,
  read: (ref: string) => Promise<{ result?: unknown }>,
): Promise<Partial<GraphState>> {
  const whole = values.calls?.map(async ({ resultRef, ...call }) =>
    resultRef === undefined ? call : { ...call, ...(await read(resultRef)) },
  );
  return whole ? { ...values, calls: await Promise.all(whole) } : values;
}

/**
 * Decides as the person of a recorded run did, action by action. What nobody was asked then is approved: a replay writes
 * nothing, and its report shows what it would have written.
 */
function decideAgain(
  { decisions }: Pick<Recording, "decisions">,
  { actionRequests }: Pick<ReviewRequest, "actionRequests">,
): { decisions: GivenDecision[] } {
  return {
    decisions: actionRequests.map(({ name, args }) => {
      const then = decisions.find(
        (one) => one.name === name && canonicalJson(one.args) === canonicalJson(args),
      );
      if (then?.type === "reject") return { type: "reject", message: then.message };
      if (then?.type !== "edit") return { type: "approve" };
      return { type: "edit", editedAction: { name, args: then.instead ?? args } };
    }),
  };
}
