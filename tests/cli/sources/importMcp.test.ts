import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { ToolRecord } from "../../../tools/tool.js";
import { closeWorkspaces, openWorkspace } from "../../../home/workspace.js";
import { errorLine, run, runJson, startChild, temporaryFolder } from "../support.js";
import { oauthServer } from "../../fakes/oauthServer.js";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  vi.stubEnv("TULIPGRAPH_HOME", join(folder, "home"));
});
afterAll(closeWorkspaces);

function server(name: string): string {
  const manifest = `@modelcontextprotocol/server-${name}/package.json`;
  return join(dirname(createRequire(import.meta.url).resolve(manifest)), "dist/index.js");
}

/** The command that starts the official filesystem server on the test's folder. */
const filesystem = () => [process.execPath, server("filesystem"), folder];

async function listIds(library: string): Promise<string[]> {
  const { json } = await runJson("tools", "list", "--library", library);
  return (json as ToolRecord[]).map(({ id }) => id);
}

function configOf(config: object): string {
  const file = join(folder, "config.json");
  writeFileSync(file, `// for tests\n${JSON.stringify(config)}`);
  return file;
}

describe("tools import mcp", () => {
  it("puts the tools of a server into the library with its name, again each time", async () => {
    const words = ["tools", "import", "mcp", "files", "--", ...filesystem()];
    const printed = await run(...words);
    expect(printed).toMatchObject({ code: 0, stderr: "" });
    expect(printed.stdout).toMatch(/^library files: \d+ added from files\n {2}\d+ tools .*\n$/);
    expect(await listIds("files")).toContain("files.read_text_file");
    expect((await run(...words)).stdout).toMatch(/^library files: \d+ unchanged from files\n/);
  });

  it("reads the servers of a configuration file, and keeps none of its secrets", async () => {
    const [command, ...args] = filesystem();
    const secret = "wx-4711-secret-value";
    const config = configOf({
      mcpServers: {
        "my files": { command, args, env: { FILES_KEY: secret }, autoApprove: ["*"] },
        old: { command, disabled: true },
      },
      theme: "dark",
    });
    const printed = await run("tools", "import", "mcp", "--config", config, "--yes");
    expect(printed.stdout).toMatch(/^library my_files: \d+ added/);
    expect(printed.stderr).toContain("old");
    expect(printed.code).toBe(0);
    const kept = JSON.stringify(await openWorkspace().store.sources.list());
    expect(kept).toContain(config);
    await closeWorkspaces();
    expect(readFileSync(join(folder, "home", "libraries.db"), "latin1")).not.toContain(secret);
  });

  it("reads VS Code's form, with a variable for what the editor would ask for", async () => {
    const [command, program] = filesystem();
    const config = configOf({
      inputs: [{ id: "the-folder", type: "promptString" }],
      servers: { files: { type: "stdio", command, args: [program, "${input:the-folder}"] } },
    });
    const without = errorLine(await run("tools", "import", "mcp", "--config", config, "--yes"));
    expect(without).toContain("THE_FOLDER");
    vi.stubEnv("THE_FOLDER", folder);
    const printed = await run("tools", "import", "mcp", "files", "--config", config, "--yes");
    expect(printed).toMatchObject({ code: 0 });
  });

  it("imports what it can of several servers, and reports what it cannot", async () => {
    const [command, ...args] = filesystem();
    const config = configOf({
      mcpServers: { gone: { command: "no-such-command-here" }, files: { command, args } },
    });
    const printed = await run("tools", "import", "mcp", "--config", config, "--yes");
    expect(printed.code).toBe(2);
    expect(printed.stdout).toMatch(/^library files: /);
    expect(printed.stderr).toContain("no-such-command-here");
  });
});

describe("sources", () => {
  const PLACE = ["--library", "desk"];

  it("are removed from one library, or completely", async () => {
    await run("tools", "import", "mcp", "files", ...PLACE, "--", ...filesystem());
    await run("tools", "import", "mcp", "files", "--", ...filesystem());
    await run("tools", "remove", "--source", "files", "--library", "desk");
    expect(await listIds("desk")).toEqual([]);
    expect(await listIds("files")).toContain("files.read_text_file");
    const { stdout } = await run("tools", "remove", "--source", "files");
    expect(stdout).toMatch(/^source files: \d+ tools removed\n$/);
    expect((await runJson("tools", "list", "--sources")).json).toEqual([]);
    expect(errorLine(await run("tools", "remove", "--source", "files"))).toContain("files");
  });
});

describe("tools login", () => {
  it("prints where to log in, after which the server can be imported and called", async () => {
    vi.stubEnv("XDG_CONFIG_HOME", join(folder, "config"));
    const { url } = await oauthServer();
    const words = ["tools", "import", "mcp", "weather", "--url", url];
    expect(errorLine(await run(...words))).toContain(`tulipgraph tools login weather --url ${url}`);
    const { process: child, ended } = startChild({
      argv: ["tools", "login", "weather", "--url", url],
      env: { TULIPGRAPH_HOME: join(folder, "home") },
    });
    child.stderr?.on("data", (part: Buffer) => {
      const address = /http\S+authorize\S+/.exec(part.toString())?.[0];
      if (address) void fetch(address);
    });
    const { code, stdout } = await ended;
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("logged in"),
    });
    expect((await run(...words)).code).toBe(0);
    expect(errorLine(await run("tools", "login", "wether"))).toContain("weather");
  });
});

describe("tools import mcp is refused in one line", () => {
  const KEY = "Authorization: Bearer abcdef123456789";
  it.each([
    ["without a way to the server", ["x"], "--url"],
    ["with two ways", ["x", "--url", "http://127.0.0.1:1/mcp", "--", "node"], "--url"],
    [
      "for a secret that would be stored",
      ["x", "--url", "http://127.0.0.1:1/mcp", "--header", KEY],
      "\\$TOKEN",
    ],
    ["for a name that cannot be one", ["a.b", "--", "node"], "a.b"],
    ["for a file that is not there", ["--config", "/no/such/file.json"], "no such file"],
    [
      "for a variable that is not set",
      ["x", "--env", "A_KEY=$NOT_SET_AT_ALL", "--", "node"],
      "NOT_SET_AT_ALL",
    ],
  ])("%s", async (_, words, told) => {
    const line = errorLine(await run("tools", "import", "mcp", ...words));
    expect(line).toMatch(new RegExp(told));
    expect(line).not.toContain("abcdef");
    expect(await openWorkspace().store.names()).toEqual([]);
  });

  it("for a file that lists no servers, and for a server that is not in it", async () => {
    const none = configOf({ theme: "dark" });
    expect(errorLine(await run("tools", "import", "mcp", "--config", none))).toContain(
      "mcpServers",
    );
    const other = configOf({ mcpServers: { files: { command: "node" } } });
    expect(errorLine(await run("tools", "import", "mcp", "fils", "--config", other))).toContain(
      "files",
    );
  });
});
