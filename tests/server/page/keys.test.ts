import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openKeys } from "../../../server/access/keys.js";
import { SERVER_MIGRATIONS, type ServerTables } from "../../../server/schema.js";
import { openStore } from "../../../storage/database.js";
import { closeWorkspaces } from "../../../nodes/workspace/workspace.js";
import { faintTexts } from "../../eval/report/browser.js";
import { PATIENCE_MS, PHONE, executablePath, openPage, startBrowser } from "./browserPage.js";
import { type ServedPage, servePage, shippingAll } from "./servedPage.js";

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
      browser = await startBrowser();
    });

    afterAll(async () => {
      await browser.close();
      await server.close();
      await closeWorkspaces();
      rmSync(folder, { recursive: true, force: true });
    });

    async function openWith(key: string, view = ""): Promise<Page> {
      return (await openPage({ browser, url: server.url, view, key, viewport: PHONE })).page;
    }

    it("says that a key is wrong, accepts the right one, and keeps it only for the tab", async () => {
      const page = await openWith("tulipkey_wrong");
      await page.getByText("The server does not know this key.").waitFor();
      await page.getByLabel("Key").fill(admin);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "What shall be done?" }).waitFor();
      expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, ""]);
      await page.reload();
      await page.getByRole("heading", { name: "What shall be done?" }).waitFor();
      await page.getByRole("button", { name: "Forget the key" }).click();
      await page.getByRole("heading", { name: "A key is needed" }).waitFor();
      expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
      await page.close();
    });

    it("makes a key whose secret is shown once, and revokes it", async () => {
      const page = await openWith(admin, "#costs");
      await page.getByRole("heading", { name: "operator" }).waitFor();
      await page.getByLabel("Name").fill("billing");
      await page.getByLabel("start runs (run)").check();
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
      await page.getByText("This key may look but not ask (scope run).").waitFor();
      await page.goto(`${server.url}/#approvals`);
      await page.getByText("Nothing waits for a decision").waitFor();
      await page.goto(`${server.url}/#costs`);
      await page.getByText("Nothing has been used yet.").waitFor();
      await page.getByText("To see keys takes the scope admin.").waitFor();
      const headers = { "x-api-key": reader };
      const status = async (path: string) => (await fetch(server.url + path, { headers })).status;
      expect(await status(`/console/runs/${runId}`)).toBe(404);
      expect(await (await fetch(`${server.url}/console/runs`, { headers })).json()).toEqual([]);
      expect(await status("/console/keys")).toBe(403);
      expect(await status("/console/search?library=orders&phrase=ship")).toBe(404);
      const asked = { method: "POST", headers, body: "{}" };
      expect((await fetch(`${server.url}/console/try`, asked)).status).toBe(403);
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
      browser = await startBrowser();
    });

    afterAll(async () => {
      await browser.close();
      await server.close();
      await closeWorkspaces();
      rmSync(folder, { recursive: true, force: true });
    });

    async function openWith(key: string, colorScheme: "light" | "dark"): Promise<Page> {
      const view = "#approvals";
      const opened = await openPage({
        browser,
        url: server.url,
        view,
        key,
        colorScheme,
        viewport: PHONE,
      });
      return opened.page;
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
      expect(await page.locator(".count").textContent()).toBe("2 wait");
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
      expect(await faintTexts(page)).toEqual([]);
      await card.getByRole("button", { name: "Let it begin now" }).focus();
      await page.keyboard.press("Enter");
      await page.getByText("The run begins.", { exact: true }).waitFor();
      await server.settled(held.threadId);
      // It has reached its writes, which wait for approval as in any run.
      await card.getByText("2 writes wait for you").first().waitFor();
      expect(await page.getByText("is used up").count()).toBe(0);
      await Promise.all([asking.close(), page.close()]);
    });
  },
);
