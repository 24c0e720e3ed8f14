// `npx tsx tests/server/page/pictures.ts`: takes the pictures of the page for docs/console.md. With the name of a folder,
// takes every picture there in each width, light and dark, to look at.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import type { Browser, Page } from "playwright-core";
import { registerChatProvider } from "../../../models/providers.js";
import { syncConnected } from "../../../home/connectedSources.js";
import { importTools } from "../../../home/libraries.js";
import { closeWorkspaces, openWorkspace } from "../../../home/workspace.js";
import { TEST_LIBRARY } from "../../fakes/testLibrary.js";
import { DESKTOP, PHONE, TABLET, executablePath, openPage, startBrowser } from "./browserPage.js";
import { type ServedPage, connectedTool, servePage } from "./servedPage.js";

const [lookedAt] = process.argv.slice(2);

const FOLDER = resolve(lookedAt ?? join(import.meta.dirname, "../../..", "docs", "images"));

const TODOS = resolve("examples/todos.ts");

const REQUEST =
  "Move every open todo that was due before 22 November 2026 to 27 November 2026, and say how many those are.";

/** What a small model has written for this request; it is called what it is in the pictures. */
const MOVING = [
  "```ts",
  "const todos = await list_todos();",
  'const late = todos.filter((todo) => todo.due < "2026-11-22" && !todo.done);',
  "for (const todo of late) {",
  '  await move_todo({ id: todo.id, due: "2026-11-27" });',
  "}",
  "return `Moved ${late.length} open todos due before 22 November 2026 to 27 November 2026.`;",
  "```",
].join("\n");

registerChatProvider("recorded", {
  structuredReplies: "stage",
  makeChat: async () => new FakeListChatModel({ responses: [MOVING] }),
});

interface Shot {
  name: string;
  view: string;
  scheme?: "light" | "dark";
  viewport?: { width: number; height: number };
  /** Brings the subject of the picture into view. */
  prepare: (page: Page) => Promise<unknown>;
}

async function waits(page: Page): Promise<void> {
  await page.getByText("Waiting for approval: 2 writes").waitFor();
}

async function answered(page: Page): Promise<void> {
  await page.getByText("Edit request").waitFor();
}

/** The pictures, given a run that is done and one that waits. */
function shotsOf(done: { threadId: string; runId: string }, held: { threadId: string }): Shot[] {
  const change = async (page: Page) => {
    await waits(page);
    await page.locator(".action").first().getByLabel("due").fill("2026-11-30");
    await page.locator(".action").nth(1).getByLabel("Reject").check();
    await page.getByLabel(/^Reason/).fill("It is renewed by itself");
  };
  return [
    {
      name: "page-welcome",
      view: "",
      prepare: (page) => page.getByRole("radio", { name: "Standard" }).waitFor(),
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
      name: "page-visit",
      view: `#runs/${done.runId}`,
      prepare: async (page) => {
        const visit = page.locator(".visits > li", { hasText: "writeProgram" });
        await visit.locator("summary").first().click();
        await visit.getByText("Question", { exact: true }).click();
        await visit.scrollIntoViewIfNeeded();
      },
    },
    {
      name: "page-review",
      view: "#library/calendar",
      prepare: (page) => page.locator(".card summary").first().click(),
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
        await page.getByLabel("Describe a task").fill("area of a circle");
        await page.keyboard.press("Enter");
        await page.locator(".hits li").first().waitFor();
      },
    },
    {
      name: "page-costs",
      view: "#costs",
      scheme: "dark",
      prepare: (page) => page.getByText("New key").waitFor(),
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
    await connectCalendar(home);
    for (const shot of shotsOf(done, held).flatMap(lookedAt ? inEachForm : (shot) => shot))
      await take({ browser, url: server.url, shot });
  } finally {
    await browser.close();
    await server.close();
    await closeWorkspaces();
    rmSync(folder, { recursive: true });
  }
}

/** A picture in each width, light and dark. */
function inEachForm(shot: Shot): Shot[] {
  return [DESKTOP, TABLET, PHONE].flatMap((viewport) =>
    (["light", "dark"] as const).map((scheme) => {
      const name = `${shot.name}-${viewport.width}-${scheme}`;
      return { ...shot, name, viewport, scheme };
    }),
  );
}

/** A source of which one definition has changed and waits for review. */
async function connectCalendar(home: string): Promise<void> {
  for (const description of ["Add an event.", "Add an event, and invite everybody to it."])
    await syncConnected({
      store: openWorkspace({ home }).store,
      settings: { library: "calendar", embeddings: TEST_LIBRARY.embeddings },
      source: { name: "calendar", kind: "mcp", settings: {} },
      listing: {
        problems: [],
        tools: [connectedTool("calendar", "add_event", description)],
      },
    });
}

async function begin(server: ServedPage, settings: object) {
  const wanted = { ...settings, model: "recorded:todos" };
  const begun = await server.begin({ script: [], request: REQUEST, settings: wanted });
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
