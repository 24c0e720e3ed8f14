import { createContext, useContext } from "react";

/** The page's user. */
export interface Caller {
  /** Empty without authentication. */
  id: string;
  owner: string;
  scopes: string[];
}

export const CallerContext = createContext<Caller>({ id: "", owner: "", scopes: [] });

/** The run whose results are shown; empty outside a run. */
export const RunContext = createContext("");

/** Whether the key allows something. */
export function useMay(scope: string): boolean {
  const { scopes } = useContext(CallerContext);
  return scopes.includes("admin") || scopes.includes(scope);
}
