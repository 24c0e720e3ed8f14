import { setTimeout as sleep } from "node:timers/promises";
import { type Caller, ownerSeen } from "../access/caller.js";
import { isShown } from "../access/projectAuth.js";
import { conflict, HttpProblem } from "../problem.js";
import { type RunRow, threadRow } from "../runs/runRow.js";
import type { Served } from "./createRun.js";
import { type Request, refused } from "./requests.js";
import { uuid } from "./taking.js";

/** How often, and how long in between (ms), it is looked for the run of a request that came at the same time. */
const LOOKS = 20;
const LOOK_MS = 100;

/**
 * The run of a request. A client that did not get an answer sends its request again with the same key, which is the id of
 * its run: it is made once, also for two requests that come together.
 *
 * @throws HttpProblem 409 if the key was another request's
 */
export async function runOfKey(
  server: Pick<Served, "data" | "runs">,
  context: Request,
  threadId: string | undefined,
  make: (runId?: string) => Promise<RunRow>,
): Promise<RunRow> {
  const key = context.req.header("Idempotency-Key")?.toLowerCase();
  if (key === undefined) return await make();
  if (!uuid.safeParse(key).success)
    throw refused(`Idempotency-Key: expected a UUID, got "${key.slice(0, 100)}"`);
  const known = async () => {
    const run = await server.runs.find(key);
    if (!run) return undefined;
    const isSeen = await seesRun(server, context.get("caller"), run);
    if (isSeen && (threadId === undefined || run.thread_id === threadId)) return run;
    const problem = `Idempotency-Key: ${key} belongs to another run`;
    throw conflict(problem, "Send a new UUID with each new run");
  };
  const before = await known();
  if (before) return before;
  try {
    return await make(key);
  } catch (error) {
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
