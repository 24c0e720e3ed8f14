import { once } from "node:events";
import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { InvalidSetting, messageOf } from "../../common/errors.js";

/** Where a server listens. */
export interface Address {
  host: string;
  port: number;
}

/** How long the server may take to start listening, in milliseconds. */
const START_MS = 180_000;

/** How long it may be away later, while it reloads after a change, in milliseconds. */
const AWAY_MS = 10_000;

/**
 * How often the server is checked, in milliseconds: more often until it listens, so that a server that dies right
 * after its start is not taken for one that has not started yet.
 */
const PERIOD_MS = { start: 50, later: 500 };

/** The address in the options of `langgraphjs dev`, or its default. */
export function addressOf(options: readonly string[]): Address {
  return {
    host: optionOf(options, "--host", "-h") ?? "localhost",
    port: Number(optionOf(options, "--port", "-p") ?? 2024),
  };
}

/** The value of an option, in the next word or after `=`; the last occurrence counts. */
export function optionOf(
  options: readonly string[],
  long: string,
  short = long,
): string | undefined {
  const at = options.findLastIndex((word) => word.startsWith(long) || word.startsWith(short));
  const word = options[at];
  if (word === undefined) return undefined;
  if (word === long || word === short) return options[at + 1];
  return word.startsWith("--") ? word.slice(long.length + 1) : word.slice(short.length);
}

/** @throws InvalidSetting if another program listens there, or the port may not be used */
export async function requireFree({ host, port }: Address): Promise<void> {
  const probe = createServer();
  try {
    probe.listen(port, host);
    await once(probe, "listening");
  } catch (error) {
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    const reason = messageOf(error);
    throw new InvalidSetting({
      setting: `port ${port}`,
      problem: isTaken ? "another program listens on it" : `it cannot be used (${reason})`,
      hint: "Choose another one with --port",
    });
  } finally {
    probe.close();
  }
}

/**
 * Waits until the server at an address stops listening, or fails to start.
 *
 * @returns what happened, in words. If the system chooses the port (0), nobody knows it, so this returns only when the
 *   signal is aborted.
 */
export async function silence({
  address,
  signal,
}: {
  address: Address;
  signal: AbortSignal;
}): Promise<string> {
  const { host, port } = address;
  let hasListened = false;
  let since = Date.now();
  while (!signal.aborted) {
    const period = hasListened ? PERIOD_MS.later : PERIOD_MS.start;
    await sleep(period, undefined, { ref: false });
    if (port === 0) continue;
    if (await listens(address)) {
      hasListened = true;
      since = Date.now();
    } else if (Date.now() - since > (hasListened ? AWAY_MS : START_MS)) {
      const what = hasListened ? "has died: it no longer listens" : "has not started listening";
      return `${what} on ${host}:${port}; see its output above`;
    }
  }
  return "is no longer watched";
}

/** A busy server still accepts the connection. */
async function listens({ host, port }: Address): Promise<boolean> {
  const socket = connect({ host: host === "0.0.0.0" ? "127.0.0.1" : host, port });
  try {
    await once(socket, "connect");
    return true;
  } catch {
    // Nobody listens.
    return false;
  } finally {
    socket.destroy();
  }
}
