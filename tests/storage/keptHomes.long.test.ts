import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { openExperience } from "../../memory/openExperience.js";
import { startServer } from "../../server/serve.js";
import { openDatabase } from "../../storage/sqlite/sqlite.js";
import { linesOf, run, runJson } from "../cli/support.js";
import { startChatEndpoint } from "../fakes/chatEndpoint.js";
import { hasPostgres } from "../fakes/homes.js";
import { type KeptHome, RELEASES, keptHome } from "../fakes/keptHomes.js";
import { SOURCES } from "../fixtures/homes/dump.js";
import { answerOf, REQUESTS } from "../fixtures/homes/requests.js";

afterAll(() => rmSync(SOURCES, { recursive: true, force: true }));

/** A kept home, and the command line of today on it. */
async function open(release: string, kind: "sqlite" | "postgres") {
  const kept = await keptHome(release, kind);
  const model = await startChatEndpoint(({ body }) => ({ content: answerOf(body) }));
  onTestFinished(() => model.close());
  const { home, url = "" } = kept.place;
  for (const [name, value] of Object.entries({
    TULIPGRAPH_HOME: home,
    TULIPGRAPH_DATABASE_URL: url,
    TULIPGRAPH_EMBEDDINGS: "local:sentence-encoder",
    KEPT_DESK: kept.desk,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: "of nobody",
  }))
    vi.stubEnv(name, value);
  return { ...kept, closed: () => linesOf(join(kept.desk, "closed.txt")) };
}

const use = async (...argv: string[]) => (await runJson(...argv)).json;

const solve = (request: string) =>
  use("solve", request, "--library", "desk", "--model", "openai:double");

const resultOf = async (library: string, tool: string, args: object) => {
  const called = await use(
    "tools",
    "call",
    tool,
    JSON.stringify(args),
    "--library",
    library,
    "--yes",
  );
  return (called as { result: unknown }).result;
};

const CASES = RELEASES.flatMap((release) =>
  (["sqlite", "postgres"] as const)
    .filter((kind) => kind === "sqlite" || hasPostgres)
    .map((kind) => ({ release, kind })),
);

describe.each(CASES)("a home of the release $release in $kind", ({ release, kind }) => {
  it("goes on with the plan that was interrupted, takes an answer, and solves more", async () => {
    const { closed } = await open(release, kind);
    const resumed = await use("resume", "killed");
    expect(resumed).toMatchObject({ status: "solved", answer: "Tidied after issue 42." });
    expect(closed()).toEqual(["42"]);
    // The first release did not keep what a question showed, so it is asked once more.
    const first = await approve();
    const last = first.status === "waiting" ? await approve() : first;
    expect(last).toMatchObject({ status: "solved" });
    expect(await solve(REQUESTS.later.request)).toMatchObject({ status: "solved" });
    // With the plan that was saved.
    expect(await solve(REQUESTS.planned.request)).toMatchObject({ status: "solved" });
    expect(closed()).toEqual(["42", "7", "20", "30"]);
  });

  it("has its libraries, its experience, its demonstrations and its threads", async () => {
    const { place } = await open(release, kind);
    const tools = (await use("tools", "list", "--library", "desk")) as { id: string }[];
    expect(tools.map(({ id }) => id).toSorted()).toEqual([
      "close_issue",
      "close_it",
      "read_issue",
      "square_root",
    ]);
    expect(await resultOf("desk", "square_root", { x: 81 })).toBe(9);
    const note = await use("tools", "list", "notes.find_note", "--library", "notes");
    expect(note).toMatchObject({ flow: ["private"] });
    expect(await resultOf("notes", "notes.find_note", { word: "tea" })).toBe("The note about tea");
    const experience = openExperience(place);
    onTestFinished(() => experience.close());
    const calls = [];
    for await (const { query, tool, args, result, helpful, judgedBy } of experience.pastCalls())
      calls.push([query, tool, args, result, helpful, judgedBy]);
    expect(calls).toEqual([
      [REQUESTS.done.request, "close_issue", { id: 1 }, "issue 1 is closed", true, "rule"],
      ["Close the oldest issue", "close_issue", { id: 3 }, "issue 3 is closed", true, "given"],
      ["Close the oldest issue", "read_issue", { id: 3 }, "issue 3", false, "given"],
    ]);
    const shown = { tool: "read_issue", args: { id: 2 } };
    expect(await experience.demonstrations.list()).toMatchObject([
      { library: "desk", task: "Read the second issue", answer: "issue 2", calls: [shown] },
    ]);
    const threads = (await use("threads")) as { id: string }[];
    const of = (name: "done" | "waiting" | "killed") => threads.find(({ id }) => id === name);
    expect(of("done")).toMatchObject({ request: REQUESTS.done.request, status: "solved" });
    expect(of("waiting")).toMatchObject({ request: REQUESTS.waiting.request, status: "waiting" });
    expect(of("killed")).toMatchObject({ request: REQUESTS.killed.request });
    expect((await run("threads", "done")).stdout).toContain("issue 1 is closed");
  });

  it("serves the owners of its keys what is theirs, and takes their answers", async () => {
    const { closed, ...kept } = await open(release, kind);
    const ask = await serve(kept);
    const threads = (await ask("ada", "/threads/search", {})) as Thread[];
    expect(threads.map(({ status }) => status).toSorted()).toEqual(["idle", "interrupted"]);
    expect(await ask("bob", "/threads/search", {})).toEqual([]);
    const waiting = threads.find(({ status }) => status === "interrupted");
    const command = { resume: { decisions: [{ type: "approve" }] } };
    const path = `/threads/${waiting?.thread_id}/runs/wait`;
    const context = { library: "ada.desk", model: "openai:double", approval: "writes" };
    const reply = { assistant_id: "tulip", command, context };
    // The first release did not keep what a question showed, so it is asked once more.
    const first = await ask("ada", path, reply);
    const last = isAsking(first) ? await ask("ada", path, reply) : first;
    expect(last).toMatchObject({ status: "solved" });
    expect(closed()).toEqual(["17"]);
  });
});

async function approve(): Promise<{ status: string }> {
  return (await use("resume", "waiting", "--approve")) as { status: string };
}

function isAsking(result: unknown): boolean {
  return typeof result === "object" && result !== null && "__interrupt__" in result;
}

interface Thread {
  thread_id: string;
  status: string;
}

/** A server of today on a kept home. */
async function serve({ place, keys }: KeptHome) {
  const settings = { host: "127.0.0.1", port: 0, concurrency: 4, leaseSeconds: 30 };
  const { url, close } = await startServer({ place, ...settings });
  onTestFinished(close);
  return async (who: keyof typeof keys, path: string, body: object): Promise<unknown> => {
    const headers = { "x-api-key": keys[who], "content-type": "application/json" };
    const sent = { method: "POST", headers, body: JSON.stringify(body) };
    return await (await fetch(url + path, sent)).json();
  };
}

it("a home that the release of 2026-11-26 took from the one before and locked opens again", async () => {
  const { place, closed } = await open("cb734fd", "sqlite");
  // What that release did to the file: its fourth step alone, whose first three had become others.
  const database = openDatabase({ file: join(place.home, "runs.db") });
  database.exec("ALTER TABLE calls ADD COLUMN task text");
  database.pragma("user_version = 4");
  database.close();
  const memory = openDatabase({ file: join(place.home, "memory.db") });
  for (const sum of ["total_ms", "total_result_tokens", "total_cost"])
    memory.exec(`ALTER TABLE tools DROP COLUMN ${sum}`);
  memory.pragma("user_version = 3");
  memory.close();
  expect(await use("resume", "killed")).toMatchObject({ status: "solved" });
  expect(await use("memory", "list", "--library", "desk")).toMatchObject([{ usages: 3 }]);
  expect(closed()).toEqual(["42"]);
});

it("each file of a home that is brought up to date is kept as it was", async () => {
  const { place } = await open("cb734fd", "sqlite");
  await serve({ place, desk: "", keys: { ada: "", bob: "" } });
  await use("threads");
  await solve(REQUESTS.later.request);
  const copies = readdirSync(place.home).filter((name) => name.includes(".before-"));
  expect(copies.toSorted()).toEqual([
    "checkpoints.db.before-1",
    "libraries.db.before-10",
    "memory.db.before-2",
    "runs.db.before-3",
    "server.db.before-1",
  ]);
});
