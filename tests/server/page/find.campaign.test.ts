import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { importTools } from "../../../home/libraries.js";
import { openWorkspace } from "../../../home/workspace.js";
import { TEST_LIBRARY } from "../../fakes/testLibrary.js";
import { program } from "../../graphs/tulipRuns.js";
import { PATIENCE_MS } from "./browserPage.js";
import { describePage } from "./describePage.js";
import { shippingAll } from "./servedPage.js";

const TODOS = { ...TEST_LIBRARY, library: "todos", threshold: 0, approval: "none" };

/** Tools of which one fails. */
const LOCKED = `
/**
 * Move a todo to another day.
 *
 * @param id - Id of the todo.
 * @param due - The new day.
 * @name move_todo
 * @effects write
 */
export function moveTodo(id: number, due: string): string {
  if (id === 3) throw new Error("todo 3 is locked");
  return "moved to " + due;
}
`;

/** Rules of the built-in planner, with the library that ships. */
const OFFLINE = { library: "math", model: "offline:planner", embeddings: undefined };

/** A program that a person follows instead. */
const LISTING = [
  'const orders = await list_orders({ customer: "Mira" });',
  "return `Found ${orders.length} orders.`;",
].join("\n");

describePage("finding out on the page what runs have done", (stage) => {
  async function done(run: Partial<Parameters<typeof stage.server.begin>[0]> = {}) {
    const script = [shippingAll(join(stage.folder, `${crypto.randomUUID()}.log`))];
    const begun = await stage.server.begin({ script, settings: { approval: "none" }, ...run });
    await stage.server.settled(begun.threadId);
    return begun;
  }

  async function openRun({ runId }: { runId: string }): Promise<Page> {
    return await stage.open({ view: `#runs/${runId}` });
  }

  it("takes three clicks to see why a run did not move todo 3", async () => {
    const file = join(stage.folder, "todos.ts");
    writeFileSync(file, LOCKED);
    const { store } = openWorkspace({ home: stage.home });
    await importTools({ store, settings: TODOS, file, description: "Todos" });
    const script = [
      program(
        "for (const id of [1, 2, 3]) {",
        '  await move_todo({ id, due: "Friday" });',
        "}",
        "return `Moved.`;",
      ),
      { text: "It cannot be moved." },
    ];
    await done({ script, request: "Move the todos 1, 2 and 3 to Friday", settings: TODOS });
    const page = await stage.open();
    await page.getByRole("link", { name: "Runs" }).click();
    await page.getByRole("link", { name: "Move the todos 1, 2 and 3 to Friday" }).click();
    await page.locator(".call", { hasText: "id: 3" }).first().click();
    const row = page.locator(".call details[open]");
    await row.getByText("Error", { exact: true }).waitFor();
    expect(await row.textContent()).toMatch(/^failed.*move_todo.*todo 3 is locked/);
  });

  it("shows what a model was told and replied in a visit", async () => {
    const page = await openRun(await done());
    const visit = page.locator(".visits > li", { hasText: "writeProgram" });
    await visit.locator("summary").first().click();
    await visit.getByText("Reply", { exact: true }).waitFor();
    expect(await visit.locator("details[open] details[open]").textContent()).toContain(
      "await ship_order({ order: order.id",
    );
    await visit.getByText("Question", { exact: true }).click();
    await visit.getByText("Ship the orders of the customer Mira").first().waitFor();
    expect(stage.problems).toEqual([]);
  });

  it.each([
    ["dfs_tulip", "Tasks"],
    ["dfsdt", "Search steps"],
    ["cot_tulip", "Subtasks"],
  ])("draws what %s worked through as its tree", async (graph, title) => {
    const request = "What is 3 times 4? And what is 5 times 7?";
    const page = await openRun(await done({ graph, request, settings: OFFLINE }));
    const tree = page.getByRole("region", { name: title });
    await tree.locator("li").first().waitFor();
    expect(await tree.textContent()).not.toBe(title);
  });

  it("tells failed calls and refused ones from those that were made", async () => {
    const script = [
      program('return await weigh_order({ order: "A1" });'),
      { text: "There are no scales." },
    ];
    const page = await openRun(await done({ script }));
    await page.locator(".call.bad", { hasText: "no scales for A1" }).first().waitFor();
    expect(await page.locator(".call .kind").first().textContent()).toBe("failed");
    const calls = [{ name: "ship_order", args: { order: "A1", log: "no.log" } }];
    const asking = await stage.server.begin({
      graph: "minimal_tulip",
      script: [{ calls }, { stop: "It was not shipped.", solved: false }],
      settings: { approval: "writes" },
    });
    await stage.server.settled(asking.threadId);
    await page.goto(`${stage.server.url}/#ask/${asking.threadId}`);
    await page.getByLabel("Reject").check();
    await page.getByRole("button", { name: "Reject 1" }).click();
    await page.locator(".call .kind", { hasText: "refused" }).first().waitFor();
    expect(await page.locator(".badge.good").count()).toBe(0);
  });

  it("lists runs with outcome before state, by how they ended and by words, a page at a time", async () => {
    const script = [{ text: "I cannot do that." }];
    for (let run = 0; run < 26; run++)
      await done({ script, request: `Impossible ${run}`, graph: "minimal_tulip" });
    const page = await stage.open({ view: "#runs" });
    const rows = page.locator(".runs li");
    await page.getByRole("button", { name: "Not solved" }).click();
    await rows.getByText("Impossible 25").waitFor();
    expect(await rows.count()).toBe(25);
    expect(await page.locator(".badge.good").count()).toBe(0);
    await page.getByRole("button", { name: "Next" }).click();
    await rows.getByText("Impossible 0", { exact: true }).waitFor();
    await page.getByLabel(/^Search/).fill("impossible 17");
    await expect.poll(() => rows.count(), { timeout: PATIENCE_MS }).toBe(1);
    expect(await rows.textContent()).toContain("Impossible 17");
    await page.getByLabel(/^Search/).fill("");
    await page.getByRole("button", { name: "Solved", exact: true }).click();
    await rows.getByText("Solved").first().waitFor();
    expect(await page.locator(".badge.bad").count()).toBe(0);
  });

  it("compares two runs side by side", async () => {
    await done({ request: "The first of two" });
    const script = [{ text: "I cannot do that." }];
    await done({ request: "The second of two", script, graph: "minimal_tulip" });
    const page = await stage.open({ view: "#runs" });
    await page.getByLabel(/The first of two/).check();
    await page.getByLabel(/The second of two/).check();
    await page.getByRole("link", { name: "Compare" }).click();
    const [left, right] = [
      page.locator(".beside .view").first(),
      page.locator(".beside .view").nth(1),
    ];
    await left.getByText("Solved", { exact: true }).waitFor();
    await right.getByText("Unsolved", { exact: true }).waitFor();
    await left.getByText("Path through the graph").waitFor();
    await right.getByText("Path through the graph").waitFor();
    expect(stage.problems).toEqual([]);
  });

  it("draws the way of a run, and goes back to run again from a stage, or with another program", async () => {
    const { runId, ...begun } = await done();
    const page = await openRun({ runId });
    const stages = page.locator(".stage-box.visited", { hasText: "checkProgram" });
    await stages.waitFor();
    await stages.focus();
    await page.keyboard.press("Enter");
    const visits = page.locator(".visits > li");
    expect(await visits.count()).toBe(1);
    await visits.locator("summary").first().click();
    await page.getByText("State before this stage").click();
    await page.getByRole("textbox", { name: "The program" }).fill(LISTING);
    await page.getByRole("button", { name: "Run this program" }).click();
    await page.waitForURL((url) => url.hash.startsWith("#runs/") && !url.hash.endsWith(runId));
    await page.locator(".answer").getByText("Found 2 orders.").waitFor();
    await page.goto(`${stage.server.url}/#runs/${runId}`);
    await stages.click();
    await visits.locator("summary").first().click();
    await page.getByRole("button", { name: "Run again from here" }).click();
    await page.waitForURL((url) => !url.hash.endsWith(runId));
    await page.getByText("Solved", { exact: true }).waitFor();
    await stage.server.settled(begun.threadId);
    expect(stage.problems).toEqual([]);
  });
});
