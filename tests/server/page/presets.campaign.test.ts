import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { ShownRun } from "../../../server/page/routes/watchedRun.js";
import { axeFinds } from "./browserPage.js";
import { describePage } from "./describePage.js";

const WRITING = 'Create actionable tasks from the text "Call the customer"';

const preset = (page: Page, name: string) => page.getByRole("radio", { name });

/** Asks about the work items that ship. */
async function chooseWork(page: Page): Promise<void> {
  await page.getByText(/^Options/).click();
  await page.getByLabel("Library").selectOption("work");
}

describePage("ways to ask", (stage) => {
  /** With what the latest run was begun. */
  async function begunWith(): Promise<Pick<ShownRun, "graph" | "settings">> {
    const runs = (await (await fetch(`${stage.server.url}/console/runs`)).json()) as ShownRun[];
    const { graph = "", settings = {} } = { ...runs[0] };
    return { graph, settings };
  }

  it("begin with the usual one, and say what each gives", async () => {
    const page = await stage.open();
    expect(await preset(page, "Standard").isChecked()).toBe(true);
    await page.getByText("Finds the tools it needs").waitFor();
    await preset(page, "Plan only").check();
    await page.getByText("makes none").waitFor();
    expect(await page.getByText("Finds the tools it needs").isVisible()).toBe(false);
    expect(await axeFinds(page)).toEqual([]);
  });

  it("show the whole plan before it writes, and stay with the thread", async () => {
    const page = await stage.open();
    await chooseWork(page);
    await preset(page, "Careful").check();
    await page.getByRole("button", { name: WRITING }).click();
    await page.getByText("Waiting for approval: 1 write").waitFor();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("Solved", { exact: true }).waitFor();
    await page.reload();
    await page.getByText("Solved", { exact: true }).waitFor();
    expect(await preset(page, "Careful").isChecked()).toBe(true);
    expect(await page.getByText(/^Options/).textContent()).toContain("work");
    expect(stage.problems).toEqual([]);
  });

  it("plan and call nothing", async () => {
    const page = await stage.open();
    await preset(page, "Plan only").check();
    await page.getByRole("button", { name: "What is 3 times 4?" }).click();
    await page.getByText("Planned", { exact: true }).waitFor();
    const plan = await page.getByRole("region", { name: "The plan" }).textContent();
    expect(plan).toContain("multiply({ a: 3, b: 4 })");
    expect(await page.locator(".call").count()).toBe(0);
  });

  it("keep to a budget, which is gone with the next one", async () => {
    const page = await stage.open();
    await preset(page, "Low cost").check();
    await page.getByRole("button", { name: "What is 3 times 4?" }).click();
    await page.getByText(/of \$0\.05 spent/).waitFor();
    expect((await begunWith()).settings).toHaveProperty("budget", "$0.05");
    await preset(page, "Standard").check();
    await page.getByLabel("Your request").fill("What is 5 times 7?");
    await page.keyboard.press("Enter");
    await page.getByText("The result is 35.").waitFor();
    expect((await begunWith()).settings).not.toHaveProperty("budget");
  });

  it("leave every graph within reach, and say that none of them holds then", async () => {
    const page = await stage.open();
    await page.getByText(/^Options/).click();
    await page.getByLabel("Graph").selectOption("minimal_tulip");
    expect(await page.locator(".presets :checked").count()).toBe(0);
    await page.getByText("One search with the request itself, then act").waitFor();
    await page.getByRole("button", { name: "What is 3 times 4?" }).click();
    await page.getByText("The result is 12.").first().waitFor();
    expect((await begunWith()).graph).toBe("minimal_tulip");
  });

  it("lead to the tools of a library without examples", async () => {
    const page = await stage.open();
    await page.getByText(/^Options/).click();
    await page.getByLabel("Library").selectOption("orders");
    expect(await page.locator(".examples").count()).toBe(0);
    await page.getByRole("link", { name: "See the tools of orders" }).click();
    await page.getByText("ship_order").first().waitFor();
  });
});
