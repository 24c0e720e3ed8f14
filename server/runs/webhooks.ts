import { setTimeout as sleep } from "node:timers/promises";
import type { Hono } from "hono";
import { reasonOf } from "../../common/connections.js";
import { jsonWithoutOwnSecrets } from "../../common/secrets.js";
import { toJson } from "../api/requests.js";
import type { Telemetry } from "../telemetry/telemetry.js";
import { type RunRow, orderOf } from "./runRow.js";
import type { ServedGraphs } from "./servedGraphs.js";

/** How often an address is tried, the pause after the first time, which doubles, and how long it may take to answer. */
const TRIES = 4;
const PAUSE_MS = 1_000;
const ANSWER_MS = 10_000;

/**
 * Tells the address that a run names of its end. It is told at least once, unless it never answers or this process dies
 * first.
 *
 * @returns once everything is read that it is told; it is sent later
 */
export async function tellWebhook(options: {
  server: { telemetry: Telemetry; own?: Hono };
  graphs: ServedGraphs;
  run: RunRow;
  status: string;
  error?: string;
}): Promise<void> {
  const { server, graphs, run, status, error } = options;
  const { webhook, graph_id, config } = orderOf(run);
  if (webhook === undefined) return;
  const { run_id, thread_id, assistant_id, metadata, created_at } = run;
  const graph = await graphs.open(graph_id, config);
  const { values } = await graph.getState({ configurable: { thread_id } });
  const told = {
    run_id,
    thread_id,
    assistant_id,
    status,
    error,
    values,
    metadata: JSON.parse(metadata) as object,
    created_at: new Date(created_at).toISOString(),
    webhook_sent_at: new Date().toISOString(),
  };
  const body = jsonWithoutOwnSecrets(toJson(told));
  void sent(webhook, body, server.own).then((problem) => {
    if (problem === undefined) return;
    const host = URL.canParse(webhook) ? new URL(webhook).host : webhook;
    server.telemetry.log({ level: "warn", event: "webhook_failed", runId: run_id, host, problem });
  });
}

/** @returns why it could not be sent */
async function sent(webhook: string, body: string, own?: Hono): Promise<string | undefined> {
  const headers = { "Content-Type": "application/json" };
  let problem: string | undefined;
  for (let tries = 1; tries <= TRIES; tries += 1) {
    try {
      const request = { method: "POST", headers, body };
      const answer = await (webhook.startsWith("/")
        ? own?.request(webhook, request)
        : // Another address than the one that is allowed would have to be asked about.
          fetch(webhook, {
            ...request,
            redirect: "error",
            signal: AbortSignal.timeout(ANSWER_MS),
          }));
      if (answer?.ok) return undefined;
      problem = `status ${answer?.status}`;
    } catch (error) {
      problem = reasonOf(error);
    }
    if (tries < TRIES) await sleep(PAUSE_MS * 2 ** (tries - 1), undefined, { ref: false });
  }
  return problem;
}
