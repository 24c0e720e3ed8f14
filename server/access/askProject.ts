import type { Context, MiddlewareHandler } from "hono";
import { HttpProblem } from "../problem.js";
import type { Environment } from "../server.js";
import type { ProjectAuth } from "./projectAuth.js";

const ID = "[^/]+";

/** What a project's handlers are asked about a route, and besides. A run is asked about where it is made (createRun.ts). */
const EVENTS: readonly [method: string, path: string, event: string, besides?: string[]][] = [
  ["POST", "/assistants", "assistants:create"],
  ["POST", "/assistants/(?:search|count)", "assistants:search"],
  ["POST", `/assistants/${ID}/versions`, "assistants:read"],
  ["POST", `/assistants/${ID}/latest`, "assistants:update"],
  ["PATCH", `/assistants/${ID}`, "assistants:update"],
  ["DELETE", `/assistants/${ID}`, "assistants:delete", ["threads:delete"]],
  ["GET", "/assistants/.*", "assistants:read"],
  ["POST", "/threads", "threads:create"],
  ["POST", "/threads/(?:search|count)", "threads:search"],
  ["POST", "/threads/prune", "threads:delete"],
  [
    "POST",
    `/threads/${ID}/(?:history|state/checkpoint|stream/events|commands|undo)`,
    "threads:read",
  ],
  ["POST", `/threads/${ID}/copy`, "threads:create"],
  ["POST", `/threads/${ID}/state`, "threads:update"],
  ["PATCH", `/threads/${ID}(?:/state)?`, "threads:update"],
  ["DELETE", `/threads/${ID}`, "threads:delete"],
  ["POST", `(?:/threads/${ID})?/runs(?:/wait|/stream|/batch)?`, "threads:read"],
  ["POST", `(?:/threads/${ID})?/runs(?:/${ID})?/cancel`, "threads:update"],
  ["DELETE", `(?:/threads/${ID})?/runs/${ID}`, "threads:delete"],
  ["POST", `(?:/threads/${ID})?/runs/crons`, "crons:create", ["assistants:read", "threads:read"]],
  ["POST", "/runs/crons/(?:search|count)", "crons:search"],
  ["GET", `/runs/crons/${ID}`, "crons:read"],
  ["PATCH", `/runs/crons/${ID}`, "crons:update"],
  ["DELETE", `/runs/crons/${ID}`, "crons:delete"],
  ["GET", "/(?:threads|runs)/.*", "threads:read"],
  ["PUT", "/store/items", "store:put"],
  ["GET", "/store/items", "store:get"],
  ["DELETE", "/store/items", "store:delete"],
  ["POST", "/store/items/search", "store:search"],
  ["POST", "/store/namespaces", "store:list_namespaces"],
];

/** What every known caller may ask. */
const OPEN = ["/info", "/docs", "/openapi.json", "/console/caller"];

const NAMED = /\/(thread|run|cron|assistant)s\/([0-9a-f]{8}-[0-9a-f-]{27})/gi;

/** What the namespace that a handler sees is called in bodies. */
const PREFIXES: Record<string, string> = {
  "store:search": "namespace_prefix",
  "store:list_namespaces": "prefix",
};

/** Asks a project's handlers about the requests of its users. What none of its events is about is not for them. */
export function askProject(auth: ProjectAuth | undefined): MiddlewareHandler<Environment> {
  const routes = EVENTS.map(([verb, form, event, besides]) => {
    return { verb, path: new RegExp(`^${form}/?$`), event, besides };
  });
  return async (context, next) => {
    const caller = context.get("caller");
    const { method, path } = context.req;
    if (!auth || !caller.project || OPEN.includes(path)) return await next();
    const found = routes.find((route) => route.verb === method && route.path.test(path));
    if (!found) {
      const problem = `${method} ${path} is not for users of the project's auth`;
      throw new HttpProblem({
        status: 403,
        problem,
        hint: "It takes a key (tulipgraph keys create)",
      });
    }
    const { event, besides } = found;
    const body = await bodyOf(context);
    const { namespace, ...query } = context.req.query();
    const prefix = PREFIXES[event];
    const named = [...path.matchAll(NAMED)].map(([, kind, id]) => [`${kind}_id`, id]);
    const value: Record<string, unknown> = {
      ...query,
      ...(namespace !== undefined && { namespace: namespace.split(".") }),
      ...body,
      ...(prefix && { namespace: body[prefix] }),
      ...Object.fromEntries(named),
      ...(event.startsWith("crons:") && { payload: body }),
    };
    const hasMetadata =
      method === "PATCH" || (event.endsWith(":create") && !path.endsWith("/copy"));
    if (hasMetadata) value["metadata"] ??= {};
    context.set("caller", await auth.permit({ caller, event, value, besides }));
    // What a handler has changed: who made a row, in its metadata, or where an item is.
    const changed = Object.keys(body).concat(hasMetadata ? "metadata" : []);
    if (!/^(?:threads|assistants|crons):search/.test(event) && changed.length > 0) {
      const kept = Object.fromEntries(
        changed.map((key) => [key, value[key === prefix ? "namespace" : key]]),
      );
      context.set("readBody", () => Promise.resolve(kept));
    }
    if (Array.isArray(value["namespace"]) && method === "GET")
      context.set("changedQuery", { namespace: value["namespace"].join(".") });
    await next();
  };
}

/** The fields of a body; none if it is no object, about which the route says more. */
async function bodyOf(context: Context<Environment>): Promise<Record<string, unknown>> {
  if (context.req.method === "GET") return {};
  const read =
    context.get("readBody")?.() ?? context.req.text().then((text) => JSON.parse(text) as unknown);
  const body = await Promise.resolve(read).catch(() => undefined);
  return typeof body === "object" && !Array.isArray(body) ? { ...body } : {};
}
