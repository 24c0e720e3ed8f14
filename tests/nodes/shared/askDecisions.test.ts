import { Annotation, Command, MemorySaver, StateGraph } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { askApproval } from "../../../nodes/acting/approval.js";
import { askInput } from "../../../nodes/acting/askInput.js";
import { askEditApproval } from "../../../nodes/editing/editApproval.js";
import { askWritesApproval } from "../../../nodes/programs/writesApproval.js";
import type { ToolRecord } from "../../../tools/tool.js";

const EDIT = ["approve", "edit", "reject"];

describe("calls, in LangChain's form", () => {
  const tool = {
    id: "send_mail",
    description: "Send a mail",
    parameters: { type: "object", properties: { to: { type: "string" } } },
  } as unknown as ToolRecord;
  const call = { id: "c1", name: "send_mail", args: { to: "Ana" } };
  const ask = () => [...askApproval([{ call, tool, reason: "it leaves the house" }]).values()];

  it("carry the action with its arguments and their schema", async () => {
    expect(await asking(ask).start()).toEqual({
      kind: "approval",
      problem: "",
      actionRequests: [
        {
          name: "send_mail",
          args: { to: "Ana" },
          description: "Send a mail · it leaves the house",
        },
      ],
      reviewConfigs: [
        { actionName: "send_mail", allowedDecisions: EDIT, argsSchema: tool.parameters },
      ],
    });
  });

  it("are edited", async () => {
    const editedAction = { name: "send_mail", args: { to: "Bo" } };
    const decisions = [{ type: "edit", editedAction }];
    expect(await asking(ask).answer({ decisions })).toEqual([{ type: "edit", ...editedAction }]);
  });

  it("are not made if a person answers in their place", async () => {
    expect(await asking(ask).answer({ decisions: [{ type: "respond", message: "Done" }] })).toEqual(
      [{ type: "reject", message: "Done" }],
    );
  });

  it("are asked about again if an edit is of another tool", async () => {
    const edited = { type: "edit", editedAction: { name: "wipe_disk", args: {} } };
    expect(await asking(ask).answer({ decisions: [edited] })).toMatchObject({
      problem: expect.stringMatching(/wipe_disk.*send_mail/),
      actionRequests: [{ name: "send_mail" }],
    });
  });
});

describe("the writes of a program, in LangChain's form", () => {
  const writes = ["A1", "A2", "A3"].map((order) => ({
    tool: "ship_order",
    args: { order },
    names: {},
    schema: { type: "object" },
  }));
  const details = { program: "…", bill: "3 calls", complete: true };
  const ask = () => askWritesApproval({ writes, details }, "");

  it("are one action each", async () => {
    expect(await asking(ask).start()).toMatchObject({
      kind: "writes",
      actionRequests: writes.map(({ args }) => ({ name: "ship_order", args })),
      reviewConfigs: writes.map(() => ({ actionName: "ship_order", allowedDecisions: EDIT })),
    });
  });

  const approve = { type: "approve" };
  const edit = { type: "edit", editedAction: { name: "ship_order", args: { order: "B9" } } };
  it.each([
    [
      "each is decided about",
      [approve, edit, reject("no")],
      { type: "writes", each: [approve, { type: "edit", ...edit.editedAction }, reject("no")] },
    ],
    [
      "all rejected reject the program, for all reasons",
      [reject("too late"), reject(), reject("too dear")],
      { type: "reject", message: "too late; too dear" },
    ],
    ["all rejected without a reason reject it so", [reject(), reject(), reject()], reject()],
    [
      "an edit of the program replaces it",
      [{ type: "edit", editedAction: { name: "program", args: { code: "return 1;" } } }],
      { type: "program", code: "return 1;" },
    ],
  ])("mean what they say: %s", async (_, decisions, meant) => {
    expect(await asking(ask).answer({ decisions })).toEqual(meant);
  });

  it("are asked about again if only some have a decision", async () => {
    expect(await asking(ask).answer({ decisions: [approve, reject()] })).toMatchObject({
      kind: "writes",
      problem: expect.stringMatching(/decision/),
    });
  });
});

describe("a change of the library, in LangChain's form", () => {
  it("is one action, whose code can be edited", async () => {
    expect(await asking(() => askAboutChange("create")).start()).toMatchObject({
      actionRequests: [{ name: "create_tool", args: { tool: "triple", code: "export …" } }],
      reviewConfigs: [{ allowedDecisions: EDIT }],
    });
    const args = { tool: "triple", code: "export default …" };
    const edited = { type: "edit", editedAction: { name: "create_tool", args } };
    expect(await asking(() => askAboutChange("create")).answer({ decisions: [edited] })).toEqual({
      type: "edit",
      code: "export default …",
    });
  });

  it("cannot be edited if it is a deletion", async () => {
    expect(await asking(() => askAboutChange("delete")).start()).toMatchObject({
      actionRequests: [{ name: "delete_tool", args: { tool: "triple" } }],
      reviewConfigs: [{ allowedDecisions: ["approve", "reject"] }],
    });
  });
});

describe("questions of a tool's server, in LangChain's form", () => {
  const questions = ["q1", "q2"].map((id) => ({
    id,
    source: "shop",
    tool: "order",
    callId: `call-${id}`,
    message: "How many?",
    schema: { type: "object", properties: { count: { type: "number" } }, required: ["count"] },
  }));
  const ask = () => askInput(questions);

  it("are actions that are edited, because an answer has to name its question", async () => {
    expect(await asking(ask).start()).toMatchObject({
      kind: "question",
      actionRequests: [
        {
          name: "order",
          args: { id: "q1", action: "accept" },
          description: "shop asks: How many?",
        },
        { args: { id: "q2" } },
      ],
      reviewConfigs: [{ allowedDecisions: ["edit"] }, { allowedDecisions: ["edit"] }],
    });
    const accepted = { id: "q2", action: "accept", content: { count: 3 } };
    const declined = { id: "q1", action: "decline" };
    expect(
      await asking(ask).answer({ decisions: [editedTo(declined), editedTo(accepted)] }),
    ).toEqual([declined, accepted]);
  });

  it("are asked again after a decision that names none", async () => {
    expect(await asking(ask).answer({ decisions: [{ type: "approve" }] })).toMatchObject({
      kind: "question",
      problem: expect.stringMatching(/answer/),
    });
  });
});

function reject(message?: string) {
  return { type: "reject", ...(message && { message }) };
}

function editedTo(args: object) {
  return { type: "edit", editedAction: { name: "order", args } };
}

function askAboutChange(change: "create" | "delete") {
  return askEditApproval({
    change,
    tool: "triple",
    task: "Triple a number",
    code: change === "delete" ? "" : "export …",
    details: { before: "", tests: [], breaks: [] },
  });
}

/** A graph of one node that asks, and gives what it was told. */
function asking(ask: () => unknown) {
  const State = Annotation.Root({ said: Annotation<unknown> });
  const graph = new StateGraph(State)
    .addNode("ask", () => ({ said: ask() }))
    .addEdge("__start__", "ask")
    .compile({ checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: "1" } };
  /** What is waited for, else what was told. */
  const outcome = async (input: Parameters<typeof graph.invoke>[0]) => {
    const { said } = await graph.invoke(input, config);
    const { tasks } = await graph.getState(config);
    return tasks[0]?.interrupts[0]?.value ?? said;
  };
  return {
    start: () => outcome({}),
    answer: async (resume: object): Promise<unknown> => {
      await outcome({});
      return await outcome(new Command({ resume }));
    },
  };
}
