/// <reference lib="dom" />

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

/** Asks the server with the key, if there is one. @throws Refusal, or Away without a connection */
async function send(path: string, how: RequestInit = {}): Promise<Response> {
  const key = sessionStorage.getItem(PLACE);
  const headers = {
    ...(key === null ? {} : { "x-api-key": key }),
    "content-type": "application/json",
  };
  const response = await fetch(path, { ...how, headers }).catch((error: unknown) => {
    if (how.signal?.aborted) throw error;
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

export async function post<Answer>(path: string, body: object): Promise<Answer> {
  return (await (
    await send(path, { method: "POST", body: JSON.stringify(body) })
  ).json()) as Answer;
}

export async function remove(path: string): Promise<void> {
  await send(path, { method: "DELETE" });
}

/**
 * Follows the events of a run until it ends or the signal is aborted. An EventSource could not send the key.
 *
 * @param happened called for each piece of the stream that holds events
 */
export async function follow(options: {
  path: string;
  signal: AbortSignal;
  happened: () => void;
}): Promise<void> {
  const { path, signal, happened } = options;
  const { body } = await send(path, { signal });
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  while (true) {
    const { done, value } = await reader.read();
    if (done) return;
    // Comments only keep the connection alive.
    if (/^(?:event|data):/m.test(value)) happened();
  }
}
