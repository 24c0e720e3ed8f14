import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { comparisonReport } from "../../../eval/report/comparisonReport.js";
import { experimentReport } from "../../../eval/report/experimentReport.js";
import { reportHtml } from "../../../eval/report/html.js";
import { comparison } from "../../../eval/summary/compare.js";
import { findChromium } from "../../../scripts/testing/supply-package.mjs";
import { faintTexts } from "./browser.js";
import { syntheticSummary } from "./fixture.js";

const executablePath = findChromium();
/** Time limit for every action of the browser, on a busy machine, in milliseconds. */
const PATIENCE_MS = 100_000;
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
      const other = syntheticSummary({ graphs: ["base", "cot_tool"], right: 1 });
      writeFileSync(join(folder, "report.html"), reportHtml(await experimentReport(summary)));
      writeFileSync(
        join(folder, "comparison.html"),
        reportHtml(comparisonReport(comparison({ a: summary, b: other }))),
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
      "opens %s from disk without a complaint or a request, and nothing is cut off or scrolls sideways",
      async (file) => {
        for (const width of [1280, 390, 360]) {
          const page = await open({ file, viewport: { width, height: 900 } });
          const found = await page.evaluate(() => ({
            width: document.documentElement.scrollWidth,
            cut: [...document.querySelectorAll(".scroll")]
              .filter((box) => box.scrollWidth > box.clientWidth)
              .map((box) => box.getAttribute("aria-label")),
          }));
          expect(found).toEqual({ width, cut: [] });
        }
        expect(problems).toEqual([]);
      },
    );

    it.each(["light", "dark"] as const)("is readable in the %s scheme", async (colorScheme) => {
      const page = await open({ colorScheme });
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(ground).toBe(colorScheme === "light" ? "rgb(252, 251, 248)" : "rgb(21, 24, 29)");
      await page.locator("summary").evaluateAll((all) => {
        for (const summary of all) summary.parentElement?.setAttribute("open", "");
      });
      expect(await faintTexts(page)).toEqual([]);
    });

    it("shows a run that holds HTML as the text that it is", async () => {
      const page = await open({});
      const text = await page.locator("section[aria-labelledby=runs]").textContent();
      expect(text).toContain("</script><img src=x onerror=");
      expect(await page.locator("img").count()).toBe(0);
      expect(await page.title()).toBe("Synthetic experiment · tulipgraph");
      expect(problems).toEqual([]);
    });
  },
);
