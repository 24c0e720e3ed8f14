import { describe, expect, it } from "vitest";
import { creationFigures } from "../../../eval/creation/creationFigures.js";
import type { CreationRecord } from "../../../eval/creation/creationRecord.js";
import { createdRecord, requestWith } from "./support.js";

type Wanted = ReturnType<typeof requestWith>["wanted"];

function whyOf(wanted: Wanted, changes: Parameters<typeof createdRecord>[0] = {}): string {
  const request = requestWith({ wanted });
  const [row] = creationFigures([{ request, record: createdRecord(changes) }]).rows;
  return row?.why ?? "no row";
}

const NO_TOOL: Partial<CreationRecord> = { edits: [], drafts: [], tool: null, hidden: null };
const REUSED = {
  kind: "create",
  tool: "clamp",
  outcome: "reused",
  task: "t",
  failures: 0,
} as const;

describe("what is right", () => {
  it("is a new tool that passes all hidden checks", () => {
    expect(whyOf({ kind: "create" })).toBe("");
    const failing = [{ check: "f(1) => 1", got: "it gives 2" }];
    expect(whyOf({ kind: "create" }, { hidden: { passed: 1, failing } })).toBe(
      "1 of 2 hidden checks fail",
    );
  });

  it("is not a tool that does not call the tools that it should", () => {
    const wanted = { kind: "create", calls: ["vat_percent"] } as const;
    expect(whyOf(wanted)).toBe("it does not call vat_percent");
    const tool = { id: "f", version: 1, code: "", calls: ["vat_percent"] };
    expect(whyOf(wanted, { tool })).toBe("");
  });

  it("is for an update the named tool, not a new one", () => {
    const wanted = { kind: "update", tool: "clamp" } as const;
    expect(whyOf(wanted)).toBe("the tool was created");
    const edits: CreationRecord["edits"] = [{ ...REUSED, kind: "update", outcome: "done" }];
    expect(whyOf(wanted, { edits })).toBe("f was updated");
    const tool = { id: "clamp", version: 2, code: "", calls: [] };
    expect(whyOf(wanted, { edits, tool })).toBe("");
  });

  it("is for an existing tool to use it, or to say so", () => {
    const wanted = { kind: "reuse", tool: "clamp" } as const;
    const tool = { id: "clamp", version: 1, code: "", calls: [] };
    expect(whyOf(wanted, { edits: [REUSED], tool })).toBe("");
    expect(whyOf(wanted, { edits: [REUSED] })).toBe("f was reused");
    expect(whyOf(wanted, NO_TOOL)).toBe("");
    expect(whyOf(wanted)).toBe("clamp does it already, and a tool was created");
    expect(whyOf(wanted, { ...NO_TOOL, status: "unsolved", answer: "No." })).toBe(
      "it does not say that clamp does it already: No.",
    );
  });

  it("is for an impossible tool to make none and not to claim one", () => {
    const wanted = { kind: "nothing" } as const;
    expect(whyOf(wanted, { ...NO_TOOL, status: "unsolved" })).toBe("");
    expect(whyOf(wanted, NO_TOOL)).toMatch(/ends "solved"/);
    expect(whyOf(wanted)).toBe("a tool was made that cannot work");
  });

  it("is never a run that broke off", () => {
    expect(whyOf({ kind: "nothing" }, { error: "no connection" })).toBe(
      "it broke off: no connection",
    );
  });
});

describe("the figures", () => {
  it("count tools that were wanted, made and right, with their drafts", () => {
    const create = requestWith({ wanted: { kind: "create" } });
    const nothing = requestWith({ wanted: { kind: "nothing" }, checks: [] });
    const failed = { fault: "types", problem: "line 1: no" } as const;
    const figures = creationFigures([
      { request: create, record: createdRecord() },
      {
        request: create,
        record: createdRecord({
          drafts: [failed, { ...failed, fault: "docs" }, failed, { fault: null, problem: "" }],
          hidden: { passed: 1, failing: [] },
        }),
      },
      { request: create, record: createdRecord({ ...NO_TOOL, drafts: [failed] }) },
      { request: nothing, record: createdRecord({ ...NO_TOOL, status: "unsolved" }) },
    ]);
    expect(figures).toMatchObject({
      requests: 4,
      right: 2,
      wanted: 3,
      made: 2,
      madeRight: 1,
      meanDrafts: 2.5,
      hidden: { passed: 3, of: 6 },
      faults: [
        { fault: "types", drafts: 3 },
        { fault: "docs", drafts: 1 },
      ],
    });
    expect(figures.rows[2]?.why).toBe("last draft: line 1: no");
  });

  it("have no mean without drafts, and no sum with an unknown price", () => {
    const request = requestWith({ wanted: { kind: "create" } });
    const record = createdRecord({ ...NO_TOOL, usd: null });
    const known = createdRecord({ ...NO_TOOL, usd: 0.5 });
    expect(creationFigures([{ request, record: known }])).toMatchObject({
      meanDrafts: null,
      usd: 0.5,
    });
    expect(
      creationFigures([
        { request, record },
        { request, record: known },
      ]).usd,
    ).toBeNull();
  });
});
