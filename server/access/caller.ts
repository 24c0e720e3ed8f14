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
}

/** Everybody, where a server asks nobody who they are. */
export const ANYBODY: Caller = { owner: "", id: "", scopes: SCOPES };
