import { v7 } from "@langchain/core/utils/uuid";
import { z } from "zod";
import { projectGraph } from "../../graphs/projects.js";
import { requireLibrary } from "../access/libraries.js";
import { MULTITASK_STRATEGIES, type RunOrder, type RunRow, STREAM_MODES } from "../runs/runRow.js";
import { type Caller, seesAll } from "../access/caller.js";
import { keepToken } from "../access/keepToken.js";
import { type Assistant, findAssistant } from "./assistantRows.js";
import { type GoingOn, goingOnWith } from "./goingOn.js";
import {
  type Request,
  checkpointForm,
  jsonObject,
  notOffered,
  ownerSeen,
  parsed,
  refused,
  time,
} from "./requests.js";
import type { Access } from "../access/access.js";
import type { ServerStore } from "../schema.js";
import type { Runs } from "../runs/runs.js";
import type { Workspace } from "../../home/workspace.js";

const destination = z.union([
  z.string(),
  z.object({ node: z.string(), input: z.unknown().optional() }),
]);

const command = z.object({
  goto: z.union([destination, z.array(destination)]).optional(),
  update: z
    .union([jsonObject, z.array(z.tuple([z.string(), z.unknown()]))])
    .nullish()
    .transform((update) => update ?? undefined),
  resume: z.unknown().optional(),
});

const nodes = z.union([z.literal("*"), z.array(z.string())]);

/** A run, as clients ask for it. What this server does not offer is refused, not ignored. */
export const runForm = z.strictObject({
  assistant_id: z.string(),
  input: z.unknown().optional(),
  command: command.optional(),
  metadata: jsonObject.optional(),
  context: jsonObject.optional(),
  config: z
    .strictObject({
      tags: z.array(z.string()).optional(),
      recursion_limit: z.number().int().min(1).optional(),
      max_concurrency: z.number().int().min(1).optional(),
      run_name: z.string().max(200).optional(),
      configurable: jsonObject.optional(),
      metadata: jsonObject.optional(),
    })
    .optional(),
  checkpoint_id: z.string().optional(),
  checkpoint: checkpointForm.optional(),
  webhook: z.string().optional(),
  interrupt_before: nodes.optional(),
  interrupt_after: nodes.optional(),
  stream_mode: z
    .union([z.enum(STREAM_MODES), z.array(z.enum(STREAM_MODES))], {
      error: ({ input }) =>
        `expected one or more of ${STREAM_MODES.join(", ")}, got ${JSON.stringify(input)?.slice(0, 100)}`,
    })
    .optional(),
  stream_subgraphs: z.boolean().default(false),
  stream_resumable: z.boolean().optional(),
  on_disconnect: z.enum(["cancel", "continue"]).default("continue"),
  // For the thread of a stateless run. Clients of different versions use different words.
  on_completion: z
    .enum(["delete", "keep", "complete", "continue"])
    .default("delete")
    .transform((then) => (then === "keep" || then === "continue" ? "keep" : "delete")),
  multitask_strategy: z.enum(MULTITASK_STRATEGIES).default("reject"),
  if_not_exists: z.enum(["reject", "create"]).default("reject"),
  after_seconds: z.number().min(0).max(31_536_000).default(0),
  // All that is less is done, too: each step is saved before the next one begins.
  durability: z.enum(["sync", "async", "exit"]).optional(),
  checkpoint_during: z.boolean().optional(),
  feedback_keys: notOffered("this server gives no feedback tokens"),
  langsmith_tracer: notOffered("the operator sets where traces go"),
});

type RunForm = z.output<typeof runForm>;

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
  server: { data: ServerStore; access: Access; runs: Runs; workspace: Workspace };
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
  const caller = options.caller ?? context?.get("caller");
  if (caller === undefined) throw new Error("a run needs a caller");
  if (form.checkpoint?.checkpoint_ns)
    throw refused(
      "checkpoint.checkpoint_ns: a run begins at a checkpoint of the whole graph",
      "Leave it out",
    );
  if (form.webhook !== undefined) server.access.requireWebhook(form.webhook);
  const owner = context ? ownerSeen(context) : seesAll(caller) ? undefined : caller.owner;
  await keepToken({ workspace: server.workspace, caller, token: context?.get("token") });
  const assistant = await findAssistant(server.data, form.assistant_id, owner);
  const { assistant_id, graph_id } = assistant;
  const { runId = v7() } = options;
  const asked = configOf(form, assistant);
  const inConfig = form.config?.configurable?.["checkpoint_id"];
  const named = typeof inConfig === "string" ? inConfig : undefined;
  const checkpoint_id = form.checkpoint_id || form.checkpoint?.checkpoint_id || named;
  const checkpoint = checkpoint_id === undefined ? undefined : { checkpoint_id };
  const resume = form.command?.resume;
  const goesOn = threadId !== undefined && form.input === undefined;
  const before: GoingOn = goesOn
    ? await goingOnWith({ server, caller, threadId, checkpoint, resume })
    : {};
  const admitted = await server.access.admit({
    caller,
    run: {
      runId,
      graph: graph_id,
      context: { ...assistant.context, ...form.context },
      begun: before.begun,
      configurable: asked.configurable,
      command: form.command,
    },
  });
  const metadata = { ...assistant.metadata, ...form.config?.metadata, ...form.metadata };
  const config = { ...asked, configurable: admitted.configurable };
  const settings = admitted.context;
  const modes = [form.stream_mode ?? []].flat();
  const order: RunOrder = {
    actor: caller.owner,
    grantee: before.grantee ?? {
      owner: caller.owner,
      scopes: caller.scopes,
      groups: caller.groups,
    },
    graph_id,
    input: form.input,
    command: form.command,
    config,
    context: settings,
    traceparent: context?.req.header("traceparent")?.slice(0, 100),
    checkpoint,
    asked: before.asked,
    tokens: admitted.tokens,
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
      kwargs: JSON.stringify(order),
      metadata: JSON.stringify(metadata),
      multitask_strategy: form.multitask_strategy,
      is_stateless: threadId === undefined && form.on_completion === "delete" ? 1 : 0,
    },
    afterSeconds: form.after_seconds,
    thread: { metadata: { graph_id, assistant_id }, config: { ...config } },
    isThread,
    isFollowed: isProtocol,
    owner,
  };
  try {
    const { library } = settings;
    if (typeof library === "string" && !projectGraph(graph_id))
      await requireLibrary(server.workspace, caller, library);
    return await server.runs.queue.put(wanted);
  } catch (error) {
    await server.access.withdraw(runId);
    throw error;
  }
}

function configOf(form: RunForm, assistant: Assistant): RunOrder["config"] {
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
  const { is_streamed: _streamed, grantee: _grantee, ...kwargs } = parsed(row.kwargs);
  return {
    run_id,
    thread_id,
    assistant_id,
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
    status,
    metadata: parsed(row.metadata),
    kwargs,
    multitask_strategy,
    // How many processes have worked on it; LangGraph's own servers do not send this.
    attempts,
    ...(error === null ? {} : { error }),
  };
}
