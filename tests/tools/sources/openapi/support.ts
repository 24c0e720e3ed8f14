import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { definitionHash } from "../../../../tools/library/records/hash.js";
import type { CallOutcome } from "../../../../tools/calls/engine/callOutcome.js";
import { createToolRuntime } from "../../../../tools/calls/runtime.js";
import type { ConnectedSource, SourceRegistry } from "../../../../tools/remote.js";
import { remoteCaller } from "../../../../tools/sources/kinds.js";
import { readAuth } from "../../../../tools/sources/openapi/settings.js";
import { listOpenApi, type OpenApiListing } from "../../../../tools/sources/openapi/listOpenApi.js";
import type { ToolDefinition } from "../../../../tools/tool.js";

/** The part of a document that a test states; the rest is filled in. */
export type Draft = { paths: Record<string, unknown> } & Record<string, unknown>;

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tulipgraph-openapi-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a document of version 3.0, adding what it needs besides its paths. */
export function documentFile(draft: Draft, folder = temporaryFolder()): string {
  const file = join(folder, "shop.json");
  const info = { title: "Shop", version: "1" };
  const servers = [{ url: "https://shop.example/v1" }];
  writeFileSync(file, JSON.stringify({ openapi: "3.0.3", info, servers, ...draft }));
  return file;
}

/** The tools of a draft, as source "shop". */
export async function listDraft(
  draft: Draft,
  options: { base?: string; only?: string[]; deprecated?: boolean } = {},
): Promise<OpenApiListing> {
  return await listOpenApi({ name: "shop", document: documentFile(draft), ...options });
}

/** The only tool of a document with one operation, GET /things unless it says otherwise. */
export async function toolOf(
  operation: Record<string, unknown>,
  { method = "get", path = "/things", ...more }: Record<string, unknown> = {},
): Promise<ToolDefinition> {
  const { tools } = await listDraft({
    ...more,
    paths: { [String(path)]: { [String(method)]: { responses: RESPONSES, ...operation } } },
  });
  const [tool] = tools;
  expect(tools).toHaveLength(1);
  if (!tool) throw new Error("no tool");
  return tool;
}

export const RESPONSES = { 200: { description: "Done" } };

/** Calls tools of a document through the runtime of the test's own home. */
export async function caller(options: {
  document: string;
  base?: string;
  auth?: string[];
  timeoutMs?: number;
  /** Folder of the journal. */
  home?: string;
}): Promise<(id: string, args: Record<string, unknown>) => Promise<CallOutcome>> {
  const { document, base, auth = [], timeoutMs = 20_000, home = temporaryFolder() } = options;
  const { tools, schemes } = await listOpenApi({ name: "shop", document, base });
  const settings = { document, auth: readAuth(auth, schemes) };
  const source: ConnectedSource = { name: "shop", kind: "openapi", settings };
  const sources: SourceRegistry = {
    list: async () => [source],
    get: async (name) => (name === source.name ? source : undefined),
    async put() {},
    async remove() {},
  };
  const runtime = createToolRuntime({
    home,
    remotes: async () => remoteCaller({ sources }),
  });
  onTestFinished(() => runtime.close());
  let count = 0;
  return async (id, args) => {
    const tool = tools.find((each) => each.id === `shop.${id}`);
    if (!tool)
      throw new Error(`there is no ${id} among ${tools.map((each) => each.id).join(", ")}`);
    const record = { ...tool, version: 1, hash: definitionHash(tool) };
    const call = { id: `call ${(count += 1)}`, tool: record, args };
    const [outcome] = await runtime.runCalls({ threadId: "t", calls: [call], timeoutMs });
    if (!outcome) throw new Error("no outcome");
    return outcome;
  };
}
