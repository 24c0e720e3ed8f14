import { extname } from "node:path";
import { Hono } from "hono";
import { getMimeType } from "hono/utils/mime";
import { z } from "zod";
import { buildUi } from "../../graphs/projectUi.js";
import type { ProjectUi } from "../../graphs/projects.js";
import { isLoopback } from "../access/guard.js";
import { notFound } from "../problem.js";
import type { Environment } from "../server.js";
import { body } from "./taking.js";

/** The name of a component goes into a script in an attribute. */
const wanted = z.object({ name: z.string().regex(/^[\w.-]{1,200}$/, "must be a name") });

/**
 * The components that a LangGraph.js project shows in chats, which `LoadExternalComponent` of LangGraph's SDK asks for. They
 * are built when the first is asked for.
 */
export function uiRoutes(ui: ProjectUi): Hono<Environment> {
  const app = new Hono<Environment>();
  const built = new Map<string, ReturnType<typeof buildUi>>();
  const filesOf = async (name: string) => {
    if (!Object.hasOwn(ui.components, name)) throw notFound(`there is no ui of "${name}"`);
    const files = built.get(name) ?? buildUi(ui, name);
    built.set(name, files);
    return await files;
  };
  app.post("/ui/:name", body(wanted), async (context) => {
    const name = context.req.param("name");
    const { host, hostname } = new URL(context.req.url);
    // Behind a proxy the page's own scheme is right; this machine has none but the one.
    const scheme = isLoopback(hostname) ? "http:" : "";
    const source = `${scheme}//${host}/ui/${encodeURIComponent(name)}`;
    const global = `__LGUI_${name.replaceAll(/[^a-zA-Z0-9]/g, "_")}`;
    const render = `${global}.render("${context.req.valid("json").name}", "{{shadowRootId}}")`;
    const parts: Record<string, (file: string) => string> = {
      ".css": (file) => `<link rel="stylesheet" href="${source}/${file}" />`,
      ".js": (file) => `<script src="${source}/${file}" onload='${render}'></script>`,
    };
    const files = [...(await filesOf(name)).keys()];
    return context.html(files.map((file) => parts[extname(file)]?.(file) ?? "").join("\n"));
  });
  app.get("/ui/:name/:file", async (context) => {
    const file = context.req.param("file");
    const content = (await filesOf(context.req.param("name"))).get(file);
    if (!content) throw notFound(`there is no file "${file}"`);
    context.header("Content-Type", getMimeType(file) ?? "text/plain");
    return context.body(content);
  });
  return app;
}
