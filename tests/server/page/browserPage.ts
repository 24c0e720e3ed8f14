import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type Page, chromium } from "playwright-core";
import { findChromium } from "../../../scripts/testing/supply-package.mjs";

/** Where a browser is, if there is one. */
export const executablePath = findChromium();

/** Time for each step in the browser, on a busy machine (ms). */
export const PATIENCE_MS = 40_000;

export const DESKTOP = { width: 1280, height: 860 };
export const TABLET = { width: 768, height: 1000 };
export const PHONE = { width: 390, height: 844 };

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A page in a browser, and what went wrong in it. */
export interface OpenPage {
  page: Page;
  /** Errors and warnings of its console, and requests to other hosts. */
  problems: string[];
}

export async function startBrowser(): Promise<Browser> {
  // Chromium's sandbox does not work for root, who runs tests in containers.
  return await chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

/** Opens a view of a server's page. */
export async function openPage(options: {
  browser: Browser;
  url: string;
  view?: string;
  viewport?: { width: number; height: number };
  colorScheme?: "light" | "dark";
  /** A key, which the page asks for. */
  key?: string;
  /** Where problems of other pages are kept, too. */
  problems?: string[];
}): Promise<OpenPage> {
  const { browser, url, view = "", viewport = DESKTOP, colorScheme = "light", key } = options;
  const page = await browser.newPage({ viewport, colorScheme });
  const { problems = [] } = options;
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
  if (key !== undefined) {
    await page.getByLabel("Key").fill(key);
    await page.keyboard.press("Enter");
  }
  return { page, problems };
}

/** What axe finds that keeps people out: rules of WCAG 2.2 at AA, serious or worse. */
export async function axeFinds(page: Page): Promise<string[]> {
  const found = await page.evaluate(`${axe};
    axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"] }).then(({ violations }) =>
      violations
        .filter(({ impact }) => ["serious", "critical"].includes(impact))
        .map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" · ").slice(0, 400)))`);
  return found as string[];
}

/** How wide the page is; more than the window means that it scrolls sideways. */
export async function widthOf(page: Page): Promise<number> {
  return await page.evaluate(() => document.documentElement.scrollWidth);
}

/**
 * Why one would not see what has the focus: nothing is drawn around it, what is drawn is cut off, or it is beneath
 * something else. Empty if one sees it, or if nothing has the focus.
 */
export async function unseenFocus(page: Page): Promise<string> {
  return await page.evaluate(async () => {
    // What has the focus is scrolled into sight with the next frame.
    for (const _frame of [1, 2]) await new Promise(requestAnimationFrame);
    const focused = document.activeElement;
    if (!focused || focused === document.body) return "";
    const name = focused.outerHTML.slice(0, 120);
    let drawn: Element | null = focused;
    while (drawn && getComputedStyle(drawn).outlineStyle === "none") drawn = drawn.parentElement;
    if (!drawn) return `nothing is drawn around ${name}`;
    const { outlineOffset, outlineWidth } = getComputedStyle(drawn);
    const beyond = Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth);
    const { left, right, top, bottom } = drawn.getBoundingClientRect();
    for (let around = drawn.parentElement; around; around = around.parentElement) {
      const { overflowX, contentVisibility } = getComputedStyle(around);
      if (overflowX === "visible" && contentVisibility !== "auto") continue;
      const room = around.getBoundingClientRect();
      if (left - beyond < room.left - 1 || right + beyond > room.right + 1)
        return `what is drawn around ${name} is cut off by ${around.className}`;
    }
    const middle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const isInSight = middle && (drawn.contains(middle) || middle.contains(drawn));
    if (isInSight) return "";
    return `${name}, at ${[left, top, right, bottom].map(Math.round).join(" ")}, is beneath ${middle?.outerHTML.slice(0, 80)}`;
  });
}

/** Unfolds what visits of stages did, also where they are folded away themselves. */
export async function unfoldVisits(page: Page): Promise<void> {
  for (const visit of await page.locator(".visits > li > details").all())
    await visit.evaluate((details) => details.setAttribute("open", ""));
}
