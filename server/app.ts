import { Hono } from "hono";
import { packageVersion } from "../storage/packageRoot.js";
import { HttpProblem } from "./problem.js";
import type { Environment, Server } from "./server.js";
import { consolePage } from "./console/consolePage.js";

/** All that a server answers. */
export function createApp(server: Server): Hono<Environment> {
  const { access, telemetry } = server;
  const app = new Hono<Environment>();
  app.onError((error, context) => {
    if (error instanceof HttpProblem) {
      const { status, retryAfter } = error.details;
      if (retryAfter !== undefined) context.header("Retry-After", String(retryAfter));
      return context.json({ detail: error.message, message: error.message }, status);
    }
    telemetry.log({ level: "error", event: "request_failed", error: String(error) });
    return context.json({ detail: "Internal error", message: "Internal error" }, 500);
  });
  app.use(telemetry.observe, access.guard);
  app.get("/ok", (context) => context.json({ ok: true }));
  app.route("/", consolePage(server));
  app.use(access.authenticate);
  app.get("/info", (context) => context.json({ version: packageVersion() }));
  app.get("/metrics", async (context) => context.text(await telemetry.metrics()));
  return app;
}
