import { type RawBuilder, type SqlBool, sql } from "kysely";
import { HttpProblem } from "../problem.js";

/** What a caller may do: start runs · read what it owns · answer approvals · everything, for every owner. */
export const SCOPES = ["run", "read", "approve", "admin"] as const;

export type Scope = (typeof SCOPES)[number];

/** Who sent a request. */
export interface Caller {
  /** Whose data the caller sees. */
  owner: string;
  /** The key or the subject of the token, to which spending is charged; empty without authentication. */
  id: string;
  scopes: readonly Scope[];
  /** What LangGraph's own `auth` knows of the caller: graphs read it as `langgraph_auth_user`. */
  user?: AuthUser;
}

/** A user in the form of LangGraph's `auth`; what else `authenticate` returned stands beside. */
export interface AuthUser extends Record<string, unknown> {
  identity: string;
  display_name: string;
  is_authenticated: boolean;
  permissions: string[];
}

/** Everybody, where a server asks nobody who they are: a developer on a machine of their own. */
export const ANYBODY: Caller = { owner: "", id: "", scopes: SCOPES };

/** Everybody, where a server asks nobody but its operator's file sets limits: `admin` could lift them. */
export const GUEST: Caller = { owner: "", id: "", scopes: ["run", "read", "approve"] };

/** Whether a caller sees every owner's data. */
export function seesAll({ scopes }: Pick<Caller, "scopes">): boolean {
  return scopes.includes("admin");
}

/** Whether a caller may do what takes a scope; `admin` may do everything. */
export function hasScope({ scopes }: Pick<Caller, "scopes">, ...anyOf: readonly Scope[]): boolean {
  return scopes.includes("admin") || anyOf.some((scope) => scopes.includes(scope));
}

/** @throws HttpProblem 403 for a caller with none of the scopes */
export function requireScope(caller: Pick<Caller, "scopes">, ...anyOf: readonly Scope[]): void {
  if (hasScope(caller, ...anyOf)) return;
  throw new HttpProblem({
    status: 403,
    problem: `this takes the scope ${anyOf.join(" or ")}, and the caller has ${caller.scopes.join(", ") || "none"}`,
    hint: `A key with it is made with: tulipgraph keys create --scope ${anyOf[0] ?? "admin"}`,
  });
}

/**
 * The condition by which a caller sees rows: those of its owner, or all with the scope `admin`. What is not seen is
 * answered with 404, as if it were not there.
 *
 * @param column the column of the owner, with its table where several have one
 * @example
 * const threads = await data.db.selectFrom("threads").selectAll().where(ownedBy(caller)).execute();
 */
export function ownedBy(
  caller: Pick<Caller, "owner" | "scopes">,
  column = "owner",
): RawBuilder<SqlBool> {
  return seesAll(caller) ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${sql.ref(column)} = ${caller.owner}`;
}
