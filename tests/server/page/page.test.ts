import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type Page, chromium } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { findChromium } from "../../../scripts/testing/chromium.mjs";
import { openKeys } from "../../../server/access/keys.js";
import { SERVER_MIGRATIONS, type ServerTables } from "../../../server/schema.js";
import { openStore } from "../../../storage/database.js";
import { closeWorkspaces } from "../../../nodes/workspace/workspace.js";
import { faintTexts } from "../../eval/report/browser.js";
import { type ServedPage, servePage, shippingAll } from "./servedPage.js";

const executablePath = findChromium();
/** Time for each step in the browser, on a busy machine (ms). */
const PATIENCE_MS = 100_000;
const PHONE = { width: 360, height: 740 };

describe.skipIf(!executablePath)(
  "the page of a server in a browser (skipped where there is no chromium on PATH or in TULIPGRAPH_CHROMIUM)",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "tulipgraph-page-"));
    const log = () => join(folder, `${crypto.randomUUID()}.log`);
    let browser: Browser;
    let server: ServedPage;
    let pages: Page[] = [];
    let problems: string[] = [];

    beforeAll(async () => {
      server = await servePage({ home: join(folder, "home") });
      // Chromium's sandbox does not work for root, who runs tests in containers.
      browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
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

    /** Opens a view. The page's errors, and its requests to other hosts, are added to `problems`. */
    async function open(options: {
      view?: string;
      url?: string;
      viewport?: { width: number; height: number };
      colorScheme?: "light" | "dark";
    }): Promise<Page> {
      const { view = "", url = server.url, viewport = PHONE, colorScheme = "light" } = options;
      const page = await browser.newPage({ viewport, colorScheme });
      pages.push(page);
      page.setDefaultTimeout(PATIENCE_MS);
      page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) problems.push(message.text());
      });
      page.on("pageerror", (error) => problems.push(error.message));
      page.on("request", (request) => {
        const isOurs = request.url().startsWith(`${url}/`) || request.url().startsWith("data:");
        if (!isOurs) problems.push(`asked for ${request.url()}`);
      });
      await page.goto(`${url}/${view}`);
      return page;
    }

    it("lets a person approve one write and reject another by keyboard, on a phone", async () => {
      const file = log();
      const { threadId } = await server.begin({ script: [shippingAll(file)] });
      await server.settled(threadId);
      const page = await open({});
      await page.getByText("ship_order").first().waitFor();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBe(PHONE.width);

      await tabTo(page, 'input[type="radio"]');
      await page.keyboard.press("Space");
      await tabTo(page, 'input[type="radio"]');
      await page.keyboard.press("Space");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      expect(
        await page
          .locator("input:checked")
          .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value)),
      ).toEqual(["approve", "reject"]);
      await page.keyboard.press("Tab");
      await page.keyboard.type("not before Monday");
      await tabTo(page, 'button[type="submit"]');
      await page.keyboard.press("Enter");
      await page.getByText("The run goes on.").first().waitFor();

      await server.settled(threadId);
      expect(readFileSync(file, "utf8").trim()).toBe("A1");
      await page.getByText("Nothing waits for a decision").waitFor();
      expect(problems).toEqual([]);
    });

    it("leads to what is not decided yet, and sends an edit of arguments", async () => {
      const file = log();
      const { threadId } = await server.begin({ script: [shippingAll(file)] });
      await server.settled(threadId);
      const page = await open({});
      const send = page.getByRole("button", { name: "Send the decisions" });
      await send.click();
      await page.getByText("Decide on 1 of 2: ship_order first.").waitFor();
      const [first, second] = await page
        .getByRole("group", { name: "Decision on ship_order" })
        .all();
      await first?.getByLabel("Approve").check();
      await second?.getByLabel("Edit").check();
      await page.getByLabel("Arguments (JSON)").last().fill("{ nonsense");
      await send.click();
      await page.getByText("are not a JSON object").waitFor();
      await page
        .getByLabel("Arguments (JSON)")
        .last()
        .fill(JSON.stringify({ order: "A2", log: file }));
      await send.click();
      await page.getByText("The run goes on.").first().waitFor();
      await server.settled(threadId);
      expect(readFileSync(file, "utf8").trim().split("\n")).toEqual(["A1", "A2"]);
    });

    it("shows the stages of a run as they come, and its answer", async () => {
      const gate = new EventTarget();
      const script = async () => {
        await new Promise((done) => gate.addEventListener("open", done));
        return shippingAll(log());
      };
      const { runId } = await server.begin({ script, settings: { approval: "none" } });
      const page = await open({ view: "#runs" });
      await page.locator(`a[href="#runs/${runId}"]`).click();
      await page.locator('.stages li[aria-current="step"]', { hasText: "writeProgram" }).waitFor();
      expect(await page.locator(".badge").textContent()).toBe("running");
      gate.dispatchEvent(new Event("open"));
      await page.getByText("Shipped 2 orders.").waitFor();
      await page.locator(".badge.good", { hasText: "done" }).waitFor();
      const stages = await page.locator(".stages li span:first-child").allTextContents();
      expect(stages.slice(0, 2)).toEqual(["intake", "searchRequest"]);
      expect(stages.at(-1)).toBe("respond");
      expect(await page.locator(".stages [aria-current]").count()).toBe(0);
      expect(problems).toEqual([]);
    });

    it("finds tools in a library, and says if nothing is near", async () => {
      const page = await open({ view: "#search" });
      await page.getByLabel("Library").selectOption("orders");
      await page.getByLabel("What is to be done").fill("ship an order");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "ship_order" }).waitFor();
      expect(await page.locator("li", { hasText: "ship_order" }).first().textContent()).toContain(
        "writes",
      );
      await page.getByLabel("What is to be done").fill("zebra crossing");
      await page.keyboard.press("Enter");
      await page.getByText("these are only the nearest").waitFor();
      expect(problems).toEqual([]);
    });

    it.each(["light", "dark"] as const)("is readable in the %s scheme", async (colorScheme) => {
      const { threadId } = await server.begin({ script: [shippingAll(log())] });
      await server.settled(threadId);
      for (const view of ["#approvals", "#runs", "#search", "#keys"]) {
        const page = await open({ view, colorScheme });
        await page.getByText("Loading").waitFor({ state: "hidden" });
        const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        expect(ground).toBe(colorScheme === "light" ? "rgb(252, 251, 248)" : "rgb(21, 24, 29)");
        expect(await faintTexts(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
      }
      expect(problems).toEqual([]);
    });

    it("shows HTML in a tool's arguments as text", async () => {
      const attack = '"><img src=x onerror="document.title=1"><script>document.title=2</script>';
      const script = [shippingAll(`${log()}${attack}`)];
      const request = `Ship the orders of the customer Mira ${attack}`;
      const { threadId } = await server.begin({ script, request });
      await server.settled(threadId);
      const page = await open({});
      await page.getByText(request).waitFor();
      await page.locator("dd", { hasText: "onerror" }).first().waitFor();
      expect(await page.locator("img").count()).toBe(0);
      expect(await page.locator("main script").count()).toBe(0);
      expect(await page.title()).toBe("Waiting for approval · tulipgraph");
      expect(problems).toEqual([]);
    });

    it.each([
      ["#approvals", "Waiting for approval"],
      ["#runs", "Runs"],
    ])("says at %s that the server is away, and goes on when it is back", async (view, title) => {
      const home = join(folder, crypto.randomUUID());
      const before = await servePage({ home });
      const { url } = before;
      const { threadId } = await before.begin({ script: [shippingAll(log())] });
      await before.settled(threadId);
      const page = await open({ url, view });
      const request = page.getByText("Ship the orders of the customer Mira").first();
      await request.waitFor();
      await before.close();
      await page.getByRole("alert").getByText("The server cannot be reached.").waitFor();
      expect(await request.isVisible()).toBe(true);
      expect(await faintTexts(page)).toEqual([]);
      const after = await servePage({ home, port: Number(new URL(url).port) });
      await page.getByText("The server is back.").waitFor();
      expect(await page.getByRole("alert").count()).toBe(0);
      expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(title);
      const second = await after.begin({ script: [shippingAll(log())], request: "Ship more" });
      await page.getByText("Ship more").first().waitFor();
      await after.settled(second.threadId);
      await after.close();
    });

    it("is served with rules that allow only its own script, and no frame", async () => {
      const { headers } = await fetch(server.url);
      const rules = headers.get("content-security-policy") ?? "";
      expect(rules).toContain("default-src 'none'");
      expect(rules).toContain("script-src 'self'");
      expect(rules).toContain("frame-ancestors 'none'");
      expect(rules).not.toContain("unsafe");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    });
  },
);

describe.skipIf(!executablePath)(
  "the page of a server that asks for keys (skipped where there is no chromium)",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "tulipgraph-page-keys-"));
    const home = join(folder, "home");
    let browser: Browser;
    let server: ServedPage;
    let admin = "";
    let reader = "";

    beforeAll(async () => {
      const data = openStore<ServerTables>({
        place: { home },
        store: "server",
        migrations: SERVER_MIGRATIONS,
      });
      const keys = openKeys(data);
      ({ secret: admin } = await keys.create({ scopes: ["admin"], name: "operator" }));
      ({ secret: reader } = await keys.create({ scopes: ["read"], name: "looker", owner: "ana" }));
      await data.close();
      server = await servePage({ home, apiKey: admin });
      browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    });

    afterAll(async () => {
      await browser.close();
      await server.close();
      await closeWorkspaces();
      rmSync(folder, { recursive: true, force: true });
    });

    async function openWith(key: string, view = ""): Promise<Page> {
      const page = await browser.newPage({ viewport: PHONE });
      page.setDefaultTimeout(PATIENCE_MS);
      await page.goto(`${server.url}/${view}`);
      await page.getByLabel("Key").fill(key);
      await page.keyboard.press("Enter");
      return page;
    }

    it("says that a key is wrong, accepts the right one, and keeps it only for the tab", async () => {
      const page = await openWith("tulipkey_wrong");
      await page.getByText("The server does not know this key.").waitFor();
      await page.getByLabel("Key").fill(admin);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Waiting for approval" }).waitFor();
      expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, ""]);
      await page.reload();
      await page.getByRole("heading", { name: "Waiting for approval" }).waitFor();
      await page.getByRole("button", { name: "Forget the key" }).click();
      await page.getByRole("heading", { name: "A key is needed" }).waitFor();
      expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
      await page.close();
    });

    it("makes a key whose secret is shown once, and revokes it", async () => {
      const page = await openWith(admin, "#keys");
      await page.getByRole("heading", { name: "operator" }).waitFor();
      await page.getByLabel("Name").fill("billing");
      await page.getByLabel("run", { exact: true }).check();
      await page.getByRole("button", { name: "Make a key" }).click();
      const secret = page.getByLabel("The secret, shown this once");
      expect(await secret.inputValue()).toMatch(/^tulipkey_/);
      const value = await secret.inputValue();
      const asking = async () =>
        (await fetch(`${server.url}/console/caller`, { headers: { "x-api-key": value } })).status;
      expect(await asking()).toBe(200);
      await page.reload();
      await page.getByRole("heading", { name: "billing" }).waitFor();
      expect(await page.content()).not.toContain(value);
      await page.getByRole("button", { name: "Revoke billing" }).click();
      await page.getByRole("button", { name: "Press again" }).click();
      await page.getByText("billing is revoked.").waitFor();
      await expect.poll(asking, { timeout: PATIENCE_MS }).toBe(401);
      await page.close();
    });

    it("shows a key without the scopes no runs of other owners, no keys and no way to decide", async () => {
      const { threadId, runId } = await server.begin({
        script: [shippingAll(join(folder, "log"))],
      });
      await server.settled(threadId);
      const page = await openWith(reader);
      await page.getByText("Nothing waits for a decision").waitFor();
      await page.goto(`${server.url}/#keys`);
      await page.getByText("Used today (UTC): 0 runs").waitFor();
      const headers = { "x-api-key": reader };
      const status = async (path: string) => (await fetch(server.url + path, { headers })).status;
      expect(await status(`/console/runs/${runId}`)).toBe(404);
      expect(await (await fetch(`${server.url}/console/runs`, { headers })).json()).toEqual([]);
      expect(await status("/console/keys")).toBe(403);
      expect(await status("/console/search?library=orders&phrase=ship")).toBe(404);
      expect(existsSync(join(folder, "log"))).toBe(false);
      await page.close();
    });
  },
);

describe.skipIf(!executablePath)(
  "the page of a server whose budgets ask for approval (skipped where there is no chromium)",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "tulipgraph-page-budgets-"));
    const home = join(folder, "home");
    let browser: Browser;
    let server: ServedPage;
    let own = "";
    let approver = "";

    beforeAll(async () => {
      const data = openStore<ServerTables>({
        place: { home },
        store: "server",
        migrations: SERVER_MIGRATIONS,
      });
      const keys = openKeys(data);
      const owner = "ana";
      const scopes = ["run", "read", "approve"] as const;
      ({ secret: own } = await keys.create({ scopes, name: "ana's laptop", owner }));
      ({ secret: approver } = await keys.create({ scopes: ["read", "approve"], owner }));
      await data.close();
      const policyFile = join(folder, "serve.json");
      const budgets = { runs: 1, whenUsedUp: "ask" };
      writeFileSync(policyFile, JSON.stringify({ budgets, libraries: { shared: ["orders"] } }));
      server = await servePage({ home, apiKey: own, policyFile });
      browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    });

    afterAll(async () => {
      await browser.close();
      await server.close();
      await closeWorkspaces();
      rmSync(folder, { recursive: true, force: true });
    });

    async function openWith(key: string, colorScheme: "light" | "dark"): Promise<Page> {
      const page = await browser.newPage({ viewport: PHONE, colorScheme });
      page.setDefaultTimeout(PATIENCE_MS);
      await page.goto(server.url);
      await page.getByLabel("Key").fill(key);
      await page.keyboard.press("Enter");
      return page;
    }

    it("shows why a run is held, and lets it begin on a phone, but not by its own caller", async () => {
      const script = [shippingAll(join(folder, "log"))];
      const { threadId } = await server.begin({ script });
      await server.settled(threadId);
      const held = await server.begin({
        script,
        request: "Ship what is over the budget",
      });

      const asking = await openWith(own, "dark");
      const its = asking.locator(".card", { hasText: "Ship what is over the budget" });
      await its.getByText("The day's budget of ana's laptop is used up.").waitFor();
      await its.getByText("Another key of the same owner").waitFor();
      expect(await its.getByRole("button").count()).toBe(0);
      expect(await faintTexts(asking)).toEqual([]);

      const page = await openWith(approver, "light");
      const card = page.locator(".card", { hasText: "Ship what is over the budget" });
      await card.getByText("The day's budget of ana's laptop is used up.").waitFor();
      expect(await page.locator("#waiting").textContent()).toBe("2");
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
      expect(await faintTexts(page)).toEqual([]);
      await card.getByRole("button", { name: "Let it begin now" }).focus();
      await page.keyboard.press("Enter");
      await page.getByText("The run begins.", { exact: true }).waitFor();
      await server.settled(held.threadId);
      // It has reached its writes, which wait for approval as in any run.
      await card.getByRole("group", { name: "Decision on ship_order" }).first().waitFor();
      expect(await page.getByText("is used up").count()).toBe(0);
      await Promise.all([asking.close(), page.close()]);
    });
  },
);

/** Presses Tab until something has the focus, as people without a mouse do. */
async function tabTo(page: Page, reached: string): Promise<void> {
  for (let press = 0; press < 60; press++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((form) => document.activeElement?.matches(form), reached)) return;
  }
  throw new Error(`Tab does not reach ${reached}`);
}
