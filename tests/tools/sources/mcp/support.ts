import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished, vi } from "vitest";
import { parseSettings } from "../../../../state/settings.js";
import type { Behalf, InputAnswer, TakenCredentials } from "../../../../tools/remote.js";
import { withLogin } from "../../../../tools/sources/credentials/own.js";
import { login } from "../../../../tools/sources/mcp/login.js";
import { readServer } from "../../../../tools/sources/mcp/listing.js";
import type { McpSettings } from "../../../../tools/sources/mcp/settings.js";
import type { ToolRecord } from "../../../../tools/tool.js";
import { syncConnected } from "../../../../home/connectedSources.js";
import { type Workspace, openWorkspace } from "../../../../home/workspace.js";
import { type KnowingMcp, type People, knowingMcp } from "../../../fakes/knowingServers.js";
import { oauthServer } from "../../../fakes/oauthServer.js";
// Registers the embeddings of words.
// oxlint-disable-next-line import/no-unassigned-import
import "../../../fakes/testLibrary.js";

export const EMBEDDINGS = "words:hashed";

const FIXTURES = new URL("../../../fixtures/mcp/", import.meta.url);

/** The program of one of the official servers. */
export function officialServer(name: string): string {
  const manifest = createRequire(import.meta.url).resolve(
    `@modelcontextprotocol/server-${name}/package.json`,
  );
  return join(dirname(manifest), "dist/index.js");
}

/** A program that Node starts: one of the official servers or of the fixtures, with its arguments. */
export function program(file: string, ...args: string[]): McpSettings {
  return { command: process.execPath, args: [file, ...args], env: {}, cwd: process.cwd() };
}

/** A server of the fixtures. */
export function fixture(name: string, ...args: string[]): McpSettings {
  return program(fileURLToPath(new URL(name, FIXTURES)), ...args);
}

/** A folder that is removed after the test. */
export function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), "tulipgraph-mcp-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A workspace that is closed and removed after the test. */
export function workspaceOfTest(home = folderOfTest()): Workspace {
  const workspace = openWorkspace({ home });
  onTestFinished(() => workspace.close());
  return workspace;
}

/** Imports a server into a library of its name, as the command line does. */
export async function importServer(options: {
  workspace: Workspace;
  name: string;
  settings: McpSettings;
  library?: string;
  /** Vouches for the server's hints, as the option of the command line does. */
  trustHints?: boolean;
}) {
  const { workspace, name, settings, library = name, trustHints = true } = options;
  const { store } = workspace;
  const connections = await workspace.connections();
  const { source, listing } = await readServer({ name, settings, connections, startMs: 20_000 });
  const context = parseSettings({ library, embeddings: EMBEDDINGS });
  const place = { store, settings: context, source, listing };
  const done = await syncConnected({ ...place, embed: false, trustHints });
  return { ...done, source };
}

/**
 * Imports a server that knows people by their keys into the library `team`. Its tools are listed as `lister`, with a key
 * with which no call may be made.
 */
export async function importOffice(
  workspace: Workspace,
  people: People,
  taken: TakenCredentials = { credentials: "caller" },
): Promise<KnowingMcp> {
  vi.stubEnv("OFFICE_KEY", "lister-key");
  const office = await knowingMcp(people.set("lister-key", "lister"));
  const headers = { Authorization: "Bearer $OFFICE_KEY" };
  const settings = { url: office.url, headers, ...taken };
  await importServer({ workspace, name: "office", settings, library: "team" });
  return office;
}

/** Imports a server that people log in to into the library `team`. Its tools are listed with a login that stays. */
export async function importWeather(workspace: Workspace) {
  const weather = await oauthServer();
  const settings = { url: weather.url, headers: {}, credentials: "caller" as const };
  const source = { name: "weather", settings };
  const done = await login({ source, show: (address) => void fetch(address) });
  const places = [new URL(weather.url).origin];
  const made = { owner: "", source: "weather", kind: "login" as const, places };
  await (await workspace.connections()).keep({ ...made, ...withLogin(done ?? {}) });
  await importServer({ workspace, ...source, library: "team" });
  return weather;
}

/** The tools of a library, by id. */
export async function toolsOf(workspace: Workspace, library: string) {
  const settings = parseSettings({ library, embeddings: EMBEDDINGS });
  const opened = await workspace.library(settings);
  return new Map(opened.list().map((tool) => [tool.id, tool]));
}

let count = 0;

/** Makes one call through the runtime. */
export async function callTool(options: {
  workspace: Workspace;
  tool: ToolRecord | undefined;
  args: Record<string, unknown>;
  id?: string;
  threadId?: string;
  timeoutMs?: number;
  signal?: AbortSignal;
  answers?: readonly InputAnswer[];
  behalf?: Behalf;
}) {
  const { workspace, tool, args, id = `call${count++}`, threadId = "t", ...request } = options;
  if (!tool) throw new Error("the library has no such tool");
  const calls = [{ id, tool, args }];
  const [outcome] = await workspace.runtime.runCalls({
    threadId,
    calls,
    timeoutMs: 20_000,
    ...request,
  });
  if (!outcome) throw new Error("there is no outcome");
  return outcome;
}
