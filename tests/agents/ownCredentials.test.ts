import { randomBytes } from "node:crypto";
import { Command, MemorySaver } from "@langchain/langgraph";
import { type AgentMiddleware, createAgent } from "langchain";
import { expect, it, onTestFinished, vi } from "vitest";
import { createToolSearch } from "../../index.js";
import type { ReviewRequest } from "../../nodes/policy/askDecisions.js";
import { openWorkspace } from "../../home/workspace.js";
import { connectByKey } from "../../tools/sources/credentials/connect.js";
import { newHome } from "../fakes/homes.js";
import { EMBEDDINGS, importOffice } from "../tools/sources/mcp/support.js";
import { onThread, resultsOf, says, scriptedChat } from "./agents.js";

/** An agent whose model makes this call of a library that takes each person's own credentials. */
async function agentOfTeam(options: {
  name: string;
  args: object;
  checkpointer?: MemorySaver;
  approval?: "writes";
}) {
  const { name, args, checkpointer, approval } = options;
  vi.stubEnv("TULIPGRAPH_KEY", randomBytes(32).toString("base64"));
  const home = newHome();
  const workspace = openWorkspace({ home });
  onTestFinished(() => workspace.close());
  const office = await importOffice(workspace, new Map([["ada-secret-1", "ada"]]));
  const { chat, bodies } = await scriptedChat((_body, at) =>
    at === 0 ? { calls: [{ id: "1", name, arguments: { ...args } }] } : { content: "Done." },
  );
  const search = await createToolSearch({
    library: "team",
    home,
    embeddings: EMBEDDINGS,
    approval,
  });
  const [, callTool] = search.tools();
  const agent = createAgent({
    model: chat,
    ...(name === "call_tool" && { tools: [callTool] }),
    middleware: [search.middleware({ plans: true })] as AgentMiddleware[],
    ...(checkpointer && { checkpointer }),
  });
  const connect = async () => {
    const [store, source] = [
      await workspace.connections(),
      await workspace.store.sources.get("office"),
    ];
    if (!source) throw new Error("there is no source");
    await connectByKey({ store, source, owner: "", values: { OFFICE_KEY: "ada-secret-1" } });
  };
  return { agent, bodies, office, connect };
}

const program = "const me = office.who({});\noffice.note({ text: me });\nreturn me;";

it.each([
  { name: "office_who", args: {} },
  { name: "call_tool", args: { tool: "office.who", arguments: {} } },
  { name: "run_plan", args: { program } },
])(
  "a call that needs a connection pauses an agent that makes it with $name, and goes on as the person",
  async (call) => {
    const { agent, bodies, office, connect } = await agentOfTeam({
      ...call,
      checkpointer: new MemorySaver(),
    });
    const thread = onThread(call.name);
    const waiting = await agent.invoke(says("Tell who I am"), thread);
    const request = waiting.__interrupt__?.[0]?.value as ReviewRequest;
    expect(request).toMatchObject({
      kind: "connect",
      connect: [{ source: "office", way: "key", fields: ["OFFICE_KEY"] }],
    });
    await connect();
    const decisions = request.actionRequests.map((action) => ({
      type: "edit",
      editedAction: action,
    }));
    await agent.invoke(new Command({ resume: { decisions } }), thread);
    expect(resultsOf(bodies[1] ?? {})).toEqual(["ada"]);
    expect(office.notes).toEqual(call.name === "run_plan" ? ["ada: ada"] : []);
  },
);

it.each([
  {
    kinds: ["writes", "connect"],
    written: 'office.note({ text: "ada" });\nreturn office.who({});',
  },
  { kinds: ["connect", "writes"], written: program },
])(
  "a program waits for an approval and a connection, and makes its write once: $kinds",
  async ({ kinds, written }) => {
    const { agent, bodies, office, connect } = await agentOfTeam({
      name: "run_plan",
      args: { program: written },
      checkpointer: new MemorySaver(),
      approval: "writes",
    });
    const thread = onThread(kinds.join());
    let waiting = await agent.invoke(says("Note my name"), thread);
    for (const kind of kinds) {
      expect(office.notes).toEqual([]);
      const request = waiting.__interrupt__?.[0]?.value as ReviewRequest;
      expect(request.kind).toBe(kind);
      const decisions = request.actionRequests.map((action) =>
        kind === "connect" ? { type: "edit", editedAction: action } : { type: "approve" },
      );
      const given = kind === "connect" ? {} : { text: "ada" };
      expect(request.actionRequests[0]).toMatchObject({ args: given });
      if (kind === "connect") await connect();
      waiting = await agent.invoke(new Command({ resume: { decisions } }), thread);
    }
    expect(resultsOf(bodies[1] ?? {})).toEqual(["ada"]);
    expect(office.notes).toEqual(["ada: ada"]);
  },
);

it.each([
  ["without a thread", undefined],
  ["on a thread", onThread("no checkpointer")],
])(
  "an agent without a checkpointer, %s, is told the command with which to connect",
  async (_, at) => {
    const { agent, bodies } = await agentOfTeam({ name: "office_who", args: {} });
    await agent.invoke(says("Tell who I am"), at);
    expect(resultsOf(bodies[1] ?? {})).toEqual([
      expect.stringContaining("connect with tulipgraph tools login office"),
    ]);
  },
);
