/**
 * Our client as the official conformance package starts it: with the address of a server as its last argument, and
 * MCP_CONFORMANCE_SCENARIO. It imports the server as `tools import mcp` does, with a login if one is required, and
 * calls each of its tools through the runtime.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseSettings } from "../../../../state/settings.js";
import type { InputAnswer } from "../../../../tools/remote.js";
import { withLogin } from "../../../../tools/sources/credentials/own.js";
import { login } from "../../../../tools/sources/mcp/login.js";
import { readServer } from "../../../../tools/sources/mcp/listing.js";
import type { ToolRecord } from "../../../../tools/tool.js";
import { syncConnected } from "../../../../home/connectedSources.js";
import { openWorkspace } from "../../../../home/workspace.js";
// Registers the embeddings of words.
// oxlint-disable-next-line import/no-unassigned-import
import "../../../fakes/testLibrary.js";

const url = process.argv.at(-1) ?? "";
const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
const home = mkdtempSync(join(tmpdir(), "tulipgraph-conformance-"));
process.env["XDG_CONFIG_HOME"] = join(home, "config");
const settings = { url, headers: {} };
const workspace = openWorkspace({ home });

/** A browser that agrees, and comes back. */
const browse = (address: URL) => void fetch(address);

async function call(tool: ToolRecord, id = "c") {
  const args = tool.name === "add_numbers" ? { a: 5, b: 3 } : {};
  const request = { threadId: "t", calls: [{ id, tool, args }], timeoutMs: 20_000 };
  const answers: InputAnswer[] = [];
  for (let round = 0; round < 5; round++) {
    const [outcome] = await workspace.runtime.runCalls({ ...request, answers });
    if (outcome?.status !== "input") return outcome;
    for (const { id } of outcome.input ?? []) answers.push({ id, action: "accept", content: {} });
  }
  return undefined;
}

/** As a person would: logs in again with more rights if the server says that they are required. */
async function logIn(scope?: string) {
  const { client_id, client_secret } = JSON.parse(
    process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}",
  ) as {
    client_id?: string;
    client_secret?: string;
  };
  const client = client_id === undefined ? undefined : { client_id, client_secret };
  const done = await login({ source: { name: "s", settings }, show: browse, client, scope });
  if (!done) return;
  const places = [new URL(url).origin];
  const made = { owner: "", source: "s", kind: "login" as const, places, ...withLogin(done) };
  await (await workspace.connections()).keep(made);
}

try {
  if (scenario.startsWith("auth/")) await logIn();
  const { source, listing } = await readServer({
    name: "s",
    settings,
    connections: await workspace.connections(),
  });
  const context = parseSettings({ library: "s", embeddings: "words:hashed" });
  await syncConnected({ store: workspace.store, settings: context, source, listing, embed: false });
  const library = await workspace.library(context);
  for (const tool of library.list()) {
    const outcome = await call(tool);
    const [, scope] = /--scope '([^']+)'/.exec(outcome?.error ?? "") ?? [];
    if (scope) await logIn(scope);
    console.log(tool.id, scope ? await call(tool, "again") : outcome);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await workspace.close();
  rmSync(home, { recursive: true, force: true });
}
