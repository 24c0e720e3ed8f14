import { HttpProblem } from "../problem.js";
import type { RunRow } from "../runs/runRow.js";
import type { Runs } from "../runs/runs.js";
import { type Request, ownerSeen, refused, uuid } from "./requests.js";

/** A client that did not get an answer sends its request again with the same key, which is the id of its run. */
export function keyOf(context: Request): string | undefined {
  const key = context.req.header("Idempotency-Key");
  if (key === undefined || uuid.safeParse(key).success) return key?.toLowerCase();
  throw refused(`Idempotency-Key: expected a UUID, got "${key.slice(0, 100)}"`);
}

/** The run that an earlier request with the same key has made. @throws HttpProblem 409 if that was another request */
export async function sameRun(
  server: { runs: Runs },
  context: Request,
  threadId: string | undefined,
): Promise<RunRow | undefined> {
  const key = keyOf(context);
  const run = key === undefined ? undefined : await server.runs.find(key);
  if (!run) return undefined;
  const owner = ownerSeen(context);
  const isOwn = owner === undefined || run.owner === owner;
  if (isOwn && (threadId === undefined || run.thread_id === threadId.toLowerCase())) return run;
  const problem = `Idempotency-Key: ${key} belongs to another run`;
  throw new HttpProblem({ status: 409, problem, hint: "Send a new UUID with each new run" });
}
