import { isIP } from "node:net";
import type { IncomingMessage } from "node:http";
import { finished } from "node:stream/promises";
import type { HttpBindings } from "@hono/node-server";
import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import type { MiddlewareHandler } from "hono";
import { forbidden, HttpProblem } from "../problem.js";
import type { Environment } from "../server.js";
import { LOCAL_NAMES } from "./policy.js";

/** Response headers that pages of other origins may read. */
const EXPOSED = [
  "Content-Location",
  "Location",
  "X-Pagination-Total",
  "X-Pagination-Next",
  "Retry-After",
];

/** How long a browser may cache what it was told about an origin, in seconds. */
const CACHE_SECONDS = 600;

/**
 * The first check of every request: refuses what foreign web pages send in their user's name, and bodies that are too
 * large. Pages of allowed origins get the CORS headers that browsers want.
 *
 * @param bodyBytes the largest body; of one without a length no more than that is read
 */
export function openGuard(rules: WebRules, bodyBytes: number): MiddlewareHandler<Environment> {
  const share = cors({
    origin: (origin) => (rules.origins.includes(origin) ? origin : null),
    exposeHeaders: EXPOSED,
    maxAge: CACHE_SECONDS,
  });
  const limit = bodyLimit({
    maxSize: bodyBytes,
    onError: () => {
      throw new HttpProblem({
        status: 413,
        problem: `the body is larger than ${bodyBytes} bytes`,
        hint: "The operator's file may allow more (bodyBytes)",
      });
    },
  });
  return async (context, next) => {
    const host = context.req.header("host") ?? new URL(context.req.url).host;
    if (!isOwnHost(host, rules))
      throw forbidden(
        "this server does not answer to the name in the Host header",
        "The operator's file may add names (hosts)",
      );
    const origin = context.req.header("origin");
    if (!isOwnOrigin({ origin, host }, rules))
      throw forbidden(
        "pages of this origin may not use the server",
        "The operator's file says which may (origins)",
      );
    // Browsers ask this before a page from the internet, such as Studio, reaches into this machine.
    if (context.req.header("access-control-request-private-network") === "true")
      context.header("Access-Control-Allow-Private-Network", "true");
    // The limit throws and returns no answer.
    return await share(context, async () => void (await limit(context, next)));
  };
}

/** What a refused request may still send, in bytes, and how long it may pause in between (ms). */
const MOST_DROPPED = 64 * 1024 * 1024;
const LONGEST_PAUSE_MS = 2_000;

/** Refuses a request once it was sent, because a client that is still sending may not see what it is told. */
export const refuseWhole: MiddlewareHandler<Environment> = async (context, next) => {
  await next();
  const { incoming } = { ...(context.env as Partial<HttpBindings>) };
  if (context.res.status >= 400 && incoming && !incoming.complete) await drop(incoming);
};

async function drop(incoming: IncomingMessage): Promise<void> {
  const enough = new AbortController();
  const pause = setTimeout(() => enough.abort(), LONGEST_PAUSE_MS);
  let left = MOST_DROPPED;
  // Whoever has begun to read the body would keep it.
  incoming.removeAllListeners("data").on("data", (part: Buffer) => {
    pause.refresh();
    left -= part.length;
    if (left < 0) enough.abort();
  });
  incoming.resume();
  // One that sends no more, or too much, is answered all the same; the connection then ends.
  await finished(incoming, { signal: enough.signal }).catch(() => undefined);
  clearTimeout(pause);
}

/** Listening on one of these means listening on all addresses of the machine. */
const WILDCARDS: ReadonlySet<string> = new Set(["0.0.0.0", "::", "[::]", ""]);

interface WebRules {
  /** The address that it listens on. */
  address: string;
  /** Further names, in lower case; `*.example.com` for all subdomains. */
  hosts: readonly string[];
  /** `https://example.com` */
  origins: readonly string[];
}

/** Whether only programs on this machine can reach an address. */
export function isLoopback(address: string): boolean {
  return LOCAL_NAMES.has(address) || address === "::1" || /^127\.\d+\.\d+\.\d+$/.test(address);
}

/**
 * Whether a request is meant for this server. A page can point its own domain at this machine (DNS rebinding), but the
 * browser then sends that domain in `Host`. IP addresses cannot be redirected like that, so a server that listens on
 * all addresses accepts any of them.
 *
 * @param host the header `Host`
 */
function isOwnHost(host: string | undefined, rules: WebRules): boolean {
  const name = nameIn(host);
  if (name === undefined) return false;
  const { address, hosts } = rules;
  const isListed = hosts.some((known) =>
    known.startsWith("*.") ? name.endsWith(known.slice(1)) : name === known,
  );
  if (isListed || LOCAL_NAMES.has(name)) return true;
  const bare = name.replace(/^\[|\]$/g, "");
  if (WILDCARDS.has(address)) return isIP(bare) !== 0;
  return bare === address.replace(/^\[|\]$/g, "").toLowerCase();
}

/**
 * Whether a page may send requests: the server's own pages, and those of allowed origins. Requests that do not come
 * from a browser have no origin.
 */
function isOwnOrigin(
  { origin, host }: { origin: string | undefined; host: string | undefined },
  { origins }: WebRules,
): boolean {
  if (origin === undefined || origins.includes(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}

/** The name in a `Host`, in lower case and without the port; undefined if it is malformed. */
function nameIn(host = ""): string | undefined {
  const [, name] = /^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/.exec(host) ?? [];
  return name?.toLowerCase();
}
