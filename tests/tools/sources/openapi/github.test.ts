import { readFileSync } from "node:fs";
import { OpenAPIBackend } from "openapi-backend";
import { describe, expect, it } from "vitest";
import { schemaExcess } from "../../../../common/schemas/size.js";
import { schemaCheck } from "../../../../tools/runtime/calls/schemaCheck.js";
import { listOpenApi, type OpenApiListing } from "../../../../tools/sources/openapi/listOpenApi.js";
import { requestOf } from "../../../../tools/sources/openapi/request.js";
import type { JsonSchema } from "../../../../common/schemas/jsonSchema.js";
import type { ToolDefinition } from "../../../../tools/tool.js";
import { startServer } from "./apiServer.js";
import { githubDocument } from "./githubDocument.js";
import { sampleOf } from "./sampleOf.js";
import { caller } from "./support.js";

const DOCUMENT = githubDocument();

let listing: Promise<OpenApiListing> | undefined;

function listed(): Promise<OpenApiListing> {
  return (listing ??= listOpenApi({ name: "github", document: DOCUMENT ?? "" }));
}

describe.skipIf(DOCUMENT === undefined)("GitHub's own document", { timeout: 120_000 }, () => {
  it("becomes a tool for each operation, none left out", async () => {
    const { tools, problems } = await listed();
    expect(problems).toEqual([]);
    expect(tools.length).toBeGreaterThan(1000);
    expect(new Set(tools.map(({ id }) => id)).size).toBe(tools.length);
    const create = tools.find(({ id }) => id === "github.issues/create");
    expect(create).toMatchObject({ effects: "write", category: "issues", name: "issues_create" });
    expect(create?.parameters.required).toEqual(["owner", "repo", "title"]);
  });

  it("gives each a schema that providers accept and that can be checked", async () => {
    const { tools } = await listed();
    const faults = tools.flatMap((tool) => {
      const { parameters, returns = {}, id } = tool;
      const known = [
        ...providerFaults(parameters),
        ...[parameters, returns].flatMap((schema) => schemaExcess(schema) ?? []),
        ...[parameters, returns].map((schema, at) => schemaCheck(`${id} ${at}`, schema)),
      ];
      return known.filter((fault) => typeof fault === "string").map((fault) => `${id}: ${fault}`);
    });
    expect(faults).toEqual([]);
  });

  it("makes requests that are valid by the same document", async () => {
    const { tools } = await listed();
    const backend = await validatingBackend();
    // Compiling the schemas of all operations would take a minute.
    const some = tools.filter((_tool, at) => at % 8 === 0);
    const refused: string[] = [];
    for (const tool of some) {
      const answer = await backend.handleRequest(await plainRequest(tool));
      const wrong = (answer.errors ?? []).filter(
        // Only the API checks which of several bodies is meant.
        ({ schemaPath }: { schemaPath: string }) => !/oneOf|anyOf/.test(schemaPath),
      );
      if (answer.status === 404 || wrong.length > 0)
        refused.push(`${tool.id}: ${JSON.stringify(wrong)}`);
    }
    expect(refused).toEqual([]);
  });

  it("is called over HTTP: lists, changes, refusals", async () => {
    const backend = await validatingBackend();
    const { url, received } = await startServer(async ({ method, url: path, headers, body }) => {
      const request = { method, path, headers: plainHeaders(headers), body: body || undefined };
      const { status, ...rest } = await backend.handleRequest(request);
      return { status, body: rest };
    });
    const call = await caller({ document: DOCUMENT ?? "", base: url });
    const repository = { owner: "octo", repo: "world" };
    const list = await call("issues/list-for-repo", { ...repository, state: "open", per_page: 2 });
    expect(list).toMatchObject({ status: "done", result: { operation: "issues/list-for-repo" } });
    const made = await call("issues/create", { ...repository, title: "It rains", labels: ["wet"] });
    expect(made).toMatchObject({ status: "done", result: { operation: "issues/create" } });
    expect(JSON.parse(received.at(-1)?.body ?? "")).toEqual({ title: "It rains", labels: ["wet"] });
    const wrong = await call("issues/create", { ...repository, labels: [] });
    expect(wrong).toMatchObject({ status: "invalid" });
    expect(received).toHaveLength(2);
  });
});

/** What providers reject in the schema of a tool. */
function providerFaults(parameters: JsonSchema): string[] {
  const { type, properties } = parameters;
  const text = JSON.stringify(parameters);
  const names = Object.keys(properties as object);
  return [
    type === "object" ? "" : "its root is not an object",
    text.includes('"$ref"') ? "it has a reference" : "",
    ["anyOf", "oneOf", "allOf", "not", "enum"].some((keyword) => keyword in parameters)
      ? "its root has alternatives"
      : "",
    ...names.map((name) => (/^[\w.-]{1,64}$/.test(name) ? "" : `it has the name ${name}`)),
    ...listsWithoutItems(parameters),
  ].filter(Boolean);
}

function listsWithoutItems(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const own = "type" in schema && schema.type === "array" && !("items" in schema);
  return [
    ...(own ? ["a list without items"] : []),
    ...Object.values(schema).flatMap(listsWithoutItems),
  ];
}

/** A backend that validates requests by the document and answers with the operation it recognised. */
async function validatingBackend(): Promise<OpenAPIBackend> {
  const definition = withoutBareNullable(JSON.parse(readFileSync(DOCUMENT ?? "", "utf8")));
  const backend = new OpenAPIBackend({
    definition: definition as ConstructorParameters<typeof OpenAPIBackend>[0]["definition"],
    quick: true,
    coerceTypes: true,
    ajvOpts: { strict: false, logger: false },
    handlers: {
      notFound: async () => ({ status: 404 }),
      validationFail: async ({ validation }) => ({ status: 422, errors: validation.errors }),
      notImplemented: async ({ operation }) => ({ status: 200, operation: operation.operationId }),
    },
  });
  await backend.init();
  return backend;
}

/** The backend's validator cannot compile `nullable` beside alternatives. */
function withoutBareNullable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBareNullable);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(
    ([key, inner]) => key !== "nullable" || inner !== true || "type" in value,
  );
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutBareNullable(inner)]));
}

/** A call with a value for every argument, as a request that is not sent. */
async function plainRequest({ parameters, source }: ToolDefinition) {
  if (source.kind !== "openapi") throw new Error("not of a document");
  const { body: whole } = parameters.properties;
  const optional = source.operation.body?.argument && whole ? { body: sampleOf(whole) } : {};
  const args = { ...optional, ...(sampleOf(parameters) as Record<string, unknown>) };
  const { operation } = source;
  const { method, url, headers, body } = requestOf({ operation, args, credentials: [] });
  return {
    method,
    path: url.pathname,
    query: url.search.slice(1),
    headers: Object.fromEntries(headers),
    ...(typeof body === "string" ? { body } : {}),
  };
}

function plainHeaders(headers: Record<string, string | string[] | undefined>) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
