import { setTimeout as sleep } from "node:timers/promises";
import { type Caller, ownerSeen } from "../access/caller.js";
import { isShown } from "../access/projectAuth.js";
import { conflict, HttpProblem } from "../problem.js";
import { type RunRow, threadRow } from "../runs/runRow.js";
import type { Served } from "./createRun.js";
import { type Request, refused } from "./requests.js";
import { uuid } from "./taking.js";

/** A client that did not get an answer sends its request again with the same key, which is the id of its run. */
export function keyOf(context: Request): string | undefined {
  const key = context.req.header("Idempotency-Key");
  if (key === undefined || uuid.safeParse(key).success) return key?.toLowerCase();
  throw refused(`Idempotency-Key: expected a UUID, got "${key.slice(0, 100)}"`);
}

/** The run that an earlier request with the same key has made. @throws HttpProblem 409 if that was another request */
async function sameRun(
  server: Pick<Served, "data" | "runs">,
  context: Request,
  threadId: string | undefined,
): Promise<RunRow | undefined> {
  const key = keyOf(context);
  const run = key === undefined ? undefined : await server.runs.find(key);
  if (!run) return undefined;
  const isSeen = await seesRun(server, context.get("caller"), run);
  if (isSeen && (threadId === undefined || run.thread_id === threadId.toLowerCase())) return run;
  const problem = `Idempotency-Key: ${key} belongs to another run`;
  throw conflict(problem, "Send a new UUID with each new run");
}

/** How often, and how long in between (ms), it is looked for the run of a request that came at the same time. */
const LOOKS = 20;
const LOOK_MS = 100;

/** The run of a request's key, which is made if there is none: once, also for two requests that come together. */
export async function runOfKey(
  server: Pick<Served, "data" | "runs">,
  context: Request,
  threadId: string | undefined,
  make: () => Promise<RunRow>,
): Promise<RunRow> {
  const known = () => sameRun(server, context, threadId);
  const before = await known();
  if (before) return before;
  try {
    return await make();
  } catch (error) {
    if (keyOf(context) === undefined) throw error;
    // A refusal says that the other request is done, or that this one is wrong by itself.
    for (let looks = error instanceof HttpProblem ? 1 : LOOKS; looks > 0; looks -= 1) {
      const made = await known();
      if (made) return made;
      await sleep(LOOK_MS);
    }
    throw error;
  }
}

/** Whether a caller sees a run. */
export async function seesRun({ data }: Pick<Served, "data">, caller: Caller, run: RunRow) {
  if (![undefined, run.owner].includes(ownerSeen(caller))) return false;
  if (!caller.project) return true;
  const thread = await threadRow(data, run.thread_id);
  // The thread of a stateless run may be gone.
  return isShown(caller, "threads", thread?.metadata ?? run.metadata);
}
