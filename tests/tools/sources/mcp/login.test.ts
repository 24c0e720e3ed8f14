import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Workspace } from "../../../../home/workspace.js";
import { withLogin } from "../../../../tools/sources/credentials/own.js";
import { login } from "../../../../tools/sources/mcp/login.js";
import { oauthServer } from "../../../fakes/oauthServer.js";
import { weatherServer } from "./httpSupport.js";
import {
  callTool,
  fixture,
  folderOfTest,
  importServer,
  toolsOf,
  workspaceOfTest,
} from "./support.js";

let config: string;
beforeEach(() => {
  config = folderOfTest();
  vi.stubEnv("XDG_CONFIG_HOME", config);
});

/** The browser of somebody who agrees to everything. */
const browse = (address: URL) => void fetch(address);

/** As `tools login` does. */
async function connect(workspace: Workspace, settings: { url: string; headers: object }) {
  const done = await login({ source: { name: "weather", settings }, show: browse });
  const places = [new URL(settings.url).origin];
  const made = { owner: "", source: "weather", kind: "login" as const, places };
  await (await workspace.connections()).keep({ ...made, ...withLogin(done ?? {}) });
}

async function loggedIn() {
  const server = await oauthServer();
  const settings = { url: server.url, headers: {} };
  const workspace = workspaceOfTest();
  await connect(workspace, settings);
  await importServer({ workspace, name: "weather", settings });
  const tools = await toolsOf(workspace, "weather");
  const call = () =>
    callTool({ workspace, tool: tools.get("weather.warmth"), args: { place: "Rome" } });
  return { server, settings, workspace, call };
}

describe("a login", () => {
  it("is stored sealed, with a key that only its owner can read", async () => {
    const { server, workspace, call } = await loggedIn();
    await call();
    const { mode } = statSync(join(config, "tulipgraph", "key"));
    expect(mode & 0o777).toBe(0o600);
    const { home } = workspace;
    await workspace.close();
    for (const name of readdirSync(home).filter((each) => each.includes(".db"))) {
      const kept = readFileSync(join(home, name), "latin1");
      for (const token of server.given) expect(kept).not.toContain(token);
    }
  });

  it("is refreshed when its token has expired", async () => {
    const { server, call, workspace } = await loggedIn();
    server.expire();
    expect(await call()).toMatchObject({ status: "done" });
    expect(server.grants.at(-1)).toBe("refresh_token");
    await workspace.close();
  });

  it("that can no longer be refreshed is asked for again, and nothing else happens", async () => {
    const { server, call } = await loggedIn();
    server.expire();
    server.forget();
    const outcome = await call();
    expect(outcome).toMatchObject({
      status: "error",
      error: expect.stringContaining("tulipgraph tools login weather"),
    });
    for (const token of server.given) expect(outcome.error).not.toContain(token);
  });

  it("is not sent to another server with the same name", async () => {
    const { workspace } = await loggedIn();
    const other = await weatherServer();
    const settings = { url: other.url, headers: {} };
    await importServer({ workspace, name: "weather", settings });
    expect(other.asked.map(({ authorization }) => authorization).filter(Boolean)).toEqual([]);
  });
});

/** A page that knows where a login returns to, but not its secret state. */
const forged = (address: URL) => {
  const back = new URL(address.searchParams.get("redirect_uri") ?? "");
  back.search = "?code=stolen&state=guessed";
  void fetch(back);
};

describe("no login", () => {
  it("accepts the answer to another one", async () => {
    const { url } = await oauthServer();
    const source = { name: "weather", settings: { url, headers: {} } };
    await expect(login({ source, show: forged })).rejects.toThrow(/another login/);
  });

  it("waits for ever, or is made where none is required or for a program", async () => {
    const { url } = await oauthServer();
    const source = { name: "weather", settings: { url, headers: {} } };
    await expect(login({ source, show() {}, loginMs: 50 })).rejects.toThrow(/in time/);
    const open = await weatherServer();
    const show = vi.fn<() => void>();
    const done = await login({
      source: { name: "open", settings: { url: open.url, headers: {} } },
      show,
    });
    expect(done).toBeUndefined();
    expect(show).not.toHaveBeenCalled();
    const program = { name: "p", settings: { ...fixture("liar.mjs", "honest") } };
    await expect(login({ source: program, show })).rejects.toThrow(/takes no login/);
  });
});
