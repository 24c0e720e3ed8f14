import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Route } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { programFile } from "../../fakes/programs.js";
import { faintTexts } from "../../eval/report/browser.js";
import {
  DESKTOP,
  PATIENCE_MS,
  PHONE,
  TABLET,
  axeFinds,
  unfoldVisits,
  widthOf,
} from "./browserPage.js";
import { describePage } from "./describePage.js";
import { heldModel, servePage, shippingAll } from "./servedPage.js";

const REQUEST = "Ship the orders of the customer Mira";

describePage("the page in a browser", (stage) => {
  const log = () => join(stage.folder, `${crypto.randomUUID()}.log`);

  it("goes on with a run after a reload in the middle of it, and follows it live", async () => {
    const held = heldModel(log());
    const { threadId } = await stage.server.begin({
      script: held.script,
      settings: { approval: "none" },
    });
    const page = await stage.open({ view: `#ask/${threadId}` });
    await page.locator(".stages summary", { hasText: "writeProgram" }).first().waitFor();
    await page.reload();
    await page.locator(".stages summary", { hasText: "writeProgram" }).first().waitFor();
    held.letGo();
    await page.getByText("Shipped 2 orders.").waitFor();
    await page.getByText("Solved", { exact: true }).waitFor();
    expect(stage.problems).toEqual([]);
  });

  it("asks further on the thread, again and differently, stops what is at work, and copies the link", async () => {
    const page = await stage.open();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const ask = page.getByLabel("Your request");
    const answers = page.locator(".answer");
    await page.getByRole("button", { name: "What is 3 times 4?" }).click();
    await page.getByText("The result is 12.").waitFor();
    await ask.fill("What is 5 times 7?");
    await page.keyboard.press("Enter");
    await page.getByText("The result is 35.").waitFor();
    await page.getByRole("button", { name: "Ask again" }).last().click();
    await expect.poll(() => answers.count(), { timeout: PATIENCE_MS }).toBe(3);
    await page.getByText("Edit request").last().click();
    await page.getByLabel("Edited request").fill("What is 6 times 7?");
    await page.getByRole("button", { name: "Ask from here" }).click();
    await page.getByText("The result is 42.").waitFor();
    await page.getByRole("button", { name: "Copy link" }).last().click();
    await page.getByText("Link copied.").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
    const held = heldModel(log());
    const { threadId } = await stage.server.begin({ script: held.script });
    await page.goto(`${stage.server.url}/#ask/${threadId}`);
    await page.getByRole("button", { name: "Stop" }).click();
    held.letGo();
    await page.getByText("Stopped", { exact: true }).waitFor();
  });

  it("keeps what is asked before the page knows what may be chosen, and sends it then", async () => {
    const page = await stage.open();
    const held: Route[] = [];
    await page.route("**/console/choices*", (route) => void held.push(route), { times: 1 });
    await page.reload();
    await page.getByLabel("Your request").fill("What is 5 times 7?");
    await page.keyboard.press("Enter");
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await held[0]?.continue();
    await page.getByText("The result is 35.").waitFor();
    expect(stage.problems).toEqual([]);
  });

  it("finds tools, says why, and tries a read but no write", async () => {
    const page = await stage.open({ view: "#library/orders" });
    const phrase = page.getByLabel("Describe a task");
    await phrase.fill("list the orders of a customer");
    await page.keyboard.press("Enter");
    const hit = page.locator(".hits li", { hasText: "list_orders" }).first();
    expect(await hit.textContent()).toContain("words in common");
    await hit.getByRole("link").click();
    await page.getByLabel("customer").fill("Mira");
    await page.getByRole("button", { name: "Call it" }).click();
    await page.locator(".tried td", { hasText: "A3" }).waitFor();
    await page.goto(`${stage.server.url}/#library/orders/tool/ship_order`);
    await page.getByText("It cannot be tried here").waitFor();
    expect(stage.problems).toEqual([]);
    const args = { order: "A1", log: log() };
    const body = JSON.stringify({ library: "orders", tool: "ship_order", args });
    const { status } = await fetch(`${stage.server.url}/console/try`, { method: "POST", body });
    expect(status).toBe(422);
  });

  it.each([
    ["light", DESKTOP],
    ["dark", DESKTOP],
    ["light", TABLET],
    ["dark", TABLET],
    ["light", PHONE],
    ["dark", PHONE],
  ] as const)("can be read and used in the %s scheme at %o", async (colorScheme, viewport) => {
    const { server } = stage;
    const script = [shippingAll(log())];
    const done = await server.begin({ script, settings: { approval: "none" } });
    await server.settled(done.threadId);
    const waiting = await server.begin({ script });
    await server.settled(waiting.threadId);
    const views: [view: string, shown: string][] = [
      ["", "What would you like to do?"],
      [`#ask/${done.threadId}`, "Edit request"],
      ["#approvals", "Waiting for approval: 2 writes"],
      ["#runs", "Solved"],
      [`#runs/${done.runId}`, "Path through the graph"],
      [`#runs/${done.runId}/${waiting.runId}`, "Waiting for approval: 2 writes"],
      ["#library/orders", "ship_order"],
      ["#library/orders/tool/list_orders", "As the model sees it"],
      ["#costs", "New key"],
    ];
    for (const [view, shown] of views) {
      const page = await stage.open({ view, viewport, colorScheme });
      await page.getByText(shown).first().waitFor();
      await unfoldVisits(page);
      expect([view, await widthOf(page)]).toEqual([view, viewport.width]);
      expect([view, await axeFinds(page)]).toEqual([view, []]);
      expect([view, await faintTexts(page)]).toEqual([view, []]);
      expect([view, stage.problems]).toEqual([view, []]);
      await page.close();
    }
  });

  it("says that the server is away, and goes on when it is back", async () => {
    const home = join(stage.folder, crypto.randomUUID());
    const before = await servePage({ home });
    const { url } = before;
    const { threadId } = await before.begin({ script: [shippingAll(log())] });
    await before.settled(threadId);
    const page = await stage.open({ url, view: "#approvals" });
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
    await page.getByText("Nothing is waiting for a decision").waitFor();
    await after.close();
  });

  it("is opened by serve --open, and outlives a server that is killed", async () => {
    const bin = join(stage.folder, "bin");
    const opened = join(stage.folder, "opened");
    mkdirSync(bin);
    writeFileSync(join(bin, "xdg-open"), `#!/bin/sh\necho "$@" > ${opened}\n`);
    chmodSync(join(bin, "xdg-open"), 0o755);
    const env = {
      ...process.env,
      TULIPGRAPH_HOME: join(stage.folder, "killed"),
      PATH: `${bin}:${process.env["PATH"]}`,
    };
    const first = await served(["--port", "0", "--open"], env);
    await expect.poll(() => existsSync(opened), { timeout: PATIENCE_MS }).toBe(true);
    expect(readFileSync(opened, "utf8").trim()).toBe(first.url);
    const page = await stage.open({ url: first.url });
    await page.getByRole("button", { name: "What is 3 times 4?" }).click();
    await page.getByText("The result is 12.").waitFor();
    first.child.kill("SIGKILL");
    await page.getByRole("alert").getByText("The server cannot be reached.").waitFor();
    await served(["--port", new URL(first.url).port], env);
    await page.getByText("The server is back.").waitFor();
    await page.getByLabel("Your request").fill("What is 5 times 7?");
    await page.keyboard.press("Enter");
    await page.getByText("The result is 35.").waitFor();
    expect(await page.getByText("The result is 12.").isVisible()).toBe(true);
  });
});

/** A server in its own process, which is killed at the end of the test at the latest. */
async function served(
  options: string[],
  env: NodeJS.ProcessEnv,
): Promise<{ url: string; child: ChildProcess }> {
  const argv = [programFile("tests/fakes/commandLine.ts"), "serve", ...options];
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "ignore", "pipe"], env });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => (said += part));
  while (!/http:\S+/.test(said)) await once(child.stderr, "data");
  return { url: /http:\S+/.exec(said)?.[0] ?? "", child };
}
