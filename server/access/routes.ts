import type { AuthEventValueMap } from "@langchain/langgraph-sdk/auth";
import type { Scope } from "./caller.js";

/** What a request needs. */
export interface RouteRule {
  /** The caller needs one of these; if there are none, every known caller may. */
  scopes: readonly Scope[];
  /** LangGraph's name for it, for the handlers of its `auth`. */
  event?: AuthEvent;
  /** The thread and the assistant in the path. */
  ids: { thread?: string; assistant?: string };
}
export type AuthEvent = keyof AuthEventValueMap;

interface Route extends Omit<RouteRule, "ids"> {
  method: string;
  path: RegExp;
}

const READ = ["read"] as const;
const RUN = ["run"] as const;
/** Which of the two a run needs depends on its `command`, and is checked when it is admitted. */
const RUN_OR_ANSWER = ["run", "approve"] as const;
const ADMIN = ["admin"] as const;

const ID = "[^/]+";

/** The first match counts. */
const ROUTES: readonly Route[] = [
  route("POST", "/threads", RUN, "threads:create"),
  route("POST", "/threads/(?:search|count)", READ, "threads:search"),
  route("POST", "/threads/prune", RUN, "threads:delete"),
  route("POST", "/threads/:thread/copy", RUN, "threads:update"),
  route("POST", "/threads/:thread/history", READ, "threads:read"),
  route("POST", "/threads/:thread/state/checkpoint", READ, "threads:read"),
  // Writing into a state bypasses approvals and limits.
  route("POST", "/threads/:thread/state(?:/.*)?", ADMIN, "threads:update"),
  // Both only change metadata.
  route("PATCH", "/threads/:thread(?:/state)?", RUN, "threads:update"),
  route("DELETE", "/threads/:thread", RUN, "threads:delete"),
  route("POST", `/threads/:thread/runs/${ID}/cancel`, RUN, "threads:update"),
  route("POST", `/threads/:thread/runs/crons`, ADMIN, "crons:create"),
  route("POST", "/threads/:thread/runs(?:/stream|/wait)?", RUN_OR_ANSWER, "threads:create_run"),
  // Whoever started or answered a run may wait for its end.
  route(
    "GET",
    `/threads/:thread(?:/runs/${ID}/(?:join|stream)|/stream)`,
    ["read", "run", "approve"],
    "threads:read",
  ),
  route("DELETE", `/threads/:thread/runs/${ID}`, RUN, "threads:delete"),
  route("GET", "/threads/:thread(?:/.*)?", READ, "threads:read"),
  route("POST", "/runs/cancel", RUN, "threads:update"),
  route("POST", `/runs/${ID}/release`, ["approve"], "threads:update"),
  route("POST", "/runs(?:/stream|/wait|/batch)?", RUN, "threads:create_run"),
  route("GET", "/runs(?:/.*)?", READ, "threads:read"),
  route("POST", "/assistants", RUN, "assistants:create"),
  route("POST", "/assistants/(?:search|count)", READ, "assistants:search"),
  route("POST", "/assistants/:assistant/versions", READ, "assistants:read"),
  route("POST", "/assistants/:assistant/latest", RUN, "assistants:update"),
  route("PATCH", "/assistants/:assistant", RUN, "assistants:update"),
  route("DELETE", "/assistants/:assistant", RUN, "assistants:delete"),
  route("GET", "/assistants/:assistant(?:/.*)?", READ, "assistants:read"),
  route("PUT", "/store/items", RUN, "store:put"),
  route("DELETE", "/store/items", RUN, "store:delete"),
  route("GET", "/store/items", READ, "store:get"),
  route("POST", "/store/items/search", READ, "store:search"),
  route("POST", "/store/namespaces", READ, "store:list_namespaces"),
  route("GET", "/(?:info|console/session|console/spend)", []),
  route("GET", "/.*", READ),
];

/** What a request needs, by its method and path. Unknown routes that could change something need `admin`. */
export function ruleFor({ method, path }: { method: string; path: string }): RouteRule {
  const asked = method === "HEAD" ? "GET" : method;
  for (const { path: form, scopes, event, method: own } of ROUTES) {
    const found = own === asked ? form.exec(path) : null;
    if (found) return { scopes, event, ids: { ...found.groups } };
  }
  return { scopes: ADMIN, ids: {} };
}

function route(method: string, form: string, scopes: readonly Scope[], event?: AuthEvent): Route {
  const path = form.replaceAll(/:(thread|assistant)/g, `(?<$1>${ID})`);
  return { method, path: new RegExp(`^${path}/?$`), scopes, event };
}
