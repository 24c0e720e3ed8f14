import { openGraph } from "../../graphs/openGraph.js";
import { packageVersion } from "../../storage/packageRoot.js";
import { parseContext } from "../../state/context.js";
import type { EditRecord, GraphState } from "../../state/state.js";
import { canonicalJson, sha256 } from "../../tools/library/hash.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import { localRunner } from "../runs/localRunner.js";
import { type Pauses, runTask } from "../runs/runTask.js";
import { draftsOf, type RunStep } from "./drafts.js";
import { type GeneratedRecord, runHiddenChecks } from "./hiddenChecks.js";
import type { CreationRecord } from "./record.js";
import type { CreationRequest } from "./request.js";
import { openStartLibrary } from "./startLibrary.js";
import { START_TOOLS } from "./startTools.js";

/** The graph whose model keeps the library itself. */
const GRAPH = "auto_tulip";

/** What all requests of an evaluation share. */
export interface CreationSettings {
  /** As "provider:name". */
  model: string;
  /** As "provider:name". */
  embeddings: string;
}

/** What tells the lines of one evaluation from those of another. */
export function identityOf(request: CreationRequest, { model, embeddings }: CreationSettings) {
  const start = request.start.map((name) => START_TOOLS[name]);
  const requestHash = sha256(canonicalJson({ ...request, start }));
  return { request: request.id, requestHash, model, embeddings, version: packageVersion() };
}

/**
 * Makes one attempt at a request in a library of its own, and tries what has come of it on the hidden
 * checks. An attempt that was under way goes on from its last checkpoint.
 *
 * @throws the reason of the signal when that is aborted
 */
export async function runRequest(options: {
  request: CreationRequest;
  settings: CreationSettings;
  /** From 1. */
  attempt: number;
  pauses: Pauses;
  signal: AbortSignal;
}): Promise<CreationRecord> {
  const { request, settings, attempt, pauses, signal } = options;
  const { id, query, start, checks } = request;
  const name = attempt === 1 ? id : `${id}.${attempt}`;
  const library = await openStartLibrary({ name, embeddings: settings.embeddings, start });
  const planned = {
    id,
    task: { id, query, tools: [], level: request.theme },
    graph: GRAPH,
    variant: "",
    run: 1,
    settings: { ...settings, library: name },
  };
  const runner = localRunner();
  const run = await runTask({ planned, number: attempt, runner, signal, pauses });
  const { status, answer, usage, wallMs, threadId, error } = run;
  const history = await historyOf(threadId);
  const edits = history.at(-1)?.values.edits ?? [];
  const tool = toolOf(edits, library);
  const { toolTimeoutMs: timeoutMs } = parseContext(settings);
  return {
    ...identityOf(request, settings),
    attempt,
    status,
    answer,
    edits,
    drafts: draftsOf({ history, library, start }),
    tool: tool ? shown(tool) : null,
    hidden: tool
      ? await runHiddenChecks({ tool, checks, library, threadId, timeoutMs, signal })
      : null,
    usage,
    wallMs,
    threadId,
    ...(error === undefined ? {} : { error }),
  };
}

async function historyOf(threadId: string): Promise<RunStep[]> {
  const steps: RunStep[] = [];
  const thread = { configurable: { thread_id: threadId } };
  for await (const { values, next } of openGraph(GRAPH).getStateHistory(thread)) {
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
