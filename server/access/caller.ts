import type { SqlBool } from "kysely";
import { sql } from "../../storage/kysely.js";
import { forbidden } from "../problem.js";
import type { ProjectUser } from "./projectAuth.js";

/** What a caller may do: start runs · read its owner's data · answer approvals · everything, for every owner. */
export const SCOPES = ["run", "read", "approve", "admin"] as const;

export type Scope = (typeof SCOPES)[number];

/** Who sent a request. */
export interface Caller {
  /** Whose data the caller sees. */
  owner: string;
  /** The key, or the token's subject, to which spending is charged; empty without authentication. */
  id: string;
  scopes: readonly Scope[];
  /** The groups that a token names. */
  groups?: readonly string[];
  /** Whom a LangGraph.js project's own authentication has let in. */
  project?: ProjectUser;
}

/** Every caller of a server without authentication: a developer on their own machine. */
export const ANYBODY: Caller = { owner: "", id: "", scopes: SCOPES };

/** The same if the operator's file sets limits, which the scope `admin` could lift. */
export const GUEST: Caller = { owner: "", id: "", scopes: ["run", "read", "approve"] };

/** Whether a caller sees every owner's data. */
export function seesAll({ scopes }: Pick<Caller, "scopes">): boolean {
  return scopes.includes("admin");
}

/** The owner whose rows a caller sees; undefined for everybody's. */
export function ownerSeen(caller: Caller): string | undefined {
  return seesAll(caller) ? undefined : caller.owner;
}

/** In whose name a caller acts at connected sources. */
export function actorOfCaller({ owner, project }: Caller): string {
  return project ? `${owner}${project.user.identity}` : owner;
}

/** @throws HttpProblem 403 for a caller with none of the scopes; `admin` includes all of them */
export function requireScope(caller: Pick<Caller, "scopes">, ...anyOf: readonly Scope[]): void {
  if (seesAll(caller) || anyOf.some((scope) => caller.scopes.includes(scope))) return;
  throw forbidden(
    `this needs the scope ${anyOf.join(" or ")}, but the caller has ${caller.scopes.join(", ") || "none"}`,
    `Create a key with it: tulipgraph keys create --scope ${anyOf[0] ?? "admin"}`,
  );
}

/**
 * The condition for the rows that a caller sees: its owner's, or all with the scope `admin`. The others are answered
 * with 404, as if they did not exist.
 *
 * @param column the owner's column, with its table if several have one
 * @example
 * const threads = await data.db.selectFrom("threads").selectAll().where(ownedBy(caller)).execute();
 */
export function ownedBy(caller: Pick<Caller, "owner" | "scopes">, column = "owner") {
  return seesAll(caller) ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${sql.ref(column)} = ${caller.owner}`;
}

interface Route {
  methods: string[];
  path: RegExp;
  /** The caller needs one of these; if there are none, every known caller may. */
  scopes: readonly Scope[];
  /** What the handlers of a project are asked about its users' requests, and besides; absent if these are not for them. */
  event?: string;
  besides?: string[];
}

const READ = ["read"] as const;
const RUN = ["run"] as const;
/** Which of the two a run needs depends on its `command`, and is checked when it is admitted. */
const RUN_OR_ANSWER = ["run", "approve"] as const;
const ADMIN = ["admin"] as const;

const ID = "[^/]+";
const RUNS = `(?:/threads/${ID})?/runs`;

/** The first match counts. A project is asked about a run where that is made (api/createRun.ts). */
const ROUTES: readonly Route[] = [
  route("POST", "/threads", RUN, "threads:create"),
  route("POST", "/threads/(?:search|count)", READ, "threads:search"),
  route("POST", "/threads/prune", RUN, "threads:delete"),
  route("POST", `/threads/${ID}/copy`, RUN, "threads:create"),
  route("POST", `/threads/${ID}/undo`, RUN, "threads:read"),
  route("POST", `/threads/${ID}/commands`, ["run", "approve", "read"], "threads:read"),
  // Also as a WebSocket, whose commands are looked at one by one.
  route("POST|GET", `/threads/${ID}/stream/events`, ["read", "run", "approve"], "threads:read"),
  route("POST", `/threads/${ID}/(?:history|state/checkpoint)`, READ, "threads:read"),
  // Writing into a state bypasses approvals and limits.
  route("POST", `/threads/${ID}/state(?:/.*)?`, ADMIN, "threads:update"),
  // Both only change metadata.
  route("PATCH", `/threads/${ID}(?:/state)?`, RUN, "threads:update"),
  route("DELETE", `/threads/${ID}`, RUN, "threads:delete"),
  route("POST", `${RUNS}/${ID}/cancel`, RUN, "threads:update"),
  route("POST", `/threads/${ID}/runs(?:/stream|/wait)?`, RUN_OR_ANSWER, "threads:read"),
  // Whoever started or answered a run may wait for its end.
  route("GET", `${RUNS}/${ID}/(?:join|stream)`, ["read", "run", "approve"], "threads:read"),
  route("DELETE", `${RUNS}/${ID}`, RUN, "threads:delete"),
  route("GET", `/threads/${ID}(?:/.*)?`, READ, "threads:read"),
  route("POST", "/runs/cancel", RUN, "threads:update"),
  route("POST", "/runs/crons/(?:search|count)", READ, "crons:search"),
  route("POST", `${RUNS}/crons`, RUN, "crons:create", ["assistants:read", "threads:read"]),
  route("GET", `/runs/crons/${ID}`, READ, "crons:read"),
  route("PATCH", `/runs/crons/${ID}`, RUN, "crons:update"),
  route("DELETE", `/runs/crons/${ID}`, RUN, "crons:delete"),
  route("POST", "/runs(?:/stream|/wait|/batch)?", RUN, "threads:read"),
  route("GET", "/runs(?:/.*)?", READ, "threads:read"),
  route("POST", "/assistants", RUN, "assistants:create"),
  route("POST", "/assistants/(?:search|count)", READ, "assistants:search"),
  route("POST", `/assistants/${ID}/versions`, READ, "assistants:read"),
  route("POST", `/assistants/${ID}/latest`, RUN, "assistants:update"),
  route("PATCH", `/assistants/${ID}`, RUN, "assistants:update"),
  route("DELETE", `/assistants/${ID}`, RUN, "assistants:delete", ["threads:delete"]),
  route("GET", `/assistants/${ID}(?:/.*)?`, READ, "assistants:read"),
  route("PUT", "/store/items", RUN, "store:put"),
  route("GET", "/store/items", READ, "store:get"),
  route("DELETE", "/store/items", RUN, "store:delete"),
  route("POST", "/store/items/search", READ, "store:search"),
  route("POST", "/store/namespaces", READ, "store:list_namespaces"),
  route("POST", "/console/try", RUN),
  // Finding needs `read`, and calling `run`, which is looked at for each tool.
  route("POST|GET|DELETE", "/mcp", ["run", "read"]),
  // Everybody who may act may act as themselves, whether or not they may approve.
  route("POST", `/(?:connected|connections/${ID})`, RUN),
  route("DELETE", `/connections/${ID}`, RUN),
  route("GET", "/(?:info|console/caller)", []),
  route("GET", "/.*", READ),
];

/** What is known of the route of a request; undefined for one that could change something and is not listed. */
export function routeFor({ method, path }: { method: string; path: string }): Route | undefined {
  const asked = method === "HEAD" ? "GET" : method;
  return ROUTES.find((each) => each.methods.includes(asked) && each.path.test(path));
}

/** The scopes that a request needs, by its method and path. Unknown routes that could change something need `admin`. */
export function scopesFor(request: { method: string; path: string }): readonly Scope[] {
  return routeFor(request)?.scopes ?? ADMIN;
}

function route(
  methods: string,
  form: string,
  scopes: readonly Scope[],
  event?: string,
  besides?: string[],
): Route {
  const path = new RegExp(`^${form}/?$`);
  return { methods: methods.split("|"), path, scopes, event, besides };
}
