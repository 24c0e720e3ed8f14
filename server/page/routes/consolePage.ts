import { readFileSync } from "node:fs";
import { Hono } from "hono";
import { compress } from "hono/compress";
import { secureHeaders } from "hono/secure-headers";
import { type PageFiles, pageFiles } from "../../../common/pageFiles.js";
import type { Served } from "../../api/createRun.js";
import type { Environment } from "../../server.js";
import { keyRoutes } from "./keyRoutes.js";
import { libraryRoutes } from "./libraryRoutes.js";
import { runRoutes } from "./runRoutes.js";

const PAGE = new URL("../", import.meta.url);

/** Nothing is loaded from other hosts, no text runs as a script, and no page can show this one in a frame. */
const CONTENT_POLICY = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  connectSrc: ["'self'"],
  imgSrc: ["'self'", "data:"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
};

const html = () => readFileSync(new URL("page.html", PAGE), "utf8");

/**
 * The page for people (`server/page/`), which everybody gets. It fetches what it shows with the caller's key, from
 * LangGraph's API if possible, else from `/console`.
 */
export function consolePage(server: Served): Hono<Environment> {
  const app = new Hono<Environment>();
  const headers = secureHeaders({
    contentSecurityPolicy: CONTENT_POLICY,
    referrerPolicy: "no-referrer",
    xFrameOptions: "DENY",
    // TLS is up to the proxy in front.
    strictTransportSecurity: false,
  });
  const page = (path: string, type: string, content: () => string | Promise<string>) =>
    app.get(path, headers, compress(), async (context) => {
      context.header("Content-Type", `${type}; charset=utf-8`);
      context.header("Cache-Control", "no-cache");
      return context.body(await content());
    });
  let made: Promise<PageFiles> | undefined;
  const files = () => (made ??= pageFiles(PAGE));
  page("/", "text/html", html);
  // Where the browser comes back to from a login at a source (api/connections.ts).
  page("/connected", "text/html", html);
  page("/page.css", "text/css", async () => (await files()).style);
  page("/page.js", "text/javascript", async () => (await files()).script);

  const known = new Hono<Environment>();
  known.use(server.access.authenticate, server.access.askProject);
  known.use(async (context, next) => {
    await next();
    // Caches must not hold secrets or other people's requests.
    context.header("Cache-Control", "no-store");
  });
  known.get("/caller", (context) => {
    const { id, owner, scopes } = context.get("caller");
    return context.json({ id, owner, scopes });
  });
  known.route("/", runRoutes(server));
  known.route("/", libraryRoutes(server));
  known.route("/", keyRoutes(server));
  app.route("/console", known);
  return app;
}
