import { describe, expect, it } from "vitest";
import { undoProposals } from "../../../../tools/library/records/undoProposals.js";
import { readCallForm } from "../../../../tools/library/records/wayBack.js";
import type { ToolRecord } from "../../../../tools/tool.js";

interface Given {
  effects?: "read" | "write";
  takes?: string[];
  gives?: string[];
  /** "POST /issues" */
  operation?: string;
}

const properties = (names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { type: "string" }]));

function tool(id: string, { effects = "write", takes = ["id"], gives, operation }: Given = {}) {
  const [method = "", path = ""] = operation?.split(" ") ?? [];
  return {
    id,
    name: id,
    description: "",
    parameters: { type: "object", properties: properties(takes), required: takes },
    ...(gives && { returns: { type: "object", properties: properties(gives) } }),
    source: operation
      ? { kind: "openapi", file: "openapi:api", api: "api", operation: { method, path } }
      : { kind: "declared", file: "tools.jsonl" },
    effects,
    version: 1,
    hash: id,
  } as unknown as ToolRecord;
}

const getIssue = tool("get_issue", { effects: "read", gives: ["id", "title", "owner"] });

/** What is proposed, each as a line. */
function proposed(...tools: ToolRecord[]) {
  const found = undoProposals(tools);
  for (const { undo, before } of found)
    for (const call of [undo, before]) expect(call && !readCallForm(call)).toBeFalsy();
  return found.map(({ tool: id, undo, before }) => [id, undo, before].join(" | "));
}

describe("a way back is proposed", () => {
  it("for verbs that take each other back", () => {
    expect(proposed(getIssue, tool("close_issue"), tool("reopen_issue"))).toEqual([
      "close_issue | reopen_issue({ id }) | get_issue({ id })",
      "reopen_issue | close_issue({ id }) | get_issue({ id })",
    ]);
  });

  it("for what makes and what removes the same thing", () => {
    const make = tool("create_issue", { takes: ["title"], gives: ["id", "title"] });
    expect(proposed(getIssue, make, tool("delete_issue"))).toEqual([
      'create_issue | delete_issue({ "id": result.id }) | get_issue({ "id": result.id })',
      "delete_issue | create_issue({ ...before }) | get_issue({ id })",
    ]);
  });

  it("for POST and DELETE of one path of an API", () => {
    const tools = [
      tool("api.post", { operation: "post /issues", takes: ["title"], gives: ["id"] }),
      tool("api.get", { operation: "get /issues/{id}", effects: "read", gives: ["id", "title"] }),
      tool("api.delete", { operation: "delete /issues/{id}" }),
    ];
    expect(proposed(...tools)[0]).toBe(
      'api.post | api.delete({ "id": result.id }) | api.get({ "id": result.id })',
    );
  });

  it("for what sets values that a read tells", () => {
    const assign = tool("set_issue_owner", { takes: ["id", "owner"] });
    expect(proposed(getIssue, assign)).toEqual([
      'set_issue_owner | set_issue_owner({ id, "owner": before.owner }) | get_issue({ id })',
    ]);
  });
});

describe("nothing is proposed", () => {
  it.each<[string, ToolRecord[]]>([
    ["for a tool without its pair", [getIssue, tool("close_issue")]],
    ["for a pair of different things", [tool("close_issue"), tool("reopen_account")]],
    [
      "where the result does not say what was made",
      [tool("create_issue", { takes: ["title"] }), tool("delete_issue")],
    ],
    [
      "for what sets a value that no read tells",
      [getIssue, tool("set_issue_colour", { takes: ["id", "colour"] })],
    ],
    [
      "for what removes a thing that nothing shows",
      [tool("create_issue", { takes: ["title"] }), tool("delete_issue")],
    ],
    [
      "for a tool about which a person has decided",
      [
        { ...tool("close_issue"), isUndoDecided: true },
        { ...tool("reopen_issue"), undo: "x()" },
      ],
    ],
  ])("%s", (_, tools) => {
    expect(proposed(...tools)).toEqual([]);
  });
});

describe("the call that takes a write back", () => {
  it.each([
    "reopen({ id })",
    'a.b/c({ id: result.items[0].id, to: [before.x, 1, -2.5, "t"], ...before })',
    "stop()",
    'put({ "if-match": args["if-match"], deep: { a: null, b: true }, })',
    "say({ text: 'it is \"so\"' })",
  ])("is read as %s", (text) => {
    expect(readCallForm(text)).toBeDefined();
  });

  it.each([
    "reopen",
    "reopen(id)",
    "a({ id }) + b()",
    "a({ id: f(x) })",
    "a({ id: 1 + 2 })",
    "a({",
    "",
    3,
  ])("is not %s", (text) => {
    expect(readCallForm(text)).toBeUndefined();
  });
});
