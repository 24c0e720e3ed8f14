import type { Handler, Hono } from "hono";
import { z } from "zod";
import { packageVersion } from "../../storage/packageRoot.js";
import { scopesFor } from "../access/caller.js";
import type { Environment } from "../server.js";
import { formsOf } from "./taking.js";

/** The page, and what it asks besides. */
const OF_PAGE = /\*|^GET \/(?:connected|page\.\w+)?$|^\w+ \/console/;

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** `/openapi.json`, which describes the routes that this server has, and `/docs`, which lists them for people. */
export function openApiRoutes(app: Hono<Environment>): void {
  app.get("/openapi.json", (context) => context.json(document(app)));
  app.get("/docs", (context) => {
    const rows = Object.entries(document(app).paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(
        ([method, { description }]) =>
          `<tr><td>${method.toUpperCase()}<td><code>${path}</code><td>${description}`,
      ),
    );
    return context.html(
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>API</title><h1>API</h1>` +
        `<p>This server speaks LangGraph's API. <a href="openapi.json">openapi.json</a> describes it for programs.` +
        `<table><tr><th>Method<th>Path<th>Scope${rows.join("")}</table></html>`,
    );
  });
}

interface Operation {
  description: string;
  parameters: object[];
  requestBody?: object;
  responses: object;
}

function document(app: Hono<Environment>) {
  const paths: Record<string, Record<string, Operation>> = {};
  const handlers = new Map<string, Handler[]>();
  for (const { method, path, handler } of app.routes) {
    const route = `${method} ${path}`;
    if (!METHODS.includes(method) || OF_PAGE.test(route)) continue;
    const together = [...(handlers.get(route) ?? []), handler as Handler];
    handlers.set(route, together);
    const shown = path.replaceAll(/:(\w+)\??/g, "{$1}");
    (paths[shown] ??= {})[method.toLowerCase()] = operation(method, shown, together);
  }
  const info = { title: "tulipgraph", version: packageVersion() };
  const components = {
    securitySchemes: { key: { type: "apiKey", in: "header", name: "x-api-key" } },
  };
  return { openapi: "3.1.0", info, paths, components, security: [{ key: [] }] };
}

function operation(method: string, path: string, handlers: readonly Handler[]): Operation {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const scopes = scopesFor({ method, path: path.replaceAll(/[{}]/g, "") });
  const { query, body } = formsOf(handlers);
  const { properties = {}, required = [] } = query ? schemaOf(query) : {};
  return {
    description:
      scopes.length > 0 ? `Needs the scope ${scopes.join(" or ")}` : "For every known caller",
    parameters: [
      ...names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
      ...Object.entries(properties).map(([name, schema]) => ({
        name,
        in: "query",
        required: required.includes(name),
        schema,
      })),
    ],
    ...(body && { requestBody: { content: { "application/json": { schema: schemaOf(body) } } } }),
    responses: { "200": { description: "The answer, in the form of LangGraph's API" } },
  };
}

function schemaOf(form: z.ZodType) {
  return z.toJSONSchema(form, { io: "input", unrepresentable: "any" });
}
