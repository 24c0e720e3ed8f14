// `npx tsx tests/server/console/screenshots.ts`: takes the pictures of a server's page for docs/console.md.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type Page, chromium } from "playwright-core";
import { openKeys } from "../../../server/access/keys.js";
import { SERVER_MIGRATIONS, type ServerTables } from "../../../server/schema.js";
import { openStore } from "../../../storage/database.js";
import { closeWorkspaces } from "../../../nodes/workspace/workspace.js";
import { servePage, shippingAll } from "./servedPage.js";
import { findChromium } from "../../../scripts/testing/supply-package.mjs";

const FOLDER = join(import.meta.dirname, "../../..", "docs", "images");
const DESKTOP = { width: 1000, height: 760 };
const PHONE = { width: 360, height: 740 };

interface Shot {
  name: string;
  view: string;
  scheme: "light" | "dark";
  viewport: { width: number; height: number };
  /** Brings the subject of the picture into view. */
  prepare: (page: Page) => Promise<unknown>;
}

const SHOTS: Shot[] = [
  {
    name: "console-approvals",
    view: "",
    scheme: "light",
    viewport: DESKTOP,
    prepare: async (page) => {
      await page.getByLabel("Approve").first().check();
      await page.getByLabel("Reject").nth(1).check();
      await page.getByLabel("Why (optional)").nth(1).fill("That one goes with the next truck");
    },
  },
  {
    name: "console-approvals-phone",
    view: "",
    scheme: "dark",
    viewport: PHONE,
    prepare: async (page) => await page.getByLabel("Approve").first().check(),
  },
  {
    name: "console-run",
    view: "#runs",
    scheme: "light",
    viewport: DESKTOP,
    prepare: async (page) => {
      await page.locator("main li a").last().click();
      await page.getByText("Shipped 2 orders.").waitFor();
    },
  },
  {
    name: "console-runs-phone",
    view: "#runs",
    scheme: "light",
    viewport: PHONE,
    prepare: async (page) => await page.locator("main li a").first().waitFor(),
  },
  {
    name: "console-search",
    view: "#search",
    scheme: "dark",
    viewport: DESKTOP,
    prepare: async (page) => {
      await page.getByLabel("Library").selectOption("orders");
      await page.getByLabel("What is to be done").fill("ship an order");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "ship_order" }).waitFor();
    },
  },
  {
    name: "console-keys",
    view: "#keys",
    scheme: "light",
    viewport: DESKTOP,
    prepare: async (page) => await page.getByRole("heading", { name: "operator" }).waitFor(),
  },
];

const executablePath = findChromium();
if (executablePath) await takeAll(executablePath);
else {
  process.stderr.write("no chromium on PATH; install one or set TULIPGRAPH_CHROMIUM\n");
  process.exitCode = 2;
}

async function takeAll(executablePath: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "shop-"));
  const home = join(folder, "home");
  const key = await makeKeys(home);
  const policyFile = join(folder, "serve.json");
  const settings = ["approval", "embeddings", "library", "model", "threshold"];
  writeFileSync(policyFile, JSON.stringify({ settings, libraries: { shared: ["orders"] } }));
  const server = await servePage({ home, apiKey: key, policyFile });
  // As root, Chromium starts only without its sandbox.
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    mkdirSync(FOLDER, { recursive: true });
    // The tools write their log here; the pictures show no path of this machine.
    process.chdir(folder);
    const script = [shippingAll("orders.log")];
    const done = await server.begin({ script, settings: { approval: "none" } });
    await server.settled(done.threadId);
    const held = await server.begin({ script });
    await server.settled(held.threadId);
    for (const shot of SHOTS) await take({ browser, url: server.url, key, shot });
  } finally {
    await browser.close();
    await server.close();
    await closeWorkspaces();
    rmSync(folder, { recursive: true });
  }
}

/** @returns the secret of an administrator's key */
async function makeKeys(home: string): Promise<string> {
  const migrations = SERVER_MIGRATIONS;
  const data = openStore<ServerTables>({ place: { home }, store: "server", migrations });
  const keys = openKeys(data);
  await keys.create({ scopes: ["run", "read"], name: "billing", owner: "billing" });
  const { secret } = await keys.create({ scopes: ["admin"], name: "operator" });
  await data.close();
  return secret;
}

async function take(options: {
  browser: Browser;
  url: string;
  key: string;
  shot: Shot;
}): Promise<void> {
  const { browser, url, key, shot } = options;
  const { name, view, scheme, viewport, prepare } = shot;
  const page = await browser.newPage({ viewport, colorScheme: scheme });
  await page.goto(`${url}/${view}`);
  await page.getByLabel("Key").fill(key);
  await page.keyboard.press("Enter");
  await prepare(page);
  const path = join(FOLDER, `${name}.png`);
  await page.screenshot({ path });
  await page.close();
  process.stdout.write(`wrote ${path}\n`);
}
