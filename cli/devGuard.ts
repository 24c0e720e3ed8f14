import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { type WebRules, isOwnHost, isOwnOrigin } from "../server/access/webRules.js";

/*
 * Loaded into the processes of LangGraph's development server (--import), which answers any web page with CORS for all
 * and does not look at Host: whatever an HTTP server of theirs is sent by a page that may not use it is refused before
 * anything else sees it.
 */

/** The variable with the rules, as JSON. */
export const RULES_VARIABLE = "TULIPGRAPH_DEV_RULES";

const CORS_ORIGIN = "access-control-allow-origin";

const given = process.env[RULES_VARIABLE];
if (given) closeServers(JSON.parse(given) as WebRules);

function closeServers(rules: WebRules): void {
  const pass = Server.prototype.emit;
  Server.prototype.emit = function emit(this: Server, event: string | symbol, ...args: unknown[]) {
    if (event === "upgrade") {
      const [request, socket] = args as [IncomingMessage, Duplex];
      if (!isPermitted(request, rules)) {
        socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n");
        return true;
      }
    }
    if (event === "request" || event === "checkContinue") {
      const [request, response] = args as [IncomingMessage, ServerResponse];
      if (!isPermitted(request, rules)) return refuse(response);
      shareWith(request, response, rules);
    }
    return pass.call(this, event, ...args);
  };
}

function isPermitted({ headers }: IncomingMessage, rules: WebRules): boolean {
  const { host, origin } = headers;
  return isOwnHost(host, rules) && isOwnOrigin({ origin, host }, rules);
}

function refuse(response: ServerResponse): true {
  const message =
    "tulipgraph dev: this page or this name of the server is not allowed; --origin and --allow-host allow others";
  // What is still being sent is not read.
  response.writeHead(403, { "Content-Type": "application/json", Connection: "close" });
  response.end(JSON.stringify({ message }));
  return true;
}

/** Says which page may read the answer, where the server says that all may. */
function shareWith(request: IncomingMessage, response: ServerResponse, rules: WebRules): void {
  const { origin = "" } = request.headers;
  const isShared = rules.origins.includes(origin);
  if (isShared && request.headers["access-control-request-private-network"] === "true") {
    response.setHeader("Access-Control-Allow-Private-Network", "true");
  }
  const write = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = (status: number, ...rest: unknown[]) => {
    response.removeHeader(CORS_ORIGIN);
    const shown = rest.map((part) => withoutOrigin(part));
    if (isShared) response.setHeader("Vary", "Origin");
    if (isShared) response.setHeader(CORS_ORIGIN, origin);
    return write(status, ...shown);
  };
}

/** Headers as `writeHead` takes them, names and values in turn or in an object. */
function withoutOrigin(headers: unknown): unknown {
  const isOther = (name: unknown) => String(name).toLowerCase() !== CORS_ORIGIN;
  if (Array.isArray(headers)) {
    return headers.filter((_part, index) => isOther(headers[index - (index % 2)]));
  }
  if (typeof headers !== "object" || headers === null) return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isOther(name)));
}
