import { createHash } from "node:crypto";
import { CATALOGS } from "../../tools/catalogs/index.js";
import { HttpProblem, notFound } from "../problem.js";
import { type Caller, seesAll } from "./caller.js";
import { nameOfKeys } from "./owners.js";
import { type Policy, policySchema } from "./policy.js";
import type { Workspace } from "../../home/workspace.js";

/** An owner's name that can begin library names as it is: without a dot, and unlike a hash. */
const PLAIN_OWNER = /^(?!u-)[A-Za-z0-9_-]{1,32}$/;

/** Hexadecimal digits of the hash that replaces any other name. */
const HASH_DIGITS = 24;

const LIBRARY_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/** Holds if the operator's file says nothing about libraries. */
const DEFAULT_LIBRARIES = policySchema.shape.libraries.unwrap().parse({});

/**
 * What the names of an owner's libraries begin with: `ada.` for the keys of `ada`; for names with other characters, such
 * as e-mail addresses, and for owners that tokens name, a hash. No two owners share a prefix, because what precedes the
 * first dot is either a plain name or a hash, and the two look different.
 */
export function libraryPrefix(owner: string): string {
  const name = nameOfKeys(owner);
  if (name !== undefined && PLAIN_OWNER.test(name)) return `${name}.`;
  // A name that keys were made for may look like an owner that tokens name.
  const hash = createHash("sha256")
    .update(name ?? `token ${owner}`)
    .digest("hex");
  return `u-${hash.slice(0, HASH_DIGITS)}.`;
}

/** Whether a library belongs to the caller's owner. */
export function isOwnLibrary(caller: Pick<Caller, "owner">, library: string): boolean {
  const prefix = libraryPrefix(caller.owner);
  return (
    caller.owner !== "" &&
    LIBRARY_NAME.test(library) &&
    library.startsWith(prefix) &&
    library !== prefix
  );
}

/**
 * Whether a caller sees a library: its own, those that the operator shares, all with the scope `admin`. A server
 * without authentication and without a rule about libraries shows all of them.
 */
export function seesLibrary(options: { caller: Caller; policy: Policy; library: string }): boolean {
  const { caller, policy, library } = options;
  if (seesAll(caller) || (caller.id === "" && policy.libraries === undefined)) return true;
  return sharedLibraries(policy).includes(library) || isOwnLibrary(caller, library);
}

/**
 * Asked before a library is opened, because the error about an unknown one names all that there are.
 *
 * @throws HttpProblem 404 for a library that does not exist
 */
export async function requireLibrary(
  { store }: Pick<Workspace, "store">,
  caller: Caller,
  library: string,
): Promise<void> {
  if (seesAll(caller) || Object.hasOwn(CATALOGS, library) || (await store.describe(library)))
    return;
  throw libraryAbsent(library);
}

/** What a caller is told of a library that does not exist, or that it does not see. */
export function libraryAbsent(library: string): HttpProblem {
  return notFound(`there is no library "${library}"`);
}

/** The libraries that everybody sees. */
export function sharedLibraries({ libraries = DEFAULT_LIBRARIES }: Policy): readonly string[] {
  return libraries.shared;
}
