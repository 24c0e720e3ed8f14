import type { Scope } from "./caller.js";

interface Route {
  method: string;
  path: RegExp;
  /** The caller needs one of these; if there are none, every known caller may. */
  scopes: readonly Scope[];
}

const READ = ["read"] as const;
const RUN = ["run"] as const;
/** Which of the two a run needs depends on its `command`, and is checked when it is admitted. */
const RUN_OR_ANSWER = ["run", "approve"] as const;
const ADMIN = ["admin"] as const;

const ID = "[^/]+";

/** The first match counts. */
const ROUTES: readonly Route[] = [
  route("POST", "/threads", RUN),
  route("POST", "/threads/(?:search|count)", READ),
  route("POST", "/threads/prune", RUN),
  route("POST", `/threads/${ID}/copy`, RUN),
  route("POST", `/threads/${ID}/history`, READ),
  route("POST", `/threads/${ID}/state/checkpoint`, READ),
  // Writing into a state bypasses approvals and limits.
  route("POST", `/threads/${ID}/state(?:/.*)?`, ADMIN),
  // Both only change metadata.
  route("PATCH", `/threads/${ID}(?:/state)?`, RUN),
  route("DELETE", `/threads/${ID}`, RUN),
  route("POST", `/threads/${ID}/runs/${ID}/cancel`, RUN),
  route("POST", `/threads/${ID}/runs/crons`, ADMIN),
  route("POST", `/threads/${ID}/runs(?:/stream|/wait)?`, RUN_OR_ANSWER),
  // Whoever started or answered a run may wait for its end.
  route("GET", `/threads/${ID}(?:/runs/${ID}/(?:join|stream)|/stream)`, ["read", "run", "approve"]),
  route("DELETE", `/threads/${ID}/runs/${ID}`, RUN),
  route("GET", `/threads/${ID}(?:/.*)?`, READ),
  route("POST", "/runs/cancel", RUN),
  route("POST", `/runs/${ID}/release`, ["approve"]),
  route("POST", "/runs(?:/stream|/wait|/batch)?", RUN),
  route("GET", "/runs(?:/.*)?", READ),
  route("POST", "/assistants", RUN),
  route("POST", "/assistants/(?:search|count)", READ),
  route("POST", `/assistants/${ID}/versions`, READ),
  route("POST", `/assistants/${ID}/latest`, RUN),
  route("PATCH", `/assistants/${ID}`, RUN),
  route("DELETE", `/assistants/${ID}`, RUN),
  route("GET", `/assistants/${ID}(?:/.*)?`, READ),
  route("POST", "/console/try", RUN),
  route("GET", "/(?:info|console/caller|console/spend)", []),
  route("GET", "/.*", READ),
];

/** The scopes that a request needs, by its method and path. Unknown routes that could change something need `admin`. */
export function scopesFor({ method, path }: { method: string; path: string }): readonly Scope[] {
  const asked = method === "HEAD" ? "GET" : method;
  return ROUTES.find((each) => each.method === asked && each.path.test(path))?.scopes ?? ADMIN;
}

function route(method: string, form: string, scopes: readonly Scope[]): Route {
  return { method, path: new RegExp(`^${form}/?$`), scopes };
}
