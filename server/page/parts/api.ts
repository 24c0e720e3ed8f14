/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { Client } from "@langchain/langgraph-sdk";
import { useSyncExternalStore, createContext, useContext } from "react";

/** Session storage: only this tab sees the key, and only until it is closed. */
const PLACE = "tulipgraph-key";

/** Where the server is: the address of this page, which may be below the path of a proxy. */
export const HERE = new URL(".", location.href).href.slice(0, -1);

/** The server has refused a request; the message is the server's own. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The server, or its database, cannot be reached at the moment. */
class Away extends Error {}

/** Statuses from a server that waits for its database, or from a proxy whose servers are away. */
const AWAY = [502, 503, 504];

export function keepKey(key: string): void {
  sessionStorage.setItem(PLACE, key);
}

export function forgetKey(): void {
  sessionStorage.removeItem(PLACE);
}

export function hasKey(): boolean {
  return sessionStorage.getItem(PLACE) !== null;
}

/** The SDK's client, with the key if there is one. */
export function makeClient(): Client {
  return new Client({
    apiUrl: HERE,
    apiKey: sessionStorage.getItem(PLACE),
    callerOptions: { maxRetries: 0 },
  });
}

/** Asks the server with the key, if there is one. @throws Refusal, or Away without a connection */
async function send(path: string, how: RequestInit = {}): Promise<Response> {
  const key = sessionStorage.getItem(PLACE);
  const headers = {
    ...(key === null ? {} : { "x-api-key": key }),
    "content-type": "application/json",
  };
  const response = await fetch(`${HERE}${path}`, { ...how, headers }).catch(() => {
    throw new Away("The server cannot be reached.");
  });
  if (response.ok) return response;
  const { detail, message } = (await response.json().catch(() => ({}))) as Record<string, string>;
  const { status } = response;
  const problem = detail ?? message ?? `The server answered ${status}.`;
  throw AWAY.includes(status) ? new Away(problem) : new Refusal(status, problem);
}

export async function get<Answer>(path: string): Promise<Answer> {
  return (await (await send(path)).json()) as Answer;
}

/** A part of a list, with how many there are in all. */
interface Page<Row> {
  rows: Row[];
  total: number;
}

export async function getPage<Row>(path: string): Promise<Page<Row>> {
  const response = await send(path);
  const rows = (await response.json()) as Row[];
  return { rows, total: Number(response.headers.get("x-pagination-total") ?? rows.length) };
}

export async function post<Answer>(path: string, body: object): Promise<Answer> {
  const response = await send(path, { method: "POST", body: JSON.stringify(body) });
  return (await response.json().catch(() => null)) as Answer;
}

export async function remove(path: string): Promise<void> {
  await send(path, { method: "DELETE" });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What the whole page tells its user: that the server is away, and how the last action went. */
interface News {
  away: string;
  told: string;
  isBad: boolean;
  /** The key is missing or no longer valid. */
  wantsKey: boolean;
}

let news: News = { away: "", told: "", isBad: false, wantsKey: false };
const listeners = new Set<() => void>();

function change(part: Partial<News>): void {
  news = { ...news, ...part };
  for (const listener of listeners) listener();
}

export function useNews(): News {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => news,
  );
}

/** Says how an action went, to the eye and to screen readers. */
export function tell(told: string, isBad = false): void {
  change({ told, isBad });
}

/** The server has answered. */
export function isBack(): void {
  if (news.away) change({ away: "", told: "The server is back.", isBad: false });
}

export function keyIsGiven(): void {
  change({ wantsKey: false });
}

/** Tells of a server that is away and of a key that does not hold; whether it was one of these. */
export function tellGlobal(error: unknown): boolean {
  if (error instanceof Away) {
    change({ away: `${error.message} This page will continue when it is back.` });
    return true;
  }
  if (!(error instanceof Refusal) || error.status !== 401) return false;
  change({ wantsKey: true });
  return true;
}

/** Does what a button is for, and says how it went; whether it went well. */
export async function act(work: () => Promise<string>): Promise<boolean> {
  try {
    tell(await work());
    return true;
  } catch (error) {
    tell(messageOf(error), true);
    return false;
  }
}

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

/** The call that the reader points at, in the answer or in the program. */
export const LitContext = createContext<{
  lit: string | undefined;
  light: (call: string | undefined) => void;
}>({ lit: undefined, light: () => undefined });
