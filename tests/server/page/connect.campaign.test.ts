import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newHome } from "../../fakes/homes.js";
import { serveLogins, serveTeam } from "../access/sources.js";
import { waiting } from "../access/users.js";
import { axeFinds, executablePath, openPage, startBrowser } from "./browserPage.js";

const told = (page: Page, text: string) =>
  page.getByRole("status").filter({ hasText: text }).waitFor();

describe.skipIf(!executablePath)(
  "on the page (skipped where there is no chromium on PATH or in TULIPGRAPH_CHROMIUM)",
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await startBrowser();
    });
    afterAll(async () => browser.close());

    it("a user gives a key to a source, unseen, and the run goes on", async () => {
      const team = await serveTeam({ home: newHome() });
      const { user, thread_id } = await waiting(team, "ada", "who");
      const { page } = await openPage({
        browser,
        url: team.url,
        view: "#approvals",
        key: user.token,
      });
      const field = page.getByLabel("OFFICE_KEY");
      await field.fill("ada-secret-1");
      expect(await field.getAttribute("type")).toBe("password");
      expect(await axeFinds(page)).toEqual([]);
      await page.getByRole("button", { name: "Connect" }).click();
      await told(page, "Connected");
      await expect.poll(async () => (await user.client.threads.get(thread_id)).status).toBe("idle");
      expect(team.office.seen.at(-1)).toBe("ada");
    });

    it("a user logs in at a source, and comes back to a run that goes on", async () => {
      const team = await serveLogins({ home: newHome() });
      const { user, thread_id } = await waiting(team, "ada", "warmth", { place: "Rome" });
      const { page } = await openPage({
        browser,
        url: team.url,
        view: "#approvals",
        key: user.token,
      });
      await page.getByRole("button", { name: "Log in" }).click();
      await told(page, "Connected to weather.");
      expect(page.url()).toBe(`${team.url}/#approvals`);
      await expect.poll(async () => (await user.client.threads.get(thread_id)).status).toBe("idle");
    });
  },
);
