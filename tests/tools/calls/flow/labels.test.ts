import { describe, expect, it } from "vitest";
import { flowText, labelsOf, readFlow } from "../../../../tools/library/records/labels.js";
import type { ToolSource } from "../../../../tools/tool.js";
import { tool } from "../../library/support.js";

describe("labels as they are written", () => {
  it.each([
    ["private", { flow: ["private"] }],
    ["foreign, private", { flow: ["private", "foreign"] }],
    [
      "outward(subject, body) private",
      { flow: ["private", "outward"], sends: ["subject", "body"] },
    ],
    [["private", "outward"], { flow: ["private", "outward"] }],
    ["none", { flow: [] }],
  ])("are read: %s", (written, flow) => {
    expect(readFlow(written)).toEqual(flow);
    expect(readFlow(flowText(readFlow(written) ?? {}))).toEqual(flow);
  });

  it.each([
    "",
    "secret",
    "private secret",
    "private(subject)",
    "outward()",
    "outward(",
    "private;",
    7,
  ])("are refused where they are none, so that nothing is left open by a slip: %s", (written) => {
    expect(readFlow(written)).toBeUndefined();
  });
});

const mail = tool("mail", { flow: ["private", "foreign"] });

const WRITTEN: ToolSource = {
  kind: "generated",
  file: "generated",
  code: "",
  program: "",
  exportName: "written",
  parameterNames: [],
  calls: ["mail"],
  checks: [],
};

const SAVED: ToolSource = {
  kind: "program",
  file: "saved plans",
  code: "",
  calls: [{ name: "mail", tool: "mail", contract: "" }],
  test: { args: {}, today: "2026-03-01", calls: [], result: "" },
};

function toolOf(id: string) {
  return id === mail.id ? mail : undefined;
}

describe.each([
  ["a tool that a model has written", WRITTEN],
  ["a saved plan", SAVED],
])("%s", (_, source) => {
  it("has the labels of the tools that it calls, unless it has its own", () => {
    const calling = tool("calling", { source });
    expect(labelsOf(calling, toolOf)).toEqual({ flow: ["private", "foreign"] });
    expect(labelsOf({ ...calling, flow: [] }, toolOf)).toEqual({ flow: [] });
  });
});
