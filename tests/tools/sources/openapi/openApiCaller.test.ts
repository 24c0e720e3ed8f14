import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { type Received, type Reply, startServer } from "./apiServer.js";
import { caller, documentFile, RESPONSES, temporaryFolder } from "./support.js";

const text = { type: "string" };
const list = { type: "array", items: text };
const object = { type: "object" };

/** Calls the one operation of a document, at a server that answers as given. */
async function operationAt(
  operation: Record<string, unknown>,
  options: {
    method?: string;
    path?: string;
    answer?: (received: Received, count: number) => Reply;
    auth?: string[];
    more?: Record<string, unknown>;
    timeoutMs?: number;
    home?: string;
  } = {},
) {
  const { method = "get", path = "/things", answer = () => ({ body: {} }) } = options;
  let count = 0;
  const { url, received } = await startServer((one) => answer(one, (count += 1)));
  const document = documentFile({
    ...options.more,
    paths: { [path]: { [method]: { operationId: "it", responses: RESPONSES, ...operation } } },
  });
  const { auth, timeoutMs, home } = options;
  const call = await caller({ document, base: url, auth, timeoutMs, home });
  return { call: (args: Record<string, unknown> = {}) => call("it", args), received, url };
}

const query = (name: string, schema: unknown, more = {}) => ({
  name,
  in: "query",
  schema,
  ...more,
});

/** An API that is too busy for now. */
const busy = (seconds: string) => ({ status: 429, headers: { "retry-after": seconds } });

/** A document with one security scheme, which its operations require. */
const schemes = (scheme: unknown, security: unknown = [{ key: [] }]) => ({
  components: { securitySchemes: { key: scheme } },
  security,
});

const busyOnce = (_: Received, count: number) => (count === 1 ? busy("0") : { body: count });

const movedWithin = ({ url }: Received): Reply =>
  url === "/things" ? { status: 301, headers: { location: "/moved" } } : { body: "there" };

/** The successful answer of an operation. */
const answers = (schema: unknown, headers = {}) => ({
  responses: {
    200: { description: "Done", headers, content: { "application/json": { schema } } },
  },
});

const LINK = { Link: { schema: text } };

const ITEMS = ["a", "b", "c"];

function pageOf(url: string): number | undefined {
  const page = new URL(url, "http://x").searchParams.get("page");
  return page === null ? undefined : Number(page);
}

/** As GitHub does it. */
const linkedPages = ({ url }: Received): Reply => {
  const at = pageOf(url) ?? 1;
  const link = `<?page=${at + 1}>; rel="next", <?page=9>; rel="last"`;
  return { body: ITEMS.slice(at - 1, at), headers: at < ITEMS.length ? { link } : {} };
};

const numberedPages =
  (first: number) =>
  ({ url }: Received): Reply => {
    const at = (pageOf(url) ?? first) - first;
    return { body: ITEMS.slice(at, at + 1) };
  };

const cursorPages = ({ url }: Received): Reply => {
  const [, at = "0"] = /cursor=(\d)/.exec(url) ?? [];
  const [data, next] =
    [
      [["a"], "1"],
      [[], "2"],
      [["c"], ""],
    ][Number(at)] ?? [];
  return { body: { data, meta: { next_cursor: next } } };
};

const repeating = ({ headers }: Received, count: number): Reply => ({
  status: count === 1 ? 200 : 400,
  body: { message: `you sent ${headers.authorization}` },
});

describe("an argument goes where the document says", () => {
  it.each<[string, Record<string, unknown>, unknown, string]>([
    ["a list as several pairs", query("a", list), ["x", "y z"], "a=x&a=y%20z"],
    ["a list in one pair", query("a", list, { explode: false }), ["x", "y,z"], "a=x,y%2Cz"],
    ["a list with null", query("a", { type: "array" }), ["x", null], "a=x"],
    [
      "a list with tabs between",
      query("a", undefined, { type: "array", items: text, collectionFormat: "tsv" }),
      ["x", "y"],
      "a=x%09y",
    ],
    [
      "a list with spaces between",
      query("a", list, { style: "spaceDelimited", explode: false }),
      ["x", "y"],
      "a=x%20y",
    ],
    ["an object in one pair", query("a", object, { explode: false }), { r: 1 }, "a=r,1"],
    ["signs that may stay", query("a", text, { allowReserved: true }), "x/y?z&", "a=x/y?z%26"],
    [
      "a text of its own type",
      { ...query("a", undefined), content: { "text/plain": {} } },
      "x",
      "a=x",
    ],
    [
      "an object by its name",
      query("a", object, { style: "deepObject" }),
      { r: 1, in: { b: 2 } },
      "a%5Br%5D=1&a%5Bin%5D%5Bb%5D=2",
    ],
    [
      "an object as JSON",
      { name: "a", in: "query", content: { "application/json": { schema: object } } },
      { r: 1 },
      "a=%7B%22r%22%3A1%7D",
    ],
  ])("in the query: %s", async (_what, parameter, value, expected) => {
    const { call, received } = await operationAt({ parameters: [parameter] });
    expect(await call({ a: value })).toMatchObject({ status: "done" });
    expect(received[0]?.url).toBe(`/things?${expected}`);
  });

  it.each<[string, Record<string, unknown>, unknown, string]>([
    ["a list", {}, ["x,", "y"], "x%2C,y"],
    ["under a name in other letters", { name: "A" }, "x", "x"],
  ])("in the path: %s", async (_what, more, value, expected) => {
    const parameter = { name: "a", in: "path", required: true, schema: {}, ...more };
    const { call, received } = await operationAt({ parameters: [parameter] }, { path: "/t/{a}" });
    expect(await call({ a: value })).toMatchObject({ status: "done" });
    expect(received[0]?.url).toBe(`/t/${expected}`);
  });

  it.each(["..", ".", ""])("and never makes another path of it: %j", async (a) => {
    const parameter = { name: "a", in: "path", required: true, schema: text };
    const { call, received } = await operationAt({ parameters: [parameter] }, { path: "/t/{a}/x" });
    expect(await call({ a })).toMatchObject({
      status: "error",
      error: expect.stringMatching(/`a`/),
    });
    expect(received).toEqual([]);
  });

  it("in headers and cookies", async () => {
    const parameters = [
      { name: "X-Tags", in: "header", schema: list },
      { name: "c", in: "cookie", schema: text },
      { name: "l", in: "cookie", explode: false, schema: list },
      { name: "X-None", in: "header", schema: { type: "string", nullable: true } },
    ];
    const { call, received } = await operationAt({ parameters });
    await call({ "X-Tags": ["a", "b"], c: "d e", l: ["f", "g"], "X-None": null });
    expect(received[0]?.headers).toMatchObject({ "x-tags": "a,b", cookie: "c=d%20e; l=f,g" });
    expect(received[0]?.headers).not.toHaveProperty("x-none");
    const bad = await call({ "X-Tags": ["a\r\nEvil: 1"] });
    expect(bad).toMatchObject({ status: "error", error: expect.stringMatching(/X-Tags/) });
  });

  it.each<[string, string, unknown, Record<string, unknown>, string | RegExp]>([
    ["JSON", "application/json", object, { a: 1, b: { c: [] } }, '{"a":1,"b":{"c":[]}}'],
    [
      "a form",
      "application/x-www-form-urlencoded",
      object,
      { a: "x y", b: [1, 2], c: { d: 1 } },
      "a=x+y&b=1&b=2&c%5Bd%5D=1",
    ],
    ["parts", "multipart/form-data", object, { a: "x", b: null }, /^[^"]*name="a"\r\n\r\nx\r\n--/],
    [
      "parts of another kind, with an object in JSON",
      "multipart/mixed",
      object,
      { a: { b: 1 } },
      /name="a"\r\nContent-Type: application\/json\r\n\r\n\{"b":1\}\r\n/,
    ],
  ])("in the body as %s", async (_what, type, schema, args, expected) => {
    const properties = Object.fromEntries(Object.keys(args).map((name) => [name, {}]));
    const content = { [type]: { schema: { ...(schema as object), properties } } };
    const { call, received } = await operationAt({ requestBody: { content } }, { method: "post" });
    expect(await call(args)).toMatchObject({ status: "done" });
    expect(received[0]?.body).toMatch(expected);
    expect(received[0]?.headers["content-type"]).toContain(type);
  });
});

it("a part of a form has the media type of its encoding", async () => {
  const schema = { type: "object", properties: { a: text } };
  const encoding = { a: { contentType: "text/csv" } };
  const content = { "multipart/form-data": { schema, encoding } };
  const { call, received } = await operationAt({ requestBody: { content } }, { method: "post" });
  await call({ a: "x,y" });
  expect(received[0]?.body).toMatch(/name="a"\r\nContent-Type: text\/csv\r\n\r\nx,y/);
});

it("a whole number beyond 2^53 is sent as it is, also where null may stand", async () => {
  const id = { anyOf: [{ type: "integer" }, { type: "null" }] };
  const content = { "application/json": { schema: { type: "object", properties: { id } } } };
  const { call, received } = await operationAt({ requestBody: { content } }, { method: "post" });
  expect(await call({ id: "725653563933458433" })).toMatchObject({ status: "done" });
  expect(received[0]?.body).toBe('{"id":725653563933458433}');
});

const typed = (type: string, body: string | Buffer) => ({
  headers: { "content-type": type },
  body,
});

describe("what an API answers is the result", () => {
  it.each<[string, Reply, unknown]>([
    ["JSON of another type", typed("text/html", '{"a": 1}'), { a: 1 }],
    ["JSON behind a guard", typed("application/json", ")]}'\n[1]"), [1]],
    ["JSON as Python writes it", typed("application/json", '{"a": NaN}'), { a: null }],
    ["a text that begins like JSON", typed("text/plain", "[draft] x"), "[draft] x"],
    ["a number in a text", typed("text/plain", "42"), "42"],
    ["a text of any type", typed("application/jsonl", '{"a":1}\n{"a":2}'), '{"a":1}\n{"a":2}'],
    ["a charset in quotes", typed("text/plain; charset='latin-1'", Buffer.from([0xfc])), "ü"],
    [
      "a charset of XML",
      typed("text/xml", Buffer.from('<?xml encoding="ISO-8859-1"?>ü', "latin1")),
      '<?xml encoding="ISO-8859-1"?>ü',
    ],
    [
      "where the result will be",
      { status: 202, headers: { "operation-location": "/jobs/1" } },
      { location: "/jobs/1" },
    ],
    ["JSON as its value", { body: { a: [1, null] } }, { a: [1, null] }],
    ["a text as it is", { headers: { "content-type": "text/csv" }, body: "a,b" }, "a,b"],
    [
      "bytes by type and size",
      { headers: { "content-type": "image/png" }, body: Buffer.from([137, 0, 1]) },
      {
        mimeType: "image/png",
        bytes: 3,
        file: expect.stringMatching(/^received\/[0-9a-f]{32}\.png$/),
      },
    ],
    ["nothing as nothing", { status: 204 }, undefined],
  ])("%s", async (_what, reply, result) => {
    const { call } = await operationAt({}, { answer: () => reply });
    expect(await call()).toMatchObject({
      status: "done",
      ...(result === undefined ? {} : { result }),
    });
  });

  it("if it is short; a long one is referred to", async () => {
    const { call } = await operationAt({}, { answer: () => ({ body: ["x".repeat(200_000)] }) });
    expect(await call()).toMatchObject({ status: "done", resultRef: expect.any(String) });
  });

  it("up to 10 MB, compressed or not", async () => {
    const body = gzipSync(Buffer.alloc(11_000_000, "x"));
    const headers = { "content-type": "text/plain", "content-encoding": "gzip" };
    const { call } = await operationAt({}, { answer: () => ({ headers, body }) });
    expect(await call()).toMatchObject({
      status: "error",
      error: expect.stringMatching(/more than 10 MB/),
    });
  });

  it.each<[string, Reply, RegExp]>([
    [
      "a problem",
      { status: 404, body: { title: "Not Found", detail: "No such thing" } },
      /^404 Not Found: No such thing/,
    ],
    [
      "a message",
      { status: 422, body: { message: "Bad", errors: [{ message: "title is missing" }] } },
      /^422 .*Bad; title is missing/,
    ],
    ["nothing", { status: 403 }, /^403 Forbidden$/],
    [
      "of each field",
      { status: 422, body: { message: "Invalid", errors: { email: ["is taken"] } } },
      /Invalid; \{"email":\["is taken"\]\}/,
    ],
    [
      "several",
      { status: 400, body: { errors: [{ detail: "short", source: { pointer: "/a" } }, "late"] } },
      /: \/a: short; late$/,
    ],
    [
      "an answer that cannot be unpacked",
      { headers: { "content-encoding": "gzip" }, body: "{}" },
      /^its answer broke off \(incorrect header check\)$/,
    ],
  ])("a failure is one line: %s", async (_what, reply, error) => {
    const { call } = await operationAt({}, { answer: () => reply });
    expect(await call()).toMatchObject({ status: "error", error: expect.stringMatching(error) });
  });
});

describe("a busy API", () => {
  it.each(["get", "put", "delete"])(
    "is asked again by a %s, after what it says",
    async (method) => {
      const { call, received } = await operationAt({}, { method, answer: busyOnce });
      expect(await call()).toMatchObject({ status: "done", result: 2 });
      expect(received).toHaveLength(2);
    },
  );

  it("is not sent a POST again, which might take effect twice", async () => {
    const { call, received } = await operationAt({}, { method: "post", answer: () => busy("0") });
    expect(await call()).toMatchObject({ status: "error", error: expect.stringMatching(/^429/) });
    expect(received).toHaveLength(1);
  });

  it("is asked three times at most, and not after a long wait", async () => {
    const again = await operationAt({}, { answer: () => busy("0") });
    expect(await again.call()).toMatchObject({
      status: "error",
      error: expect.stringMatching(/^429/),
    });
    expect(again.received).toHaveLength(3);
    const late = await operationAt({}, { answer: () => busy("3600") });
    expect(await late.call()).toMatchObject({ error: expect.stringMatching(/^429.*3600/) });
    expect(late.received).toHaveLength(1);
  });
});

describe("a redirect", () => {
  it("is followed on the same host", async () => {
    const { call, received } = await operationAt({}, { answer: movedWithin });
    expect(await call()).toMatchObject({ status: "done" });
    expect(received.map(({ url }) => url)).toEqual(["/things", "/moved"]);
  });

  it("to another host is refused, and nothing is sent there", async () => {
    const other = await startServer(() => ({ body: "caught" }));
    const answer = () => ({ status: 307, headers: { location: `${other.url}/x` } });
    vi.stubEnv("SHOP_TOKEN", "topsecretvalue");
    const { call } = await operationAt({}, { answer, auth: ["bearer=$SHOP_TOKEN"] });
    expect(await call()).toMatchObject({
      status: "error",
      error: expect.stringMatching(/redirects to .* not followed/),
    });
    expect(other.received).toEqual([]);
  });
});

describe("all pages of a list", () => {
  const integer = { type: "integer" };
  const page = query("page", { ...integer, default: 1 });
  const texts = answers(list);
  const cursors = {
    parameters: [query("cursor", text)],
    ...answers({
      type: "object",
      properties: { data: list, meta: { type: "object", properties: { next_cursor: text } } },
    }),
  };

  it.each<[string, Record<string, unknown>, (received: Received) => Reply, unknown]>([
    ["a Link header", answers(list, LINK), linkedPages, ["a", "b", "c"]],
    ["a number", { parameters: [page], ...texts }, numberedPages(1), ["a", "b", "c"]],
    [
      "a number, of a list in one of several forms",
      { parameters: [page], ...answers({ oneOf: [list, { type: "array", items: object }] }) },
      numberedPages(1),
      ["a", "b", "c"],
    ],
    [
      "a number from 0",
      { parameters: [query("page", { ...integer, default: 0 })], ...texts },
      numberedPages(0),
      ["a", "b", "c"],
    ],
    [
      "a number from 0, if the document does not say it",
      { parameters: [query("page", integer)], ...texts },
      numberedPages(0),
      ["a", "b", "c"],
    ],
    [
      "a number from 1, if the document does not say it",
      { parameters: [query("page", integer)], ...texts },
      numberedPages(1),
      ["a", "b", "c"],
    ],
    [
      "a cursor, also after an empty page",
      cursors,
      cursorPages,
      { data: ["a", "c"], meta: { next_cursor: "" } },
    ],
  ])("are one result if they follow by %s", async (_by, operation, answer, result) => {
    const { call } = await operationAt(operation, { answer });
    expect(await call({ all_pages: true })).toMatchObject({ status: "done", result });
  });

  it("are not fetched unasked, nor those before the one asked for", async () => {
    const operation = { parameters: [page], ...texts };
    const { call, received } = await operationAt(operation, { answer: numberedPages(1) });
    expect(await call({})).toMatchObject({ result: ["a"] });
    expect(received.map(({ url }) => url)).toEqual(["/things"]);
    expect(await call({ all_pages: true, page: 2 })).toMatchObject({ result: ["b", "c"] });
  });

  it.each<[string, number, (count: number) => unknown]>([
    ["pages", 51, (count) => [String(count)]],
    ["items", 3, (count) => Array.from({ length: 2000 }, (_, at) => `${count} ${at}`)],
    ["bytes", 2, (count) => [`${count} ${"x".repeat(6_000_000)}`]],
  ])("that have too many %s are an error rather than half a list", async (_what, most, body) => {
    const operation = { parameters: [page], ...texts };
    const answer = (_: Received, count: number) => ({ body: body(count) });
    const { call, received } = await operationAt(operation, { answer });
    expect(await call({ all_pages: true })).toMatchObject({
      status: "error",
      error: expect.stringMatching(/more than.*50 pages, 5000 items or 10 MB.*by page with page/),
    });
    expect(received).toHaveLength(most);
  });

  it("are not fetched from another host, and get the credentials of the query", async () => {
    vi.stubEnv("SHOP_TOKEN", "topsecretvalue");
    const addresses = ["/more?at=2", "http://127.0.0.1:9/x"];
    const { call, received } = await operationAt(answers(list, LINK), {
      answer: (_, count) => ({
        body: ["a"],
        headers: { link: `<${addresses[count - 1]}>; rel=next` },
      }),
      auth: ["query:key=$SHOP_TOKEN"],
    });
    expect(await call({ all_pages: true })).toMatchObject({
      status: "error",
      error: expect.stringMatching(/next page is at 127\.0\.0\.1:9, which is not followed/),
    });
    expect(received[1]?.url).toBe("/more?at=2&key=topsecretvalue");
  });

  it("are not offered where the result is no list", async () => {
    const one = await operationAt({ parameters: [page], ...answers(object) });
    expect(await one.call({ all_pages: true })).toMatchObject({
      status: "invalid",
      error: expect.stringMatching(/unknown parameter `all_pages`/),
    });
  });
});

describe("credentials", () => {
  const SECRET = "correct-horse-battery";

  it.each<[string, unknown, string, Record<string, unknown>]>([
    [
      "bearer",
      { type: "http", scheme: "bearer" },
      "key=$SHOP_SECRET",
      { headers: { authorization: `Bearer ${SECRET}` } },
    ],
    [
      "basic",
      { type: "http", scheme: "basic" },
      "key=ada:${SHOP_SECRET}",
      { headers: { authorization: `Basic ${btoa(`ada:${SECRET}`)}` } },
    ],
    [
      "a header",
      { type: "apiKey", in: "header", name: "X-Key" },
      "key=$SHOP_SECRET",
      { headers: { "x-key": SECRET } },
    ],
    [
      "the query",
      { type: "apiKey", in: "query", name: "k" },
      "key=$SHOP_SECRET",
      { url: `/things?k=${SECRET}` },
    ],
  ])("go where the scheme says: %s", async (_what, scheme, auth, expected) => {
    vi.stubEnv("SHOP_SECRET", SECRET);
    const { call, received } = await operationAt({}, { auth: [auth], more: schemes(scheme) });
    expect(await call()).toMatchObject({ status: "done" });
    expect(received[0]).toMatchObject(expected);
  });

  it.each<[string, unknown, unknown, string]>([
    ["in an object", { type: "HTTP", scheme: "Bearer" }, { key: [] }, `Bearer ${SECRET}`],
    ["as a text", { type: "basic" }, ["key"], `Basic ${btoa(SECRET)}`],
    ["nowhere", { type: "http", scheme: "bearer" }, undefined, `Bearer ${SECRET}`],
    ["with a scheme of its own", { type: "http", scheme: "token" }, ["key"], SECRET],
  ])("are sent if the document asks for them %s", async (_where, scheme, security, expected) => {
    vi.stubEnv("SHOP_SECRET", SECRET);
    const more = { ...schemes(scheme), security };
    const { call, received } = await operationAt({}, { auth: ["key=$SHOP_SECRET"], more });
    await call();
    expect(received[0]?.headers.authorization).toBe(expected);
  });

  it("are not sent twice as a bearer", async () => {
    vi.stubEnv("SHOP_SECRET", `Bearer ${SECRET}`);
    const { call, received } = await operationAt({}, { auth: ["bearer=$SHOP_SECRET"] });
    await call();
    expect(received[0]?.headers.authorization).toBe(`Bearer ${SECRET}`);
  });

  it("that the document does not declare go with every call", async () => {
    vi.stubEnv("SHOP_SECRET", SECRET);
    const { call, received } = await operationAt({}, { auth: ["header:X-Own=$SHOP_SECRET"] });
    await call();
    expect(received[0]?.headers).toMatchObject({ "x-own": SECRET });
  });

  it("are neither in results that repeat them nor in the journal", async () => {
    vi.stubEnv("SHOP_SECRET", SECRET);
    const home = temporaryFolder();
    const auth = ["bearer=$SHOP_SECRET"];
    const { call } = await operationAt({}, { answer: repeating, auth, home });
    const outcomes = [await call(), await call()];
    expect(outcomes.map(({ status }) => status)).toEqual(["done", "error"]);
    expect(JSON.stringify(outcomes)).not.toContain(SECRET);
    const files = readdirSync(home).map((name) => readFileSync(join(home, name), "latin1"));
    expect(files.length).toBeGreaterThan(0);
    expect(files.join()).not.toContain(SECRET);
  });

  it.each<[string, string[], RegExp]>([
    ["none is known", [], /needs credentials \(key\).*--auth/],
    [
      "its variable is not set",
      ["key=$SHOP_UNSET"],
      /^its credential key comes from \$SHOP_UNSET, which is not set/,
    ],
  ])("that are missing are told before anything is sent: %s", async (_what, auth, error) => {
    const more = schemes({ type: "http", scheme: "bearer" });
    const { call, received } = await operationAt({}, { auth, more });
    const outcome = await call();
    expect(outcome).toMatchObject({ status: "error", error: expect.stringMatching(error) });
    expect(received).toEqual([]);
  });

  it("are not needed for an operation that does without", async () => {
    const more = schemes({ type: "http", scheme: "bearer" });
    const { call } = await operationAt({ security: [] }, { more });
    expect(await call()).toMatchObject({ status: "done" });
  });

  it.each(["key=verysecret", "bearer=verysecret"])(
    "that are written out are refused, and not repeated: %s",
    async (auth) => {
      const more = schemes({ type: "http", scheme: "bearer" });
      const refused = operationAt({}, { auth: [auth], more });
      await expect(refused).rejects.toThrow(/written out/);
      await expect(refused).rejects.not.toThrow(/verysecret/);
    },
  );
});
