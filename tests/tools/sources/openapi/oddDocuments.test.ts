import { gzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { type Reply, startServer } from "./apiServer.js";
import { caller, documentFile, listDraft } from "./support.js";

const PNG = Buffer.from([137, 80, 78, 71, 0]);
const text = { type: "string" };
const byte = { type: "string", format: "byte" };

const object = (properties: Record<string, unknown>) => ({ type: "object", properties });
const bodyOf = (schema: unknown, type = "application/json") => ({
  requestBody: { content: { [type]: { schema } } },
});

/** What an operation is sent when its arguments name a file that an earlier call has received. */
async function sentWith(
  operation: Record<string, unknown>,
  args: (file: string) => Record<string, unknown>,
) {
  const { url, received } = await startServer(({ method, url: path }) =>
    path === "/picture" && method === "GET"
      ? { headers: { "content-type": "image/png" }, body: PNG }
      : { body: {} },
  );
  const call = await caller({
    document: documentFile({
      servers: [{ url }],
      paths: {
        "/picture": { get: { operationId: "picture" } },
        "/things": { post: { operationId: "send", ...operation } },
      },
    }),
  });
  const { result } = await call("picture", {});
  const { file } = result as { file: string };
  await call("send", args(file));
  return { sent: received[1], name: file.replace("received/", "") };
}

describe("a file that a call has received is sent", () => {
  it.each<[string, unknown]>([
    ["a format", byte],
    ["the words of 3.1", { ...text, contentEncoding: "base64" }],
    ["a type that may be null", { type: ["string", "null"], format: "byte" }],
    ["alternatives", { anyOf: [byte, { type: "null" }] }],
    ["bytes that JSON does not have", { ...text, format: "binary" }],
  ])("in JSON in base64 where the document asks for it by %s", async (_, schema) => {
    const { sent } = await sentWith(
      bodyOf(object({ data: schema, parts: { type: "array", items: object({ data: schema }) } })),
      (file) => ({ data: file, parts: [{ data: file }] }),
    );
    const data = PNG.toString("base64");
    expect(JSON.parse(sent?.body ?? "")).toEqual({ data, parts: [{ data }] });
  });

  it("by its name where only a text has room", async () => {
    const { sent, name } = await sentWith(
      bodyOf(object({ a: text, b: object({ c: text }) })),
      (file) => ({
        a: file,
        b: { c: file },
      }),
    );
    expect(JSON.parse(sent?.body ?? "")).toEqual({ a: name, b: { c: name } });
    const form = bodyOf(object({ a: text }), "application/x-www-form-urlencoded");
    const sentForm = await sentWith(form, (file) => ({ a: file }));
    expect(sentForm.sent?.body).toBe(`a=${sentForm.name}`);
  });

  it("as a part where a body of JSON or of parts is taken", async () => {
    const content = {
      "application/json": { schema: object({ address: text }) },
      "multipart/form-data": {
        schema: object({ f: { ...text, contentMediaType: "application/octet-stream" } }),
      },
    };
    const { sent, name } = await sentWith({ requestBody: { content } }, (file) => ({ f: file }));
    expect(sent?.body).toContain(`filename="${name}"`);
  });

  it("with its own type where any picture is taken", async () => {
    const operation = bodyOf({ ...text, format: "binary" }, "image/*");
    const { sent } = await sentWith(operation, (file) => ({ body: file }));
    expect(sent?.headers["content-type"]).toBe("image/png");
  });
});

describe("a certificate that a document demands", () => {
  const components = {
    securitySchemes: { cert: { type: "mutualTLS" }, key: { type: "http", scheme: "bearer" } },
  };
  const draft = {
    components,
    paths: {
      "/a": { get: { operationId: "alone", security: [{ cert: [] }] } },
      "/b": { get: { operationId: "both", security: [{ cert: [], key: [] }] } },
      "/c": { get: { operationId: "either", security: [{ cert: [] }, { key: [] }] } },
      "/d": { get: { operationId: "open", security: [{ cert: [] }, {}] } },
    },
  };
  const ways = async (base?: string) => {
    const { tools, problems } = await listDraft(draft, { base });
    const known = tools.map(({ id, source }) => [
      id,
      source.kind === "openapi" && source.operation.security,
    ]);
    return { known: Object.fromEntries(known) as object, problems };
  };

  it("leaves out its way, and an operation without another one, at import", async () => {
    const { known, problems } = await ways();
    expect(known).toEqual({ "shop.either": [["key"]], "shop.open": [[]] });
    expect(problems.map(({ problem }) => problem)).toEqual([
      expect.stringMatching(/^alone demands a certificate .*--base/),
      expect.stringMatching(/^both demands a certificate/),
    ]);
  });

  it("is a matter of whoever answers at an address of the user's own", async () => {
    const { known } = await ways("https://proxy.example");
    expect(known).toMatchObject({ "shop.alone": [[]], "shop.both": [["key"]] });
  });
});

const get = (name: string, required = false) => ({
  operationId: "a",
  parameters: [{ name, in: "header", required, schema: text }],
});

describe("a header that a document names", () => {
  it.each(["X-Key ", "X-Key:"])("is sent without what is only sloppy: %j", async (name) => {
    const { url, received } = await startServer(() => ({ body: {} }));
    const draft = { servers: [{ url }], paths: { "/a": { get: get(name) } } };
    const call = await caller({ document: documentFile(draft) });
    expect(await call("a", { "X-Key": "1" })).toMatchObject({ status: "done" });
    expect(received[0]?.headers).toMatchObject({ "x-key": "1" });
  });

  it("costs its operation only if it is demanded and no request can carry it", async () => {
    const paths = {
      "/a": { get: get("X Bad") },
      "/b": { get: { ...get("Größe", true), operationId: "b" } },
    };
    const { tools, problems } = await listDraft({ paths });
    expect(tools.map(({ id, parameters }) => [id, parameters.properties])).toEqual([
      ["shop.a", {}],
    ]);
    expect(problems.map(({ problem }) => problem)).toEqual([
      expect.stringMatching(/^b is left out: paths\.\/b\.get demands a header called "Größe"/),
      expect.stringMatching(/^a cannot send a header called "X Bad"/),
    ]);
  });

  it("for a key is sent without what is only sloppy", async () => {
    vi.stubEnv("SHOP_SECRET", "correct-horse");
    const { url, received } = await startServer(() => ({ body: {} }));
    const securitySchemes = { key: { type: "apiKey", in: "header", name: "X-Key " } };
    const document = documentFile({
      servers: [{ url }],
      components: { securitySchemes },
      security: [{ key: [] }],
      paths: { "/a": { get: { operationId: "a" } } },
    });
    const call = await caller({ document, auth: ["key=$SHOP_SECRET"] });
    await call("a", {});
    expect(received[0]?.headers).toMatchObject({ "x-key": "correct-horse" });
  });
});

it("a path's parameter that may contain reserved signs keeps its slashes", async () => {
  const { url, received } = await startServer(() => ({ body: {} }));
  const parameters = [{ name: "p", in: "path", required: true, allowReserved: true, schema: text }];
  const paths = { "/files/{p}": { get: { operationId: "a", parameters } } };
  const call = await caller({ document: documentFile({ servers: [{ url }], paths }) });
  await call("a", { p: "a/b c" });
  expect(received[0]?.url).toBe("/files/a/b%20c");
});

it("an answer to a GET with a body is unpacked, and Windows' quotes are read as such", async () => {
  const { url } = await startServer(({ body }): Reply =>
    body
      ? { headers: { "content-encoding": "gzip" }, body: gzipSync('{"a":1}') }
      : {
          headers: { "content-type": "text/plain; charset=windows-1252" },
          body: Buffer.from([0x93, 0x61, 0x94]),
        },
  );
  const operation = { operationId: "a", ...bodyOf(object({ q: text })) };
  const call = await caller({
    document: documentFile({
      servers: [{ url }],
      paths: { "/a": { get: operation }, "/b": { get: { operationId: "b" } } },
    }),
  });
  expect(await call("a", { q: "x" })).toMatchObject({ result: { a: 1 } });
  expect(await call("b", {})).toMatchObject({ result: "“a”" });
});
