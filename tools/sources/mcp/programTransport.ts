import type { ChildProcess, spawn as nodeSpawn } from "node:child_process";
import { createRequire } from "node:module";
import { setTimeout as pause } from "node:timers/promises";
import {
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  type Transport,
  parseJSONRPCMessage,
  serializeMessage,
} from "@modelcontextprotocol/client";
import { getDefaultEnvironment } from "@modelcontextprotocol/client/stdio";
import { jsonOrNothing } from "../../../common/jsonInText.js";
import { MOST_BYTES } from "./limitedFetch.js";
import type { ProgramSettings } from "./entryUse.js";
import { type RequestId, mended } from "./wire.js";

// Finds npx and other scripts on Windows, as the client library does. It comes without types.
const spawn = createRequire(import.meta.url)("cross-spawn") as typeof nodeSpawn;

const NEWLINE = 10;

const METHOD_NOT_FOUND = ProtocolErrorCode.MethodNotFound;

/** An answer that says nothing, or that a method is unknown. */
const EMPTY_ANSWER = new RegExp(`${METHOD_NOT_FOUND}|"result"\\s*:\\s*(?:\\{\\s*\\}|null|true|"")`);

/** Characters kept of a program's last output on stderr. */
const LAST_WORDS = 2_000;

/**
 * The transport to a program. The client library's own reads nothing that departs from the protocol's schema, so messages
 * are mended here first. The probe for revision 2026-07-28 has a process of its own, because programs may end at anything
 * that comes before `initialize`; that they end is an answer to the probe.
 */
export function programTransport(program: ProgramSettings) {
  const waiting = new Set<RequestId>();
  let child: ChildProcess | undefined;
  let probe: RequestId | undefined;
  let lastWords = "";
  let isNoticeOpen = false;

  const take = (line: string): void => {
    // Some answer the notice, as a method that they do not know for example, which answers none of the requests behind it.
    if (isNoticeOpen && EMPTY_ANSWER.test(line) && !/"id"\s*:\s*["\d]/.test(line)) {
      isNoticeOpen = false;
      return;
    }
    const { text, answered } = mended(line, [...waiting]);
    for (const id of waiting) if (answered.includes(String(id))) waiting.delete(id);
    // Programs also write logs to their standard output.
    const messages = [jsonOrNothing(text) ?? []].flat();
    // Behind a log or another message that does not end its line.
    const parts = messages.length === 0 ? line.split(/(?=\{\s*"jsonrpc"\s*:)/) : [];
    if (parts.length > 1) return parts.forEach(take);
    // Some say there why they end.
    if (parts.length === 1) lastWords = `${lastWords}${line}\n`.slice(-LAST_WORDS);
    for (const message of messages) {
      try {
        transport.onmessage?.(parseJSONRPCMessage(message));
      } catch (error) {
        transport.onerror?.(error as Error);
      }
    }
  };
  const isCurrent = (from: ChildProcess) => from === child;
  const closed = () => {
    child = undefined;
    if (probe === undefined || !waiting.delete(probe)) return transport.onclose?.();
    const error = { code: METHOD_NOT_FOUND, message: "it ended" };
    transport.onmessage?.({ jsonrpc: "2.0", id: probe, error });
  };
  const start = async () => {
    const { command, args, env, cwd } = program;
    const started = spawn(command, args, {
      env: { ...getDefaultEnvironment(), ...env },
      cwd,
      stdio: "pipe",
      windowsHide: true,
    });
    child = started;
    const fail = (error: Error) => isCurrent(started) && transport.onerror?.(error);
    const readLines = lineReader((line) => isCurrent(started) && take(line));
    started.stdout.on("data", (part: Buffer) => {
      if (!isCurrent(started) || readLines(part)) return;
      fail(new Error(`it exceeds the maximum size of ${MOST_BYTES} bytes`));
      void transport.close();
    });
    started.stderr.on("data", (part: Buffer) => {
      if (isCurrent(started)) lastWords = (lastWords + part.toString("utf8")).slice(-LAST_WORDS);
    });
    for (const stream of [started.stdin, started.stdout, started.stderr]) stream.on("error", fail);
    started.on("close", () => {
      // Its last line may have no end.
      if (isCurrent(started) && readLines(Buffer.from("\n"))) closed();
    });
    await new Promise<void>((resolve, reject) => {
      started.once("spawn", resolve).once("error", reject);
    });
    started.on("error", fail);
  };
  const transport: Transport & { pid: number | null; stderr: null; lastWords: () => string } = {
    start,
    async send(message) {
      const { method, id } = { method: undefined, id: undefined, ...message };
      const isProbe = method === "server/discover";
      if (probe !== undefined && !isProbe) {
        const former = child;
        probe = child = undefined;
        waiting.clear();
        lastWords = "";
        if (former) await ended(former, 0);
        await start();
      }
      if (isProbe) probe = id;
      isNoticeOpen ||= method === "notifications/initialized";
      if (!child?.stdin) throw new SdkError(SdkErrorCode.NotConnected, "Not connected");
      if (method !== undefined && id !== undefined) waiting.add(id);
      const { stdin } = child;
      if (stdin.write(serializeMessage(message))) return;
      await new Promise((resolve) => stdin.once("drain", resolve).once("close", resolve));
    },
    async close() {
      const former = child;
      if (!former) return;
      child = undefined;
      await ended(former, PATIENCE_MS);
      transport.onclose?.();
    },
    // By these two, the client library tells a program from an address.
    get pid() {
      return child?.pid ?? null;
    },
    stderr: null,
    /** The end of what it has written to stderr; may repeat secrets that it was given. */
    lastWords: () => lastWords,
  };
  return transport;
}

/** Gives lines as soon as they are whole; false for one that is too long. */
function lineReader(onLine: (line: string) => void): (part: Buffer) => boolean {
  let rest: Buffer[] = [];
  let bytes = 0;
  return (part) => {
    const end = part.lastIndexOf(NEWLINE) + 1;
    rest.push(part.subarray(0, end || undefined));
    bytes += part.length;
    if (bytes > MOST_BYTES) return false;
    if (end === 0) return true;
    const lines = Buffer.concat(rest).toString().split("\n");
    rest = [part.subarray(end)];
    bytes = part.length - end;
    for (const line of lines) if (line.trim()) onLine(line);
    return true;
  };
}

/** Milliseconds given to a program to end by itself, then at a signal. */
const PATIENCE_MS = 2_000;

/** Ends a program for good. Its own programs may hold its pipes, so it is enough that it has exited. */
async function ended(child: ChildProcess, patienceMs: number): Promise<void> {
  const exited =
    child.exitCode !== null || child.signalCode !== null || child.pid === undefined
      ? Promise.resolve(true)
      : new Promise<true>((resolve) => child.once("exit", () => resolve(true)));
  const within = (ms: number) =>
    Promise.race([exited, pause(ms, false, { ref: false })]).catch(() => false);
  child.stdin?.end();
  if (!(await within(patienceMs))) child.kill("SIGTERM");
  if (!(await within(PATIENCE_MS))) child.kill("SIGKILL");
  await exited;
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
}
