import { Hono } from "hono";
import { UnknownName } from "../common/errors.js";
import { isAway, isFull } from "../storage/away.js";
import { packageVersion } from "../storage/packageRoot.js";
import { accessRoutes } from "./access/accessRoutes.js";
import { assistantRoutes } from "./api/assistants.js";
import { runRoutes } from "./api/runs.js";
import { storeRoutes } from "./api/store.js";
import { threadRoutes } from "./api/threads.js";
import { consolePage } from "./console/consolePage.js";
import { HttpProblem } from "./problem.js";

import type { Environment, Server } from "./server.js";

/** Seconds after which a client may try again what a database that is away could not do. */
const RETRY_AFTER = 2;

/** All that a server answers. */
export function createApp(server: Server): Hono<Environment> {
  const { access, telemetry, database } = server;
  const app = new Hono<Environment>();
  app.onError((error, context) => {
    const problem = asProblem(error);
    if (problem) {
      const { status, retryAfter } = problem.details;
      if (retryAfter !== undefined) context.header("Retry-After", String(retryAfter));
      return context.json({ detail: problem.message, message: problem.message }, status);
    }
    telemetry.log({ level: "error", event: "request_failed", error: String(error) });
    return context.json({ detail: "Internal error", message: "Internal error" }, 500);
  });
  app.notFound((context) => {
    const message = `there is no ${context.req.method} ${context.req.path} here; see LangGraph's API of assistants, threads, runs and store`;
    return context.json({ detail: message, message }, 404);
  });
  app.use(telemetry.observe, access.guard);
  app.get("/ok", async (context) => {
    if (context.req.query("check_db") !== undefined && !(await database.check()))
      throw away(server);
    return context.json({ ok: true });
  });
  app.route("/", consolePage(server));
  app.use(async (_context, next) => {
    if (database.isAway()) throw away(server);
    await next();
  });
  app.use(access.authenticate);
  app.get("/info", (context) => context.json(infoOf()));
  app.get("/metrics", async (context) => context.text(await telemetry.metrics()));
  app.route("/", accessRoutes(server));
  app.route("/", assistantRoutes(server));
  app.route("/", threadRoutes(server));
  app.route("/", runRoutes(server));
  app.route("/", storeRoutes(server));
  return app;
}

/** What is told of a failure; undefined for what is nobody's business outside. */
function asProblem(error: Error): HttpProblem | undefined {
  if (error instanceof HttpProblem) return error;
  if (error instanceof UnknownName) return new HttpProblem({ status: 404, problem: error.message });
  if (isFull(error)) {
    const hint = "What is stored can be read; whoever runs the server makes room";
    return new HttpProblem({ status: 503, problem: "the database is full", hint });
  }
  if (!isAway(error)) return undefined;
  const problem = "the database is away for the moment";
  return new HttpProblem({ status: 503, problem, retryAfter: RETRY_AFTER });
}

function away({ database }: Pick<Server, "database">): HttpProblem {
  return new HttpProblem({
    status: 503,
    problem: `the database (${database.name}) is away for the moment; runs go on when it is back`,
    retryAfter: RETRY_AFTER,
  });
}

/** What Studio and clients ask for before they begin. */
function infoOf() {
  return {
    version: packageVersion(),
    context: "js",
    flags: {
      assistants: true,
      crons: false,
      langsmith: false,
      langsmith_tracing_replicas: false,
    },
  };
}
