import type { Context, Next } from "hono";
import { HttpProblem } from "../problem.js";
import type { ServerStore } from "../schema.js";
import type { Environment } from "../server.js";
import { type Filters, type Hooks, matches, userOf } from "./hooks.js";
import type { AuthEvent, RouteRule } from "./routes.js";

type Body = Record<string, unknown>;

interface Asked {
  hooks: Hooks;
  data: ServerStore;
  context: Context<Environment>;
  event: AuthEvent;
  ids: RouteRule["ids"];
}

/** Events whose answer is a list, which is filtered afterwards. */
const LISTED: readonly AuthEvent[] = ["threads:search", "assistants:search", "store:search"];

/**
 * Lets the project's handlers decide on a request before the server does: they may refuse it, change what is created,
 * and return filters. What does not match the filters is answered as if it did not exist.
 */
export async function authorizeRequest(asked: Asked, next: Next): Promise<void> {
  const { hooks, context, event, ids } = asked;
  const body = await bodyOf(context);
  const value = valueOf({ context, event, ids, body });
  const filters = await hooks.authorize({ event, value, user: userOf(context.get("caller")) });
  if (body) replaceBody(context, bodyAfter({ event, body, value, filters }));
  if (filters) await requireMatch({ ...asked, filters, value });
  await next();
  if (filters && LISTED.includes(event)) await keepMatching(context, filters);
  if (filters && event === "store:get") await requireItem(context, filters);
}

/** The body as an object. Undefined for anything else, which the server itself will refuse. */
async function bodyOf({ req }: Context<Environment>): Promise<Body | undefined> {
  if (req.method === "GET" || req.method === "HEAD") return undefined;
  try {
    const body: unknown = JSON.parse((await req.text()) || "{}");
    return typeof body === "object" && body !== null && !Array.isArray(body)
      ? (body as Body)
      : undefined;
  } catch {
    // Not JSON.
    return undefined;
  }
}

/** The `value` that a handler gets, in the form of LangGraph's types. */
function valueOf(options: {
  context: Context<Environment>;
  event: AuthEvent;
  ids: RouteRule["ids"];
  body?: Body;
}): Body {
  const { context, event, ids, body = {} } = options;
  const own = {
    ...(ids.thread ? { thread_id: ids.thread } : {}),
    ...(ids.assistant ? { assistant_id: ids.assistant } : {}),
  };
  if (event === "store:get") {
    const { key, namespace = "" } = context.req.query();
    return { key, namespace: namespace.split(".").filter(Boolean) };
  }
  if (event !== "threads:create_run") return { ...body, ...own };
  const { assistant_id, metadata, multitask_strategy, if_not_exists, after_seconds, ...kwargs } =
    body;
  const order = { assistant_id, multitask_strategy, if_not_exists, after_seconds, kwargs };
  return { ...order, ...own, metadata: { ...Object(metadata) }, status: "pending" };
}

/** The body with the handler's changes; the filters of a search are added to the metadata that it looks for. */
function bodyAfter(options: {
  event: AuthEvent;
  body: Body;
  value: Body;
  filters: Filters | undefined;
}): Body {
  const { event, body, value, filters } = options;
  if (event === "threads:create_run") return { ...body, metadata: value["metadata"] };
  const known = new Set([...Object.keys(body), "metadata"]);
  const changed = Object.fromEntries(Object.entries(value).filter(([name]) => known.has(name)));
  if (!filters || event.startsWith("store:") || !LISTED.includes(event)) return changed;
  const plain = Object.entries(filters).flatMap(([key, wanted]) => {
    const equal: unknown = Object(wanted) === wanted ? Reflect.get(Object(wanted), "$eq") : wanted;
    return equal === undefined ? [] : [[key, equal] as const];
  });
  return { ...changed, metadata: { ...Object(changed["metadata"]), ...Object.fromEntries(plain) } };
}

function replaceBody({ req }: Context<Environment>, body: Body): void {
  const headers = new Headers(req.raw.headers);
  headers.delete("content-length");
  const { url, method, signal } = req.raw;
  req.raw = new Request(url, { method, headers, signal, body: JSON.stringify(body) });
  req.bodyCache = {};
}

/** @throws HttpProblem 404 if a thread or an assistant does not match, 403 if the request names none */
async function requireMatch(asked: Asked & { filters: Filters; value: Body }): Promise<void> {
  const { data, event, filters, value } = asked;
  if (LISTED.includes(event) || event === "store:get") return;
  if (event === "store:put") return requireFit(Object(value["value"]) as Body, filters);
  const [resource] = event.split(":");
  const named =
    resource === "threads"
      ? [value["thread_id"], value["thread_ids"]].flat()
      : [value["assistant_id"]];
  const ids = named.filter((id) => typeof id === "string");
  if (ids.length === 0) {
    if (event.endsWith(":create") || event === "threads:create_run") return;
    throw new HttpProblem({
      status: 403,
      problem: `the handler of ${event} returned a filter, and the request names nothing to compare it with`,
    });
  }
  for (const id of ids) requireFit(await metadataOf({ data, resource, id }), filters);
}

/** The metadata of a row; undefined if there is none, which the server itself will report. */
async function metadataOf(options: {
  data: ServerStore;
  resource: string | undefined;
  id: string;
}): Promise<Body | undefined> {
  const { data, resource, id } = options;
  const row =
    resource === "threads"
      ? await data.db
          .selectFrom("threads")
          .select("metadata")
          .where("thread_id", "=", id)
          .executeTakeFirst()
      : await data.db
          .selectFrom("assistants")
          .select("metadata")
          .where("assistant_id", "=", id)
          .executeTakeFirst();
  return row && (JSON.parse(row.metadata) as Body);
}

function requireFit(metadata: Body | undefined, filters: Filters): void {
  if (metadata && !matches(metadata, filters)) throw notFound();
}

function notFound(): HttpProblem {
  return new HttpProblem({ status: 404, problem: "there is no such thing" });
}

async function keepMatching(context: Context<Environment>, filters: Filters): Promise<void> {
  const answer = await answerOf(context);
  const list = Array.isArray(answer) ? answer : Reflect.get(Object(answer), "items");
  if (!Array.isArray(list)) return;
  const kept = list.filter((item) => {
    const { metadata, value } = Object(item) as { metadata?: Body; value?: Body };
    return matches({ ...value, ...metadata }, filters);
  });
  replaceAnswer(context, Array.isArray(answer) ? kept : { ...Object(answer), items: kept });
}

async function requireItem(context: Context<Environment>, filters: Filters): Promise<void> {
  const value: unknown = Reflect.get(Object(await answerOf(context)), "value");
  if (value !== undefined && !matches(Object(value) as Body, filters)) throw notFound();
}

async function answerOf({ res }: Context<Environment>): Promise<unknown> {
  const isJson = res.headers.get("content-type")?.includes("json");
  return res.ok && isJson ? await res.clone().json() : undefined;
}

function replaceAnswer(context: Context<Environment>, answer: unknown): void {
  const { status, headers } = context.res;
  const kept = new Headers(headers);
  kept.delete("content-length");
  context.res = new Response(JSON.stringify(answer), { status, headers: kept });
}
