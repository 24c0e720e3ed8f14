import { describe, expect, it } from "vitest";
import { draftsOf } from "../../../eval/creation/draftFaults.js";
import { openStartLibrary } from "../../../eval/creation/startLibrary.js";
import { START_TOOLS } from "../../../eval/creation/startLibrary.js";
import type { Edit, EditRecord } from "../../../state/state.js";
import { DEFAULT_LIMITS } from "../../../tools/runtime/sandbox/sandbox.js";
import { limitError } from "../../../tools/runtime/sandbox/programFailure.js";
import { emptyState } from "../../fakes/emptyState.js";
import { TEST_LIBRARY } from "../../fakes/testLibrary.js";

const EDIT: Edit = {
  kind: "create",
  callId: "c",
  task: "t",
  tool: "",
  basedOn: null,
  similar: [],
  failures: 0,
  draft: String(START_TOOLS["clamp"]),
  problem: "",
};

const END: EditRecord = { kind: "create", tool: "", outcome: "failed", task: "t", failures: 1 };

/** The drafts of a run whose `editLibrary` changed one edit into another, or ended it. */
async function draftsAfter(options: {
  edit?: Partial<Edit>;
  left?: Partial<Edit>;
  end?: Partial<EditRecord>;
}) {
  const { edit, left, end } = options;
  const name = "no-tools";
  const library = await openStartLibrary({ name, embeddings: TEST_LIBRARY.embeddings, start: [] });
  const before = { ...EDIT, ...edit };
  const after = end
    ? { edit: null, edits: [{ ...END, ...end }] }
    : { edit: { ...before, failures: 1, ...left } };
  const history = [
    { values: emptyState(), next: ["writeTool"] },
    { values: emptyState({ edit: before }), next: ["editLibrary"] },
    { values: emptyState(after), next: ["writeTool"] },
  ];
  return draftsOf({ history, library, start: [] });
}

describe("the drafts of a run", () => {
  it("differ by the first check that they failed", async () => {
    const draft = "import a from 'b';\n" + String(START_TOOLS["clamp"]);
    const left = { problem: "line 1: no imports" };
    expect(await draftsAfter({ edit: { draft }, left })).toEqual([
      { fault: "rules", problem: "line 1: no imports" },
    ]);
  });

  it("failed at an example if they are readable, and at a limit if the sandbox says so", async () => {
    const failed = "the example clamp(5, 0, 10) => 5 fails: it ";
    const kinds = ["time", "memory", "pending", "result", "engine", "program"] as const;
    const limits = kinds.map((kind) => limitError({ kind, limits: DEFAULT_LIMITS }).message);
    const problems = ["gives 4", "throws out of bounds", ...limits.map((text) => `throws ${text}`)];
    const faults = await Promise.all(
      problems.map(
        async (problem) => (await draftsAfter({ left: { problem: failed + problem } }))[0],
      ),
    );
    expect(faults.map((draft) => draft?.fault)).toEqual([
      "failed example",
      "failed example",
      ...kinds.map(() => "limit"),
    ]);
  });

  it("include those with which an edit ended", async () => {
    const reason = "1 drafts could not be used; the last one: it is no code";
    expect(await draftsAfter({ edit: { draft: "No." }, end: { reason } })).toEqual([
      { fault: "no code", problem: "it is no code" },
    ]);
    expect(await draftsAfter({ end: { outcome: "done", failures: 0 } })).toEqual([
      { fault: null, problem: "" },
    ]);
    expect(await draftsAfter({ end: { outcome: "rejected", reason: "a person" } })).toEqual([
      { fault: "rejected", problem: "a person" },
    ]);
    expect(await draftsAfter({ end: { failures: 0, reason: "somebody was faster" } })).toEqual([
      { fault: "not stored", problem: "somebody was faster" },
    ]);
  });

  it("exclude deletions and reused tools", async () => {
    expect(await draftsAfter({ edit: { kind: "delete" }, end: { kind: "delete" } })).toEqual([]);
    expect(await draftsAfter({ end: { outcome: "reused" } })).toEqual([]);
  });
});
