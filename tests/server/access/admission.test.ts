import { describe, expect, it, vi } from "vitest";
import { registerChatProvider } from "../../../models/providers.js";
import { type WantedRun, permitRun } from "../../../server/access/admission.js";
import { type Caller, GUEST, SCOPES } from "../../../server/access/caller.js";
import { libraryPrefix } from "../../../server/access/libraries.js";
import { ownerOfKeys, ownerOfTokens } from "../../../server/access/owners.js";
import { policySchema } from "../../../server/access/policy.js";

const ADA: Caller = { owner: "key:ada", id: "key_ada", scopes: ["run", "read"] };

/** What an operator's file permits of a run. */
function permit(options: { policy?: object; caller?: Caller } & Partial<WantedRun>) {
  const { policy = {}, caller = ADA, ...asked } = options;
  const run = { graph: "tulip", context: {}, ...asked };
  return permitRun(caller, run, policySchema.parse(policy));
}

/** The status with which a run is refused, and why. */
function refusal(options: Parameters<typeof permit>[0]): { status: number; message: string } {
  try {
    permit(options);
  } catch (error) {
    const { details, message } = error as { details: { status: number }; message: string };
    return { status: details.status, message };
  }
  return { status: 200, message: "" };
}

describe("limits of the operator's file", () => {
  const policy = { limits: { maxModelCalls: 20, maxSeconds: 60, topK: 9, usd: 0.5 } };

  it("lower what is asked for, and apply if nothing is asked for", () => {
    expect(permit({ policy, context: { maxModelCalls: 40, maxSeconds: 30 } }).context).toEqual({
      maxModelCalls: 20,
      maxSeconds: 30,
      topK: 9,
      budget: "$0.5",
    });
  });

  it.each([
    ["$0.10", "$0.1"],
    ["3 usd", "$0.5"],
    [100, "$0.1"],
    ["9999 units", "$0.5"],
  ])("hold for a budget of %s, in dollars", (budget, permitted) => {
    expect(permit({ policy, context: { budget } }).context["budget"]).toBe(permitted);
  });

  it.each(["context", "configurable"] as const)("hold for settings in the %s", (place) => {
    const { context: settings, configurable } = permit({ policy, [place]: { maxModelCalls: 999 } });
    expect(settings["maxModelCalls"]).toBe(20);
    expect(configurable).toEqual({});
  });

  it("hold for administrators, and without authentication", () => {
    for (const caller of [{ ...ADA, scopes: SCOPES }, GUEST]) {
      const { context: settings } = permit({ policy, caller, context: { maxModelCalls: 999 } });
      expect(settings["maxModelCalls"]).toBe(20);
    }
  });
});

describe("settings", () => {
  it("that are forced replace what is asked for", () => {
    const policy = { force: { approval: "writes", model: "offline:planner" } };
    const context = { approval: "none", model: "openai:o1", topK: 3 };
    expect(permit({ policy, context }).context).toEqual({ ...policy.force, topK: 3 });
  });

  it("may be chosen if the operator lists them, or if the choice changes nothing", () => {
    const policy = { settings: ["topK"] };
    expect(permit({ policy, context: { topK: 3, maxDepth: 2 } }).context).toEqual({
      topK: 3,
      maxDepth: 2,
    });
    const { status, message } = refusal({ policy, context: { maxDepth: 3 } });
    expect(status).toBe(403);
    expect(message).toMatch(/maxDepth.*topK/);
  });

  it.each([
    { flowRules: "/etc/passwd" },
    { flowRules: "off" },
    { approval: "none" },
    { madeTools: "library" },
    { remember: true },
    { embeddings: "transformers:/srv/weights" },
    { embeddings: "transformers:../weights" },
    { model: "transformers:~/weights" },
  ])("that lift protection may not be chosen: %j", (context) => {
    expect(refusal({ context }).status).toBe(403);
  });
});

describe("graphs, models and embeddings", () => {
  const policy = { graphs: ["tulip"], models: ["openai:gpt-4.1*", "offline:planner"] };

  it("must be listed by the operator", () => {
    const allowed = { model: "openai:gpt-4.1-mini" };
    expect(permit({ policy, context: allowed }).context).toEqual(allowed);
    expect(refusal({ policy, graph: "react" }).status).toBe(403);
    expect(refusal({ policy, context: { model: "openai:o1" } }).status).toBe(403);
    expect(refusal({ policy: { embeddings: [] } }).status).toBe(403);
  });

  it.each([
    { model: "ollama:qwen3" },
    { model: "lmstudio:any" },
    { model: "openai:gpt-4.1-mini" },
    { model: "bedrock:any" },
    { model: "nobody:any" },
    { embeddings: "transformers:Xenova/all-MiniLM-L6-v2" },
    { embeddings: "ollama:nomic-embed-text" },
    { embeddings: "openai:text-embedding-3-small" },
    { embeddings: "fake-unknown:any" },
  ])("of a provider that is not set up on the server may not be named: %j", (context) => {
    for (const name of ["OPENAI_API_KEY", "OPENAI_BASE_URL", "OLLAMA_BASE_URL", "TULIPGRAPH_MODEL"])
      vi.stubEnv(name, "");
    for (const caller of [ADA, GUEST, { ...ADA, scopes: SCOPES }]) {
      const { status, message } = refusal({ context, caller });
      expect(status).toBe(403);
      expect(message).toContain(Object.values(context)[0]);
      expect(message).not.toContain("\n");
    }
    const assistant = refusal({ configurable: context });
    expect(assistant.status).toBe(403);
  });

  it("may be named if the operator has set a key or an address, chosen or listed them", () => {
    vi.stubEnv("TULIPGRAPH_MODEL", "lmstudio:own");
    vi.stubEnv("OLLAMA_BASE_URL", "http://127.0.0.1:11434");
    vi.stubEnv("OPENAI_API_KEY", "sk-none");
    for (const model of ["offline:planner", "ollama:qwen3", "openai:o1", "lmstudio:own"])
      expect(refusal({ context: { model } }).status).toBe(200);
    const model = "lmstudio:other";
    expect(refusal({ context: { model } }).status).toBe(403);
    expect(refusal({ context: { model }, policy: { models: ["lmstudio:*"] } }).status).toBe(200);
    expect(refusal({ policy: { force: { model } } }).status).toBe(200);
    registerChatProvider("fake-house", {
      structuredReplies: "provider",
      makeChat: vi.fn<() => never>(),
    });
    expect(refusal({ context: { model: "fake-house:large" } }).status).toBe(200);
  });
});

describe("libraries", () => {
  const policy = { libraries: { shared: ["math", "crm"] } };
  const libraries = ["math", "crm", "work", "ada.notes", "bob.notes", "ada", "ada.", "math@other"];

  it("are seen by their owner, and by all if they are shared; the existence of others is not revealed", () => {
    const seen = libraries.filter(
      (library) => refusal({ policy, context: { library } }).status === 200,
    );
    expect(seen).toEqual(["math", "crm", "ada.notes"]);
    const { status, message } = refusal({ policy, context: { library: "bob.notes" } });
    expect(status).toBe(404);
    expect(message).toBe(
      refusal({ policy, context: { library: "bob.none" } }).message.replace(
        "bob.none",
        "bob.notes",
      ),
    );
  });

  it("that ship are shared unless the operator says which ones are", () => {
    const seen = libraries.filter((library) => refusal({ context: { library } }).status === 200);
    expect(seen).toEqual(["math", "work", "ada.notes"]);
  });

  it("of one owner cannot have a name like another's", () => {
    const owners = [
      ...["ada", "ada.b", "u-1", "ada@example.com", "auth0|ada", "Ada", "a".repeat(99)].map(
        ownerOfKeys,
      ),
      ownerOfTokens("https://id.example.com/", "ada"),
      "",
    ];
    const prefixes = owners.map(libraryPrefix);
    expect(new Set(prefixes).size).toBe(owners.length);
    for (const one of prefixes) {
      expect(prefixes.filter((other) => other.startsWith(one))).toEqual([one]);
      expect(`${one}tools`).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
    }
  });

  it("can only be written to by runs of their owner", () => {
    const own = { library: "ada.notes", remember: true, madeTools: "library" };
    expect(permit({ context: own }).context).toEqual(own);
    expect(refusal({ context: { ...own, library: "math" } }).status).toBe(403);
    const writable = { libraries: { shared: ["math"], writable: true } };
    expect(refusal({ policy: writable, context: { ...own, library: "math" } }).status).toBe(200);
  });
});

describe("a command", () => {
  const approver: Caller = { ...ADA, scopes: ["approve"] };

  it("that answers needs the scope approve, and a run the scope run", () => {
    expect(refusal({ command: { resume: true } }).status).toBe(403);
    expect(refusal({ command: { resume: true }, caller: approver }).status).toBe(200);
    expect(refusal({ caller: approver }).status).toBe(403);
    expect(refusal({}).status).toBe(200);
  });

  it("that writes into the state or jumps needs admin, because it would bypass approvals", () => {
    const caller: Caller = { ...ADA, scopes: ["run", "read", "approve"] };
    for (const command of [{ goto: "runProgram" }, { resume: true, update: { usage: {} } }]) {
      expect(refusal({ command, caller }).status).toBe(403);
      expect(refusal({ command, caller: { ...caller, scopes: ["admin"] } }).status).toBe(200);
    }
  });
});

describe("the configurable of a run", () => {
  it("keeps the caller's own entries, and none that could pass the caller off as somebody else", () => {
    const { configurable } = permit({
      configurable: {
        colour: "red",
        __tulipgraph_workspace: {},
        langgraph_auth_user: { identity: "root" },
        langgraph_auth_user_id: "root",
      },
    });
    expect(configurable).toEqual({ colour: "red" });
  });
});
