import type { Context, MiddlewareHandler } from "hono";
import { forbidden } from "../problem.js";
import type { Environment } from "../server.js";
import { routeFor } from "./caller.js";
import type { ProjectAuth } from "./projectAuth.js";

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
  return async (context, next) => {
    const caller = context.get("caller");
    const { method, path } = context.req;
    if (!auth || !caller.project || OPEN.includes(path)) return await next();
    const { event, besides } = { ...routeFor(context.req) };
    if (event === undefined) {
      const problem = `${method} ${path} is not for users of the project's auth`;
      throw forbidden(problem, "It takes a key (tulipgraph keys create)");
    }
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

/** The fields of a body; none if it is not an object, about which the route says more. */
async function bodyOf(context: Context<Environment>): Promise<Record<string, unknown>> {
  if (context.req.method === "GET") return {};
  const read =
    context.get("readBody")?.() ?? context.req.text().then((text) => JSON.parse(text) as unknown);
  const body = await Promise.resolve(read).catch(() => undefined);
  return typeof body === "object" && !Array.isArray(body) ? { ...body } : {};
}
