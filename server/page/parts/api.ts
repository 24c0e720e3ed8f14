/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { Client } from "@langchain/langgraph-sdk";

/** Session storage: only this tab sees the key, and only until it is closed. */
const PLACE = "tulipgraph-key";

/** The server has refused a request; the message is the server's own. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The server, or its database, cannot be reached at the moment. */
export class Away extends Error {}

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
    apiUrl: location.origin,
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
  const response = await fetch(path, { ...how, headers }).catch(() => {
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
export interface Page<Row> {
  rows: Row[];
  total: number;
}

export async function getPage<Shown extends Page<unknown>>(path: string): Promise<Shown> {
  const response = await send(path);
  const rows = (await response.json()) as Shown["rows"];
  const total = Number(response.headers.get("x-pagination-total") ?? rows.length);
  return { rows, total } as Shown;
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
