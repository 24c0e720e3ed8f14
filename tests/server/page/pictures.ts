// `npx tsx tests/server/page/pictures.ts`: takes the pictures of the page for docs/console.md.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { importTools } from "../../../nodes/workspace/libraries.js";
import { closeWorkspaces, openWorkspace } from "../../../nodes/workspace/workspace.js";
import { TEST_LIBRARY } from "../../fakes/testLibrary.js";
import { program } from "../../graphs/tulipRuns.js";
import { DESKTOP, PHONE, executablePath, openPage, startBrowser } from "./browserPage.js";
import { type ServedPage, servePage } from "./servedPage.js";

const FOLDER = join(import.meta.dirname, "../../..", "docs", "images");

const TODOS = resolve("examples/todos.ts");

const REQUEST =
  "Move every open todo that was due before 22 November 2026 to 27 November 2026, and say how many those are.";

/** What a small model has written for this request. */
const MOVING = program(
  "const todos = await list_todos();",
  'const late = todos.filter((todo) => todo.due < "2026-11-22" && !todo.done);',
  "for (const todo of late) {",
  '  await move_todo({ id: todo.id, due: "2026-11-27" });',
  "}",
  "return `Moved ${late.length} open todos due before 22 November 2026 to 27 November 2026.`;",
);

interface Shot {
  name: string;
  view: string;
  scheme?: "dark";
  viewport?: { width: number; height: number };
  /** Brings the subject of the picture into view. */
  prepare: (page: Page) => Promise<unknown>;
}

async function waits(page: Page): Promise<void> {
  await page.getByText("2 writes wait for you").waitFor();
}

async function answered(page: Page): Promise<void> {
  await page.getByText("Ask differently").waitFor();
}

/** The pictures, given a run that is done and one that waits. */
function shotsOf(done: { threadId: string; runId: string }, held: { threadId: string }): Shot[] {
  const change = async (page: Page) => {
    await waits(page);
    await page.locator(".action").first().getByLabel("due").fill("2026-11-30");
    await page.locator(".action").nth(1).getByLabel("Reject").check();
    await page.getByLabel(/^Why/).fill("It is renewed by itself");
  };
  return [
    {
      name: "page-welcome",
      view: "",
      prepare: (page) =>
        page.getByText("before a plan").or(page.getByLabel("Library")).first().waitFor(),
    },
    { name: "page-answer", view: `#ask/${done.threadId}`, prepare: answered },
    {
      name: "page-answer-phone",
      view: `#ask/${done.threadId}`,
      viewport: PHONE,
      scheme: "dark",
      prepare: answered,
    },
    { name: "page-approval", view: `#ask/${held.threadId}`, prepare: change },
    { name: "page-approvals-phone", view: "#approvals", viewport: PHONE, prepare: waits },
    {
      name: "page-run",
      view: `#runs/${done.runId}`,
      scheme: "dark",
      prepare: async (page) => {
        await page.locator(".stage-box.visited").first().waitFor();
        await page.locator(".graph").scrollIntoViewIfNeeded();
      },
    },
    {
      name: "page-runs",
      view: "#runs",
      prepare: (page) => page.getByText("Solved").first().waitFor(),
    },
    {
      name: "page-library",
      view: "#library/math",
      prepare: async (page) => {
        await page.getByLabel("What is to be done").fill("area of a circle");
        await page.keyboard.press("Enter");
        await page.locator(".hits li").first().waitFor();
      },
    },
    {
      name: "page-costs",
      view: "#costs",
      scheme: "dark",
      prepare: (page) => page.getByText("A new key").waitFor(),
    },
  ];
}

if (executablePath) await takeAll();
else {
  process.stderr.write("no chromium on PATH; install one or set TULIPGRAPH_CHROMIUM\n");
  process.exitCode = 2;
}

async function takeAll(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "todos-"));
  const home = join(folder, "home");
  const server = await servePage({ home });
  const library = { ...TEST_LIBRARY, library: "todos", threshold: 0 };
  await importTools({
    store: openWorkspace({ home }).store,
    settings: library,
    file: TODOS,
    description: "Todos",
  });
  const browser = await startBrowser();
  try {
    mkdirSync(FOLDER, { recursive: true });
    // The tools keep their list here.
    process.chdir(folder);
    const held = await begin(server, { ...library, approval: "plan" });
    const done = await begin(server, { ...library, approval: "none" });
    await askExample(browser, server.url);
    for (const shot of shotsOf(done, held)) await take({ browser, url: server.url, shot });
  } finally {
    await browser.close();
    await server.close();
    await closeWorkspaces();
    rmSync(folder, { recursive: true });
  }
}

async function begin(server: ServedPage, settings: object) {
  const begun = await server.begin({ script: [MOVING], request: REQUEST, settings });
  await server.settled(begun.threadId);
  return begun;
}

async function askExample(browser: Browser, url: string): Promise<void> {
  const { page } = await openPage({ browser, url });
  await page.getByRole("button", { name: "What is 3 times 4?" }).click();
  await page.getByText("The result is 12.").waitFor();
  await page.close();
}

async function take(options: { browser: Browser; url: string; shot: Shot }): Promise<void> {
  const { browser, url, shot } = options;
  const { name, view, scheme = "light", viewport = DESKTOP, prepare } = shot;
  const { page } = await openPage({ browser, url, view, viewport, colorScheme: scheme });
  await prepare(page);
  // What has just come is drawn.
  await page.waitForTimeout(500);
  const path = join(FOLDER, `${name}.png`);
  await page.screenshot({ path });
  await page.close();
  process.stdout.write(`wrote ${path}\n`);
}
