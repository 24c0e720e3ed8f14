import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { closeWorkspaces } from "../../../home/workspace.js";
import { knowingApi, knowingMcp } from "../../fakes/knowingServers.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import { errorLine, run, runJson, temporaryFolder } from "../support.js";

const PEOPLE = new Map([
  ["lister-key", "lister"],
  ["own-secret-1", "me"],
]);

beforeEach(() => {
  const folder = temporaryFolder();
  vi.stubEnv("TULIPGRAPH_HOME", join(folder, "home"));
  vi.stubEnv("XDG_CONFIG_HOME", join(folder, "config"));
  vi.stubEnv("OFFICE_KEY", "lister-key");
});
afterEach(() => vi.restoreAllMocks());
afterAll(closeWorkspaces);

/** Gives these lines on the standard input, to whoever reads it first. */
function typing(text: string, { isTTY = false } = {}) {
  const stdin = Object.assign(Readable.from([text]), { isTTY }) as unknown as typeof process.stdin;
  vi.spyOn(process, "stdin", "get").mockReturnValue(stdin);
}

async function importOffice() {
  const { url } = await knowingMcp(PEOPLE);
  const header = "Authorization: Bearer $OFFICE_KEY";
  const words = ["tools", "import", "mcp", "office", "--url", url, "--header", header];
  return await run(...words, "--credentials", "caller", "--trust-hints");
}

it("in a terminal, whoever uses the machine connects, and whoami says so", async () => {
  expect(await importOffice()).toMatchObject({ code: 0 });
  const call = ["tools", "call", "office.who", "--library", "office"];
  const refused = await run(...call);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toMatch(
    /wants credentials of your own: OFFICE_KEY.*tulipgraph tools login office/,
  );
  const wanted = { source: "office", state: "not connected", way: "key", fields: ["OFFICE_KEY"] };
  expect((await runJson("whoami")).json).toMatchObject([wanted]);

  typing("own-secret-1\n");
  const connected = await run("tools", "login", "office");
  expect(connected).toMatchObject({ code: 0, stdout: "office: connected\n" });
  expect(connected.stderr).not.toContain("own-secret-1");
  expect(await run(...call)).toMatchObject({ code: 0, stdout: "me\n" });
  expect((await run("whoami", "--library", "office")).stdout).toMatch(/office +connected +since/);
});

/** The words of a request that a model answers with one call. */
function asking(): string[] {
  const { spec } = scriptedModel(({ messages }) => {
    const isDone = messages.some(({ type }) => type === "tool");
    return isDone ? { stop: "It is me." } : { calls: [{ id: "c", name: "who", args: {} }] };
  });
  const of = ["--library", "office", "--model", spec, "--set", "threshold=4"];
  return ["solve", "Who am I?", "--graph", "minimal_tulip", "--thread", "t", ...of];
}

it("solve asks whoever sits at a terminal, and goes on at once", async () => {
  await importOffice();
  typing("own-secret-1\n", { isTTY: true });
  const printed = await run(...asking());
  expect(printed).toMatchObject({ code: 0, stdout: expect.stringContaining("It is me.") });
  expect(printed.stderr).toContain("OFFICE_KEY of office: ");
  expect(printed.stdout + printed.stderr).not.toContain("own-secret-1");
});

it("a run that needs a connection waits, and goes on when it is made", async () => {
  await importOffice();
  const printed = await run(...asking());
  expect(printed.code).toBe(3);
  expect(printed.stdout).toContain("To connect: tulipgraph tools login office");
  expect(errorLine(await run("resume", "t", "--answer", '{"OFFICE_KEY":"x"}'))).toMatch(
    /a credential is not given as an answer.*tools login office/,
  );
  typing("own-secret-1\n");
  await run("tools", "login", "office");
  const { code, json } = await runJson("resume", "t", "--approve");
  expect({ code, json }).toMatchObject({ code: 0, json: { calls: [{ result: "me" }] } });
});

it("an API takes the caller's own credentials or token, if the import says so clearly", async () => {
  const file = join(temporaryFolder(), "shop.json");
  const { document } = await knowingApi(new Map([["own-secret-1", "me"]]));
  writeFileSync(file, JSON.stringify(document));
  const imported = ["tools", "import", "openapi", file, "shop", "--auth", "key=$SHOP_KEY"];
  const unclear = [["caller", "x"], ["everybody"], ["passthrough"], ["passthrough", "id", "shop"]];
  for (const words of unclear)
    expect(errorLine(await run(...imported, "--credentials", ...words))).toMatch(
      /--credentials.*is none of shared, caller, passthrough/,
    );
  const without = ["tools", "import", "openapi", file, "shop", "--credentials", "caller"];
  expect(errorLine(await run(...without))).toMatch(/nothing says what each owner has to give/);
  expect((await run(...imported, "--credentials", "caller")).code).toBe(0);
  typing("own-secret-1\n");
  await run("tools", "login", "shop");
  const { stdout } = await run("tools", "call", "shop.customer", "--library", "shop");
  expect(JSON.parse(stdout)).toEqual({ customer: "me" });
});

it("users forget shows what there is of somebody, and deletes it only when told to", async () => {
  const shown = await run("users", "forget", "key:ada");
  expect(shown).toMatchObject({ code: 3, stderr: "to delete it, add --yes\n" });
  expect(shown.stdout).toMatch(/^key:ada: 0 connections, 0 keys, 0 threads/);
  expect(await run("users", "forget", "key:ada", "--yes")).toMatchObject({ code: 0 });
  expect(errorLine(await run("users", "forget", "ada"))).toMatch(/key:NAME or jwt:ISSUER:NAME/);
});
