import { expect, it } from "vitest";
import { syncConnected } from "../../../home/connectedSources.js";
import { openWorkspace } from "../../../home/workspace.js";
import { TEST_LIBRARY } from "../../fakes/testLibrary.js";
import { slowestFrame } from "./frames.js";
import { describePage } from "./describePage.js";
import { connectedTool } from "./servedPage.js";

const TOOLS = 10_000;

const CALLS = 1_000;

/** Calls of one reply. */
const AT_ONCE = 100;

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
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("51 to 100 of 10,000").waitFor();
    expect(await page.locator("*").count()).toBeLessThan(MOST_ELEMENTS);
    const slowest = await slowestFrame(page);
    await annotate(`The slowest frame while scrolling: ${Math.round(slowest)} ms`);
    expect(slowest).toBeLessThan(SLOWEST_MS);
  });

  it("shows a run of 1,000 calls a part at a time", async ({ annotate }) => {
    const replies = Array.from({ length: CALLS / AT_ONCE }, (_, reply) => ({
      calls: Array.from({ length: AT_ONCE }, (_none, at) => ({
        name: "list_orders",
        args: { customer: `Customer ${reply * AT_ONCE + at}` },
      })),
    }));
    const { threadId, runId } = await stage.server.begin({
      script: [...replies, { stop: "They have no orders." }],
      graph: "naive_tool",
      settings: { approval: "none" },
    });
    await stage.server.settled(threadId);
    const page = await stage.open({ view: `#runs/${runId}` });
    await page.getByRole("button", { name: "Show all 1,000" }).first().click();
    await page.getByText("1 to 100 of 1,000").first().waitFor();
    expect(await page.locator("*").count()).toBeLessThan(MOST_ELEMENTS);
    const slowest = await slowestFrame(page);
    await annotate(`The slowest frame while scrolling: ${Math.round(slowest)} ms`);
    expect(slowest).toBeLessThan(SLOWEST_MS);
  });
});
