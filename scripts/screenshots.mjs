// `node scripts/screenshots.mjs REPORT.html`: takes the pictures of a report for the documentation.
import { mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { findChromium } from "./testing/chromium.mjs";

const FOLDER = join(dirname(dirname(fileURLToPath(import.meta.url))), "docs", "images");
const DESKTOP = { width: 1200, height: 900 };
const PHONE = { width: 360, height: 740 };

/** @import { Browser, Page } from "playwright-core" */

/**
 * @typedef {object} Shot
 * @property {string} name of the file
 * @property {"light" | "dark"} scheme
 * @property {{ width: number, height: number }} viewport
 * @property {(page: Page) => Promise<unknown>} prepare brings the subject of the picture into view
 */

/** @type {Shot[]} */
const SHOTS = [
  { name: "report", scheme: "light", viewport: DESKTOP, prepare: async () => {} },
  {
    name: "report-charts",
    scheme: "dark",
    viewport: { width: 1200, height: 1150 },
    prepare: (page) => page.locator("#cost").evaluate((heading) => heading.scrollIntoView()),
  },
  {
    name: "report-run",
    scheme: "light",
    viewport: DESKTOP,
    prepare: async (page) => {
      await page.locator("#runs-text").fill("primed_cot_tulip solved circle");
      await page.locator("#runs-body tr").first().click();
    },
  },
  {
    name: "report-phone",
    scheme: "dark",
    viewport: PHONE,
    prepare: (page) => page.locator("#cost").evaluate((heading) => heading.scrollIntoView()),
  },
];

const [report] = process.argv.slice(2);
const executablePath = findChromium();
if (report && executablePath) await takeAll(report, executablePath);
else {
  process.stderr.write(
    report
      ? "no chromium on PATH; install one or set TULIPGRAPH_CHROMIUM\n"
      : "usage: node scripts/screenshots.mjs REPORT.html\n",
  );
  process.exitCode = 2;
}

/** @param {string} report @param {string} executablePath */
async function takeAll(report, executablePath) {
  mkdirSync(FOLDER, { recursive: true });
  // As root, Chromium starts only without its sandbox.
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    for (const shot of SHOTS) await take(browser, report, shot);
  } finally {
    await browser.close();
  }
}

/** @param {Browser} browser @param {string} report @param {Shot} shot */
async function take(browser, report, { name, scheme, viewport, prepare }) {
  const page = await browser.newPage({ viewport, colorScheme: scheme });
  await page.goto(pathToFileURL(resolve(report)).href);
  await prepare(page);
  const path = join(FOLDER, `${name}.png`);
  await page.screenshot({ path });
  await page.close();
  process.stdout.write(`wrote ${path}\n`);
}
