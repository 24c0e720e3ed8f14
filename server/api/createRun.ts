import { v7 } from "@langchain/core/utils/uuid";
import { z } from "zod";
import { projectGraph } from "../../graphs/projects.js";
import { requireLibrary } from "../access/libraries.js";
import { MULTITASK_STRATEGIES, type RunOrder, type RunRow, STREAM_MODES } from "../runs/runRow.js";
import type { Caller } from "../access/caller.js";
import { keepToken } from "../access/keepToken.js";
import { type Assistant, findAssistant } from "./assistantRows.js";
import { type GoingOn, goingOnWith } from "./goingOn.js";
import {
  type Request,
  checkpointForm,
  jsonObject,
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
export const runForm = z.object({
  assistant_id: z.string(),
  input: z.unknown().optional(),
  command: command.optional(),
  metadata: jsonObject.optional(),
  context: jsonObject.optional(),
  config: z
    .looseObject({
      tags: z.array(z.string()).optional(),
      recursion_limit: z.number().int().min(1).optional(),
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
  feedback_keys: z.array(z.string()).optional(),
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
  context: Request;
  form: RunForm;
  threadId?: string;
  isStreamed: boolean;
  /** Default: whoever sent the request. */
  caller?: Caller;
}): Promise<RunRow> {
  const { server, context, form, threadId, isStreamed } = options;
  const { caller = context.get("caller") } = options;
  if (form.webhook !== undefined) {
    throw refused(
      "webhook: this server calls no addresses",
      "Wait for the run (join), or stream it",
    );
  }
  const owner = ownerSeen(context);
  await keepToken({ workspace: server.workspace, caller, token: context.get("token") });
  const assistant = await findAssistant(server.data, form.assistant_id, owner);
  const { assistant_id, graph_id } = assistant;
  const runId = v7();
  const asked = configOf(form, assistant);
  const checkpoint_id = form.checkpoint_id || form.checkpoint?.checkpoint_id;
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
  const metadata = { ...assistant.metadata, ...form.metadata };
  const config = { ...asked, configurable: admitted.configurable };
  const settings = admitted.context;
  const modes = [form.stream_mode ?? []].flat();
  const order: RunOrder = {
    actor: caller.owner,
    graph_id,
    input: form.input,
    command: form.command,
    config,
    context: settings,
    traceparent: context.req.header("traceparent")?.slice(0, 100),
    checkpoint,
    asked: before.asked,
    tokens: admitted.tokens,
    stream_mode: modes.length > 0 ? modes : ["values"],
    subgraphs: form.stream_subgraphs,
    is_streamed: isStreamed || form.stream_resumable === true,
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
    owner,
  };
  try {
    const { library } = settings;
    if (typeof library === "string" && !projectGraph(graph_id)) await requireLibrary(server.workspace, caller, library);
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
    // Keys that begin with underscores are internal to LangGraph and this project.
    configurable: Object.fromEntries(
      configurable.filter(([key]) => !key.startsWith("__") && !RESERVED.has(key)),
    ),
  };
}

/** A run, as clients see it. */
export function runAnswer(row: RunRow) {
  const { run_id, thread_id, assistant_id, status, multitask_strategy, attempts, error } = row;
  const { is_streamed: _streamed, ...kwargs } = parsed(row.kwargs);
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
