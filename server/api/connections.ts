import { Hono } from "hono";
import { z } from "zod";
import { InvalidSetting, TulipgraphError } from "../../common/errors.js";
import type { ReviewRequest } from "../../nodes/policy/askDecisions.js";
import { sourcesIn } from "../../home/connectedSources.js";
import { seenBy } from "../../home/libraries.js";
import {
  ConnectedAlready,
  beginConnect,
  connectByKey,
  finishConnect,
  knownAt,
} from "../../tools/sources/credentials/connect.js";
import { type WantedConnection, type ConnectedSource, credentialsOf } from "../../tools/remote.js";
import { wantedFrom } from "../../tools/sources/kinds.js";
import { McpFailed } from "../../tools/sources/mcp/settings.js";
import type { Caller } from "../access/caller.js";
import { conflict, HttpProblem, notFound } from "../problem.js";
import { type RunRow, actorOf, orderOf } from "../runs/runRow.js";
import type { Environment } from "../server.js";
import { type Served, createRun } from "./createRun.js";
import { runForm } from "./runForm.js";
import { type Request, refused } from "./requests.js";
import { body, check, jsonObject, query } from "./taking.js";
import { lastRun } from "./threadRows.js";
import { readState } from "./threadStates.js";

/** Where the browser comes back to after a login: the page, which sends on what it brings with its user's key. */
const BACK = "/connected";

/** Waiting threads that go on when their owner has connected. */
const MOST_THREADS = 100;

const listQuery = z.object({ library: z.string().optional() });
const loginForm = z.object({ scope: z.string().max(1000).optional() });
const answerForm = z.object({ answer: z.string().max(10_000) });

/** Callers' own credentials at the sources of the libraries that they see. No answer contains a secret. */
export function connectionRoutes(server: Served): Hono<Environment> {
  const app = new Hono<Environment>();
  const { connections: open, store: libraries } = server.workspace;
  app.get("/connections", query(listQuery), async (context) => {
    const { library } = context.req.valid("query");
    const { owner, id: caller } = context.get("caller");
    const sources = await seenSources(server, context, library);
    return context.json(await knownAt({ store: await open(), sources, owner, caller }));
  });
  // Not under /connections, where every name can be that of a source.
  app.post(BACK, body(answerForm), async (context) => {
    const { owner } = context.get("caller");
    const { answer } = context.req.valid("json");
    const source = await orProblem(async () =>
      finishConnect({
        store: await open(),
        sources: libraries.sources,
        owner,
        answer: new URLSearchParams(answer),
      }),
    );
    return context.json({ source, connected: true, runs: await goOn(server, context, source) });
  });
  app.post("/connections/:source", body(jsonObject), async (context) => {
    const source = await ownSource(server, context);
    const { owner } = context.get("caller");
    const options = { store: await open(), source, owner };
    if ((await wantedFrom(source)).way === "login") {
      const { scope } = check(loginForm, context.req.valid("json"), "body");
      const redirectUrl = `${originOf(context)}${BACK}`;
      const { href } = await orProblem(() => beginConnect({ ...options, scope, redirectUrl }));
      return context.json({ source: source.name, connected: false, open: href });
    }
    const values = context.req.valid("json");
    await orProblem(() => connectByKey({ ...options, values }));
    const runs = await goOn(server, context, source.name);
    return context.json({ source: source.name, connected: true, runs });
  });
  app.delete("/connections/:source", async (context) => {
    const { owner } = context.get("caller");
    const name = context.req.param("source");
    const gone = await (await open()).remove(owner, name);
    if (gone.length === 0) throw unknownSource(name);
    return context.body(null, 204);
  });
  return app;
}

/** The connected sources with tools in the libraries that a caller sees, or in one of them. */
async function seenSources(
  { access, workspace: { store, connections } }: Served,
  context: Request,
  wanted?: string,
): Promise<ConnectedSource[]> {
  const caller = context.get("caller");
  const names = (await store.names()).filter(
    (library) => (wanted ?? library) === library && access.seesLibrary({ caller, library }),
  );
  if (wanted !== undefined && names.length === 0) throw notFound(`library ${wanted} not found`);
  const { isGranted } = access.behalfOf(caller);
  // A source that has offered somebody nothing is one that they can connect to.
  return await sourcesIn(store, names, (library) =>
    seenBy({ owner: "", caller: "", isGranted }, library, connections),
  );
}

/** The source in the path, which takes its callers' own credentials. @throws HttpProblem 404, 422 */
async function ownSource(server: Served, context: Request): Promise<ConnectedSource> {
  const name = context.req.param("source") ?? "";
  const source = (await seenSources(server, context)).find((each) => each.name === name);
  if (!source) throw unknownSource(name);
  const credentials = credentialsOf(source);
  if (credentials === "caller") return source;
  throw refused(
    `${name} does not take callers' own credentials`,
    credentials === "shared"
      ? "The operator has set its credentials"
      : "It uses the token that you send",
  );
}

function unknownSource(name: string): HttpProblem {
  return notFound(`connection ${name} not found`);
}

/** Where this server is for the caller: a proxy that ends TLS, or has it below a path, says so. */
export function originOf({ req }: Request): string {
  const { host: asked, protocol } = new URL(req.header("origin") ?? req.url);
  const host = req.header("host") ?? asked;
  const isSecure =
    req.header("x-forwarded-proto") === "https" || (host === asked && protocol === "https:");
  const [prefix = ""] =
    /^(?:\/[\w.~-]+)+(?=\/?$)/.exec(req.header("x-forwarded-prefix") ?? "") ?? [];
  return `${isSecure ? "https" : "http"}://${host}${prefix}`;
}

/** Tells the caller what went wrong, which is in the words of an error without secrets. */
async function orProblem<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const problem = error instanceof TulipgraphError ? error.message : "";
    if (error instanceof ConnectedAlready) throw conflict(problem);
    if (error instanceof McpFailed) throw new HttpProblem({ status: 503, problem });
    if (!(error instanceof InvalidSetting)) throw error;
    const isKey = error.details.setting.startsWith("TULIPGRAPH_KEY");
    throw new HttpProblem({ status: isKey ? 503 : 422, problem });
  }
}

/** Lets the caller's threads go on that wait for a connection to a source and for nothing else. */
async function goOn(server: Served, context: Request, source: string) {
  const { owner } = context.get("caller");
  const rows = await server.data.db
    .selectFrom("threads")
    .selectAll()
    .where("owner", "=", owner)
    .where("status", "=", "interrupted")
    .orderBy("updated_at", "desc")
    .limit(MOST_THREADS)
    .execute();
  const gone: { thread_id: string; run_id: string }[] = [];
  for (const row of rows) {
    const { tasks } = await readState({ server, row });
    const [request, ...others] = tasks.flatMap(({ interrupts }) => interrupts as WaitingRequest[]);
    if (!request || others.length > 0 || !isFor(request.value, source)) continue;
    const run = await goingOn({ server, context, threadId: row.thread_id, request });
    if (run) gone.push({ thread_id: run.thread_id, run_id: run.run_id });
  }
  return gone;
}

/** Queues a run like the last one of a thread, which answers what the thread waits for; undefined if it may not run. */
async function goingOn(waiting: {
  server: Served;
  context: Request;
  threadId: string;
  request: WaitingRequest;
}): Promise<RunRow | undefined> {
  const { server, context, threadId, request } = waiting;
  const caller = context.get("caller");
  const last = await lastRun(server.data, threadId);
  // Another's settings are not those of the owner.
  if (!last || actorOf(last) !== caller.owner) return undefined;
  const { context: settings, config, stream_mode, is_streamed: isStreamed } = orderOf(last);
  const { id, value } = request;
  const decisions = value.actionRequests.map((action) => ({ type: "edit", editedAction: action }));
  const form = runForm.parse({
    assistant_id: last.assistant_id,
    // Named, so that it answers nothing else that may wait by then.
    command: { resume: { [id]: { decisions } } },
    context: settings,
    config,
    stream_mode,
  });
  // Connecting approves nothing, so it needs no more than the scope to run.
  const answering: Caller = { ...caller, scopes: [...caller.scopes, "approve"] };
  try {
    return await createRun({ server, context, form, threadId, isStreamed, caller: answering });
  } catch (error) {
    // Somebody has let it go on already, or it may not run now: it can be resumed by hand.
    if (error instanceof HttpProblem) return undefined;
    throw error;
  }
}

interface WaitingRequest {
  id: string;
  value: ConnectRequest;
}

type ConnectRequest = ReviewRequest & {
  connect?: (Pick<WantedConnection, "way"> & { source: string })[];
};

/** What an administrator has brought into a thread does not go on by itself. */
function isFor({ kind, connect = [] }: ConnectRequest, source: string): boolean {
  return (
    kind === "connect" &&
    connect.some((each) => each.source === source) &&
    connect.every(({ way }) => way !== "owner")
  );
}
