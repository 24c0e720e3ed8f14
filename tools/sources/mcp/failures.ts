import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
  UrlElicitationRequiredError,
} from "@modelcontextprotocol/client";
import { connectionHint } from "../../../common/connections.js";
import { clipped } from "../../../common/text.js";
import { oneLine } from "../../../common/errors.js";
import { type Hiding, hiding, isNameOfSecret } from "../../../common/secrets.js";
import { MAY_HAVE_HAPPENED } from "../../remote.js";
import type { ToolRecord } from "../../tool.js";
import { McpFailed, type Reach } from "./settings.js";
import { NO_ANSWER, errorIn } from "./wire.js";

/** Characters shown of a protocol error, or of a program's last output. */
const LONGEST_CAUSE = 300;

/** Why a server could not be reached and what to do about it, in one line. */
export function connectionProblem(options: {
  name: string;
  reach: Reach;
  timeoutMs: number;
  error: unknown;
  fault?: string;
  stderr: string;
}): McpFailed {
  const { name, reach, timeoutMs, error, fault, stderr } = options;
  if (error instanceof McpFailed) return error;
  const because = said(stderr, reach);
  const failed = (problem: string, hint: string) =>
    new McpFailed({ server: name, problem, hint, isUnreached: true }, { cause: error });
  if (fault) return failed(fault, "Ask whoever runs the server");
  const { command, cwd } = "command" in reach ? reach : {};
  const { code } = error as { code?: unknown };
  if (command !== undefined && (code === "ENOENT" || code === "EACCES")) {
    const where = cwd === undefined ? "" : ` (started in ${cwd})`;
    const problem = code === "ENOENT" ? "was not found" : "may not be executed";
    return failed(
      `the command "${command}" ${problem}${where}`,
      "Install it, or import the server again with its full path",
    );
  }
  const login = loginProblem(name, error, reach);
  if (login) return login;
  if (isTimeout(error)) {
    return failed(
      `it did not answer within ${timeoutMs / 1000} s${because}`,
      command === undefined
        ? "Check that the server runs at its address"
        : "Run its command by hand to see what it waits for",
    );
  }
  if (command !== undefined) {
    return failed(
      `it ended while starting, or does not speak MCP${because || ` (${causeText(error, reach)})`}`,
      `Run its command by hand to see why: ${command} …`,
    );
  }
  return failed(
    `no MCP server answers there (${causeText(error, reach)})`,
    connectionHint(error) ?? "Check the address, which often ends in /mcp",
  );
}

/** Characters shown of addresses. */
const LONGEST_ADDRESSES = 1_000;

/** Failures in the client library before anything was sent. */
const NOT_SENT: readonly unknown[] = [
  SdkErrorCode.NotConnected,
  SdkErrorCode.CapabilityNotSupported,
];

/**
 * Why a call got no answer, in one line. Of a write whose request may have arrived, it says that it may have taken
 * effect.
 */
export function callProblem(options: {
  name: string;
  reach: Reach;
  error: unknown;
  writes: boolean;
  brokenBy: string | undefined;
  stderr: string;
}): Error {
  const { name, reach, error, writes, brokenBy, stderr } = options;
  if (error instanceof McpFailed) return error;
  const login = loginProblem(name, error);
  if (login) return login;
  const cause = brokenBy ?? causeText(error, reach);
  if (error instanceof UrlElicitationRequiredError) {
    const addresses = error.elicitations.map(({ url }) => url).join(", ");
    const problem = `it requires a step in a browser first: ${clipped(addresses, LONGEST_ADDRESSES)}`;
    return new McpFailed({ server: name, problem, hint: "Then repeat the call" });
  }
  const text = error instanceof SdkHttpError ? error.data["text"] : undefined;
  const refusal = typeof text === "string" ? errorIn(text) : undefined;
  if (refusal !== undefined || (error instanceof ProtocolError && error.code !== NO_ANSWER)) {
    const why = refusal === undefined ? cause : causeText(new Error(refusal), reach);
    return new McpFailed({ server: name, problem: `it rejected the call: ${why}` });
  }
  const doubt = writes && !wasNotMade(error) ? `; the call ${MAY_HAVE_HAPPENED}` : "";
  const problem = wasAnswered(error)
    ? `its answer cannot be used (${cause})`
    : `the connection broke before its answer came (${cause})${said(stderr, reach)}`;
  const isUnreached = !wasAnswered(error);
  return new McpFailed(
    { server: name, problem: `${problem}${doubt}`, isUnreached },
    { cause: error },
  );
}

function wasAnswered(error: unknown): boolean {
  if (error instanceof SdkHttpError) return true;
  return error instanceof SdkError && error.code === SdkErrorCode.InvalidResult;
}

/** Nothing was sent, or the server did not accept it. */
function wasNotMade(error: unknown): boolean {
  if (error instanceof SdkHttpError) return error.status !== undefined && error.status < 500;
  if (error instanceof TypeError && NOT_REACHED.includes((error.cause as { code?: unknown })?.code))
    return true;
  return error instanceof SdkError && NOT_SENT.includes(error.code);
}

/** Failures of a connection that was never made. */
const NOT_REACHED: readonly unknown[] = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"];

/** What servers say in an error about a session that they do not know. */
const NO_SESSION =
  /\bsession\b.*\b(not found|expired|unknown|invalid|terminated|no longer)\b|\b(invalid|unknown|expired|no valid) session\b/i;

/**
 * What the refusal of a call says of the session: that it is gone, or that it may be. Bad arguments are refused with
 * HTTP 400 as well, and a tool may have sessions of its own. Undefined for anything else.
 */
export function sessionDoubt(error: unknown): "gone" | "unclear" | undefined {
  if (error instanceof SdkHttpError) {
    if (error.status === 404 || error.status === 410) return "gone";
    return error.status === 400 || NO_SESSION.test(error.message) ? "unclear" : undefined;
  }
  const isRefusal = error instanceof ProtocolError && error.code !== NO_ANSWER;
  return isRefusal && NO_SESSION.test(error.message) ? "unclear" : undefined;
}

/** Whether a server refused a call because it has forgotten that it was initialized: also one without sessions may say so. */
export function isForgotten(error: unknown): boolean {
  return /server (?:is )?not (?:yet )?initiali[sz]ed|before initiali[sz]ation/i.test(String(error));
}

/** Whether a call may be made again over a new connection: it was refused with its session, or it only reads. */
export async function mayBeRepeated(
  error: unknown,
  { isLost, reach }: { isLost: (error: unknown) => Promise<boolean>; reach: Reach },
  effects: ToolRecord["effects"],
): Promise<boolean> {
  if (!("url" in reach)) return false;
  if (await isLost(error)) return true;
  const isBroken =
    (error instanceof ProtocolError && error.code === NO_ANSWER) ||
    error instanceof TypeError ||
    (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed);
  return effects === "read" && isBroken && !wasNotMade(error);
}

/** The failure to report for an error of login or rights; undefined for any other error. */
function loginProblem(name: string, error: unknown, reach?: Reach): McpFailed | undefined {
  if (isLoginWanted(error)) return loginWanted(name, { cause: error, reach });
  if (!(error instanceof InsufficientScopeError)) return undefined;
  const scope = error.requiredScope ?? "SCOPE";
  return new McpFailed({
    server: name,
    problem: "the login has too few rights for this",
    hint: `Log in with more: tulipgraph tools login ${name} --scope '${scope}'`,
  });
}

/** For a server that requires a login: it has no token from us, or one that it no longer accepts. */
export function loginWanted(
  name: string,
  { cause, reach }: { cause?: unknown; reach?: Reach } = {},
): McpFailed {
  // A server that is being imported is not yet known by its name.
  const at = reach && "url" in reach && !reach.url.search ? ` --url ${reach.url.href}` : "";
  return new McpFailed(
    {
      server: name,
      problem: "it requires a login",
      hint: `Log in with: tulipgraph tools login ${name}${at}; or import it again with its key: --header 'Authorization: Bearer $TOKEN'`,
    },
    { cause },
  );
}

/** Whether a request failed because it was not authenticated. */
export function isLoginWanted(error: unknown): boolean {
  if (error instanceof UnauthorizedError) return true;
  if (!(error instanceof Error)) return false;
  // A key in a header, which the client library knows nothing of.
  if (error instanceof SdkHttpError && error.status === 401) return true;
  if (error instanceof SdkError && error.code === SdkErrorCode.ClientHttpAuthentication)
    return true;
  return isLoginWanted(error.cause);
}

function isTimeout(error: unknown): boolean {
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return true;
  return error instanceof Error && error.name === "TimeoutError";
}

/** The causes of an error, outermost first, without values that were filled into the settings. */
export function causeText(error: unknown, reach: Reach): string {
  const texts: string[] = [];
  for (let cause = error; cause instanceof Error && texts.length < 3; cause = cause.cause) {
    const { message } = cause;
    if (!texts.some((text) => text.includes(message))) texts.push(message);
  }
  return clipped(oneLine(withoutValues(texts.join(": ") || String(error), reach)), LONGEST_CAUSE);
}

/** Lines shown of a program's last output. */
const LAST_LINES = 3;

/** The last lines of a program from the one that names an error, without the stack and Node's own closing line. */
function said(stderr: string, reach: Reach): string {
  const lines = stderr
    .split("\n")
    .filter((line) => line.trim() && !/^\s+at |^Node\.js v\d/.test(line));
  const error = lines.findLastIndex((line) => /error/i.test(line));
  const shown = (error === -1 ? lines.slice(-LAST_LINES) : lines.slice(error)).slice(0, LAST_LINES);
  const words = clipped(oneLine(withoutValues(shown.join(" / "), reach)), LONGEST_CAUSE);
  return words && `; it says: ${words}`;
}

/** Shorter values may be ordinary words. */
const SHORTEST_SECRET = 6;

/** A text without the values of variables and headers given to the server. */
export function withoutValues(text: string, reach: Reach): string {
  return hiding(givenTo(reach)).text(text);
}

/** Takes credentials given to the server out of a result. Its other values may be just what was asked for. */
export function hidingCredentials(reach: Reach): Hiding {
  return hiding(givenTo(reach).filter(({ name }) => isNameOfSecret(name)));
}

function givenTo(reach: Reach) {
  const given = "url" in reach ? { ...reach.headers, ...addressValues(reach.url) } : reach.env;
  return (
    Object.entries(given)
      // "Bearer TOKEN" may be shown without its first word.
      .flatMap(([name, value]) =>
        [value, ...value.split(/\s+/)].map((part) => ({ name, value: part, shown: `<${name}>` })),
      )
      .filter(({ value }) => value.length >= SHORTEST_SECRET)
  );
}

function addressValues({ search, searchParams }: URL): Record<string, string> {
  return { url: search, ...Object.fromEntries(searchParams) };
}
