import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChatEndpoint, startChatEndpoint } from "../fakes/chatEndpoint.js";
import { githubDocument } from "../tools/sources/openapi/githubDocument.js";

// The commands of the example's own page, verbatim.

const EXAMPLE = "examples/all-your-tools";

const TITLES = ["The front door squeaks", "Two windows do not close"];

/** Issues as GitHub's document shows one. */
function issuesOf(file: string): object[] {
  const { components } = JSON.parse(readFileSync(file, "utf8")) as {
    components: { examples: Record<string, { value: object[] }> };
  };
  const [issue] = components.examples["issue-items"]?.value ?? [];
  return TITLES.map((title) => ({ ...issue, title }));
}

/** The program that a model writes for the request. */
const PROGRAM = `
const issues = await github.list_for_repo({ owner: "octo", repo: "house", state: "open", all_pages: true });
const list = await bulletList({ lines: issues.map((issue) => issue.title) });
await write_file({ path: "issues.txt", content: list });
await create_entities({ entities: [{ name: "octo/house", entityType: "repository", observations: [issues.length + " open issues"] }] });
const days = await daysBetween({ from: "2026-11-22", to: "2026-12-24" });
return \`There are \${issues.length} open issues, and \${days} days are left.\`;
`;

const document = githubDocument();
const folder = mkdtempSync(join(tmpdir(), "all-your-tools-"));
let model: ChatEndpoint;
let github: RunningServer;

beforeAll(async () => {
  copyFileSync(join(EXAMPLE, "office.ts"), join(folder, "office.ts"));
  model = await startChatEndpoint(() => ({ content: "```ts\n" + PROGRAM + "```" }));
  const issues = document === undefined ? [] : issuesOf(document);
  github = await serveJson((path) => {
    const { pathname, searchParams } = new URL(path, "http://github");
    const page = Number(searchParams.get("page") ?? 1);
    return pathname === "/repos/octo/house/issues" ? issues.slice(page - 1, page) : [];
  });
});
afterAll(async () => {
  await Promise.all([model.close(), github.close()]);
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(document === undefined)(
  "three MCP servers, GitHub's API and your own functions",
  () => {
    const [imports = [], solving = []] = commandsIn(
      readFileSync(join(EXAMPLE, "README.md"), "utf8"),
    );

    it("come into one library by a command each", async () => {
      for (const command of imports) {
        const { code, stderr } = await shell(command);
        expect({ command, code, stderr: code === 0 ? "" : stderr }).toMatchObject({ code: 0 });
      }
      const { stdout } = await shell("npx tulipgraph tools list --library mine --json");
      const tools = JSON.parse(stdout) as { source: { file: string } }[];
      expect(new Set(tools.map(({ source }) => source.file)).size).toBe(5);
    });

    it("answer one request together, and its writes are shown before they are made", async () => {
      const [solve = "", resume = ""] = solving;
      const shown = await shell(`${solve} --model openai:scripted`);
      expect(shown).toMatchObject({ code: 3 });
      expect(existsSync(join(folder, "notes/issues.txt"))).toBe(false);
      const done = await shell(resume);
      expect(done.stdout).toContain("There are 2 open issues, and 32 days are left.");
      expect(done.code).toBe(0);
      const list = readFileSync(join(folder, "notes/issues.txt"), "utf8");
      expect(list).toBe("- The front door squeaks\n- Two windows do not close");
      expect(readFileSync(join(folder, "memory.jsonl"), "utf8")).toContain("2 open issues");
      // A page for each issue, and an empty one.
      expect(github.received.map(({ authorization }) => authorization)).toEqual(
        Array(3).fill("Bearer of-the-test"),
      );
    });
  },
);

/** The commands of each block of a page. */
function commandsIn(page: string): string[][] {
  return [...page.matchAll(/^```sh[^\n]*\n([\s\S]*?)^```/gm)].map(([, block = ""]) =>
    block.trim().split("\n"),
  );
}

/** Runs a command of the page, with local copies of what it would fetch. */
async function shell(command: string) {
  const local = command
    .replace(/npx tulipgraph/, `node ${resolve("bin/tulipgraph.mjs")}`)
    .replace(/npx -y (@modelcontextprotocol\/[\w-]+)/, (_, name: string) =>
      ["node", resolve("node_modules", name, "dist/index.js")].join(" "),
    )
    .replace(/https:\/\/\S+\.json/, document ?? "")
    .replace(/--auth/, `--base ${github.url} --auth`);
  const env = {
    ...process.env,
    TULIPGRAPH_HOME: join(folder, "home"),
    GITHUB_TOKEN: "of-the-test",
    OPENAI_API_KEY: "none",
    OPENAI_BASE_URL: model.url,
  };
  const child = spawn("bash", ["-c", local], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (part: string) => (stdout += part));
  child.stderr.setEncoding("utf8").on("data", (part: string) => (stderr += part));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}

/** A server on loopback, and what it was asked. */
interface RunningServer {
  url: string;
  received: { path: string; authorization?: string }[];
  close: () => Promise<void>;
}

/** Answers every request with JSON. */
async function serveJson(answer: (path: string) => unknown): Promise<RunningServer> {
  const received: RunningServer["received"] = [];
  const server = createServer((request, response) => {
    const { url: path = "", headers } = request;
    received.push({ path, authorization: headers.authorization });
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answer(path)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
