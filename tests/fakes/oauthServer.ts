import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { serve, weather } from "../tools/sources/mcp/httpSupport.js";

/** An MCP server behind a login, with the authorization server that belongs to it, as strict as the real ones. */
export interface OAuthServer {
  url: string;
  /** Makes all access tokens that were given worthless. */
  expire: () => void;
  /** Makes refresh tokens worthless as well. */
  forget: () => void;
  /** Tokens that were given, and by which grants. */
  given: string[];
  grants: string[];
}

/** Serves until the test has ended. */
export async function oauthServer(): Promise<OAuthServer> {
  const given: string[] = [];
  const grants: string[] = [];
  const access = new Set<string>();
  const refresh = new Set<string>();
  const codes = new Map<string, { challenge: string; redirect: string }>();
  const clients = new Map<string, string[]>();
  const mcp = toNodeHandler(createMcpHandler(weather));
  let base = "";

  const routes: Record<string, (request: IncomingMessage, response: ServerResponse) => unknown> = {
    "/.well-known/oauth-protected-resource/mcp": (_request, response) =>
      json(response, 200, { resource: `${base}/mcp`, authorization_servers: [base] }),
    "/.well-known/oauth-authorization-server": (_request, response) =>
      json(response, 200, {
        issuer: base,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        registration_endpoint: `${base}/register`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
        grant_types_supported: ["authorization_code", "refresh_token"],
      }),
    "/register": async (request, response) => {
      const metadata = JSON.parse(await text(request)) as { redirect_uris: string[] };
      const client_id = randomUUID();
      clients.set(client_id, metadata.redirect_uris);
      json(response, 201, { ...metadata, client_id });
    },
    "/authorize": (request, response) => {
      const { searchParams } = new URL(request.url ?? "", base);
      const redirect = searchParams.get("redirect_uri") ?? "";
      const isKnown = clients.get(searchParams.get("client_id") ?? "")?.includes(redirect);
      const challenge = searchParams.get("code_challenge");
      if (!isKnown || challenge === null) return json(response, 400, { error: "invalid_request" });
      const code = randomUUID();
      codes.set(code, { challenge, redirect });
      const back = new URL(redirect);
      back.searchParams.set("code", code);
      back.searchParams.set("state", searchParams.get("state") ?? "");
      response.writeHead(302, { location: back.href }).end();
    },
    "/token": async (request, response) => {
      const form = new URLSearchParams(await text(request));
      const grant = form.get("grant_type") ?? "";
      grants.push(grant);
      const isGood =
        grant === "refresh_token"
          ? refresh.delete(form.get("refresh_token") ?? "")
          : isProven(form);
      if (!isGood) return json(response, 400, { error: "invalid_grant" });
      const tokens = { access_token: `at-${randomUUID()}`, refresh_token: `rt-${randomUUID()}` };
      access.add(tokens.access_token);
      refresh.add(tokens.refresh_token);
      given.push(...Object.values(tokens));
      json(response, 200, { ...tokens, token_type: "Bearer", expires_in: 3600 });
    },
    "/mcp": (request, response) => {
      const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
      const metadata = `${base}/.well-known/oauth-protected-resource/mcp`;
      const challenge = { "www-authenticate": `Bearer resource_metadata="${metadata}"` };
      if (access.has(token)) void mcp(request, response);
      else response.writeHead(401, challenge).end();
    },
  };

  /** The proof of PKCE, and the same place to come back to. */
  function isProven(form: URLSearchParams): boolean {
    const begun = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    return begun?.challenge === proof && begun.redirect === form.get("redirect_uri");
  }

  base = await serve((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
    const route = Object.hasOwn(routes, pathname) ? routes[pathname] : undefined;
    if (route) void route(request, response);
    else response.writeHead(404).end();
  });
  return {
    url: `${base}/mcp`,
    given,
    grants,
    expire: () => access.clear(),
    forget: () => refresh.clear(),
  };
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
