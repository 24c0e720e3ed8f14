import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { program } from "../../graphs/tulipRuns.js";
import { DESKTOP, PATIENCE_MS, PHONE, unseenFocus } from "./browserPage.js";
import { describePage } from "./describePage.js";
import { heldModel, makeKeys, shippingAll } from "./servedPage.js";

/** Presses of Tab after which something counts as out of reach, or a view as a trap. */
const MOST_PRESSES = 150;

/** A program that a person follows instead. */
const OTHER = [
  'const orders = await list_orders({ customer: "Mira" });',
  "return `Found ${orders.length} orders.`;",
].join("\n");

let admin: string | undefined;

describePage(
  "the page by Tab, arrows, Enter and Escape alone",
  (stage) => {
    it("chooses a preset, asks a first request, asks it differently, chooses a library, and stops a run", async () => {
      const page = await stage.open({ key: admin });
      const { enter, reach } = keysOf(page);
      await reach(page.getByRole("radio", { name: "Standard" }));
      await page.keyboard.press("ArrowRight");
      expect(await page.getByRole("radio", { name: "Careful" }).isChecked()).toBe(true);
      await enter(button(page, "What is 3 times 4?"));
      await page.getByText("The result is 12.").waitFor();
      await enter(page.locator("summary", { hasText: "Edit request" }));
      await page.getByLabel("Edited request").waitFor();
      await page.keyboard.press("Escape");
      expect(await page.getByLabel("Edited request").count()).toBe(0);
      await enter(page.locator(".settings summary"));
      await reach(page.getByLabel("Library"));
      await page.keyboard.press("ArrowDown");
      expect(await page.getByLabel("Library").inputValue()).toBe("orders");

      const held = heldModel(join(stage.folder, "held.log"));
      await stage.server.begin({ script: held.script, request: "Ship slowly" });
      await enter(link(page, "Runs"));
      await enter(link(page, "Ship slowly"));
      await enter(link(page, "Conversation"));
      // The view of the run has such a button, too.
      await page
        .getByRole("list", { name: "Conversation" })
        .getByText("Ship slowly")
        .first()
        .waitFor();
      await enter(button(page, "Stop"));
      held.letGo();
      await page.getByText("Stopped", { exact: true }).waitFor();
    });

    it("approves a write changed in its form and rejects one with a reason", async () => {
      const file = join(stage.folder, "shipped.log");
      const { threadId } = await stage.server.begin({ script: [shippingAll(file)] });
      await stage.server.settled(threadId);
      const page = await stage.open({ key: admin, viewport: PHONE });
      const { enter, write } = keysOf(page);
      await enter(page.getByRole("link", { name: /^Approvals/ }));
      await write(page.locator(".action").first().getByLabel("order"), "A2");
      // Enter in a field sends nothing.
      await page.keyboard.press("Enter");
      await enter(page.locator(".action").nth(1).getByLabel("Reject"));
      await write(page.getByLabel(/^Reason/), "not before Monday");
      await page.keyboard.press("Control+Enter");
      await page.getByText("Nothing is waiting for a decision").waitFor();
      await stage.server.settled(threadId);
      expect(readFileSync(file, "utf8").trim()).toBe("A2");
    });

    it("looks at a run, its calls and visits, goes back, and follows another program", async () => {
      const script = [program('return await list_orders({ customer: "Mira" });')];
      const { threadId, runId } = await stage.server.begin({ script });
      await stage.server.settled(threadId);
      const page = await stage.open({ key: admin });
      const { enter, write } = keysOf(page);
      await enter(link(page, "Runs"));
      await enter(page.locator(".runs a"));
      await enter(page.locator(".call summary"));
      await page.getByText("Arguments", { exact: true }).waitFor();
      await page.keyboard.press("Escape");
      expect(await page.getByText("Arguments", { exact: true }).count()).toBe(0);
      await enter(page.locator(".stage-box", { hasText: "checkProgram" }));
      await enter(page.locator(".visits summary"));
      await enter(page.locator("summary", { hasText: "State before this stage" }));
      await write(page.getByRole("textbox", { name: "The program" }), OTHER);
      await enter(button(page, "Run this program"));
      await page.locator(".answer", { hasText: "Found 2 orders." }).waitFor();
      expect(page.url()).not.toContain(runId);
      await enter(page.locator(".visits summary"));
      await enter(button(page, "Run again from here"));
      await page.getByText("Running again from here.").waitFor();
      await stage.server.settled(threadId);
    });

    it("searches a library, tries a read, looks at costs, and makes and revokes a key", async () => {
      const page = await stage.open({ key: admin, view: "#library/orders" });
      const { enter, reach, write } = keysOf(page);
      await write(page.getByLabel("Describe a task"), "list the orders of a customer");
      await page.keyboard.press("Enter");
      await enter(page.locator(".hits a", { hasText: "list_orders" }));
      await write(page.getByLabel("customer"), "Mira");
      await page.keyboard.press("Enter");
      await page.locator(".tried td", { hasText: "A3" }).waitFor();
      await enter(link(page, "Costs and keys"));
      await reach(page.getByRole("combobox", { name: /^By/ }));
      await page.keyboard.press("ArrowDown");
      await page.getByRole("region", { name: "Usage by key" }).waitFor();
      await write(page.getByLabel("Name"), "billing");
      await enter(page.getByRole("checkbox", { name: /^read/ }));
      await enter(button(page, "Create key"));
      await page.getByLabel("Secret (shown only once)").waitFor();
      await enter(button(page, "Revoke billing"));
      await page.keyboard.press("Enter");
      await page.getByText("billing was revoked.").waitFor();
      const card = page.locator(".card", { hasText: "billing" });
      await expect.poll(() => card.getByRole("button").count(), { timeout: PATIENCE_MS }).toBe(0);
    });

    it.each([DESKTOP, PHONE])("leads through each view and out of it at %o", async (viewport) => {
      const script = [shippingAll(join(stage.folder, "views.log"))];
      const { threadId, runId } = await stage.server.begin({ script });
      await stage.server.settled(threadId);
      const page = await stage.open({ key: admin, viewport });
      for (const [view, shown] of [
        ["", "What would you like to do?"],
        [`#ask/${threadId}`, "Waiting for approval: 2 writes"],
        ["#approvals", "Waiting for approval: 2 writes"],
        ["#runs", "Solved"],
        [`#runs/${runId}`, "Path through the graph"],
        ["#library/orders", "ship_order"],
        ["#library/orders/tool/list_orders", "As the model sees it"],
        ["#costs", "New key"],
      ] as const) {
        await page.goto(`${stage.server.url}/${view}`);
        await page.getByText(shown).first().waitFor();
        expect([view, await wayThrough(page)]).toEqual([view, "out again"]);
      }
    });
  },
  async ({ home }) => {
    [admin] = await makeKeys(home, [{ scopes: ["admin"], name: "operator" }]);
    return { apiKey: admin };
  },
);

/** Presses of keys, where each place that Tab leads to has to be seen to have the focus. */
function keysOf(page: Page) {
  const { keyboard } = page;
  const reach = async (wanted: Locator) => {
    await wanted.first().waitFor();
    for (let press = 0; press < MOST_PRESSES; press++) {
      await keyboard.press("Tab");
      expect(await unseenFocus(page)).toBe("");
      if (await wanted.first().evaluate((it) => it === document.activeElement)) return;
    }
    throw new Error(`Tab does not reach ${String(wanted)}`);
  };
  return {
    reach,
    enter: async (wanted: Locator) => {
      await reach(wanted);
      await keyboard.press("Enter");
    },
    write: async (wanted: Locator, text: string) => {
      await reach(wanted);
      await keyboard.press("Control+A");
      await keyboard.insertText(text);
    },
  };
}

const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name });

/** Presses Tab until it leads from the last part of a page to the first again; else, where one is stuck or sees nothing. */
async function wayThrough(page: Page): Promise<string> {
  const first = page.getByRole("link", { name: "Skip to content" });
  await first.focus();
  for (let press = 0; press < MOST_PRESSES; press++) {
    await page.keyboard.press("Tab");
    const unseen = await unseenFocus(page);
    if (unseen) return unseen;
    if (await first.evaluate((it) => it === document.activeElement)) return "out again";
  }
  return `stuck at ${await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))}`;
}
