import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { comparisonHtml } from "../../../eval/report/comparison.js";
import { reportHtml } from "../../../eval/report/html.js";
import { comparison } from "../../../eval/summary/compare.js";
import { findChromium } from "../../../scripts/testing/chromium.mjs";
import { faintTexts } from "./browser.js";
import { syntheticSummary } from "./fixture.js";

const executablePath = findChromium();
/** Time limit for every action of the browser, on a busy machine, in milliseconds. */
const PATIENCE_MS = 100_000;
const PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1200, height: 900 };

describe.skipIf(!executablePath)(
  "a report in a browser (skipped where there is no chromium on PATH or in TULIPGRAPH_CHROMIUM)",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "tulipgraph-report-"));
    let browser: Browser;
    let pages: Page[] = [];
    let problems: string[] = [];

    beforeAll(async () => {
      const summary = syntheticSummary({
        graphs: ["base", "cot_tool", "cot_tulip"],
        tasksPerLevel: 8,
      });
      const other = syntheticSummary({ graphs: ["base", "cot_tool"], luck: 3 });
      writeFileSync(join(folder, "report.html"), await reportHtml(summary));
      writeFileSync(
        join(folder, "comparison.html"),
        await comparisonHtml(comparison({ a: summary, b: other })),
      );
      // Chromium refuses its own sandbox to root, who runs tests in containers.
      browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    });

    afterEach(async () => {
      await Promise.all(pages.map((page) => page.close()));
      pages = [];
      problems = [];
    });

    afterAll(async () => {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    });

    /** Opens a file; errors and other requests of the page are added to `problems`. */
    async function open(options: {
      file?: string;
      viewport?: { width: number; height: number };
      colorScheme?: "light" | "dark";
    }): Promise<Page> {
      const { file = "report.html", viewport = DESKTOP, colorScheme = "light" } = options;
      const page = await browser.newPage({ viewport, colorScheme });
      const address = pathToFileURL(join(folder, file)).href;
      pages.push(page);
      page.setDefaultTimeout(PATIENCE_MS);
      page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) problems.push(message.text());
      });
      page.on("pageerror", (error) => problems.push(error.message));
      page.on("request", (request) => {
        if (request.url() !== address) problems.push(`asked for ${request.url()}`);
      });
      await page.goto(address);
      return page;
    }

    it.each(["report.html", "comparison.html"])(
      "opens %s from disk without a complaint or a request, and no page scrolls sideways",
      async (file) => {
        for (const viewport of [PHONE, DESKTOP]) {
          const page = await open({ file, viewport });
          const width = await page.evaluate(() => document.documentElement.scrollWidth);
          expect(width).toBe(viewport.width);
          expect(await page.locator("svg:visible").count()).toBeGreaterThan(0);
        }
        expect(problems).toEqual([]);
      },
    );

    it.each(["report.html", "comparison.html"])(
      "shows all of the tables of %s at 1,280 px and on a phone: none is cut off or scrolls sideways",
      async (file) => {
        for (const width of [1280, 390, 360]) {
          const page = await open({ file, viewport: { width, height: 900 } });
          const cut = await page.evaluate(() =>
            [...document.querySelectorAll(".scroll")]
              .filter((box) => box.scrollWidth > box.clientWidth)
              .map((box) => box.getAttribute("aria-label")),
          );
          expect({ width, cut }).toEqual({ width, cut: [] });
        }
      },
    );

    it("says in its first sentence what was found, and whether it is within noise", async () => {
      const page = await open({});
      const first = page.locator("header p:not(.kicker)").first();
      expect(await first.textContent()).toMatch(
        /^cot_\w+ is right in 0\.\d\d of its runs .* noise/,
      );
    });

    it.each(["light", "dark"] as const)("is readable in the %s scheme", async (colorScheme) => {
      const page = await open({ colorScheme });
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(ground).toBe(colorScheme === "light" ? "rgb(252, 251, 248)" : "rgb(21, 24, 29)");
      await page.locator("summary").evaluateAll((all) => {
        for (const summary of all) summary.parentElement?.setAttribute("open", "");
      });
      expect(await faintTexts(page)).toEqual([]);
      await page.locator("#runs-body tr").nth(1).click();
      expect(await faintTexts(page)).toEqual([]);
    });

    it("sorts the runs by a column when its header is clicked, and turns them when clicked again", async () => {
      const page = await open({});
      const header = page.locator("#runs-table th", { hasText: "Tokens" });
      const tokens = async () => await columnNumbers(page, "Tokens");
      await header.getByRole("button").click();
      expect(await header.getAttribute("aria-sort")).toBe("ascending");
      const ascending = await tokens();
      expect(ascending).toEqual(ascending.toSorted((a, b) => a - b));
      await header.getByRole("button").click();
      expect(await header.getAttribute("aria-sort")).toBe("descending");
      const descending = await tokens();
      expect(descending).toEqual(descending.toSorted((a, b) => b - a));
      expect(descending[0]).toBeGreaterThan(ascending[0] ?? Infinity);
      expect(await page.locator("#runs-table th[aria-sort]").count()).toBe(1);
    });

    it("filters the runs by text, graph and outcome, and says how many are left", async () => {
      const page = await open({});
      expect(await page.locator("#runs-count").textContent()).toBe("1–50 of 216 runs");
      await page.getByLabel("Text in task").fill("hard.003");
      expect(await page.locator("#runs-count").textContent()).toBe("1–9 of 9 runs (216 in all)");
      await page.locator("#runs-graph").selectOption("cot_tool");
      expect(await page.locator("#runs-body tr").count()).toBe(3);
      await page.getByLabel("Text in task").fill("nothing has this");
      expect(await page.locator("#runs-count").textContent()).toBe("none of 216 runs");
    });

    it("turns the pages of a long list", async () => {
      const page = await open({});
      const first = await page.locator("#runs-body tr").first().textContent();
      await page.locator("#runs-after").click();
      expect(await page.locator("#runs-count").textContent()).toBe("51–100 of 216 runs");
      expect(await page.locator("#runs-body tr").first().textContent()).not.toBe(first);
      await page.locator("#runs-before").click();
      expect(await page.locator("#runs-body tr").first().textContent()).toBe(first);
      expect(await page.locator("#runs-before").isDisabled()).toBe(true);
    });

    it("shows a run's stages, searches, subtasks, calls and settings on one click", async () => {
      const page = await open({});
      await page.locator("#runs-graph").selectOption("cot_tulip");
      await page.locator("#runs-body tr").first().locator("td").nth(3).click();
      const run = page.locator("#run");
      expect(await run.isVisible()).toBe(true);
      expect(await page.locator("#run-title").textContent()).toBe("easy.000 · cot_tulip · run 1");
      expect(await run.locator("h3").allTextContents()).toEqual([
        expect.stringMatching(/^Answer · /),
        "Expected",
        "Scores",
        "Stages",
        "Subtasks",
        "Searches",
        "Calls",
        "Settings",
      ]);
      const text = (await run.textContent()) ?? "";
      for (const part of ["add two numbers", "0.412", "nothing found", "division by zero", "topK"])
        expect(text).toContain(part);
      await page.locator("#run-after").click();
      expect(await page.locator("#run-title").textContent()).toBe("easy.000 · cot_tulip · run 2");
      await page.locator("#run-close").click();
      expect(await run.isVisible()).toBe(false);
      expect(problems).toEqual([]);
    });

    it("opens a run with Enter, closes it with Escape, and gives the focus back", async () => {
      const page = await open({});
      const button = page.locator("#runs-body tr").nth(2).getByRole("button");
      await button.focus();
      await page.keyboard.press("Enter");
      expect(await page.locator("#run").isVisible()).toBe(true);
      await page.keyboard.press("Escape");
      expect(await page.locator("#run").isVisible()).toBe(false);
      expect(await button.evaluate((node) => node === document.activeElement)).toBe(true);
    });

    it("shows a run that holds HTML as the text that it is", async () => {
      const page = await open({});
      await page.locator("#runs-body tr").first().click();
      const run = page.locator("#run");
      expect(await run.locator(".answer").textContent()).toContain("</script><img src=x onerror=");
      expect(await page.locator("img").count()).toBe(0);
      expect(await page.title()).toBe("Synthetic experiment · tulipgraph");
      expect(problems).toEqual([]);
    });

    it("fits a run on a phone", async () => {
      const page = await open({ viewport: PHONE });
      await page.locator("#runs-body tr").first().locator("button").click();
      const body = page.locator("#run-body");
      const [inner, outer] = await body.evaluate((node) => [node.scrollWidth, node.clientWidth]);
      expect(inner).toBe(outer);
      expect(outer).toBeGreaterThan(300);
    });
  },
);

async function columnNumbers(page: Page, label: string): Promise<number[]> {
  const labels = await page.locator("#runs-table thead th").allTextContents();
  const place = labels.findIndex((text) => text.startsWith(label)) + 1;
  const texts = await page.locator(`#runs-body tr > :nth-child(${place})`).allTextContents();
  return texts.map((text) => Number(text.replaceAll(",", "")));
}
