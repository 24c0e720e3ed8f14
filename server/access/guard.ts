import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import type { MiddlewareHandler } from "hono";
import { HttpProblem } from "../problem.js";
import type { Environment } from "../server.js";
import { type WebRules, isOwnHost, isOwnOrigin } from "./webRules.js";

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
 * @param options.bodyBytes the largest body; of one without a length no more than that is read
 */
export function openGuard(options: {
  rules: WebRules;
  bodyBytes: number;
}): MiddlewareHandler<Environment> {
  const { rules, bodyBytes } = options;
  const share = cors({
    origin: (origin) => (rules.origins.includes(origin) ? origin : null),
    exposeHeaders: EXPOSED,
    maxAge: CACHE_SECONDS,
  });
  const limit = bodyLimit({
    maxSize: bodyBytes,
    onError: (context) => {
      // Does not wait for the rest of it.
      context.header("Connection", "close");
      throw new HttpProblem({
        status: 413,
        problem: `the body is larger than ${bodyBytes} bytes`,
        hint: "The operator's file may allow more (bodyBytes)",
      });
    },
  });
  return async (context, next) => {
    const host = context.req.header("host") ?? new URL(context.req.url).host;
    if (!isOwnHost(host, rules)) {
      throw new HttpProblem({
        status: 403,
        problem: "this server does not go by the name in Host",
        hint: "The operator's file may add names (hosts)",
      });
    }
    const origin = context.req.header("origin");
    if (!isOwnOrigin({ origin, host }, rules)) {
      throw new HttpProblem({
        status: 403,
        problem: "pages of this origin may not use the server",
        hint: "The operator's file says which may (origins)",
      });
    }
    // Browsers ask this before a page from the internet, such as Studio, reaches into this machine.
    if (context.req.header("access-control-request-private-network") === "true") {
      context.header("Access-Control-Allow-Private-Network", "true");
    }
    // The limit throws and returns no answer.
    return await share(context, async () => void (await limit(context, next)));
  };
}
