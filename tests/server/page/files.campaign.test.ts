import { readFileSync } from "node:fs";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { z } from "zod";
import { openWorkspace } from "../../../home/workspace.js";
import { program } from "../../graphs/tulipRuns.js";
import { serve } from "../../tools/sources/mcp/httpSupport.js";
import { importServer } from "../../tools/sources/mcp/support.js";
import { describePage } from "./describePage.js";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const base64 = (text: string) => Buffer.from(text).toString("base64");

const SCRIPT = "<script>document.title = 'It ran'</script>";

/** What a server sends, by the name of its tool. */
const SENT = {
  scan: { type: "image" as const, mimeType: "image/png", data: PIXEL },
  report: {
    type: "resource" as const,
    resource: { uri: "file:///report.pdf", mimeType: "application/pdf", blob: base64("Report") },
  },
  drawing: {
    type: "image" as const,
    mimeType: "image/svg+xml",
    data: base64(`<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`),
  },
  letter: {
    type: "resource" as const,
    resource: { uri: "javascript:alert(1)", mimeType: "text/html", blob: base64(SCRIPT) },
  },
};

type Name = keyof typeof SENT;

function archive(): McpServer {
  const server = new McpServer({ name: "archive", version: "1.0.0" });
  for (const name of Object.keys(SENT) as Name[])
    server.registerTool(
      name,
      {
        description: `Gives a ${name}.`,
        inputSchema: z.object({}),
        annotations: { readOnlyHint: true },
      },
      async () => ({ content: [SENT[name]] }),
    );
  return server;
}

describePage("pictures and files of tools on the page", (stage) => {
  it("are shown beside the lines that called for them, and no type makes one run", async () => {
    const handler = toNodeHandler(createMcpHandler(archive));
    const url = await serve((request, response) => void handler(request, response));
    const workspace = openWorkspace({ home: stage.home });
    await importServer({ workspace, name: "archive", settings: { url, headers: {} } });
    const lines = Object.keys(SENT).map((name) => `await archive.${name}({});`);
    const { threadId, runId } = await stage.server.begin({
      script: [program(...lines, 'return "All is there.";')],
      settings: { library: "archive" },
    });
    await stage.server.settled(threadId);
    const page = await stage.open({ view: `#runs/${runId}` });
    const line = (name: Name) => page.locator(".program > li", { hasText: `archive.${name}` });

    const picture = line("scan").getByRole("img");
    await picture.waitFor();
    expect(await picture.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBe(1);
    expect(await line("scan").getByText("image/png").count()).toBe(1);
    expect(await saved(page, line("report"))).toEqual([expect.stringMatching(/\.pdf$/), "Report"]);
    expect(await saved(page, line("drawing"))).toEqual([
      expect.stringMatching(/\.svg$/),
      expect.stringContaining(SCRIPT),
    ]);
    expect(await saved(page, line("letter"))).toEqual([expect.stringMatching(/\.html$/), SCRIPT]);
    expect(await page.locator("img").count()).toBe(1);
    expect(await page.locator("main :is(script, iframe, object, embed)").count()).toBe(0);
    expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
    expect(await page.title()).not.toBe("It ran");
    await page.goto(`${stage.server.url}/#library/archive/tool/archive.scan`);
    await page.getByRole("button", { name: "Call it" }).click();
    const tried = page.locator(".tried").getByRole("img");
    await tried.waitFor();
    expect(await tried.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBe(1);
    expect(stage.problems).toEqual([]);
  });
});

/** The name and the contents of a file that is saved from a line. Its address has no type that a browser would show. */
async function saved(page: Page, line: Locator): Promise<[name: string, text: string]> {
  const link = line.getByRole("link", { name: "Save file" });
  expect(await link.getAttribute("href")).toMatch(/^data:application\/octet-stream;base64,/);
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  return [download.suggestedFilename(), readFileSync(await download.path(), "utf8")];
}
