import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { openWorkspace } from "../../../home/workspace.js";
import { program } from "../../graphs/tulipRuns.js";
import { fixture, importServer } from "../../tools/sources/mcp/support.js";
import { unfoldVisits } from "./browserPage.js";
import { describePage } from "./describePage.js";
import { shippingAll } from "./servedPage.js";

const REQUEST = "Ship the orders of the customer Mira";

describePage("approvals on the page", (stage) => {
  const log = () => join(stage.folder, `${crypto.randomUUID()}.log`);

  /** A run that waits for the approval of two writes. */
  async function waitingRun(file: string, request = REQUEST) {
    const begun = await stage.server.begin({ script: [shippingAll(file)], request });
    await stage.server.settled(begun.threadId);
    return begun;
  }

  it("take one write changed in a form and reject another with a reason", async () => {
    const file = log();
    const { threadId } = await waitingRun(file);
    const page = await stage.open({ view: `#ask/${threadId}` });
    const [first, second] = [page.locator(".action").first(), page.locator(".action").nth(1)];
    await page.getByText("Waiting for approval: 2 writes").waitFor();
    expect(await page.locator(".program .mark.wait").count()).toBe(2);
    await first.getByLabel("order").fill("A3");
    await first.getByText("The model proposed A1").waitFor();
    await first.getByRole("button", { name: "Undo" }).click();
    expect(await first.getByText("The model proposed").count()).toBe(0);
    await first.getByLabel("order").fill("A2");
    await second.getByLabel("Reject").check();
    await second.getByLabel(/^Reason/).fill("not before Monday");
    await page.getByRole("button", { name: "Change 1, reject 1" }).click();
    await page.getByText("Solved", { exact: true }).waitFor();
    expect(noted(file)).toEqual(["A2"]);
    const leftOut = page.locator(".program .mark.skipped");
    await leftOut.waitFor();
    expect(await leftOut.textContent()).toContain("order: A3");
    expect(await page.locator(".call.write").textContent()).toContain("A2");
    expect(stage.problems).toEqual([]);
  });

  it("tell the second of two tabs that the first has decided", async () => {
    const file = log();
    const { threadId } = await waitingRun(file);
    const one = await stage.open({ view: `#ask/${threadId}` });
    const tabs = [one, await stage.open({ view: `#ask/${threadId}` })];
    await Promise.all(
      tabs.map((page) => page.getByText("Waiting for approval: 2 writes").waitFor()),
    );
    await Promise.all(
      tabs.map((page) => page.getByRole("button", { name: "Approve all 2" }).click()),
    );
    await Promise.all(tabs.map((page) => page.getByText("Solved", { exact: true }).waitFor()));
    expect(noted(file)).toEqual(["A1", "A3"]);
    const told = await Promise.all(tabs.map((page) => page.getByRole("status").textContent()));
    expect(new Set(told)).toEqual(
      new Set([
        "Sent. The run continues.",
        "Someone else has already decided this; nothing was sent.",
      ]),
    );
  });

  it("answer a question of a tool's server by a form, or decline it", async () => {
    const file = log();
    const workspace = openWorkspace({ home: stage.home });
    const settings = fixture("asking.mjs", file, "2026");
    await importServer({ workspace, name: "tables", settings });
    const answered = async (decide: (page: Page) => Promise<void>) => {
      const script = [program('return await tables.book({ table: "7" });'), { text: "No table." }];
      const settings = { library: "tables", approval: "none" };
      const { threadId } = await stage.server.begin({ script, settings });
      await stage.server.settled(threadId);
      const page = await stage.open({ view: `#ask/${threadId}` });
      await page.getByText("Who is table 7 for?").waitFor();
      await decide(page);
      await page.locator(".answer").waitFor();
    };
    await answered(async (page) => {
      await page.getByLabel("Decline").check();
      await page.getByRole("button", { name: "Decline" }).click();
    });
    expect(noted(file)).not.toContain("booked 7 for Ann, 3");
    await answered(async (page) => {
      await page.getByLabel("name").fill("Ann");
      await page.getByLabel("seats").fill("3");
      await page.getByRole("button", { name: "Answer" }).click();
    });
    expect(noted(file)).toContain("booked 7 for Ann, 3");
  });

  it("show hostile requests, arguments, results and ids as text", async () => {
    const attack = '"><img src=x onerror="document.title=1"><script>document.title=2</script>';
    const file = log();
    const script = [
      program(
        `const orders = await list_orders({ customer: ${JSON.stringify(attack)} });`,
        `await ship_order({ order: ${JSON.stringify(attack)}, log: ${JSON.stringify(file)} });`,
        `return ${JSON.stringify(attack)};`,
      ),
    ];
    const { threadId, runId } = await stage.server.begin({
      script,
      request: `${REQUEST} ${attack}`,
    });
    await stage.server.settled(threadId);
    const page = await stage.open({ view: `#ask/${threadId}` });
    await page.getByRole("button", { name: /^Approve/ }).click();
    await page.locator(".reply .foot").waitFor();
    for (const view of [
      `#ask/${threadId}`,
      `#runs/${runId}`,
      "#runs",
      "#approvals",
      `#library/${encodeURIComponent(attack)}`,
    ]) {
      await page.goto(`${stage.server.url}/${view}`);
      await page.waitForTimeout(500);
      await unfoldVisits(page);
      expect(await page.locator("img, main script").count()).toBe(0);
      expect(["1", "2"]).not.toContain(await page.title());
    }
    expect(existsSync(file)).toBe(true);
  });
});

/** What a tool has noted, in order. */
function noted(file: string): string[] {
  return readFileSync(file, "utf8").trim().split("\n");
}
