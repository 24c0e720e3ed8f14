import { afterEach, expect, it } from "vitest";
import type { ToolDefinition } from "../../../tools/tool.js";
import { note, tool, workshop } from "./support.js";

const { openLibrary, clear } = workshop();
afterEach(clear);

const PLAN: ToolDefinition = tool("close_issues", {
  description: "Close all issues of a person.",
  source: {
    kind: "program",
    file: "saved plans",
    code: "return 'Done.';",
    calls: [],
    test: { args: {}, today: "2026-03-01", calls: [], result: "Done." },
  },
});

it("a saved plan is found like any tool, and no model can change or delete it", async () => {
  const library = await openLibrary();
  const edit = { tool: PLAN, basedOn: null, note: note("saved") };
  expect(await library.put(edit)).toMatchObject({ id: "close_issues", version: 1 });
  const { results } = await library.search({ phrases: ["close issues"], topK: 1, threshold: 4 });
  expect(results[0]?.hits.map(({ id }) => id)).toEqual(["close_issues"]);
  expect(library.isEditable("close_issues")).toBe(false);
  const removal = { id: "close_issues", basedOn: 1, note: note("gone") };
  await expect(library.discard(removal)).rejects.toThrow("comes from saved plans");
  await library.remove(["close_issues"], note("removed by hand"));
  expect(library.history("close_issues").at(-1)).toMatchObject({
    removed: true,
    note: { why: "removed by hand" },
  });
});

it("a tool of a file or of a model keeps its name from a saved plan", async () => {
  const library = await openLibrary();
  await library.sync({ origin: "/tools.ts", fingerprint: "1", tools: [tool("close_issues")] });
  const edit = { tool: PLAN, basedOn: 1, note: note("saved") };
  await expect(library.put(edit)).rejects.toThrow("only saved plans can be edited");
});
