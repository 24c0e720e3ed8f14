import { setTimeout as pause } from "node:timers/promises";
import type { Client, Run } from "@langchain/langgraph-sdk";
import { oneLine } from "../../common/errors.js";
import { parseSettings } from "../../state/settings.js";
import { usageSchema } from "../../state/state.js";
import { jsonOrNothing } from "../files.js";
import { AttemptLost, type RunRequest } from "./runner.js";

/** A thread on a server, and its attempt. */
export interface RemoteThread {
  client: Client;
  threadId: string;
  request: RunRequest;
}

/** How a run on the server ended, in the server's own words. */
export interface RemoteEnd {
  status: Exclude<Run["status"], "pending" | "running">;
  /** What broke it off, if that was reported. */
  problem?: string;
}

/** Pause between two questions whether a run has ended, if the server does not say so by itself. */
const POLL_MS = 1000;

/** Listens to a run, whoever started it, until it has ended. */
export async function followRun(thread: RemoteThread, run: Run): Promise<RemoteEnd> {
  const patience = { ms: parseSettings(thread.request.settings).maxSeconds * 1000, since: now() };
  let { status } = run;
  let problem: string | undefined;
  while (true) {
    const heard = await listen({ thread, runId: run.run_id, patienceMs: patience.ms });
    problem ??= heard.problem;
    const before = status;
    ({ status } = await currentRun(thread, run.run_id));
    if (status !== "pending" && status !== "running") return { status, problem };
    if (heard.anything || before !== status || status === "pending") patience.since = now();
    if (now() - patience.since >= patience.ms) await giveUp(thread, run.run_id);
    await pause(POLL_MS, undefined, { signal: thread.request.signal });
  }
}

/**
 * A restarted server may call a run "running" forever (that of LangGraph's command line does). No stage takes
 * longer than the whole run may, so a run that is silent for that long has no worker.
 */
async function giveUp({ client, threadId }: RemoteThread, runId: string): Promise<never> {
  await client.runs.cancel(threadId, runId);
  throw new AttemptLost("the server calls the run running, but does not work at it", threadId);
}

async function currentRun({ client, threadId, request }: RemoteThread, id: string): Promise<Run> {
  try {
    return await client.runs.get(threadId, id, { signal: request.signal });
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
    throw new AttemptLost("the server has forgotten the run", threadId);
  }
}

/** Whether a request was answered with one of these HTTP statuses. */
export function isStatus(error: unknown, ...statuses: number[]): boolean {
  return error instanceof Error && "status" in error && statuses.includes(Number(error.status));
}

interface Heard {
  anything: boolean;
  problem?: string;
}

/** Reads the events of a run until the stream ends or stays silent for too long. */
async function listen(options: {
  thread: RemoteThread;
  runId: string;
  patienceMs: number;
}): Promise<Heard> {
  const { thread, runId, patienceMs } = options;
  const { signal, onUsage } = thread.request;
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), patienceMs);
  const events = thread.client.runs.joinStream(thread.threadId, runId, {
    signal: AbortSignal.any([signal, silence.signal]),
    streamMode: "values",
  });
  const heard: Heard = { anything: false };
  try {
    while (true) {
      const next = await nextEvent(events, signal);
      if (next === undefined) return heard;
      timer.refresh();
      heard.anything = true;
      if (next.event === "error") heard.problem = problemIn(next.data);
      const usage = usageSchema.safeParse(Object(next.data).usage);
      if (next.event === "values" && usage.success) onUsage?.(usage.data);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** The next event; undefined at the end of the stream, whatever ended it. */
async function nextEvent(
  events: AsyncGenerator<{ event: string; data: unknown }>,
  signal: AbortSignal,
): Promise<{ event: string; data: unknown } | undefined> {
  try {
    const { done, value } = await events.next();
    return done ? undefined : value;
  } catch {
    // The stream only shows progress. The caller asks for the run's status next, and learns then whether
    // the server is there.
    signal.throwIfAborted();
    return undefined;
  }
}

/** The message of an error, which comes as `{ error, message }`, as that in JSON, or as plain text. */
export function problemIn(data: unknown): string {
  const {
    error,
    name = error,
    message,
  } = Object(typeof data === "string" ? jsonOrNothing(data) : data) as Record<string, unknown>;
  const parts = [name, message].filter((part) => typeof part === "string" && part !== "");
  if (parts.length > 0) return oneLine(parts.join(": "));
  return oneLine(typeof data === "string" ? data : JSON.stringify(data));
}

function now(): number {
  return performance.now();
}
