import { expect, it } from "vitest";
import { syncConnected } from "../../../nodes/workspace/connectedSources.js";
import { openWorkspace } from "../../../nodes/workspace/workspace.js";
import { program } from "../../graphs/tulipRuns.js";
import { TEST_LIBRARY } from "../../fakes/testLibrary.js";
import { PATIENCE_MS } from "./browserPage.js";
import { slowestFrame } from "./frames.js";
import { describePage } from "./describePage.js";
import { connectedTool } from "./servedPage.js";

const TOOLS = 10_000;
const CALLS = 1000;

/** Elements that a view may have, whatever it shows. */
const MOST_ELEMENTS = 4000;

/** A frame while scrolling, on a busy machine without a graphics card (ms). */
const SLOWEST_MS = 1000;

describePage("large things on the page", (stage) => {
  it("shows a library of 10,000 tools a part at a time", async ({ annotate }) => {
    const tools = Array.from({ length: TOOLS }, (_, at) =>
      connectedTool("many", `tool_${at}`, `Does the thing number ${at}.`),
    );
    await syncConnected({
      store: openWorkspace({ home: stage.home }).store,
      settings: { library: "huge", embeddings: TEST_LIBRARY.embeddings },
      source: { name: "many", kind: "mcp", settings: {} },
      listing: { tools, problems: [] },
    });
    const page = await stage.open({ view: "#library/huge" });
    await page.getByText("1 to 50 of 10,000").waitFor();
    await page.getByRole("button", { name: "After" }).click();
    await page.getByText("51 to 100 of 10,000").waitFor();
    expect(await page.locator("*").count()).toBeLessThan(MOST_ELEMENTS);
    const slowest = await slowestFrame(page);
    await annotate(`The slowest frame while scrolling: ${Math.round(slowest)} ms`);
    expect(slowest).toBeLessThan(SLOWEST_MS);
  });

  it("shows a run of 1,000 calls a part at a time, all of them if somebody wants", async ({
    annotate,
  }) => {
    const script = [
      program(
        `for (const at of Array.from({ length: ${CALLS} }, (_, index) => index)) {`,
        "  await euros_to_dollars({ euros: at });",
        "}",
        "return `Done.`;",
      ),
    ];
    const { threadId, runId } = await stage.server.begin({
      script,
      settings: { approval: "none" },
    });
    await stage.server.settled(threadId);
    const page = await stage.open({ view: `#runs/${runId}` });
    await page.getByText("1,000 calls").first().waitFor({ timeout: PATIENCE_MS });
    await page.getByRole("button", { name: "Show all 1,000" }).click();
    await page.getByText("1 to 100 of 1,000").waitFor();
    expect(await page.locator(".call").count()).toBe(100);
    expect(await page.locator("*").count()).toBeLessThan(MOST_ELEMENTS);
    const slowest = await slowestFrame(page);
    await annotate(`The slowest frame while scrolling: ${Math.round(slowest)} ms`);
    expect(slowest).toBeLessThan(SLOWEST_MS);
  });
});
