import { once } from "node:events";
import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { InvalidSetting } from "../common/errors.js";

/** Where a server listens. */
export interface Address {
  host: string;
  port: number;
}

/** How long the server may take to listen for the first time, in milliseconds. */
const START_MS = 180_000;

/** How long it may be away later, as it is while it is loaded anew after a change, in milliseconds. */
const AWAY_MS = 10_000;

/**
 * How often it is looked at, in milliseconds: more often until it listens, so that one that dies right after its start
 * is not taken for one that has not begun.
 */
const PERIOD_MS = { start: 50, later: 500 };

/** The address that options of `langgraphjs dev` name, or its defaults. */
export function addressOf(options: readonly string[]): Address {
  return {
    host: optionOf(options, "--host", "-h") ?? "localhost",
    port: Number(optionOf(options, "--port", "-p") ?? 2024),
  };
}

/** The value of an option among words, behind it or after `=`; the last one counts. */
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

/** @throws InvalidSetting when another program listens there, or nobody may */
export async function requireFree({ host, port }: Address): Promise<void> {
  const probe = createServer();
  try {
    probe.listen(port, host);
    await once(probe, "listening");
  } catch (error) {
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    const reason = error instanceof Error ? error.message : String(error);
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
 * Waits until nobody listens at an address any more, or nobody has begun to.
 *
 * @returns what has happened, in words; where the port is for the system to choose, only when the signal is
 *   aborted, because nobody knows it
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
      const what = hasListened ? "has died: it listens no more" : "has not begun to listen";
      return `${what} on ${host}:${port}; what it said stands above`;
    }
  }
  return "is no longer looked at";
}

/** A server that is busy is connected to all the same. */
async function listens({ host, port }: Address): Promise<boolean> {
  const socket = connect({ host: host === "0.0.0.0" ? "127.0.0.1" : host, port });
  try {
    await once(socket, "connect");
    return true;
  } catch {
    // Nobody is there.
    return false;
  } finally {
    socket.destroy();
  }
}
