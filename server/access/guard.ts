import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import type { MiddlewareHandler } from "hono";
import { HttpProblem } from "../problem.js";
import type { Environment } from "../server.js";
import { type WebRules, isOwnHost, isOwnOrigin } from "./webRules.js";

/** Headers of answers that pages of other origins may read: where a run is, how many there are, when to come again. */
const EXPOSED = [
  "Content-Location",
  "Location",
  "X-Pagination-Total",
  "X-Pagination-Next",
  "Retry-After",
];

/** How long a browser goes by what it was told of an origin, in seconds. */
const TRUST_SECONDS = 600;

/**
 * What comes before all else: refuses what a web page sends in its user's name, and bodies that are too large. Pages
 * of allowed origins get the headers that browsers ask for.
 *
 * @param options.bodyBytes the largest body; one without a length is read that far and no farther
 */
export function openGuard(options: {
  rules: WebRules;
  bodyBytes: number;
}): MiddlewareHandler<Environment> {
  const { rules, bodyBytes } = options;
  const share = cors({
    origin: (origin) => (rules.origins.includes(origin) ? origin : null),
    exposeHeaders: EXPOSED,
    maxAge: TRUST_SECONDS,
  });
  const limit = bodyLimit({
    maxSize: bodyBytes,
    onError: (context) => {
      // What is still being sent of it is not waited for.
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
        problem: "this server is not known by the name in Host",
        hint: "The operator's file names others (hosts)",
      });
    }
    const origin = context.req.header("origin");
    if (!isOwnOrigin({ origin, host }, rules)) {
      throw new HttpProblem({
        status: 403,
        problem: "pages of this origin may not use the server",
        hint: "The operator's file names those that may (origins)",
      });
    }
    // Browsers ask before a page of the internet reaches into this machine, as Studio does.
    if (context.req.header("access-control-request-private-network") === "true") {
      context.header("Access-Control-Allow-Private-Network", "true");
    }
    // Answers of the limit are thrown.
    return await share(context, async () => void (await limit(context, next)));
  };
}
