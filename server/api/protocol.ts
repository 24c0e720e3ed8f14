import { setTimeout as sleep } from "node:timers/promises";
import { matchesSubscription } from "@langchain/langgraph/stream";
import type { Hono } from "hono";
import { z } from "zod";
import { requireScope } from "../access/caller.js";
import { HttpProblem } from "../problem.js";
import { ASKED, PROTOCOL, type ProtocolParams } from "../runs/protocolParts.js";
import { MULTITASK_STRATEGIES, type RunCommand, type RunRow, orderOf } from "../runs/runRow.js";
import type { ThreadEvent } from "../runs/threadEvents.js";
import type { Environment } from "../server.js";
import { type Served, createRun } from "./createRun.js";
import { runForm } from "./runForm.js";
import { type Request, parsed, refused, toJson } from "./requests.js";
import { body, check, jsonObject, pathId, query, texts } from "./taking.js";
import { sendEvents } from "./sendRun.js";
import { findThread } from "./threadRows.js";
import { readState } from "./threadStates.js";

/** A command, as clients send it. */
export const command = z.object({
  id: z.number().int().min(0),
  method: z.string(),
  params: jsonObject.default({}),
});

/** How often it is looked whether a thread is there, in milliseconds. */
const LOOK_MS = 250;

const strategy = z.enum(MULTITASK_STRATEGIES);

const start = runForm
  .pick({ assistant_id: true, input: true, config: true, context: true, metadata: true })
  // The SDK sends it under both names.
  .extend({ multitaskStrategy: strategy.optional(), multitask_strategy: strategy.optional() });

const answer = z.object({ interrupt_id: z.string(), response: z.unknown().optional() });

const respond = runForm.pick({ config: true, context: true, metadata: true }).extend({
  update: z.unknown().optional(),
  goto: z.unknown().optional(),
  responses: z.array(answer).min(1).optional(),
  ...answer.partial().shape,
  // Where the question was asked; its id names it already.
  namespace: z.unknown().optional(),
});

const state = z.looseObject({ keys: z.array(z.string()).optional() });

/** Which events a client wants. */
export const filter = z.strictObject({
  channels: z.array(z.string()).min(1),
  namespaces: z.array(z.array(z.string())).optional(),
  depth: z.number().int().min(0).optional(),
  since: z.number().int().min(0).optional(),
});

const modes = z.array(z.enum(["run_modes", "lifecycle", "state_update"]));

// The SDKs and LangGraph's document do not agree on the name.
const streamQuery = z.object({ stream_mode: texts, stream_modes: texts });

/** LangGraph's streaming protocol, version 2: commands on a thread, and the events of all of its runs. */
export function protocolRoutes(app: Hono<Environment>, server: Served): void {
  app.post("/threads/:thread_id/commands", body(command), async (context) => {
    const asked = context.req.valid("json");
    return context.body(await obey(server, context, asked), 200, {
      "Content-Type": "application/json",
    });
  });
  app.post("/threads/:thread_id/stream/events", body(filter), async (context) => {
    const wanted = context.req.valid("json");
    const { thread_id: threadId } = await findThread(server.data, context);
    const events = (signal: AbortSignal) =>
      protocolEvents({ server, context, threadId, wanted, signal });
    return sendEvents({ context, revocations: server.access.revocations, events });
  });
  app.get("/threads/:thread_id/stream", query(streamQuery), async (context) => {
    const last = context.req.header("Last-Event-ID");
    const [, runId = "", seq] = /^([0-9a-f-]{36}):(\d+)$/.exec(last ?? "") ?? [];
    const { stream_mode, stream_modes } = context.req.valid("query");
    const wanted = check(modes, stream_modes ?? stream_mode ?? ["run_modes"], "query.stream_modes");
    const { thread_id: threadId } = await findThread(server.data, context);
    // All that is kept for "-1", which is not the id of an event.
    const after =
      last === undefined ? "now" : runId === "" ? undefined : { runId, seq: Number(seq) };
    const events = (signal: AbortSignal) =>
      threadParts({ server, threadId, after, signal, wanted });
    return sendEvents({ context, revocations: server.access.revocations, events });
  });
}

/** The events of a thread's runs under the names of their modes; with `lifecycle`, when runs begin and end besides. */
async function* threadParts(options: {
  server: Served;
  threadId: string;
  after: Parameters<Served["runs"]["follow"]>[0]["after"];
  signal: AbortSignal;
  wanted: readonly string[];
}) {
  const { server, wanted, ...reading } = options;
  for await (const { run, event, last = -1 } of server.runs.follow(reading)) {
    const { run_id, status } = run;
    const id = `${run_id}:${event?.seq ?? last}`;
    const isState = event?.event.split("|")[0] === "values" && wanted.includes("state_update");
    if (event && !event.event.startsWith(PROTOCOL) && (wanted.includes("run_modes") || isState))
      yield { id, event: event.event, data: event.data };
    else if (!event && wanted.includes("lifecycle"))
      yield { id, event: "lifecycle", data: JSON.stringify({ run_id, status }) };
  }
}

/** Does what a command says. @returns JSON of the answer */
export async function obey(
  server: Served,
  context: Request,
  { id, method, params }: z.output<typeof command>,
): Promise<string> {
  const threadId = pathId(context, "thread_id");
  const succeed = (result: unknown) =>
    toJson({ type: "success", id, result, meta: { thread_id: threadId } });
  switch (method) {
    case "run.start": {
      const { multitaskStrategy, multitask_strategy, ...asked } = check(start, params, "params");
      const multitask = multitask_strategy ?? multitaskStrategy ?? "enqueue";
      const run = await begin({ ...asked, multitask_strategy: multitask, if_not_exists: "create" });
      return succeed({ run_id: run.run_id });
    }
    case "input.respond": {
      const { thread_id, metadata } = await findThread(server.data, context, threadId);
      const { assistant_id } = parsed(metadata);
      if (typeof assistant_id !== "string")
        throw refused(`nothing has run on thread ${thread_id} yet`);
      const {
        update,
        goto,
        responses,
        interrupt_id,
        response,
        namespace: _,
        ...asked
      } = check(respond, params, "params");
      const given = responses ?? [{ interrupt_id, response }];
      const resume = Object.fromEntries(
        given.map((one) => [check(z.string(), one.interrupt_id, "params"), one.response]),
      );
      const run = await begin({
        ...asked,
        assistant_id,
        command: { resume, update, goto } as RunCommand,
      });
      return succeed({ run_id: run.run_id });
    }
    case "state.get": {
      requireScope(context.get("caller"), "read");
      const { keys } = check(state, params, "params");
      const row = await findThread(server.data, context, threadId);
      const { values, checkpoint } = await readState({ server, row });
      const shown = Object.entries(Object(values)).filter(([key]) => keys?.includes(key) ?? true);
      const { checkpoint_id, checkpoint_ns: ns } = checkpoint ?? {};
      return succeed({
        values: Object.fromEntries(shown),
        checkpoint: checkpoint_id ? { id: checkpoint_id, ns } : undefined,
      });
    }
    default: {
      const message = `${method.slice(0, 100)} is not offered; this server takes run.start, input.respond and state.get, and on a WebSocket subscription.subscribe and .unsubscribe`;
      return toJson({ type: "error", id, error: "not_supported", message });
    }
  }
  async function begin(asked: z.input<typeof runForm>): Promise<RunRow> {
    const form = check(runForm, asked, "params");
    return await createRun({ server, context, form, threadId, isStreamed: true, isProtocol: true });
  }
}

/** The events of a thread that a client wants; of one that is not there yet, once it is. */
export async function* protocolEvents(options: {
  server: Served;
  context: Request;
  threadId: string;
  wanted: z.output<typeof filter>;
  signal: AbortSignal;
}) {
  const { server, context, threadId, wanted, signal } = options;
  await untilSeen({ server, context, threadId, signal });
  const subscription = wanted as Parameters<typeof matchesSubscription>[1];
  for await (const happened of server.runs.follow({ threadId, signal })) {
    const seen = await protocolEvent(server, happened);
    if (seen === undefined || !matchesSubscription(seen, subscription)) continue;
    const { seq } = seen;
    yield {
      id: `${seq}`,
      event: seen.method,
      data: JSON.stringify({ type: "event", event_id: `${seq}`, ...seen }),
    };
  }
}

/** Waits for a thread that the first run of a client makes. */
async function untilSeen(options: Omit<Parameters<typeof protocolEvents>[0], "wanted">) {
  const { server, context, threadId, signal } = options;
  const isSeen = () =>
    findThread(server.data, context, threadId).then(
      () => true,
      (error: unknown) => {
        if (error instanceof HttpProblem) return false;
        throw error;
      },
    );
  while (!signal.aborted && !(await isSeen())) await sleep(LOOK_MS);
}

/** An event as the protocol has it; undefined for those of runs that were begun otherwise. */
async function protocolEvent(server: Served, { run, event, last = -1 }: ThreadEvent) {
  if (event?.event.startsWith(PROTOCOL)) {
    const params = JSON.parse(event.data) as ProtocolParams;
    return { seq: event.seq, method: event.event.slice(PROTOCOL.length), params };
  }
  const order = orderOf(run);
  if (event || !order.is_protocol || last < 0) return undefined;
  const data = {
    event: await endOf(server, run),
    graph_name: order.graph_id,
    error: run.error ?? undefined,
  };
  const params: ProtocolParams = { namespace: [], timestamp: run.updated_at, data };
  return { seq: last + 1, method: "lifecycle", params };
}

async function endOf({ data }: Served, { run_id, status }: RunRow): Promise<string> {
  if (status === "error") return "failed";
  if (status !== "success") return "interrupted";
  const questions = data.db.selectFrom("run_events").select("seq").where("run_id", "=", run_id);
  const asked = await questions.where("event", "=", ASKED).limit(1).executeTakeFirst();
  return asked ? "interrupted" : "completed";
}
