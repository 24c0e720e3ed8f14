import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { lookup } from "node:dns/promises";
import { type IncomingHttpHeaders, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { isPrivateHost } from "../../../common/privateHost.js";
import { closeWorkspaces } from "../../../home/workspace.js";
import { run, temporaryFolder } from "../support.js";

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
  vi.stubEnv("TULIPGRAPH_HOME", join(folder, "home"));
  await closeWorkspaces();
});
afterAll(closeWorkspaces);

const NOTES = fileURLToPath(new URL("../../fixtures/mcp/notes.mjs", import.meta.url));
const TOKEN = "tok-4711-of-the-environment";

/** A file with an entry that starts a program which leaves a mark, and one that is only an address. */
function write(servers: Record<string, object>): string {
  const file = join(folder, "servers.json");
  writeFileSync(file, JSON.stringify({ mcpServers: servers }));
  return file;
}

/** A program that leaves a mark and then serves notes. */
function marking(mark = "started"): { command: string; args: string[] } {
  const script = `require("fs").writeFileSync(${JSON.stringify(join(folder, mark))}, JSON.stringify(process.env)); import(${JSON.stringify(NOTES)})`;
  return { command: process.execPath, args: ["-e", script, join(folder, "done.txt")] };
}

const started = (mark = "started") => existsSync(join(folder, mark));

async function importConfig(file: string, ...more: string[]) {
  return await run("tools", "import", "mcp", "--config", file, ...more);
}

describe("a configuration file", () => {
  it("has nothing started or contacted before somebody has agreed to what it names", async () => {
    const file = write({
      notes: {
        ...marking(),
        env: { NOTES_KEY: "${env:NOTES_TOKEN}", PLAIN: "sk-literal-4711abcd" },
      },
      issues: {
        url: "https://user:pass-4711@issues.example/mcp",
        headers: { Authorization: "Bearer ${env:ISSUES_TOKEN}" },
      },
    });
    const { code, stdout, stderr } = await importConfig(file);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/notes {2}starts .*notes\.mjs.*NOTES_KEY with \$NOTES_TOKEN, PLAIN\n/);
    expect(stderr).toMatch(/issues {2}contacts https:.*issues\.example\/mcp.*\$ISSUES_TOKEN\n/);
    expect(stderr).toMatch(/error: .*--yes/);
    expect(stderr).not.toMatch(/4711/);
    expect(started()).toBe(false);
  });

  it("is used with --yes, gives a program only what its entry names, and is not asked about again", async () => {
    vi.stubEnv("NOTES_TOKEN", TOKEN);
    const file = write({ notes: marking() });
    expect((await importConfig(file, "--yes")).code).toBe(0);
    expect(readFileSync(join(folder, "started"), "utf8")).not.toContain(TOKEN);
    expect((await importConfig(file)).code).toBe(0);
  });

  it("that changes is not followed until somebody has agreed to the change", async () => {
    await importConfig(write({ notes: marking() }), "--yes");
    const file = write({ notes: marking("changed") });
    const call = ["notes.list_notes", "{}", "--library", "notes", "--yes"];
    const { code, stderr } = await run("tools", "call", ...call);
    expect(code).toBe(1);
    expect(stderr).toContain("has changed since you agreed");
    expect((await importConfig(file)).code).toBe(2);
    expect(started("changed")).toBe(false);
  });
});

/** Notes which headers arrive. */
async function listening() {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, () => resolve()));
  onTestFinished(() => void server.close());
  return { seen, port: (server.address() as AddressInfo).port };
}

it("a configuration file without a server that can be reached is refused, and says what it has", async () => {
  const { code, stderr } = await importConfig(write({ notes: { comand: "node" } }), "--yes");
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /server notes is left out: it has neither "command" nor "url", but comand/,
  );
  expect(stderr).toMatch(/error: .*servers\.json: lists no server that can be imported/);
});

describe("a variable of the environment", () => {
  const headers = { Authorization: "Bearer ${env:FIELD_TOKEN}" };

  it.each(["127.0.0.1", "localhost", "[::1]"])(
    "is not sent to %s for a file, unless that is allowed",
    async (host) => {
      vi.stubEnv("FIELD_TOKEN", TOKEN);
      const { seen, port } = await listening();
      const file = write({ desk: { url: `http://${host}:${port}/mcp`, headers } });
      const { code, stderr } = await importConfig(file, "--yes");
      expect(code).toBe(2);
      expect(stderr).toMatch(/\$FIELD_TOKEN.*private address.*--allow-private/);
      expect(seen).toEqual([]);
      if (host !== "127.0.0.1") return;
      await importConfig(file, "--yes", "--allow-private");
      expect(seen[0]?.authorization).toBe(`Bearer ${TOKEN}`);
    },
  );

  it("is not sent to a name that stands for a private address", async (context) => {
    const host = hostname();
    const found = await lookup(host).catch(() => undefined);
    const stands = found !== undefined && isPrivateHost(found.address) && !isPrivateHost(host);
    context.skip(!stands, "the name of this machine does not stand for a private address");
    vi.stubEnv("FIELD_TOKEN", TOKEN);
    const { seen, port } = await listening();
    const file = write({ desk: { url: `http://${host}:${port}/mcp`, headers } });
    const { code, stderr } = await importConfig(file, "--yes");
    expect(code).toBe(2);
    expect(stderr).toMatch(/private address.*--allow-private/);
    expect(seen).toEqual([]);
  });

  it("goes only to the entry that names it, and a user's own command sends it wherever they say", async () => {
    vi.stubEnv("FIELD_TOKEN", TOKEN);
    const { seen, port } = await listening();
    const url = `http://127.0.0.1:${port}/mcp`;
    await importConfig(write({ desk: { url } }), "--yes");
    expect(seen.length).toBeGreaterThan(0);
    expect(JSON.stringify(seen)).not.toContain(TOKEN);
    const header = ["--header", "Authorization: Bearer $FIELD_TOKEN"];
    await run("tools", "import", "mcp", "own", "--url", url, ...header);
    expect(seen.at(-1)?.authorization).toBe(`Bearer ${TOKEN}`);
  });
});
