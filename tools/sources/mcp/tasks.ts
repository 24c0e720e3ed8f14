import { setTimeout as sleep } from "node:timers/promises";
import { type CallToolResult, type Client, ProtocolError } from "@modelcontextprotocol/client";
import { z } from "zod";
import { HandedOver } from "../../../common/orAborted.js";
import { MOST_TASK_MS } from "../../calls/engine/callClock.js";
import { MAY_HAVE_HAPPENED, type RemoteCall } from "../../remote.js";
import { type Connection, NEVER_MS } from "./connection.js";
import { causeText } from "./failures.js";
import { McpFailed } from "./settings.js";

/** The task that an earlier process began is unknown to its server by now. */
export class TaskLost extends Error {}

const taskSchema = z.looseObject({
  taskId: z.string(),
  status: z.string(),
  pollInterval: z.number().optional(),
});

const createdSchema = z.looseObject({ task: taskSchema });

const anySchema = z.looseObject({});

/** Milliseconds between questions after a task, whatever its server wishes. */
const [SHORTEST_MS, USUAL_MS, LONGEST_MS] = [100, 1_000, 60_000];

/** Questions in a row that may get no answer, with ever longer pauses: about five minutes. */
const MOST_FAILURES = 10;

/** Time limit in milliseconds for the end of a task that is no longer wanted. */
const ENDING_MS = 5_000;

/** Whether a call is made as a task of MCP (revision 2025-11-25), or was: its tool takes that, and the server can. */
export function isTaskCall({ record, task }: RemoteCall, client: Client): boolean {
  const { source } = record;
  if (task.id !== undefined) return true;
  if (source.kind !== "mcp" || source.isTask !== true) return false;
  return client.getServerCapabilities()?.tasks?.requests?.tools?.call !== undefined;
}

/** A call as a task at a server, with the server's own name for the tool. */
interface TaskCall {
  connection: Pick<Connection, "client" | "reach">;
  request: RemoteCall;
  tool: { server: string; tool: string };
  signal: AbortSignal;
}

/**
 * Makes a call as a task, or goes on with the one that an earlier process began, and waits for its end. If the call is
 * cancelled, so is the task, unless it goes on elsewhere or later.
 *
 * @throws TaskLost, or McpFailed if there is no result
 */
export async function callAsTask(call: TaskCall): Promise<CallToolResult> {
  const { connection, request, tool, signal } = call;
  const { client, reach } = connection;
  const taskId = request.task.id ?? (await begun(call));
  const params = { taskId };
  const failed = (problem: string, cause?: unknown) => {
    const doubt = request.record.effects === "write" ? `; the call ${MAY_HAVE_HAPPENED}` : "";
    return new McpFailed({ server: tool.server, problem: `${problem}${doubt}` }, { cause });
  };
  try {
    const { status } = await endOf(call, taskId);
    if (status === "cancelled") throw failed("its task was cancelled");
    const wanted = { method: "tasks/result", params };
    const result = await client.request(wanted, anySchema, { signal, timeout: NEVER_MS });
    return result as CallToolResult;
  } catch (error) {
    if (signal.aborted && !(signal.reason instanceof HandedOver)) {
      const cancelling = { method: "tasks/cancel", params };
      // It may have ended just now.
      await client.request(cancelling, anySchema, { timeout: ENDING_MS }).catch(() => undefined);
    }
    const isTold = error instanceof McpFailed || error instanceof TaskLost;
    if (isTold || signal.aborted) throw error;
    throw failed(`its task gave no result (${causeText(error, reach)})`, error);
  }
}

async function begun({ connection, request, tool, signal }: TaskCall): Promise<string> {
  const params = { name: tool.tool, arguments: request.args, task: { ttl: MOST_TASK_MS } };
  const call = { method: "tools/call", params };
  const settings = { signal, timeout: NEVER_MS };
  const { task } = await connection.client.request(call, createdSchema, settings);
  await request.task.note(task.taskId);
  return task.taskId;
}

/** Waits until a task has ended, or asks something, which its server does while it is asked for the result. */
async function endOf({ connection, request, signal }: TaskCall, taskId: string) {
  const asked = { method: "tasks/get", params: { taskId } };
  const settings = { signal, timeout: LONGEST_MS };
  let pauseMs = USUAL_MS;
  for (let failures = 0; ;) {
    try {
      const task = await connection.client.request(asked, taskSchema, settings);
      if (task.status !== "working") return task;
      failures = 0;
      pauseMs = Math.min(Math.max(task.pollInterval ?? USUAL_MS, SHORTEST_MS), LONGEST_MS);
    } catch (error) {
      const isGone = error instanceof ProtocolError;
      if (isGone && request.task.id !== undefined) throw new TaskLost(undefined, { cause: error });
      failures += 1;
      pauseMs = Math.min(pauseMs * 2, LONGEST_MS);
      // A server that is away for a moment goes on with its tasks.
      if (isGone || signal.aborted || failures > MOST_FAILURES) throw error;
    }
    await sleep(pauseMs, undefined, { signal });
  }
}
