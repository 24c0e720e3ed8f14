import {
  InsufficientScopeError,
  SdkError,
  SdkErrorCode,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { clipped } from "../../../common/bounds.js";
import { oneLine } from "../../../common/errors.js";
import { McpFailed } from "./mcpFailed.js";
import type { Reach } from "./settings.js";

/** Characters of an error of the protocol, or of a program's last words, that are shown. */
const LONGEST_CAUSE = 300;

/** Why a server could not be reached, and what to do, in one line. */
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
  const words = lastWords(stderr, reach);
  const because = words && `; it says: ${words}`;
  const failed = (problem: string, hint: string) =>
    new McpFailed({ server: name, problem, hint }, { cause: error });
  if (fault) return failed(fault, "Ask whoever runs the server");
  const { command, cwd } = "command" in reach ? reach : {};
  const { code } = error as { code?: unknown };
  if (command !== undefined && (code === "ENOENT" || code === "EACCES")) {
    const where = cwd === undefined ? "" : ` (started in ${cwd})`;
    const problem = code === "ENOENT" ? "was not found" : "may not be run";
    return failed(
      `the command "${command}" ${problem}${where}`,
      "Install it, or import the server again with its whole path",
    );
  }
  const login = loginProblem({ name, error, reach });
  if (login) return login;
  if (isTimeout(error)) {
    return failed(
      `it did not answer within ${timeoutMs / 1000} s${because}`,
      command === undefined
        ? "See whether the server runs at its address"
        : "Run its command by hand to see what it waits for",
    );
  }
  if (command !== undefined) {
    return failed(
      `it ended at its start, or speaks no MCP${because || ` (${causeText(error, reach)})`}`,
      `Run its command by hand to see why: ${command} …`,
    );
  }
  return failed(
    `no MCP server answers there (${causeText(error, reach)})`,
    "Check the address, which often ends in /mcp",
  );
}

/** What is to be said of an error that has to do with who asks; undefined for any other. */
export function loginProblem(options: {
  name: string;
  error: unknown;
  reach?: Reach;
}): McpFailed | undefined {
  const { name, error, reach } = options;
  if (isLoginWanted(error)) return loginWanted(name, { cause: error, reach });
  if (!(error instanceof InsufficientScopeError)) return undefined;
  const scope = error.requiredScope ?? "SCOPE";
  return new McpFailed({
    server: name,
    problem: "the login has too few rights for this",
    hint: `Log in with more: tulipgraph tools login ${name} --scope '${scope}'`,
  });
}

/** A server that wants a login has no token of ours, or one that it no longer takes. */
export function loginWanted(
  name: string,
  { cause, reach }: { cause?: unknown; reach?: Reach } = {},
): McpFailed {
  // A server that is just being imported is not known by its name yet.
  const at = reach && "url" in reach && !reach.url.search ? ` --url ${reach.url.href}` : "";
  return new McpFailed(
    {
      server: name,
      problem: "it wants a login",
      hint: `Log in with: tulipgraph tools login ${name}${at}; or import it again with its key: --header 'Authorization: Bearer $TOKEN'`,
    },
    { cause },
  );
}

/** Whether a request failed because the server does not know who asks. */
export function isLoginWanted(error: unknown): boolean {
  if (error instanceof UnauthorizedError) return true;
  if (!(error instanceof Error)) return false;
  if (error instanceof SdkError && error.code === SdkErrorCode.ClientHttpAuthentication)
    return true;
  return isLoginWanted(error.cause);
}

function isTimeout(error: unknown): boolean {
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return true;
  return error instanceof Error && error.name === "TimeoutError";
}

/** The causes behind an error, the outermost first, without values that were filled into the settings. */
export function causeText(error: unknown, reach: Reach): string {
  const texts: string[] = [];
  for (let cause = error; cause instanceof Error && texts.length < 3; cause = cause.cause) {
    const { message } = cause;
    if (!texts.some((text) => text.includes(message))) texts.push(message);
  }
  return clipped(oneLine(withoutValues(texts.join(": ") || String(error), reach)), LONGEST_CAUSE);
}

function lastWords(stderr: string, reach: Reach): string {
  const lines = stderr
    .trim()
    .split("\n")
    .filter((line) => line.trim() && !/^\s+at /.test(line));
  const words = lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? "";
  return clipped(oneLine(withoutValues(words, reach)), LONGEST_CAUSE);
}

/** Shorter values may be ordinary words. */
const SHORTEST_SECRET = 6;

/** A text without the values of variables and headers that the server was given. */
export function withoutValues(text: string, reach: Reach): string {
  const given = "url" in reach ? { ...reach.headers, url: reach.url.search } : reach.env;
  return (
    Object.entries(given)
      // "Bearer TOKEN" may be shown without its first word.
      .flatMap(([key, value]) => [value, ...value.split(/\s+/)].map((part) => [key, part] as const))
      .filter(([, part]) => part.length >= SHORTEST_SECRET)
      .reduce((left, [key, part]) => left.replaceAll(part, () => `<${key}>`), text)
  );
}
