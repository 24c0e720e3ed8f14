import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
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

async function loggedIn() {
  const server = await oauthServer();
  const settings = { url: server.url, headers: {} };
  await login({ source: { name: "weather", settings }, show: browse });
  const workspace = workspaceOfTest();
  await importServer({ workspace, name: "weather", settings });
  const tools = await toolsOf(workspace, "weather");
  const call = () =>
    callTool({ workspace, tool: tools.get("weather.warmth"), args: { place: "Rome" } });
  return { server, settings, workspace, call };
}

describe("a login", () => {
  it("is stored in a file that only its owner can read, and nowhere else", async () => {
    const { server, workspace, call } = await loggedIn();
    await call();
    const folder = join(config, "tulipgraph", "credentials");
    const [file = "", ...others] = readdirSync(folder);
    expect(others).toEqual([]);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, file), "utf8")).toContain(server.given[0]);
    const { home } = workspace;
    await workspace.close();
    for (const name of readdirSync(home).filter((each) => each.endsWith(".db"))) {
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
    await loggedIn();
    const other = await weatherServer();
    const settings = { url: other.url, headers: {} };
    await importServer({ workspace: workspaceOfTest(), name: "weather", settings });
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
    expect(done.wasWanted).toBe(false);
    expect(show).not.toHaveBeenCalled();
    const program = { name: "p", settings: { ...fixture("liar.mjs", "honest") } };
    await expect(login({ source: program, show })).rejects.toThrow(/takes no login/);
  });
});
