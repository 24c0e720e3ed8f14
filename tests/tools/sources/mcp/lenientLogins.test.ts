import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { login } from "../../../../tools/sources/mcp/login.js";
import { serve } from "./httpSupport.js";

/** Parts of a provider's answers, with its address. */
interface Provider {
  routes?: Record<string, (response: ServerResponse) => unknown>;
  resource?: (base: string) => object;
  metadata?: (base: string) => object;
  registration?: (asked: object) => object;
  tokens?: (response: ServerResponse) => void;
  back?: (base: string) => Record<string, string>;
}

const TOKENS = { access_token: "at-1", refresh_token: "rt-1", token_type: "Bearer" };

const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

async function loggedIn(provider: Provider) {
  let base = "";
  const sent: URLSearchParams[] = [];
  let authorization: string | undefined;
  const routes: Record<string, (request: IncomingMessage, response: ServerResponse) => unknown> = {
    "/mcp": (_request, response) => response.writeHead(401).end(),
    "/.well-known/oauth-protected-resource/mcp": (_request, response) =>
      json(response, {
        resource: `${base}/mcp`,
        authorization_servers: [base],
        ...provider.resource?.(base),
      }),
    "/.well-known/oauth-authorization-server": (_request, response) =>
      json(response, {
        issuer: base,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        registration_endpoint: `${base}/register`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
        ...provider.metadata?.(base),
      }),
    "/register": async (request, response) => {
      const asked = JSON.parse(await text(request)) as object;
      const made = { ...asked, client_id: "c1" };
      json(response, provider.registration?.(made) ?? made, 201);
    },
    "/authorize": (request, response) => {
      const { searchParams } = new URL(request.url ?? "", base);
      const back = new URL(searchParams.get("redirect_uri") ?? "");
      const more = provider.back?.(base) ?? {};
      const given = { code: "1", state: searchParams.get("state") ?? "", ...more };
      for (const [key, value] of Object.entries(given)) back.searchParams.set(key, value);
      response.writeHead(302, { location: back.href }).end();
    },
    "/token": async (request, response) => {
      authorization = request.headers.authorization;
      sent.push(new URLSearchParams(await text(request)));
      if (provider.tokens) provider.tokens(response);
      else json(response, TOKENS);
    },
  };
  base = await serve((request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://x");
    const own = provider.routes?.[pathname];
    const route = routes[pathname];
    if (own) own(response);
    else if (route) void route(request, response);
    else response.writeHead(404).end();
  });
  const done = await login({
    source: { name: "s", settings: { url: `${base}/mcp`, headers: {} } },
    show: (address) => void fetch(address),
  });
  return { ...done, base, sent, authorization };
}

const answering =
  (body: string, type = "application/json") =>
  (response: ServerResponse) =>
    void response.writeHead(200, { "content-type": type }).end(body);

const page = (response: ServerResponse) =>
  response.writeHead(200, { "content-type": "text/html" }).end("<title>Welcome</title>");

const RESOURCE = "/.well-known/oauth-protected-resource";
const METADATA = "/.well-known/oauth-authorization-server";

const PROVIDERS: [string, Provider][] = [
  ["an issuer with a slash at its end", { metadata: (base) => ({ issuer: `${base}/` }) }],
  [
    "a slash where its issuer has none",
    { resource: (base) => ({ authorization_servers: [`${base}/`] }) },
  ],
  [
    "an issuer in the browser's answer that differs by a slash",
    { metadata: () => ({}), back: (base) => ({ iss: `${base}/` }) },
  ],
  ["a resource with a slash at its end", { resource: (base) => ({ resource: `${base}/mcp/` }) }],
  [
    "nulls and empty texts",
    {
      resource: () => ({ scopes_supported: null, resource_name: "" }),
      metadata: () => ({ response_types_supported: null, service_documentation: "" }),
      registration: (made) => ({ ...made, client_uri: null, logo_uri: "", client_secret: null }),
    },
  ],
  ["a registration that repeats nothing", { registration: () => ({ client_id: "c1" }) }],
  [
    "times as texts in a registration",
    {
      registration: (made) => ({
        ...made,
        client_id_issued_at: "2026-11-27T10:00:00Z",
        client_secret_expires_at: "0",
      }),
    },
  ],
  [
    "times as texts, nulls and a list of rights in its tokens",
    {
      tokens: answering(
        JSON.stringify({ ...TOKENS, expires_in: "3600", id_token: null, scope: ["a", "b"] }),
      ),
    },
  ],
  [
    "tokens without a type",
    { tokens: answering('{"access_token":"at-1","refresh_token":"rt-1"}') },
  ],
  [
    "tokens as a form",
    {
      tokens: answering(
        "access_token=at-1&refresh_token=rt-1&expires_in=3600&scope=",
        "application/x-www-form-urlencoded",
      ),
    },
  ],
  [
    "a page where metadata of the server could be",
    { routes: { [`${RESOURCE}/mcp`]: page, [RESOURCE]: page } },
  ],
  ["a page at the server's own place of its metadata", { routes: { [`${METADATA}/mcp`]: page } }],
  [
    "a firewall before the server's own place of metadata",
    { routes: { [`${RESOURCE}/mcp`]: (response) => response.writeHead(403).end("blocked") } },
  ],
  [
    "texts in place of lists",
    {
      resource: (base) => ({ authorization_servers: base, scopes_supported: "read write" }),
      metadata: () => ({ response_types_supported: "code", grant_types_supported: "x,y" }),
      registration: (made) => ({ ...made, redirect_uris: "http://127.0.0.1/", contacts: "a@b.c" }),
    },
  ],
  [
    "a challenge only where tools are called",
    { routes: { "/mcp": (response) => json(response, { jsonrpc: "2.0", id: 1, result: {} }) } },
  ],
  ["metadata without an issuer", { metadata: () => ({ issuer: undefined }) }],
  [
    "endpoints without an origin",
    { metadata: () => ({ token_endpoint: "/token", registration_endpoint: "/register" }) },
  ],
  [
    "tokens of a person inside, as Slack has them",
    {
      tokens: answering(
        JSON.stringify({ ok: true, app_id: "A1", authed_user: { id: "U1", ...TOKENS } }),
      ),
    },
  ],
  [
    "tokens in an envelope",
    { tokens: answering(JSON.stringify({ code: 0, msg: "ok", data: TOKENS })) },
  ],
  [
    "tokens as JavaScript names them",
    { tokens: answering('{"accessToken":"at-1","refreshToken":"rt-1","tokenType":"Bearer"}') },
  ],
  ["a registration in an envelope", { registration: (made) => ({ data: made }) }],
  [
    "metadata with links and rights in forms of their own",
    {
      metadata: () => ({
        service_documentation: "see the wiki",
        op_tos_uri: "none",
        scopes_supported: [{ name: "read" }, "write"],
      }),
    },
  ],
  [
    "much beside its tokens, as Keycloak and Notion have it",
    {
      tokens: answering(
        JSON.stringify({
          ...TOKENS,
          expires_in: 0,
          refresh_expires_in: 0,
          "not-before-policy": 0,
          workspace_icon: null,
          owner: { type: "user" },
          token_type: "bearer",
          issued_at: "1764340000",
        }),
      ),
    },
  ],
];

it("a client with a secret is known by it, as Keycloak wants", async () => {
  const secret = { client_secret: "s1", token_endpoint_auth_method: "client_secret_basic" };
  const { authorization } = await loggedIn({ registration: (made) => ({ ...made, ...secret }) });
  expect(authorization).toBe(`Basic ${Buffer.from("c1:s1").toString("base64")}`);
});

it.each<[string, number, string, RegExp]>([
  ["Okta", 403, '{"errorCode":"E0000005","errorSummary":"Invalid session"}', /Invalid session/],
  [
    "Keycloak",
    403,
    '{"error":"insufficient_scope","error_description":"Policy \'Trusted Hosts\' rejected request"}',
    /Trusted Hosts/,
  ],
  ["a list of errors", 400, '{"errors":[{"message":"no such app"}]}', /no such app/],
  ["an error as an object", 400, '{"error":{"code":7,"message":"bad code"}}', /bad code/],
  ["a firewall", 403, "<html><title>Just a moment...</title></html>", /Just a moment/],
  ["nothing", 500, "", /HTTP 500/],
])(
  "a refusal of %s is told in one line, at registration and for tokens",
  async (_, status, body, said) => {
    const refusing = (response: ServerResponse) => response.writeHead(status).end(body);
    for (const place of ["/register", "/token"]) {
      const message = await loggedIn({ routes: { [place]: refusing } }).then(
        () => "logged in",
        (error: Error) => error.message,
      );
      expect(message).toMatch(said);
      expect(message).not.toMatch(/\n|Invalid OAuth error response|redirect_uris/);
      expect(message).toMatch(/--client-id/);
    }
  },
);

it.each(PROVIDERS)("a login goes on at a provider with %s", async (_, provider) => {
  const { tokens } = await loggedIn(provider);
  expect(tokens).toMatchObject({ access_token: "at-1", refresh_token: "rt-1" });
});

it("a server is asked for in its own spelling", async () => {
  const { base, sent } = await loggedIn({ resource: (at) => ({ resource: `${at}/mcp/` }) });
  expect(sent[0]?.get("resource")).toBe(`${base}/mcp/`);
});

it("a login that is refused with HTTP 200 says why in one line", async () => {
  const refused = '{"error":"bad_verification_code","error_description":"The code has expired."}';
  await expect(loggedIn({ tokens: answering(refused) })).rejects.toThrow(/The code has expired/);
});

it("another issuer is refused, as is another resource", async () => {
  const other = "https://other.invalid";
  await expect(loggedIn({ metadata: () => ({ issuer: other }) })).rejects.toThrow(/login failed/);
  const resource = () => ({ resource: `${other}/mcp` });
  await expect(loggedIn({ resource })).rejects.toThrow(/another resource/);
});
