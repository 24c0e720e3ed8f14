import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { type WebRules, isOwnHost, isOwnOrigin } from "../../server/access/webRules.js";

/*
 * Loaded into the processes of LangGraph's development server (--import). That server lets any web page in (CORS for
 * all origins) and ignores the Host header. The guard refuses requests of pages that may not use the server before
 * anything else sees them.
 */

/** The environment variable that holds the rules as JSON. */
export const RULES_VARIABLE = "TULIPGRAPH_DEV_RULES";

const CORS_ORIGIN = "access-control-allow-origin";

const given = process.env[RULES_VARIABLE];
if (given) closeServers(JSON.parse(given) as WebRules);

type Emit = (this: Server, ...args: unknown[]) => unknown;

function closeServers(rules: WebRules): void {
  const pass: unknown = Reflect.get(Server.prototype, "emit");
  const emit = function emit(this: Server, ...args: unknown[]): boolean {
    const [event, request, answer] = args;
    if (event === "upgrade" && !isPermitted(request as IncomingMessage, rules)) {
      (answer as Duplex).end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n");
      return true;
    }
    if (event === "request" || event === "checkContinue") {
      const asked = { request: request as IncomingMessage, response: answer as ServerResponse };
      if (!isPermitted(asked.request, rules)) return refuse(asked.response);
      shareWith({ ...asked, rules });
    }
    return Boolean(Reflect.apply(pass as Emit, this, args));
  };
  Server.prototype.emit = emit;
}

function isPermitted({ headers }: IncomingMessage, rules: WebRules): boolean {
  const { host, origin } = headers;
  return isOwnHost(host, rules) && isOwnOrigin({ origin, host }, rules);
}

function refuse(response: ServerResponse): true {
  const message =
    "tulipgraph dev: this page or this name of the server is not allowed; --origin and --allow-host allow others";
  // The rest of the request is not read.
  response.writeHead(403, { "Content-Type": "application/json", Connection: "close" });
  response.end(JSON.stringify({ message }));
  return true;
}

/** Replaces the server's permission for all pages by one for the page that asked, if it may. */
function shareWith({
  request,
  response,
  rules,
}: {
  request: IncomingMessage;
  response: ServerResponse;
  rules: WebRules;
}): void {
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

function isOther(name: unknown): boolean {
  return String(name).toLowerCase() !== CORS_ORIGIN;
}

/** @param headers as `writeHead` takes them: an object, or a list of alternating names and values */
function withoutOrigin(headers: unknown): unknown {
  if (Array.isArray(headers)) {
    return headers.filter((_part, index) => isOther(headers[index - (index % 2)]));
  }
  if (typeof headers !== "object" || headers === null) return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isOther(name)));
}
