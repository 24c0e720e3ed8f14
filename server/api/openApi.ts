import type { Hono } from "hono";
import { z } from "zod";
import { packageVersion } from "../../storage/packageRoot.js";
import { scopesFor } from "../access/caller.js";
import type { Environment } from "../server.js";
import { runForm } from "./createRun.js";
import { searchForm } from "./threadRows.js";

/** The bodies of the routes that most clients use. */
const BODIES: Record<string, z.ZodType> = {
  "POST /runs": runForm,
  "POST /runs/wait": runForm,
  "POST /runs/stream": runForm,
  "POST /threads/{thread_id}/runs": runForm,
  "POST /threads/{thread_id}/runs/wait": runForm,
  "POST /threads/{thread_id}/runs/stream": runForm,
  "POST /threads/search": searchForm,
};

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
  for (const { method, path } of app.routes) {
    // What the page asks besides is its own.
    if (!METHODS.includes(method) || path.includes("*") || path.startsWith("/console")) continue;
    const shown = path.replaceAll(/:(\w+)\??/g, "{$1}");
    (paths[shown] ??= {})[method.toLowerCase()] = operation(method, shown);
  }
  const info = { title: "tulipgraph", version: packageVersion() };
  const components = {
    securitySchemes: { key: { type: "apiKey", in: "header", name: "x-api-key" } },
  };
  return { openapi: "3.1.0", info, paths, components, security: [{ key: [] }] };
}

function operation(method: string, path: string): Operation {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const scopes = scopesFor({ method, path: path.replaceAll(/[{}]/g, "") });
  const body = BODIES[`${method} ${path}`];
  const schema = body && z.toJSONSchema(body, { io: "input", unrepresentable: "any" });
  return {
    description:
      scopes.length > 0 ? `Needs the scope ${scopes.join(" or ")}` : "For every known caller",
    parameters: names.map((name) => ({
      name,
      in: "path",
      required: true,
      schema: { type: "string" },
    })),
    ...(schema && { requestBody: { content: { "application/json": { schema } } } }),
    responses: { "200": { description: "The answer, in the form of LangGraph's API" } },
  };
}
