import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startServer } from "../../server/serve.js";
import { openExperience } from "../../memory/openExperience.js";
import { linesOf, startChild } from "../cli/support.js";
import { startChatEndpoint } from "../fakes/chatEndpoint.js";
import { hasPostgres } from "../fakes/homes.js";
import { type KeptHome, RELEASES, keptHome } from "../fakes/keptHomes.js";
import { answerOf, REQUESTS } from "../fixtures/homes/requests.js";

/** A kept home, and the command line of today on it. */
async function open(release: string, kind: "sqlite" | "postgres") {
  const kept = await keptHome(release, kind);
  const model = await startChatEndpoint(({ body }) => ({ content: answerOf(body) }));
  onTestFinished(() => model.close());
  const { home, url } = kept.place;
  const env = {
    TULIPGRAPH_HOME: home,
    TULIPGRAPH_EMBEDDINGS: "local:sentence-encoder",
    KEPT_DESK: kept.desk,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: "of nobody",
    ...(url === undefined ? {} : { TULIPGRAPH_DATABASE_URL: url }),
  };
  const use = async (...argv: string[]) => {
    const { code, stdout, stderr } = await startChild({ argv: [...argv, "--json"], env }).ended;
    if (stdout === "") throw new Error(`${argv.join(" ")} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as never;
  };
  const solve = (request: string) =>
    use("solve", request, "--library", "desk", "--model", "openai:double");
  return { kept, env, use, solve, closed: () => linesOf(join(kept.desk, "closed.txt")) };
}

const KINDS = ["sqlite", "postgres"] as const;

describe.each(RELEASES)("a home of the release %s", (release) => {
  describe.each(KINDS)("in %s", (kind) => {
    const test = it.skipIf(kind === "postgres" && !hasPostgres);
    const opened = () => open(release, kind);

    test("goes on with the plan that was interrupted, and makes no call of it again", async () => {
      const { use, closed } = await opened();
      const run = await use("resume", "killed");
      expect(run).toMatchObject({ status: "solved", answer: "Tidied after issue 42." });
      expect(closed()).toEqual(["42"]);
    });

    test("takes the answer to an approval that waits", async () => {
      const { use, closed } = await opened();
      expect(await use("resume", "waiting", "--approve")).toMatchObject({ status: "solved" });
      expect(closed()).toEqual(["7"]);
    });

    test("solves a new request, also with the plan that was saved", async () => {
      const { solve, closed } = await opened();
      expect(await solve(REQUESTS.later.request)).toMatchObject({ status: "solved" });
      expect(await solve(REQUESTS.planned.request)).toMatchObject({ status: "solved" });
      expect(closed()).toEqual(["20", "30"]);
    });

    test("has its libraries with a tool that was made, labels and an MCP server", async () => {
      const { use } = await opened();
      const ids = (tools: { id: string }[]) => tools.map(({ id }) => id).toSorted();
      expect(ids(await use("tools", "list", "--library", "desk"))).toEqual([
        "close_issue",
        "close_it",
        "read_issue",
        "square_root",
      ]);
      const { source } = (await use("tools", "list", "square_root", "--library", "desk")) as {
        source: object;
      };
      expect(source).toMatchObject({ kind: "generated" });
      expect(
        await use("tools", "call", "square_root", '{"x":81}', "--library", "desk", "--yes"),
      ).toMatchObject({ result: 9 });
      expect(await use("tools", "list", "notes.find_note", "--library", "notes")).toMatchObject({
        flow: ["private"],
      });
      expect(
        await use(
          "tools",
          "call",
          "notes.find_note",
          '{"word":"tea"}',
          "--library",
          "notes",
          "--yes",
        ),
      ).toMatchObject({ result: "The note about tea" });
    });

    test("has its experience and demonstrations", async () => {
      const { kept } = await opened();
      const experience = openExperience(kept.place);
      onTestFinished(() => experience.close());
      const calls = [];
      for await (const { query, tool, args, result, helpful, judgedBy } of experience.pastCalls())
        calls.push({ query, tool, args, result, helpful, judgedBy });
      const oldest = "Close the oldest issue";
      expect(calls).toEqual([
        {
          query: REQUESTS.done.request,
          tool: "close_issue",
          args: { id: 1 },
          result: "issue 1 is closed",
          helpful: true,
          judgedBy: "rule",
        },
        {
          query: oldest,
          tool: "close_issue",
          args: { id: 3 },
          result: "issue 3 is closed",
          helpful: true,
          judgedBy: "given",
        },
        {
          query: oldest,
          tool: "read_issue",
          args: { id: 3 },
          result: "issue 3",
          helpful: false,
          judgedBy: "given",
        },
      ]);
      expect(await experience.demonstrations.list()).toMatchObject([
        {
          library: "desk",
          task: "Read the second issue",
          answer: "issue 2",
          calls: [{ tool: "read_issue", args: { id: 2 } }],
        },
      ]);
    });

    test("has its threads as they were", async () => {
      const { use } = await opened();
      const threads = (await use("threads")) as { id: string; request: string; status: string }[];
      const known = Object.fromEntries(
        threads.map(({ id, request, status }) => [id, { request, status }]),
      );
      expect(known).toMatchObject({
        done: { request: REQUESTS.done.request, status: "solved" },
        waiting: { request: REQUESTS.waiting.request, status: "waiting" },
        killed: { request: REQUESTS.killed.request },
      });
      expect(await use("threads", "done")).toMatchObject({ answer: "issue 1 is closed" });
    });

    test("serves the owners of its keys what is theirs, and takes their answers", async () => {
      const { kept, env, closed } = await opened();
      for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
      const { server, ask } = await serve(kept);
      onTestFinished(() => server.close());
      const threads = await ask("ada", "/threads/search", {});
      const statuses = threads.map((thread: { status: string }) => thread.status).toSorted();
      expect(statuses).toEqual(["idle", "interrupted"]);
      expect(await ask("bob", "/threads/search", {})).toEqual([]);
      const [waiting] = threads.filter(
        (thread: { status: string }) => thread.status === "interrupted",
      );
      await ask("ada", `/threads/${waiting.thread_id}/runs/wait`, {
        assistant_id: "tulip",
        command: { resume: { decisions: [{ type: "approve" }] } },
      });
      expect(closed()).toEqual(["17"]);
    });
  });
});

async function serve({ place, keys }: KeptHome) {
  const server = await startServer({
    place,
    host: "127.0.0.1",
    port: 0,
    concurrency: 4,
    leaseSeconds: 30,
  } as never);
  const ask = async (who: keyof typeof keys, path: string, body: object) => {
    const headers = { "x-api-key": keys[who], "content-type": "application/json" };
    const answer = await fetch(server.url + path, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return await answer.json();
  };
  return { server, ask };
}

it("keeps a copy of each file of a home that it brings up to date", async () => {
  const [release = ""] = RELEASES;
  const { kept, use } = await open(release, "sqlite");
  await use("threads");
  expect(existsSync(kept.place.home)).toBe(true);
  expect(readdirSync(kept.place.home).filter((name) => name.includes(".before-"))).not.toEqual([]);
  void readFileSync;
});
