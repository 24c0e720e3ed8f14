import { Hono, type MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { z } from "zod";
import { UnknownName } from "../common/errors.js";
import { isAway, isFull } from "../storage/postgres/unavailable.js";
import { packageVersion } from "../storage/packageRoot.js";
import { refuseWhole } from "./access/guard.js";
import { assistantRoutes } from "./api/assistants.js";
import { connectionRoutes } from "./api/connections.js";
import type { Served } from "./api/createRun.js";
import { mcpRoutes } from "./api/mcp.js";
import { openApiRoutes } from "./api/openApi.js";
import { flag, query, refuseQuery } from "./api/taking.js";
import { uiRoutes } from "./api/uiRoutes.js";
import { undoRoutes } from "./api/undo.js";
import { runRoutes } from "./api/runs.js";
import { cronRoutes } from "./api/crons.js";
import { storeRoutes } from "./api/storeItems.js";
import { threadRoutes } from "./api/threads.js";
import { consolePage } from "./page/routes/consolePage.js";
import { HttpProblem, notFound } from "./problem.js";
import type { ProjectUi } from "../graphs/projects.js";
import type { Availability, Environment } from "./server.js";
import type { Telemetry } from "./telemetry/telemetry.js";

/** `Retry-After` while the database is away, in seconds. */
const RETRY_SECONDS = 2;

const metricsQuery = z.object({ format: z.literal("prometheus").optional() });

/** All routes of a server. */
export function createApp(
  server: Served & {
    telemetry: Telemetry;
    database: Availability;
    /** The app of a LangGraph.js project: its middleware sees the requests of known callers, its routes go before ours. */
    own?: Hono;
    ui?: ProjectUi;
  },
): Hono<Environment> {
  const { access, telemetry, database } = server;
  // LangGraph's document writes some paths with a slash at their end.
  const app = new Hono<Environment>({ strict: false });
  app.onError((error, context) => {
    const problem = asProblem(error);
    // Hono's own, from a project's app.
    if (error instanceof HTTPException) return error.getResponse();
    if (problem) {
      const { status, retryAfter } = problem.details;
      if (retryAfter !== undefined) context.header("Retry-After", String(retryAfter));
      return context.json({ detail: problem.message, message: problem.message }, status);
    }
    telemetry.log({ level: "error", event: "request_failed", error: String(error) });
    return context.json({ detail: "Internal error", message: "Internal error" }, 500);
  });
  app.notFound((context) => {
    const message = `there is no ${context.req.method} ${context.req.path} here; see LangGraph's API for assistants, threads and runs`;
    return context.json({ detail: message, message }, 404);
  });
  app.use(refuseWhole, telemetry.observe, access.guard);
  app.get("/ok", query(z.object({ check_db: flag })), async (context) => {
    if (context.req.valid("query").check_db && !(await database.check())) throw away();
    return context.json({ ok: true });
  });
  app.route("/", consolePage(server));
  app.use(async (_context, next) => {
    if (database.isAway()) throw away();
    await next();
  });
  app.use(access.authenticate);
  if (server.own) app.use(sharingBodies).route("/", server.own);
  if (server.ui) app.route("/", uiRoutes(server.ui));
  app.use(access.askProject);
  app.use(refuseQuery);
  app.get("/info", (context) =>
    // Studio and clients ask for this first.
    context.json({
      version: packageVersion(),
      context: "js",
      flags: {
        assistants: true,
        crons: true,
        strict_resume: true,
        langsmith: false,
        langsmith_tracing_replicas: false,
      },
    }),
  );
  app.get("/metrics", query(metricsQuery), async (context) =>
    context.text(await telemetry.metrics()),
  );
  app.route("/", assistantRoutes(server));
  app.route("/", threadRoutes(server));
  app.route("/", runRoutes(server));
  app.route("/", cronRoutes(server));
  app.route("/", storeRoutes(server));
  app.route("/", undoRoutes(server));
  app.route("/", connectionRoutes(server));
  app.route("/", mcpRoutes(server));
  openApiRoutes(app);
  return app;
}

/** Has what a project's middleware changes in a body reach our routes, as on LangGraph's own server. */
const sharingBodies: MiddlewareHandler<Environment> = async (context, next) => {
  const read = context.req.json.bind(context.req);
  let body: Promise<unknown> | undefined;
  context.req.json = <Body>() => (body ??= read()) as Promise<Body>;
  context.set("readBody", () => body);
  await next();
};

/** What a client is told about an error; undefined if the details are none of its business. */
function asProblem(error: Error): HttpProblem | undefined {
  if (error instanceof HttpProblem) return error;
  if (error instanceof UnknownName) return notFound(error.message);
  if (isFull(error)) {
    const hint = "Stored data can still be read; the server's operator has to make room";
    return new HttpProblem({ status: 503, problem: "the database is full", hint });
  }
  return isAway(error) ? away() : undefined;
}

function away(): HttpProblem {
  return new HttpProblem({
    status: 503,
    problem: "the database is away at the moment; runs go on when it is back",
    retryAfter: RETRY_SECONDS,
  });
}
