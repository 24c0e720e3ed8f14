import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { importTools } from "../../../home/libraries.js";
import { openWorkspace } from "../../../home/workspace.js";
import type { ShownLibrary } from "../../../server/page/routes/libraryRoutes.js";
import { newHome } from "../../fakes/homes.js";
import { TEST_LIBRARY } from "../../fakes/testLibrary.js";
import { serveHere } from "../support.js";

const ISSUE = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };

it("proposed ways back are shown until somebody decides about them as they were seen", async () => {
  const home = newHome();
  const tools = ["close_issue", "reopen_issue"].map((name) => ({
    name,
    description: `${name} of the desk`,
    parameters: ISSUE,
    effects: "write",
  }));
  const file = join(home, "desk.json");
  writeFileSync(file, JSON.stringify(tools));
  const settings = { ...TEST_LIBRARY, library: "issues" };
  await importTools({ store: openWorkspace({ home }).store, settings, file });
  const { url } = await serveHere({ home });
  const proposed = async () => {
    const response = await fetch(`${url}/console/library?library=issues`);
    return ((await response.json()) as ShownLibrary).waysBack;
  };
  const decide = async (verdict: string, undo: string) => {
    const waysBack = [{ tool: "close_issue", undo }];
    const body = JSON.stringify({ library: "issues", verdict, waysBack });
    return (await fetch(`${url}/console/reviews`, { method: "POST", body })).status;
  };
  const [first, second] = await proposed();
  expect(first).toMatchObject({ tool: "close_issue", undo: "reopen_issue({ id })" });
  expect(await decide("accept", "reopen_issue({ id: 7 })")).toBe(409);
  expect(await decide("accept", "reopen_issue({ id })")).toBe(200);
  expect(await proposed()).toEqual([second]);
  expect(await decide("reject", "reopen_issue({ id })")).toBe(409);
});
