import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Page, Route } from "playwright-core";
import { expect, it } from "vitest";
import { syncConnected } from "../../../home/connectedSources.js";
import { openWorkspace } from "../../../home/workspace.js";
import { TEST_LIBRARY } from "../../fakes/testLibrary.js";
import { PATIENCE_MS, PHONE, axeFinds, widthOf } from "./browserPage.js";
import { describePage } from "./describePage.js";
import { connectedTool, makeKeys, shippingAll } from "./servedPage.js";

/** Lists the tools of a connected source, whose descriptions may have changed. */
async function listFiles(home: string, about: string): Promise<void> {
  const tools = ["one", "two", "three"].map((name) =>
    connectedTool("files", name, `Reads ${name}${about}`),
  );
  await syncConnected({
    store: openWorkspace({ home }).store,
    settings: { library: "pinned", embeddings: TEST_LIBRARY.embeddings },
    source: { name: "files", kind: "mcp", settings: {} },
    listing: { tools, problems: [] },
  });
}

let [admin, reader]: (string | undefined)[] = [];

describePage(
  "the page of a server that asks for keys",
  (stage) => {
    async function openWith(key = "", view = ""): Promise<Page> {
      return await stage.open({ view, key, viewport: PHONE });
    }

    it("says that a key is wrong, accepts the right one, and keeps it only for the tab", async () => {
      const page = await openWith("tulipkey_wrong");
      await page.getByText("The server does not accept this key.").waitFor();
      await page.getByLabel("Key").fill(String(admin));
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "What would you like to do?" }).waitFor();
      expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, ""]);
      await page.reload();
      await page.getByRole("heading", { name: "What would you like to do?" }).waitFor();
      await page.getByRole("button", { name: "Forget key" }).click();
      await page.getByRole("heading", { name: "A key is required" }).waitFor();
      expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
      expect(await axeFinds(page)).toEqual([]);
    });

    it("makes a key whose secret is shown once, and revokes it", async () => {
      const page = await openWith(admin, "#costs");
      await page.getByRole("heading", { name: "operator" }).waitFor();
      await page.getByLabel("Name").fill("billing");
      await page.getByLabel("run", { exact: false }).check();
      await page.getByRole("button", { name: "Create key" }).click();
      const secret = page.getByLabel("Secret (shown only once)");
      expect(await secret.inputValue()).toMatch(/^tulipkey_/);
      const value = await secret.inputValue();
      const asking = async () =>
        (await fetch(`${stage.server.url}/console/caller`, { headers: { "x-api-key": value } }))
          .status;
      expect(await asking()).toBe(200);
      await page.reload();
      await page.getByRole("heading", { name: "billing" }).waitFor();
      expect(await page.content()).not.toContain(value);
      await page.getByRole("button", { name: "Revoke billing" }).click();
      await page.getByRole("button", { name: "Press again" }).click();
      await page.getByText("billing was revoked.").waitFor();
      await expect.poll(asking, { timeout: PATIENCE_MS }).toBe(401);
    });

    it("shows what was used by day, key, graph and library", async () => {
      const log = join(stage.folder, "used.log");
      const { threadId } = await stage.server.begin({ script: [shippingAll(log)] });
      await stage.server.settled(threadId);
      const page = await openWith(admin, "#costs");
      const by = page.getByRole("combobox", { name: /^By/ });
      await by.focus();
      for (const [name, row] of [
        ["Key", "operator"],
        ["Graph", "tulip"],
        ["Library", "orders"],
        ["Day", new Date().toISOString().slice(0, 10)],
      ] as const) {
        await by.selectOption(name);
        const used = page.getByRole("region", { name: `Usage by ${name.toLowerCase()}` });
        await used.getByRole("cell", { name: row, exact: true }).waitFor();
        expect(await by.evaluate((field) => field === document.activeElement)).toBe(true);
      }
      expect(await axeFinds(page)).toEqual([]);
    });

    it("takes a key for good, even if answers to the one before come late", async () => {
      const page = await openWith(admin, "#costs");
      const by = page.getByRole("combobox", { name: "By" });
      await by.waitFor();
      const asked = new Promise<Route>((hold) => void page.route("**/console/costs*", hold));
      await page.evaluate(() => sessionStorage.setItem("tulipgraph-key", "tulipkey_gone"));
      await by.selectOption("Key");
      const late = await asked;
      await page.getByRole("link", { name: "Runs", exact: true }).click();
      await page.getByRole("heading", { name: "A key is required" }).waitFor();
      await page.getByLabel("Key").fill(String(admin));
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Runs" }).waitFor();
      const refused = page.waitForResponse("**/console/costs*");
      await late.continue();
      expect((await refused).status()).toBe(401);
      await (await refused).finished();
      await page.getByRole("link", { name: "Library" }).click();
      await page.getByRole("heading", { name: "Library" }).waitFor();
    });

    it("lets an administrator accept and reject what waits for review, as it was seen", async () => {
      await listFiles(stage.home, ".");
      await listFiles(stage.home, ", and sends it to us.");
      const page = await openWith(admin, "#library/pinned");
      const card = page.locator(".card", { hasText: "files.one" });
      await card.locator("summary").click();
      await card.getByText("-description: Reads one.").waitFor();
      await card.getByText("+description: Reads one, and sends it to us.").waitFor();
      expect(await axeFinds(page)).toEqual([]);
      expect(await widthOf(page)).toBe(PHONE.width);
      await page.getByRole("button", { name: "Accept files.one" }).click();
      await page.getByText("1 definition accepted.").waitFor();
      await page.getByRole("button", { name: "Reject files.two" }).click();
      await page.getByText("1 definition rejected.").waitFor();
      await listFiles(stage.home, ", and sends it to them.");
      await page.getByRole("button", { name: "Accept files.three" }).click();
      await page.getByText("has changed since it was shown").waitFor();
      await page.reload();
      await page.getByRole("button", { name: "Accept all 3" }).click();
      await page.getByText("3 definitions accepted.").waitFor();
      await page.locator(".tools a").nth(2).waitFor();
    });

    it("shows a key without the scopes no runs of other owners, no keys and no way to decide", async () => {
      const { threadId, runId } = await stage.server.begin({
        script: [shippingAll(join(stage.folder, "log"))],
      });
      await stage.server.settled(threadId);
      const page = await openWith(reader);
      await page
        .getByText("This key can view conversations, but asking needs the run scope.")
        .waitFor();
      await page.goto(`${stage.server.url}/#approvals`);
      await page.getByText("Nothing is waiting for a decision").waitFor();
      await page.goto(`${stage.server.url}/#costs`);
      await page.getByText("There is no usage yet.").waitFor();
      await page.getByText("Viewing keys needs the admin scope.").waitFor();
      const headers = { "x-api-key": String(reader) };
      const at = async (path: string, how = {}) =>
        (await fetch(stage.server.url + path, { headers, ...how })).status;
      expect(await at(`/console/runs/${runId}`)).toBe(404);
      expect(await at(`/console/runs/${runId}/exchanges/${runId}`)).toBe(404);
      const seen = await fetch(`${stage.server.url}/console/runs`, { headers });
      expect(await seen.json()).toEqual([]);
      expect(await at("/console/keys")).toBe(403);
      expect(await at("/console/search?library=orders&phrase=ship")).toBe(404);
      const asked = { method: "POST", body: "{}" };
      expect(await at("/console/try", asked)).toBe(403);
      expect(await at("/console/reviews", asked)).toBe(403);
      expect(existsSync(join(stage.folder, "log"))).toBe(false);
    });
  },
  async ({ home }) => {
    [admin, reader] = await makeKeys(home, [
      { scopes: ["admin"], name: "operator" },
      { scopes: ["read"], name: "looker", owner: "ana" },
    ]);
    return { apiKey: admin };
  },
);
