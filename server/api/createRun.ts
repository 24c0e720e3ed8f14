import { v7 } from "@langchain/core/utils/uuid";
import { projectGraph } from "../../graphs/projects.js";
import { requireLibrary } from "../access/libraries.js";
import { type RunOrder, type RunRow, threadRow } from "../runs/runRow.js";
import { type Caller, actorOfCaller, ownerSeen } from "../access/caller.js";
import { isShown } from "../access/projectAuth.js";
import { threadUnknown } from "../problem.js";
import type { WantedRun } from "../access/admission.js";
import { keepToken } from "../access/keepToken.js";
import { type Assistant, findAssistant } from "./assistantRows.js";
import { type GoingOn, goingOnWith } from "./goingOn.js";
import { type Request, parsed, refused, time, shownConfig } from "./requests.js";
import type { RunForm } from "./runForm.js";
import type { Access } from "../access/access.js";
import type { ServerStore } from "../schema.js";
import type { Runs } from "../runs/runs.js";
import type { Workspace } from "../../home/workspace.js";

/** What makes a run, and routes that do. */
export interface Served {
  data: ServerStore;
  access: Access;
  runs: Runs;
  workspace: Workspace;
}

/** Keys of the config that the server sets, not the caller. */
const RESERVED = new Set([
  "thread_id",
  "run_id",
  "graph_id",
  "assistant_id",
  "checkpoint_id",
  // A run with a namespace would count as part of another one, and not hold its thread.
  "checkpoint_ns",
  "checkpoint_map",
]);

/**
 * Queues a run, if the caller may run it.
 *
 * @param options.threadId absent for a stateless run
 * @param options.isStreamed whether somebody will read its events, rather than only its result
 */
export async function createRun(options: {
  server: Served;
  /** Absent for a run that nobody asks for at this moment; its caller is known then. */
  context?: Request;
  form: RunForm;
  threadId?: string;
  isStreamed: boolean;
  isProtocol?: boolean;
  /** Its id; by default a new one. */
  runId?: string;
  /** Default: whoever sent the request. */
  caller?: Caller;
}): Promise<RunRow> {
  const { server, context, form, threadId, isStreamed, isProtocol } = options;
  const asking = options.caller ?? context?.get("caller");
  if (asking === undefined) throw new Error("a run needs a caller");
  const { runId = v7() } = options;
  const wantedRun = askedRun(form, { runId, threadId });
  const caller = await server.access.permit({
    caller: asking,
    event: "threads:create_run",
    value: wantedRun,
    besides: ["assistants:read"],
  });
  if (caller.project && threadId !== undefined) await requireShown(server.data, caller, threadId);
  if (form.checkpoint?.checkpoint_ns)
    throw refused(
      "checkpoint.checkpoint_ns: a run begins at a checkpoint of the whole graph",
      "Leave it out",
    );
  if (form.webhook !== undefined) server.access.requireWebhook(form.webhook);
  const owner = ownerSeen(caller);
  await keepToken(server.workspace, caller, context?.get("token"));
  const assistant = await findAssistant(server.data, form.assistant_id, caller);
  const { assistant_id, graph_id } = assistant;
  const asked = configOf(form, assistant);
  const inConfig = form.config?.configurable?.["checkpoint_id"];
  const named = typeof inConfig === "string" ? inConfig : undefined;
  const checkpoint_id = form.checkpoint_id || form.checkpoint?.checkpoint_id || named;
  const checkpoint = checkpoint_id === undefined ? undefined : { checkpoint_id };
  const resume = form.command?.resume;
  // Front ends send an empty input with a command, which takes its place.
  const goesOn = threadId !== undefined && (form.input === undefined || form.command !== undefined);
  const before: GoingOn = goesOn
    ? await goingOnWith({ server, caller, threadId, checkpoint, resume })
    : {};
  const admitted = await server.access.admit({
    caller,
    run: { ...wantedOf(form, assistant), begun: before.begun },
  });
  const metadata = { ...assistant.metadata, ...form.config?.metadata, ...wantedRun.metadata };
  const config = { ...asked, configurable: admitted.configurable };
  const modes = [form.stream_mode ?? []].flat();
  const order: RunOrder = {
    actor: actorOfCaller(caller),
    grantee: before.grantee ?? {
      owner: actorOfCaller(caller),
      scopes: caller.scopes,
      groups: caller.groups,
    },
    graph_id,
    input: form.input,
    command: form.command,
    config,
    context: admitted.context,
    traceparent: context?.req.header("traceparent")?.slice(0, 100),
    checkpoint,
    asked: before.asked,
    stream_mode: modes.length > 0 ? modes : ["values"],
    subgraphs: form.stream_subgraphs,
    is_streamed: isStreamed || form.stream_resumable === true,
    is_protocol: isProtocol,
    webhook: form.webhook,
    interrupt_before: form.interrupt_before,
    interrupt_after: form.interrupt_after,
  };
  const known = form.if_not_exists === "create" ? "maybe new" : "known";
  const isThread: "new" | "maybe new" | "known" = threadId === undefined ? "new" : known;
  const wanted = {
    run: {
      run_id: runId,
      thread_id: threadId ?? v7(),
      assistant_id,
      owner: caller.owner,
      caller: caller.id,
      metadata: JSON.stringify(metadata),
      multitask_strategy: form.multitask_strategy,
      request_id: before.requestId ?? runId,
      is_stateless: threadId === undefined && form.on_completion === "delete" ? 1 : 0,
    },
    order,
    reserve: admitted.reserve,
    afterSeconds: form.after_seconds,
    thread: { metadata: { graph_id, assistant_id }, config: { ...config } },
    isThread,
    isFollowed: isProtocol,
    owner,
  };
  const { library } = admitted.context;
  if (typeof library === "string" && !projectGraph(graph_id))
    await requireLibrary(server.workspace, caller, library);
  return await server.runs.queue.put(wanted);
}

/** What somebody has to be allowed for a run. */
export function wantedOf(
  form: Pick<RunForm, "input" | "context" | "config" | "command">,
  assistant: Assistant,
): WantedRun {
  return {
    graph: assistant.graph_id,
    context: { ...assistant.context, ...form.context },
    configurable: configOf(form, assistant).configurable,
    input: form.command ? undefined : form.input,
    command: form.command,
  };
}

/** A run as a project's handlers see it, who may add to its metadata. */
function askedRun(form: RunForm, { runId, threadId }: { runId: string; threadId?: string }) {
  const { metadata, multitask_strategy, if_not_exists, after_seconds, ...kwargs } = form;
  return {
    thread_id: threadId,
    assistant_id: form.assistant_id,
    run_id: runId,
    status: "pending",
    metadata: { ...metadata },
    prevent_insert_if_inflight: multitask_strategy === "reject",
    multitask_strategy,
    if_not_exists,
    after_seconds,
    kwargs,
  };
}

/** @throws HttpProblem 404 for a thread that a project's user may not run anything on */
async function requireShown(data: ServerStore, caller: Caller, threadId: string): Promise<void> {
  const row = await threadRow(data, threadId);
  if (row && !isShown(caller, "threads", row.metadata)) throw threadUnknown(threadId);
}

function configOf(form: Pick<RunForm, "config">, assistant: Assistant): RunOrder["config"] {
  const own: NonNullable<RunForm["config"]> = assistant.config;
  const configurable = Object.entries({ ...own.configurable, ...form.config?.configurable });
  return {
    tags: form.config?.tags ?? own.tags,
    recursion_limit: form.config?.recursion_limit ?? own.recursion_limit,
    max_concurrency: form.config?.max_concurrency ?? own.max_concurrency,
    run_name: form.config?.run_name ?? own.run_name,
    // Keys that begin with underscores are internal to LangGraph and this project.
    configurable: Object.fromEntries(
      configurable.filter(([key]) => !key.startsWith("__") && !RESERVED.has(key)),
    ),
  };
}

/** A run, as clients see it. */
export function runAnswer(row: RunRow) {
  const { run_id, thread_id, assistant_id, status, multitask_strategy, attempts, error } = row;
  const { is_streamed: _streamed, grantee: _grantee, config, ...kwargs } = parsed(row.kwargs);
  return {
    run_id,
    thread_id,
    assistant_id,
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
    status,
    metadata: parsed(row.metadata),
    kwargs: { ...kwargs, config: shownConfig(Object(config)) },
    multitask_strategy,
    // How many processes have worked on it; LangGraph's own servers do not send this.
    attempts,
    ...(error === null ? {} : { error }),
  };
}
