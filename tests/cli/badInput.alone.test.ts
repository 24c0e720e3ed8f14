import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { type AddressInfo, type Socket, createServer } from "node:net";
import { join } from "node:path";
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  inject,
  it,
  onTestFinished,
  vi,
} from "vitest";
import { closeWorkspaces } from "../../home/workspace.js";
import { startChatEndpoint } from "../fakes/chatEndpoint.js";
import { hasPostgres } from "../fakes/homes.js";
import { hurry } from "../fakes/hurriedTime.js";
import { importTestLibrary } from "../fakes/testLibrary.js";
import { LIBRARY_OPTIONS, errorLine, run, temporaryFolder } from "./support.js";

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);
afterEach(() => vi.unstubAllEnvs());

const REQUEST = "Double the number 21";

async function solve(...options: string[]) {
  return await run("solve", REQUEST, ...LIBRARY_OPTIONS, ...options);
}

describe("an unknown name is reported with the nearest known one", () => {
  it.each<[string, string[], RegExp]>([
    ["graph", ["--graph", "cot_tulp"], /unknown graph "cot_tulp"; did you mean "cot_tulip"\?/],
    [
      "library",
      ["--library", "tset"],
      /unknown library "tset"; did you mean "test"\?.*; looked in \/.+/,
    ],
    ["provider", ["--model", "opnai:gpt"], /unknown model provider "opnai"; did you mean "openai"/],
    [
      "embeddings",
      ["--set", "embeddings=lokal:x"],
      /unknown embeddings provider "lokal"; .*"local"/,
    ],
    ["offline model", ["--model", "offline:plannr"], /unknown offline model "plannr"; .*"planner"/],
    ["setting", ["--set", "topk=3"], /unknown setting "topk"; did you mean "topK"\?/],
    ["option", ["--grahp", "base"], /unknown option '--grahp' \(Did you mean --graph\?\)/],
  ])("%s", async (_what, options, pattern) => {
    expect(errorLine(await solve(...options))).toMatch(pattern);
  });

  it.each<[string, string[], RegExp]>([
    ["command", ["tolls"], /unknown command "tolls"; did you mean "tools"\?/],
    [
      "subcommand",
      ["tools", "lst"],
      /unknown command 'lst' \(Did you mean list\?\); available: list, search/,
    ],
    ["graph to draw", ["graphs", "bas"], /unknown graph "bas"; did you mean "base"\?/],
    [
      "tool",
      ["tools", "list", "gret", ...LIBRARY_OPTIONS.slice(0, 2)],
      /unknown tool in library test "gret"; did you mean "greet"\?/,
    ],
    [
      "tool to remove",
      ["tools", "remove", "gret", ...LIBRARY_OPTIONS.slice(0, 2)],
      /"gret"; did you mean "greet"\?/,
    ],
    ["thread to resume", ["resume", "none"], /unknown thread "none"; none are available/],
    ["thread to show", ["threads", "none"], /unknown thread "none"/],
  ])("%s", async (_what, argv, pattern) => {
    expect(errorLine(await run(...argv))).toMatch(pattern);
  });
});

describe("an invalid option is named", () => {
  it.each<[string[], RegExp]>([
    [["--model", "gpt-4.1"], /model "gpt-4.1": is not "provider:name"/],
    [["--set", "topK=0"], /topK: 0 is not above 0$/],
    [["--set", "topK=many"], /topK: "many" is not a number$/],
    [["--set", "topK=2.5"], /topK: 2.5 is not a whole number$/],
    [["--set", "threshold=9"], /threshold: 9 is more than 4$/],
    [
      ["--set", "approval=plann"],
      /approval: "plann" is none of none, declared, writes, plan; did you mean "plan"\?$/,
    ],
    [["--set"], /option '--set <setting=value>' argument missing/],
    [["--set", "topK"], /argument 'topK' is invalid. Write it as setting=value/],
    [["--thread", " "], /--thread: is empty/],
    [["--thread", "x".repeat(201)], /--thread: is too long/],
    [
      ["--set", "flowRules=none.json"],
      /flowRules: none\.json cannot be read: the file does not exist/,
    ],
  ])("%j", async (options, pattern) => {
    expect(errorLine(await solve(...options))).toMatch(pattern);
  });

  it.each<[string[], RegExp]>([
    [["solve"], /'request'; usage: tulipgraph solve \[options\] <request\.\.\.>/],
    [["solve", "  "], /request: is empty/],
    [[""], /request: is empty/],
    [["tools", "search", " "], /phrase: is empty/],
    [["tools", "search", "x", "-k", "0"], /--top-k <n>' argument '0' is invalid/],
    [["threads", "--library", "test"], /--library: tulipgraph threads uses no library/],
    [["keys", "list", "--library", "test"], /--library: tulipgraph keys list uses no library/],
    [["tools", "remove"], /neither ids nor --file nor --source is given/],
    [["tools", "remove", "x", "--file", "y.ts"], /both ids and --file are given/],
    [["graphs", "base", "more"], /too many .*; usage: tulipgraph graphs \[options\] \[graph\]/],
    [["plans", "show"], /unknown command 'show'; available: save$/],
  ])("%j", async (argv, pattern) => {
    expect(errorLine(await run(...argv))).toMatch(pattern);
  });
});

describe("a model that cannot be asked", () => {
  it("for lack of a key is reported before anything is done", async () => {
    vi.stubEnv("OPENAI_API_KEY", "");
    vi.stubEnv("OPENAI_BASE_URL", "");
    const printed = await solve("--model", "openai:gpt-4.1-mini");
    expect(errorLine(printed)).toMatch(
      /model openai:gpt-4.1-mini: no API key is set\. .*OPENAI_API_KEY/,
    );
    expect((await run("threads")).stdout).not.toContain(REQUEST);
  });

  it("because its key is refused is reported without the key, even with --debug", async () => {
    const key = "sk-very-secret-0123456789";
    const endpoint = await startChatEndpoint(() => ({
      status: 400,
      body: { error: { message: `Something is wrong with ${key}.` } },
    }));
    vi.stubEnv("OPENAI_API_KEY", key);
    vi.stubEnv("OPENAI_BASE_URL", endpoint.url);
    const short = await solve("--model", "openai:gpt-4.1-mini", "--json");
    const long = await solve("--model", "openai:gpt-4.1-mini", "--json", "--debug");
    await endpoint.close();
    expect(short.stderr).toMatch(/^error: .*Something is wrong with <OPENAI_API_KEY>.*\n$/);
    expect(short.stdout).not.toContain("secret");
    expect(long.stderr).toContain("<OPENAI_API_KEY>");
    expect(long.stderr).not.toContain("secret");
  });
});

describe("with --json", () => {
  it.each<[string[], string, RegExp]>([
    [["solve", "Double 21", "--graph", "cot_tulp"], "UNKNOWN_NAME", /unknown graph "cot_tulp"/],
    [["solve", "Double 21", "--set", "topK=0"], "INVALID_SETTING", /topK: 0 is not above 0/],
    [["solv"], "UNKNOWN_NAME", /did you mean "solve"/],
    [["tools", "list", "--limmit", "3"], "USAGE", /^unknown option '--limmit'/],
  ])("the error of %j is one object on stdout, too", async (argv, code, message) => {
    const printed = await run(...argv, "--json");
    const { error } = JSON.parse(printed.stdout) as { error: object };
    expect(error).toEqual({ code, message: expect.stringMatching(message) });
    expect(printed.stderr).toMatch(/^error: .*\n$/);
    expect(printed.code).toBe(2);
  });
});

describe("a database that is no Postgres", () => {
  it.each(["tools list", "keys list", "threads"])("is refused at once by %s", async (command) => {
    vi.stubEnv("TULIPGRAPH_DATABASE_URL", "mysql://ada:horse@db.example/tulip");
    const line = errorLine(await run(...command.split(" ")));
    expect(line).toContain(
      "TULIPGRAPH_DATABASE_URL: mysql://db.example/tulip is not the address of a Postgres database",
    );
    expect(line).not.toContain("horse");
  });
});

describe("a Postgres that cannot be used is reported within a few seconds", () => {
  it("if nothing listens there", async () => {
    expect(await lineAt("localhost:1/tulip")).toMatch(
      /cannot be reached \(connect ECONNREFUSED .*\)\. Check its address, and that Postgres is running/,
    );
  });

  it("if nothing answers there", async () => {
    hurry([5_000, 5_000], 20);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await lineAt(await listening(() => undefined))).toContain("(no answer within 5 s)");
  });

  it("if the password is wrong", async () => {
    const said = 'SFATAL\0C28P01\0Mpassword authentication failed for user "ada"\0\0';
    const length = Buffer.alloc(4);
    length.writeInt32BE(said.length + length.length);
    const refusal = Buffer.concat([Buffer.from("E"), length, Buffer.from(said)]);
    const place = await listening((socket) => socket.once("data", () => socket.end(refusal)));
    expect(await lineAt(place)).toMatch(
      /refuses the login \(password .* "ada"\)\. Check the user and the password.* PGPASSWORD$/,
    );
  });

  it.runIf(hasPostgres).each(["tools list", "keys list", "threads", "solve Hello"])(
    "if the database does not exist: %s",
    async (command) => {
      const { username, host } = new URL(inject("postgres"));
      const line = await lineAt(`${username}@${host}/nowhere`, command);
      expect(line).toMatch(/cannot be opened \(database "nowhere" does not exist\)\. Create it/);
    },
  );
});

/** What a command says of an address, within a few seconds, and without the password. */
async function lineAt(place: string, command = "tools list"): Promise<string> {
  const login = place.includes("@") ? "" : "ada:horse@";
  vi.stubEnv("TULIPGRAPH_DATABASE_URL", `postgres://${login}${place}`);
  const since = performance.now();
  const line = errorLine(await run(...command.split(" ")));
  expect(performance.now() - since).toBeLessThan(8_000);
  expect(line).not.toContain("horse");
  return line;
}

/** The address of a database at a socket that answers like this. */
async function listening(answer: (socket: Socket) => void): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}/tulip`;
}

describe("a folder for the data that cannot be used", () => {
  it.runIf(existsSync("/proc/self"))(
    "because nothing can be made there is reported at once, as is one for results",
    async () => {
      vi.stubEnv("TULIPGRAPH_HOME", "/proc/nowhere");
      const list = errorLine(await run("tools", "list"));
      expect(list).toMatch(/^error: \/proc\/nowhere\/libraries.db: cannot be opened \(ENOENT/);
      vi.stubEnv("TULIPGRAPH_HOME", temporaryFolder());
      const out = ["--limit", "1", "--out", "/proc/nowhere/results"];
      const evaluated = errorLine(await run("eval", "run", "--benchmark", "math", ...out));
      expect(evaluated).toMatch(/\/proc\/nowhere\/results\/experiment\.json: cannot be written/);
    },
  );

  it("because a file is in its place is reported with the file's name", async () => {
    const home = join(temporaryFolder(), "home");
    writeFileSync(home, "");
    vi.stubEnv("TULIPGRAPH_HOME", home);
    expect(errorLine(await run("tools", "list"))).toMatch(/home\/libraries\.db: cannot be opened/);
  });

  it.each([
    ["libraries.db", ["tools", "list"]],
    ["runs.db", ["solve", "What is 2 + 3?", "--model", "offline:planner"]],
    ["checkpoints.db", ["threads"]],
  ])("because %s is not a database is reported with the file's name", async (file, argv) => {
    const home = temporaryFolder();
    writeFileSync(
      join(home, file),
      "this is not a database, and it is long enough to be read as one".repeat(20),
    );
    vi.stubEnv("TULIPGRAPH_HOME", home);
    const printed = await run(...argv);
    expect(errorLine(printed)).toMatch(new RegExp(`${file}: is damaged \\(.*not a database`));
  });
});
