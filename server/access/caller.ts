import type { RawBuilder, SqlBool } from "kysely";
import { sql } from "../../storage/kysely.js";
import { HttpProblem } from "../problem.js";

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
}

/** Every caller of a server without authentication: a developer on their own machine. */
export const ANYBODY: Caller = { owner: "", id: "", scopes: SCOPES };

/** The same if the operator's file sets limits, which the scope `admin` could lift. */
export const GUEST: Caller = { owner: "", id: "", scopes: ["run", "read", "approve"] };

/** Whether a caller sees every owner's data. */
export function seesAll({ scopes }: Pick<Caller, "scopes">): boolean {
  return scopes.includes("admin");
}

/** Whether a caller has one of the scopes; `admin` includes all of them. */
export function hasScope({ scopes }: Pick<Caller, "scopes">, ...anyOf: readonly Scope[]): boolean {
  return scopes.includes("admin") || anyOf.some((scope) => scopes.includes(scope));
}

/** @throws HttpProblem 403 for a caller with none of the scopes */
export function requireScope(caller: Pick<Caller, "scopes">, ...anyOf: readonly Scope[]): void {
  if (hasScope(caller, ...anyOf)) return;
  throw new HttpProblem({
    status: 403,
    problem: `this needs the scope ${anyOf.join(" or ")}, and the caller has ${caller.scopes.join(", ") || "none"}`,
    hint: `Make a key with it: tulipgraph keys create --scope ${anyOf[0] ?? "admin"}`,
  });
}

/**
 * The condition for the rows that a caller sees: its owner's, or all with the scope `admin`. The others are answered
 * with 404, as if they did not exist.
 *
 * @param column the owner's column, with its table if several have one
 * @example
 * const threads = await data.db.selectFrom("threads").selectAll().where(ownedBy(caller)).execute();
 */
export function ownedBy(
  caller: Pick<Caller, "owner" | "scopes">,
  column = "owner",
): RawBuilder<SqlBool> {
  return seesAll(caller) ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${sql.ref(column)} = ${caller.owner}`;
}
