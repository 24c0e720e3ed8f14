import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { closeWorkspaces } from "../../../nodes/workspace/workspace.js";
import { faintTexts } from "../../eval/report/browser.js";
import { program } from "../../graphs/tulipRuns.js";
import {
  DESKTOP,
  PATIENCE_MS,
  PHONE,
  TABLET,
  axeFinds,
  executablePath,
  openPage,
  startBrowser,
  tabTo,
  widthOf,
} from "./browserPage.js";
import { type ServedPage, servePage, shippingAll } from "./servedPage.js";

const REQUEST = "Ship the orders of the customer Mira";

describe.skipIf(!executablePath)(
  "the page in a browser (skipped where there is no chromium)",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "tulipgraph-page-"));
    const log = () => join(folder, `${crypto.randomUUID()}.log`);
    let browser: Browser;
    let server: ServedPage;
    let pages: Page[] = [];
    let problems: string[] = [];

    beforeAll(async () => {
      server = await servePage({ home: join(folder, "home") });
      browser = await startBrowser();
    });

    afterEach(async () => {
      await Promise.all(pages.map((page) => page.close()));
      pages = [];
      problems = [];
    });

    afterAll(async () => {
      await browser.close();
      await server.close();
      await closeWorkspaces();
      rmSync(folder, { recursive: true, force: true });
    });

    async function open(options: Partial<Parameters<typeof openPage>[0]> = {}): Promise<Page> {
      const opened = await openPage({ browser, url: server.url, ...options });
      pages.push(opened.page);
      problems = opened.problems;
      return opened.page;
    }

    /** A run that waits for the approval of two writes. */
    async function waitingRun(file: string, request = REQUEST) {
      const begun = await server.begin({ script: [shippingAll(file)], request });
      await server.settled(begun.threadId);
      return begun;
    }

    it("takes one write changed in a form and rejects another with a reason", async () => {
      const file = log();
      const { threadId } = await waitingRun(file);
      const page = await open({ view: `#ask/${threadId}` });
      const [first, second] = [page.locator(".action").first(), page.locator(".action").nth(1)];
      await page.getByText("2 writes wait for you").waitFor();
      expect(await page.locator(".program .mark.wait").count()).toBe(2);
      await first.getByLabel("order").fill("A2");
      await first.getByText("The model wanted A1").waitFor();
      await second.getByLabel("Reject").check();
      await second.getByLabel(/^Why/).fill("not before Monday");
      await page.getByRole("button", { name: "Change 1, reject 1" }).click();
      await page.getByText("Solved", { exact: true }).waitFor();
      expect(shipped(file)).toEqual(["A2"]);
      const leftOut = page.locator(".program .mark.skipped");
      await leftOut.waitFor();
      expect(await leftOut.textContent()).toContain("order: A3");
      expect(await page.locator(".call.write").textContent()).toContain("A2");
      expect(problems).toEqual([]);
    });

    it("is decided by keyboard on a phone, in the queue", async () => {
      const file = log();
      const { threadId } = await waitingRun(file, "Ship by keyboard");
      const page = await open({ view: "#approvals", viewport: PHONE });
      await page.getByRole("heading", { name: "Ship by keyboard" }).waitFor();
      await page.locator(".action").first().waitFor();
      await tabTo(page, ".action input[type=radio]");
      await page.keyboard.press("ArrowDown");
      await tabTo(page, ".action input[autocomplete=off]");
      await page.keyboard.type("not that one");
      await page.keyboard.press("Control+Enter");
      await page.getByText("Nothing waits for a decision").waitFor();
      await server.settled(threadId);
      expect(shipped(file)).toEqual(["A3"]);
      expect(problems).toEqual([]);
    });

    it("tells the second of two tabs that the first has decided", async () => {
      const file = log();
      const { threadId } = await waitingRun(file);
      const one = await open({ view: `#ask/${threadId}` });
      const other = await open({ view: `#ask/${threadId}` });
      await Promise.all(
        [one, other].map((page) => page.getByText("2 writes wait for you").waitFor()),
      );
      await Promise.all([one, other].map(approveBoth));
      await Promise.all(
        [one, other].map((page) => page.getByText("Solved", { exact: true }).waitFor()),
      );
      expect(shipped(file)).toEqual(["A1", "A3"]);
      const told = await Promise.all(
        [one, other].map((page) => page.getByRole("status").textContent()),
      );
      expect(new Set(told)).toEqual(
        new Set([
          "Decided. The run goes on.",
          "Somebody else has decided this already; nothing was sent.",
        ]),
      );
    });

    it("goes on with a run after a reload in the middle of it, and follows it live", async () => {
      const held = heldModel(log());
      const { threadId } = await server.begin({
        script: held.script,
        settings: { approval: "none" },
      });
      const page = await open({ view: `#ask/${threadId}` });
      await page.locator(".stages summary", { hasText: "writeProgram" }).waitFor();
      await page.reload();
      await page.locator(".stages summary", { hasText: "writeProgram" }).waitFor();
      held.letGo();
      await page.getByText("Shipped 2 orders.").waitFor();
      await page.getByText("Solved", { exact: true }).waitFor();
      expect(problems).toEqual([]);
    });

    it("asks further on the thread, again, and stops what is at work", async () => {
      const page = await open();
      const ask = page.getByLabel("Your request");
      await page.getByRole("button", { name: "What is 3 times 4?" }).click();
      await page.getByText("The result is 12.").waitFor();
      await ask.fill("What is 5 times 7?");
      await page.keyboard.press("Enter");
      await page.getByText("The result is 35.").waitFor();
      await page.getByRole("button", { name: "Ask again" }).last().click();
      await expect.poll(() => page.locator(".answer").count(), { timeout: PATIENCE_MS }).toBe(3);
      const held = heldModel(log());
      const { threadId } = await server.begin({ script: held.script });
      await page.goto(`${server.url}/#ask/${threadId}`);
      await page.getByRole("button", { name: "Stop" }).click();
      held.letGo();
      await page.getByText("Stopped", { exact: true }).waitFor();
    });

    it("never shows an unsolved run as done", async () => {
      const script = [{ text: "I cannot do that." }];
      const begun = await server.begin({ script, settings: { approval: "none" } });
      await server.settled(begun.threadId);
      const page = await open({ view: "#runs" });
      const row = page.locator(".runs li").first();
      await row.getByText("Unsolved").waitFor();
      await row.getByRole("link").click();
      await page.locator(".badge.bad", { hasText: "Unsolved" }).waitFor();
      expect(await page.locator(".badge.good").count()).toBe(0);
    });

    it("draws the way of a run, and goes back to run again from a stage", async () => {
      const begun = await server.begin({
        script: [shippingAll(log())],
        settings: { approval: "none" },
      });
      await server.settled(begun.threadId);
      const page = await open({ view: `#runs/${begun.runId}` });
      const stage = page.locator(".stage-box.visited", { hasText: "checkProgram" });
      await stage.waitFor();
      await stage.focus();
      await page.keyboard.press("Enter");
      const visits = page.locator(".visits > li");
      expect(await visits.count()).toBe(1);
      await visits.locator("summary").click();
      await page.getByRole("button", { name: "The state before it" }).click();
      await page
        .locator(".state", { hasText: "writeProgram" })
        .or(page.locator(".state"))
        .first()
        .waitFor();
      await page.getByRole("button", { name: "Run again from here" }).click();
      await page.waitForURL(
        (url) => url.hash.startsWith("#runs/") && !url.hash.endsWith(begun.runId),
      );
      await page.getByText("Solved", { exact: true }).waitFor();
      expect(problems).toEqual([]);
    });

    it("finds tools, says why, and tries a read but no write", async () => {
      const page = await open({ view: "#library/orders" });
      const phrase = page.getByLabel("What is to be done");
      await phrase.fill("list the orders of a customer");
      await page.keyboard.press("Enter");
      const hit = page.locator(".hits li", { hasText: "list_orders" }).first();
      expect(await hit.textContent()).toContain("shares the words");
      await hit.getByRole("link").click();
      await page.getByLabel("customer").fill("Mira");
      await page.getByRole("button", { name: "Call it" }).click();
      await page.locator(".tried td", { hasText: "A3" }).waitFor();
      await page.goto(`${server.url}/#library/orders/tool/ship_order`);
      await page.getByText("It cannot be tried here").waitFor();
      expect(problems).toEqual([]);
      const body = JSON.stringify({
        library: "orders",
        tool: "ship_order",
        args: { order: "A1", log: log() },
      });
      const { status } = await fetch(`${server.url}/console/try`, { method: "POST", body });
      expect(status).toBe(422);
    });

    it("shows hostile requests, arguments, results and ids as text", async () => {
      const attack = '"><img src=x onerror="document.title=1"><script>document.title=2</script>';
      const file = log();
      const script = [
        program(
          `const orders = await list_orders({ customer: ${JSON.stringify(attack)} });`,
          `await ship_order({ order: ${JSON.stringify(attack)}, log: ${JSON.stringify(file)} });`,
          `return ${JSON.stringify(attack)};`,
        ),
      ];
      const { threadId, runId } = await server.begin({ script, request: `${REQUEST} ${attack}` });
      await server.settled(threadId);
      const page = await open({ view: `#ask/${threadId}` });
      await page.getByRole("button", { name: /^Approve/ }).click();
      await page.locator(".foot").waitFor();
      for (const view of [
        `#ask/${threadId}`,
        `#runs/${runId}`,
        "#runs",
        "#approvals",
        `#library/${encodeURIComponent(attack)}`,
      ]) {
        await page.goto(`${server.url}/${view}`);
        await page.waitForTimeout(500);
        expect(await page.locator("img, main script").count()).toBe(0);
        expect(["1", "2"]).not.toContain(await page.title());
      }
      expect(existsSync(file)).toBe(true);
    });

    it.each([
      ["light", DESKTOP],
      ["dark", DESKTOP],
      ["light", TABLET],
      ["light", PHONE],
      ["dark", PHONE],
    ] as const)("can be read and used in the %s scheme at %o", async (colorScheme, viewport) => {
      const done = await server.begin({
        script: [shippingAll(log())],
        settings: { approval: "none" },
      });
      await server.settled(done.threadId);
      await waitingRun(log());
      const views: [view: string, shown: string][] = [
        ["", "What shall be done?"],
        [`#ask/${done.threadId}`, "Ask differently"],
        ["#approvals", "2 writes wait for you"],
        ["#runs", "Solved"],
        [`#runs/${done.runId}`, "The way through the graph"],
        ["#library/orders", "ship_order"],
        ["#library/orders/tool/list_orders", "As the model sees it"],
        ["#costs", "A new key"],
      ];
      for (const [view, shown] of views) {
        const page = await open({ view, viewport, colorScheme });
        await page.getByText(shown).first().waitFor();
        expect([view, await widthOf(page)]).toEqual([view, viewport.width]);
        expect([view, await axeFinds(page)]).toEqual([view, []]);
        expect([view, await faintTexts(page)]).toEqual([view, []]);
        expect([view, problems]).toEqual([view, []]);
        await page.close();
      }
      pages = [];
    });

    it("says that the server is away, and goes on when it is back", async () => {
      const home = join(folder, crypto.randomUUID());
      const before = await servePage({ home });
      const { url } = before;
      const { threadId } = await before.begin({ script: [shippingAll(log())] });
      await before.settled(threadId);
      const page = await open({ url, view: "#approvals" });
      const request = page.getByRole("heading", { name: REQUEST });
      await request.waitFor();
      await before.close();
      await page.getByRole("alert").getByText("The server cannot be reached.").waitFor();
      expect(await request.isVisible()).toBe(true);
      const after = await servePage({ home, port: Number(new URL(url).port) });
      await page.getByText("The server is back.").waitFor();
      expect(await page.getByRole("alert").count()).toBe(0);
      await page.getByRole("button", { name: "Approve all 2" }).click();
      await after.settled(threadId);
      await page.getByText("Nothing waits for a decision").waitFor();
      await after.close();
    });
  },
);

/** What was shipped, in order. */
function shipped(file: string): string[] {
  return readFileSync(file, "utf8").trim().split("\n");
}

/** A model that waits until it is let go on. */
function heldModel(file: string) {
  const gate = new EventTarget();
  const script = async () => {
    await new Promise((done) => gate.addEventListener("open", done));
    return shippingAll(file);
  };
  return { script, letGo: () => gate.dispatchEvent(new Event("open")) };
}

async function approveBoth(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Approve all 2" }).click();
}
