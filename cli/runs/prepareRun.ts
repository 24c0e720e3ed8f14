import { GRAPH_IDS, type GraphNeed } from "../../graphs/index.js";
import { namedGraph } from "../../graphs/openGraph.js";
import { graphSource } from "../../graphs/ownGraphs.js";
import { openWorkspace } from "../../home/workspace.js";
import { openChatModel } from "../../models/chat/chat.js";
import { openEmbeddings } from "../../models/embeddings/embeddings.js";
import { requireBudget } from "../../models/prices.js";
import type { BudgetUse } from "../../nodes/request/intake.js";
import { LOCAL_EMBEDDINGS, type Settings, parseSettings } from "../../state/settings.js";
import type { GraphState } from "../../state/state.js";
import type { ThreadHold } from "../../tools/calls/journal/threadHolds.js";
import type { LibraryView } from "../../tools/library/library.js";
import { openLibrary } from "../tools/openLibrary.js";
import type { Decisions } from "./decisions.js";

/** What a run prints. */
export interface RunOutput {
  json?: boolean;
  stream?: boolean;
}

/** A new request; with `undo`, it takes back what an earlier run has changed. */
export type NewRun = { request: string } & Partial<Pick<GraphState, "undo">>;

/** A run to start or to continue on a thread. */
export interface ThreadRun {
  threadId: string;
  hold: ThreadHold;
  graph: string;
  /** As the user gave them, without defaults. */
  settings: Record<string, unknown>;
  /** Why this model was chosen if the user named none; completes a sentence after "because". */
  modelWhy?: string;
  /** A new request, a person's decisions or answers, or null to continue where the run stopped. */
  input: NewRun | { interrupt?: string; decisions: Decisions } | null;
  output: RunOutput;
}

/** A run whose settings, models and library are checked, and which its thread knows of. */
export interface PreparedRun extends ThreadRun {
  library: LibraryView;
  /** Whether the stages are printed as they end. */
  streaming: boolean;
  /** What the graph will not do although its name or settings promise it. */
  notices: readonly string[];
}

/**
 * Checks everything that a run needs before its thread is touched, and stores what `resume` needs to continue it in
 * another process.
 *
 * @throws InvalidSetting for settings that do not hold
 * @throws UnknownName, ModelFailed when a model of the run cannot be used
 */
export async function prepareRun(run: ThreadRun): Promise<PreparedRun> {
  const { threadId, graph, output } = run;
  const settings = parseSettings(run.settings);
  await requireBudget(settings);
  if (settings.flowRules) (await import("../../nodes/policy/flowRulesOf.js")).flowRulesOf(settings);
  const { model, embeddings, temperature, seed, maxOutputTokens, ranking, primingTopK } = settings;
  await openChatModel(model, { temperature, seed, maxOutputTokens });
  const library = await openLibrary({ ...settings, threadId });
  const isEncoded = embeddings === LOCAL_EMBEDDINGS && ranking !== "words";
  // The encoder loads in its thread while this one loads the graph, and reads what will be searched for. Where it fails,
  // the search says so.
  const searched = run.input && "request" in run.input ? run.input.request : "tools";
  if (isEncoded && library.size > primingTopK)
    void (await openEmbeddings(embeddings)).embedQuery(searched).catch(() => undefined);
  const notices = [...(await givenUp(run)), ...(await graphNotices(graph, settings))];
  // The default models depend on the environment, which may differ when the run is resumed.
  const pinned = { ...run, settings: { ...run.settings, model, embeddings } };
  await noteThread(pinned);
  return { ...pinned, library, notices, streaming: !output.json && output.stream !== false };
}

/** A new request goes on without what the thread was waiting for. */
async function givenUp({ threadId, input }: ThreadRun): Promise<string[]> {
  const before = await openWorkspace().checkpoints().threads.get(threadId);
  if (before?.status !== "waiting" || !input || !("request" in input)) return [];
  return [`${threadId} was waiting for a decision (“${before.request}”), which is given up`];
}

async function noteThread({ threadId: id, graph, settings, input }: ThreadRun): Promise<void> {
  const { threads } = openWorkspace().checkpoints();
  const request =
    input && "request" in input ? input.request : ((await threads.get(id))?.request ?? "");
  await threads.put({ id, graph: graphSource(graph), settings, request, status: "running" });
}

/** What graphs that do not enforce a budget do with it. */
const UNHEEDED = {
  ignored: "takes no notice of a budget",
  told: "tells the model of its budget and does not enforce it",
};

/**
 * What a graph will not do although its name promises it or its settings ask for it, one line each. The graph runs
 * all the same, and its answer would not show it.
 */
async function graphNotices(graph: string, settings: Settings): Promise<string[]> {
  const { budget, needs = [] } = await namedGraph(graph);
  const lacks = await Promise.all(needs.map(async (need) => LACKS[need](settings)));
  const notices = lacks.flatMap((lack) => (lack === undefined ? [] : [`${graph} ${lack}`]));
  const unheeded = unheededBudget(graph, budget, settings);
  return unheeded === undefined ? notices : [unheeded, ...notices];
}

function unheededBudget(graph: string, budget: BudgetUse, settings: Settings): string | undefined {
  if (settings.budget === undefined || budget === "enforced") return undefined;
  const enforcing = `${graph}_btp`;
  const instead = GRAPH_IDS.some((id) => id === enforcing) ? `; ${enforcing} keeps it` : "";
  return `${graph} ${UNHEEDED[budget]}, as published${instead}`;
}

/** What to say if the library lacks what a graph needs; undefined if it does not. */
const LACKS: Record<GraphNeed, (settings: Settings) => Promise<string | undefined>> = {
  demonstrations: async ({ library, demos }) => {
    if (demos === 0) return "shows no demonstrations, as the setting demos is 0";
    if ((await (await openWorkspace().experience()).demonstrations.libraries()).includes(library))
      return undefined;
    return `has no demonstrations of library ${library} to show; add some with: tulipgraph memory import FILE`;
  },
  experience: async ({ library, budget }) => {
    if (budget === undefined)
      return "grants calls within a budget, and none is set; set one with --budget";
    if ((await (await openWorkspace().experience()).libraries()).includes(library))
      return undefined;
    return `has no past calls of library ${library} to divide a budget by, so only the amount limits the run; add some with: tulipgraph memory import FILE, or remember those of runs with --set remember=true`;
  },
  retriever: async ({ library, embeddings }) => {
    const { adapters = [] } = (await openWorkspace().store.describe(library)) ?? {};
    const { name } = await openEmbeddings(embeddings);
    if (adapters.some(({ model }) => model === name)) return undefined;
    return `searches library ${library} without a trained retriever; train one with: tulipgraph train retriever`;
  },
};
