import { openGraph } from "../../graphs/openGraph.js";
import { packageVersion } from "../../storage/packageRoot.js";
import { parseContext } from "../../state/context.js";
import type { EditRecord, GraphState } from "../../state/state.js";
import { canonicalJson, sha256 } from "../../tools/library/hash.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import { localRunner } from "../runs/localRunner.js";
import type { RunRecord } from "../runs/runRecord.js";
import { type Pauses, runTask } from "../runs/runTask.js";
import { draftsOf, type RunStep } from "./draftFaults.js";
import { type GeneratedRecord, runHiddenChecks } from "./hiddenChecks.js";
import type { CreationRecord } from "./creationRecord.js";
import type { CreationRequest } from "./creationRequests.js";
import { openStartLibrary, START_TOOLS } from "./startLibrary.js";

/** The graph whose model keeps the library itself. */
const GRAPH = "auto_tulip";

/** The models of an evaluation. */
export interface CreationSettings {
  /** As "provider:name". */
  model: string;
  /** As "provider:name". */
  embeddings: string;
}

/** Hash of a request with its hidden checks and its start library. */
export function hashOf(request: CreationRequest): string {
  const start = request.start.map((name) => START_TOOLS[name]);
  return sha256(canonicalJson({ ...request, start }));
}

/** One attempt at a request. */
interface CreationAttempt {
  request: CreationRequest;
  settings: CreationSettings;
  /** From 1. */
  attempt: number;
  pauses: Pauses;
  signal: AbortSignal;
}

/**
 * Makes one attempt at a request in a library of its own, and runs the hidden checks on the resulting tool. An
 * interrupted attempt is resumed from its last checkpoint.
 *
 * @throws the reason of the signal when that is aborted
 */
export async function runRequest(options: CreationAttempt): Promise<CreationRecord> {
  const { request, settings, attempt, signal } = options;
  const { id, start, checks } = request;
  const name = attempt === 1 ? id : `${id}.${attempt}`;
  const library = await openStartLibrary({ name, embeddings: settings.embeddings, start });
  const run = await runGraph(options, name);
  const { threadId } = run;
  const history = await historyOf(threadId);
  const edits = history.at(-1)?.values.edits ?? [];
  const tool = toolOf(edits, library);
  const { toolTimeoutMs: timeoutMs } = parseContext({ ...settings });
  const hidden = tool
    ? await runHiddenChecks({ tool, checks, library, threadId, timeoutMs, signal })
    : null;
  const drafts = await draftsOf({ history, library, start });
  return {
    request: id,
    requestHash: hashOf(request),
    attempt,
    ...settings,
    version: packageVersion(),
    status: run.status,
    answer: run.answer,
    edits,
    drafts,
    tool: tool ? shown(tool) : null,
    hidden,
    usage: run.usage,
    usd: run.usd,
    wallMs: run.wallMs,
    threadId,
    ...(run.error === undefined ? {} : { error: run.error }),
  };
}

async function runGraph(
  { request, settings, attempt, pauses, signal }: CreationAttempt,
  library: string,
): Promise<RunRecord> {
  const { id, query, theme } = request;
  const planned = {
    id,
    task: { id, query, tools: [], level: theme },
    graph: GRAPH,
    variant: "",
    run: 1,
    // What the model does to the start tools is measured, too.
    settings: { ...settings, library, madeTools: "library" },
  };
  return await runTask({ planned, number: attempt, runner: localRunner(), signal, pauses });
}

async function historyOf(threadId: string): Promise<RunStep[]> {
  const steps: RunStep[] = [];
  const thread = { configurable: { thread_id: threadId } };
  const graph = await openGraph(GRAPH);
  for await (const { values, next } of graph.getStateHistory(thread)) {
    steps.unshift({ values: values as GraphState, next });
  }
  return steps;
}

/** The tool that the last successful edit is about, as the library has it now. */
function toolOf(edits: readonly EditRecord[], library: ToolLibrary): GeneratedRecord | undefined {
  const { tool } =
    edits.findLast(
      ({ kind, outcome }) => kind !== "delete" && (outcome === "done" || outcome === "reused"),
    ) ?? {};
  const record = tool === undefined ? undefined : library.get(tool);
  return record?.source.kind === "generated" ? { ...record, source: record.source } : undefined;
}

function shown({ id, version, source }: GeneratedRecord): CreationRecord["tool"] {
  return { id, version, code: source.code, calls: source.calls };
}
