import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { openConnection } from "../../../../tools/sources/mcp/connection.js";
import { callProblem } from "../../../../tools/sources/mcp/failures.js";
import { login } from "../../../../tools/sources/mcp/login.js";
import type { Login } from "../../../../tools/sources/mcp/oauth.js";
import { serve } from "./httpSupport.js";

/** Parts of a provider's answers, with its address. */
interface Provider {
  routes?: Record<string, (response: ServerResponse, base: string) => unknown>;
  challenge?: (base: string) => string;
  resource?: (base: string) => object;
  metadata?: (base: string) => object;
  registration?: (asked: object) => object;
  client?: { client_id: string; client_secret?: string };
  /** What is wrong with a request for tokens. */
  refusal?: (form: URLSearchParams, authorization: string) => object | undefined;
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
    "/mcp": (_request, response) => {
      const challenge = provider.challenge?.(base);
      response.writeHead(401, challenge ? { "www-authenticate": challenge } : {}).end();
    },
    "/.well-known/oauth-protected-resource/mcp": (_request, response) =>
      json(response, {
        resource: `${base}/mcp`,
        authorization_servers: [base],
        ...provider.resource?.(base),
      }),
    "/.well-known/oauth-authorization-server": (_request, response) =>
      json(response, {
        issuer: base,
        authorization_endpoint: `${base}/as/authorize`,
        token_endpoint: `${base}/as/token`,
        registration_endpoint: `${base}/as/register`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
        ...provider.metadata?.(base),
      }),
    "/as/register": async (request, response) => {
      const asked = JSON.parse(await text(request)) as object;
      const made = { ...asked, client_id: "c1" };
      const answer = provider.registration?.(made) ?? made;
      json(response, answer, "error" in answer ? 400 : 201);
    },
    "/as/authorize": (request, response) => {
      const { searchParams } = new URL(request.url ?? "", base);
      const back = new URL(searchParams.get("redirect_uri") ?? "");
      const more = provider.back?.(base) ?? {};
      const given = { code: "1", state: searchParams.get("state") ?? "", ...more };
      for (const [key, value] of Object.entries(given)) back.searchParams.set(key, value);
      response.writeHead(302, { location: back.href }).end();
    },
    "/as/token": async (request, response) => {
      authorization = request.headers.authorization;
      const form = new URLSearchParams(await text(request));
      sent.push(form);
      const refused = provider.refusal?.(form, authorization ?? "");
      if (refused) json(response, refused, 400);
      else if (provider.tokens) provider.tokens(response);
      else json(response, TOKENS);
    },
  };
  base = await serve((request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://x");
    const own = provider.routes?.[pathname];
    const route = routes[pathname];
    if (own) own(response, base);
    else if (route) void route(request, response);
    else response.writeHead(404).end();
  });
  const done = await login({
    source: { name: "s", settings: { url: `${base}/mcp`, headers: {} } },
    client: provider.client,
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
const OPENID = "/.well-known/openid-configuration";

const absent = (response: ServerResponse) => response.writeHead(404).end();
const broken = (response: ServerResponse) => response.writeHead(500).end("Internal error");

const metadataAt = (response: ServerResponse, base: string, issuer = base) =>
  json(response, {
    issuer,
    authorization_endpoint: `${base}/as/authorize`,
    token_endpoint: `${base}/as/token`,
    registration_endpoint: `${base}/as/register`,
  });

/** A provider whose metadata are at another place alone. */
const only = (place: string, at: (response: ServerResponse, base: string) => unknown) => ({
  routes: {
    [RESOURCE]: absent,
    [`${RESOURCE}/mcp`]: absent,
    [METADATA]: absent,
    [place]: at,
  },
});

const metadataOfPath = (response: ServerResponse, base: string) =>
  metadataAt(response, base, `${base}/as`);

/** Metadata of the server at a place that its challenge names. */
const named = (challenge: string): Provider => ({
  challenge: (base) => challenge.replace("{at}", `${base}/about`),
  ...only("/about", (response, base) =>
    json(response, { resource: `${base}/mcp`, authorization_servers: [`${base}/as`] }),
  ),
});

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
    { metadata: () => ({ token_endpoint: "/as/token", registration_endpoint: "/as/register" }) },
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
    "its own metadata beside its address",
    {
      routes: {
        ...only(`/mcp${RESOURCE}`, (response, base) =>
          json(response, { authorization_servers: [{ issuer: `${base}/t1` }] }),
        ).routes,
        [`/t1${METADATA}`]: (response, base) => metadataAt(response, base, `${base}/t1`),
      },
    },
  ],
  [
    "metadata at the place of the server's address, without any of the server's own",
    only(`${METADATA}/mcp`, metadataAt),
  ],
  [
    "metadata of another server of its host at the root",
    {
      routes: {
        [`${RESOURCE}/mcp`]: absent,
        [RESOURCE]: (response, base) => json(response, { resource: `${base}/other` }),
        [`/mcp${RESOURCE}`]: (response, base) => json(response, { authorization_servers: [base] }),
      },
    },
  ],
  [
    "metadata that break down at their first place",
    { routes: { [METADATA]: broken, [OPENID]: metadataAt } },
  ],
  [
    "metadata to which the first place leads",
    {
      routes: {
        [METADATA]: (response) => response.writeHead(308, { location: "/about" }).end(),
        "/about": metadataAt,
      },
    },
  ],
  [
    "a first authorization server that cannot be reached",
    { resource: (base) => ({ authorization_servers: ["http://127.0.0.1:1", base] }) },
  ],
  [
    "metadata that are compressed whatever was asked for",
    {
      routes: {
        [METADATA]: (response, base) =>
          response.writeHead(200, { "content-encoding": "gzip" }).end(
            gzipSync(
              JSON.stringify({
                issuer: base,
                authorization_endpoint: "/as/authorize",
                token_endpoint: "/as/token",
                registration_endpoint: "/as/register",
              }),
            ),
          ),
      },
    },
  ],
  [
    "empty lists, truth as a text and names in a spelling of their own",
    {
      metadata: () => ({
        response_types_supported: [],
        token_endpoint_auth_methods_supported: [],
        code_challenge_methods_supported: ["s256"],
        client_id_metadata_document_supported: "false",
      }),
    },
  ],
  [
    "hybrid answers alone in its list",
    { metadata: () => ({ response_types_supported: ["code id_token"] }) },
  ],
  ["tokens in an envelope of its own", { tokens: answering(JSON.stringify({ token: TOKENS })) }],
  [
    "a registration that takes nothing beside what is needed",
    {
      registration: (made) =>
        "application_type" in made ? { error: "invalid_client_metadata" } : made,
    },
  ],
  [
    "clients that must have a secret, and no renewals",
    {
      metadata: () => ({
        token_endpoint_auth_methods_supported: ["client_secret_post"],
        grant_types_supported: ["authorization_code"],
      }),
      registration: (made) =>
        /"none"|refresh/.test(JSON.stringify(made)) ? { error: "invalid" } : made,
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
  ["FastAPI", 422, '{"detail":[{"loc":["body"],"msg":"must be https"}]}', /must be https/],
  ["a list of errors", 400, '{"errors":[{"message":"no such app"}]}', /no such app/],
  ["an error as an object", 400, '{"error":{"code":7,"message":"bad code"}}', /bad code/],
  ["a firewall", 403, "<html><title>Just a moment...</title></html>", /Just a moment/],
  ["nothing", 500, "", /HTTP 500/],
])(
  "a refusal of %s is told in one line, at registration and for tokens",
  async (_, status, body, said) => {
    const refusing = (response: ServerResponse) => response.writeHead(status).end(body);
    for (const place of ["/as/register", "/as/token"]) {
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

it.each([
  'Basic realm="a, b", Bearer error="invalid_token", resource_metadata="{at}"',
  "Bearer resource_metadata='{at}'",
  "bearer scope=read, resource_metadata={at}",
  'Bearer realm = "m" , Resource_Metadata = "{at}"',
  'Bearer resource_metadata="/about"',
])("the metadata that a challenge names are read: %s", async (challenge) => {
  const provider = named(challenge);
  const routes = { ...provider.routes, [`${METADATA}/as`]: metadataOfPath };
  const { tokens } = await loggedIn({ ...provider, routes });
  expect(tokens).toMatchObject({ access_token: "at-1" });
});

const SECRET = "a+b/c=%41 é:";

/** What a client has shown of itself, by how the provider reads it. */
const READERS: Record<string, (form: URLSearchParams, header: string) => string | null> = {
  "in a header that it decodes": (_, header) =>
    decodeURIComponent(basicIn(header).replaceAll("+", " ").split(":")[1] ?? ""),
  "in a header as it is": (_, header) => basicIn(header).replace(/^c1:/, ""),
  "in the form alone": (form, header) => (header ? null : form.get("client_secret")),
};

const basicIn = (header: string) => Buffer.from(header.slice("Basic ".length), "base64").toString();

it.each(
  Object.entries(READERS).flatMap(([name, read]) =>
    [undefined, ["client_secret_basic"], ["client_secret_post"]].map(
      (methods) => [name, methods, read] as const,
    ),
  ),
)(
  "a secret of any signs arrives at a provider that reads it %s and names %s",
  async (_, methods, read) => {
    const refusal = (form: URLSearchParams, header: string) =>
      read(form, header) === SECRET ? undefined : { error: "invalid_client" };
    const client = { client_id: "c1", client_secret: SECRET };
    const metadata = () => ({ token_endpoint_auth_methods_supported: methods });
    const { tokens } = await loggedIn({ client, metadata, refusal });
    expect(tokens).toMatchObject({ access_token: "at-1" });
  },
);

const MCP = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  serverInfo: { name: "s", version: "1" },
};

const EVENTS = {
  onQuestion: async () => ({ action: "decline" as const }),
  onListChanged() {},
  onClosed() {},
};

/** What becomes of a login whose token is refused, at a provider that answers a renewal so. */
async function renewed(status: number, body: string) {
  let base = "";
  base = await serve((request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://x");
    if (pathname === METADATA) metadataAt(response, base);
    else if (pathname === "/as/token") response.writeHead(status).end(body);
    else if (pathname !== "/mcp") absent(response);
    else if (request.headers.authorization === "Bearer at-2")
      json(response, { jsonrpc: "2.0", id: 0, result: MCP });
    else response.writeHead(401).end();
  });
  let kept: Login = { client: { client_id: "c1" }, tokens: TOKENS };
  const read = async () => kept;
  const renew = async (login: Login) => void (kept = login);
  const opening = openConnection({
    source: { name: "s", settings: { url: `${base}/mcp`, headers: {} } },
    timeoutMs: 10_000,
    events: EVENTS,
    credentials: { login: { read, renew } },
  });
  const said = await opening.then(
    (open) => open.close(),
    (error: Error) => error.message,
  );
  return { said, kept };
}

it("a renewal that gives no new refresh token keeps the old one", async () => {
  const { kept } = await renewed(
    200,
    '{"access_token":"at-2","refresh_token":"","expires_in":null}',
  );
  expect(kept.tokens).toMatchObject({ access_token: "at-2", refresh_token: "rt-1" });
});

it.each([
  [503, "<title>Maintenance</title>", /cannot be renewed now \(Maintenance\)/],
  [429, '{"message":"slow down"}', /cannot be renewed now \(slow down\)/],
  [400, '{"error":"invalid_grant"}', /requires a login/],
  [401, '{"message":"Refresh token expired"}', /requires a login/],
])("a login is asked for again only if its renewal is refused (%i)", async (status, body, said) => {
  expect((await renewed(status, body)).said).toMatch(said);
});

it.each<[string, number, Record<string, string>, object]>([
  [
    "a second challenge",
    403,
    { "www-authenticate": 'Basic realm="b", Bearer error="insufficient_scope", scope="w"' },
    {},
  ],
  [
    "single quotes",
    403,
    { "www-authenticate": "Bearer error='insufficient_scope', scope='w'" },
    {},
  ],
  ["HTTP 401", 401, { "www-authenticate": 'Bearer error="insufficient_scope", scope="w"' }, {}],
  ["its body alone", 403, {}, { error: "insufficient_scope", scope: ["w"] }],
])(
  "a want of rights is told with what they are called, said in %s",
  async (_, status, headers, body) => {
    const url = await serve(async (request, response) => {
      const asked = JSON.parse((await text(request)) || "{}") as { id?: number; method?: string };
      if (asked.method === "initialize")
        json(response, { jsonrpc: "2.0", id: asked.id, result: MCP });
      else if (asked.method === "tools/call")
        response.writeHead(status, headers).end(JSON.stringify(body));
      else json(response, { jsonrpc: "2.0", id: asked.id, error: { code: -32601, message: "no" } });
    });
    const source = { name: "s", settings: { url, headers: {} } };
    const { client, reach, close } = await openConnection({
      source,
      timeoutMs: 10_000,
      events: EVENTS,
    });
    const refused = await client.callTool({ name: "t" }).catch((error: unknown) => error);
    const said = callProblem({
      name: "s",
      reach,
      error: refused,
      writes: false,
      brokenBy: undefined,
      stderr: "",
    });
    expect(said.message).toContain("tools login s --scope 'w'");
    await close();
  },
);

it("a browser that comes back without a code has brought nothing", async () => {
  await expect(loggedIn({ back: () => ({ code: "" }) })).rejects.toThrow(/no code/);
});

it.each(PROVIDERS)("a login goes on at a provider with %s", async (_, provider) => {
  const { tokens } = await loggedIn(provider);
  expect(tokens).toMatchObject({ access_token: "at-1", refresh_token: "rt-1" });
});

it("a server is asked for in its own spelling", async () => {
  const { base, sent } = await loggedIn({ resource: (at) => ({ resource: `${at}/mcp/` }) });
  expect(sent[0]?.get("resource")).toBe(`${base}/mcp/`);
});

it.each([
  ["only by device", { authorization_endpoint: undefined }, /no login in a browser/],
  ["only by tokens in an address", { response_types_supported: ["token"] }, /no login by a code/],
  ["to clients that it knows", { registration_endpoint: undefined }, /registers no clients/],
])("a server that offers logins %s says so in one line", async (_, metadata, said) => {
  await expect(loggedIn({ metadata: () => metadata })).rejects.toThrow(said);
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
