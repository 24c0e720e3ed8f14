import { createHash } from "node:crypto";
import type { Caller } from "./caller.js";
import { seesAll } from "./caller.js";
import type { Policy } from "./policy.js";

/** An owner's name that can stand in a library's name as it is: a dot would end it earlier for others. */
const PLAIN_OWNER = /^(?!u-)[A-Za-z0-9_-]{1,32}$/;

/** Hexadecimal digits of the hash that stands for any other. */
const HASH_DIGITS = 24;

const LIBRARY_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/**
 * What the names of an owner's libraries begin with: `ada.` for `ada`, and for names with other characters, such as
 * addresses of mail, a hash in their place. No two owners share one, because what stands before the first dot is
 * either a plain name or a hash, and says which.
 */
export function libraryPrefix(owner: string): string {
  if (PLAIN_OWNER.test(owner)) return `${owner}.`;
  const hash = createHash("sha256").update(owner).digest("hex");
  return `u-${hash.slice(0, HASH_DIGITS)}.`;
}

/** Whether a library belongs to the caller's owner. Past calls and demonstrations are kept with the library. */
export function isOwnLibrary(caller: Pick<Caller, "owner">, library: string): boolean {
  const prefix = libraryPrefix(caller.owner);
  return (
    caller.owner !== "" &&
    LIBRARY_NAME.test(library) &&
    library.startsWith(prefix) &&
    library !== prefix
  );
}

/** Whether a caller sees a library: its own, those that the operator shares, all with the scope `admin`. */
export function seesLibrary(options: {
  caller: Pick<Caller, "owner" | "scopes">;
  libraries: NonNullable<Policy["libraries"]>;
  library: string;
}): boolean {
  const { caller, libraries, library } = options;
  if (seesAll(caller)) return true;
  return libraries.shared.includes(library) || isOwnLibrary(caller, library);
}
