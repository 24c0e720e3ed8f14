/**
 * What prompts cost: calls of the model, tokens, and effective tokens, of `tulip`, of LangChain's agent with the
 * middleware, and of that agent with all tools bound. The model is a script that knows the right calls, but not more than
 * its prompt tells: a tool that is not named is searched for, and arguments that are not told are guessed wrong.
 *
 *   npx tsx tests/campaigns/promptCosts.ts --bench FOLDER [--only tulip] [--set 131] [--tasks 60] [--used] [--told]
 *
 * With --told, no model is asked: how many first prompts of `tulip` name all tools of their requests, and tell their
 * arguments. With --used, tools have been called before as often as the set's other requests need them.
 *
 * FOLDER holds sets of tools and requests (tools.jsonl, queries.jsonl). The endpoint keeps what prompts begin with in blocks
 * of 128 tokens from 1,024 on; a token from there counts as a tenth.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tool as langChainTool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { getEncoding } from "js-tiktoken";
import { type AgentMiddleware, createAgent } from "langchain";
import { firstPrompts, toldOf } from "../../eval/retrieval/evaluate.js";
import { type Question, readRetrievalSet, servingTools } from "../../eval/retrieval/questions.js";
import { openGraph } from "../../graphs/openGraph.js";
import { closeWorkspaces, openWorkspace } from "../../home/workspace.js";
import { createToolSearch } from "../../index.js";
import { parseSettings, type SettingsInput } from "../../state/settings.js";
import type { ToolDefinition } from "../../tools/tool.js";
import { type ChatBody, type Completion, startChatEndpoint } from "../fakes/chatEndpoint.js";
import { optionsOf, writeHead, writeRow } from "./scriptSupport.js";

const { bench, only, set, tasks, told, used } = optionsOf({
  bench: "",
  only: "",
  set: "",
  tasks: 60,
  told: false,
  used: false,
});
if (!bench) throw new Error("Name a folder with --bench");

/** A library to search, its requests, and what is measured on it. */
interface Measured {
  name: string;
  folders: string[];
  /** As many tools, those of the requests among them. */
  tools?: number;
}

const SETS: Measured[] = [
  { name: "100 tools", folders: ["tulip_math"] },
  { name: "131 tools", folders: ["mcp11"] },
  { name: "397 tools", folders: ["mcp11", "apibank", "bfcl_multiturn", "restbench", "workbench"] },
  { name: "1,000 tools", folders: ["bigmix"], tools: 1000 },
  { name: "10,000 tools", folders: ["bigmix"], tools: 10_000 },
];

/** Texts of a format, which are checked before a call is made. */
const OF_FORMATS: Record<string, string> = {
  date: "2026-01-31",
  "date-time": "2026-01-31T09:00:00Z",
  time: "09:00:00Z",
  email: "ada@example.com",
  hostname: "example.com",
  ipv4: "127.0.0.1",
  uri: "https://example.com",
  url: "https://example.com",
  uuid: "00000000-0000-4000-8000-000000000000",
};

/** An agent that solves a request. */
type Solve = (task: Question, thread: string) => Promise<unknown>;

/** The task at work, which the script knows. */
let current: Question | undefined;
let right = new Map<string, { name: string; wire: string; args: object }>();
const bodies: ChatBody[] = [];
const endpoint = await startChatEndpoint(({ body }, at) => {
  bodies.push(body);
  return { id: `reply-${at}`, usage: null, ...replyTo(body) };
});
process.env["OPENAI_BASE_URL"] = endpoint.url;
process.env["OPENAI_API_KEY"] = "none";
const home = mkdtempSync(join(tmpdir(), "prompt-costs-"));
process.env["TULIPGRAPH_HOME"] = home;
const encoding = getEncoding("o200k_base");

try {
  writeHead(
    told
      ? ["set", "requests", "all named", "with arguments", "same for all", "tokens"]
      : ["set", "agent", "calls", "tokens in", "effective", "cached", "CPU ms"],
  );
  for (const each of SETS.filter(({ name }) => name.startsWith(set))) await measure(each);
} finally {
  await closeWorkspaces();
  await endpoint.close();
  rmSync(home, { recursive: true, force: true });
}

async function measure({ name, folders, tools: count }: Measured) {
  const sets = await Promise.all(
    folders.map((folder) =>
      readRetrievalSet({
        toolsFile: join(bench, folder, "tools.jsonl"),
        queriesFile: join(bench, folder, "queries.jsonl"),
        selection: {},
      }),
    ),
  );
  const all = sets.flatMap(({ tools }) => tools);
  const most = Math.ceil(tasks / sets.length);
  const chosen = sets.flatMap(({ questions }) => {
    const asked = questions.filter(({ tools }) => tools.length > 0);
    const step = Math.max(1, asked.length / most);
    return Array.from({ length: Math.min(most, asked.length) }, (_, at) => {
      return asked[Math.floor(at * step)] as Question;
    });
  });
  const wanted = new Set(chosen.flatMap(({ tools }) => tools));
  const others = all.filter(({ id }) => !wanted.has(id));
  const room = (count ?? all.length) - wanted.size;
  const stride = Math.max(1, others.length / room);
  const filling = Array.from({ length: Math.min(room, others.length) }, (_, at) => {
    return others[Math.floor(at * stride)] as ToolDefinition;
  });
  const library = name.replaceAll(/\W/g, "");
  // The endpoint is on this machine, but stands for a provider's.
  const settings = { library, model: "openai:gpt-4.1-mini", offer: "called" } as const;
  const isThere = new Set([...wanted, ...filling.map(({ id }) => id)]);
  // In their own order, because contents tell the first of a group first.
  const tools = all
    .filter(({ id }) => isThere.has(id))
    // A tool that is only declared gives a fixed text.
    .map((tool) => {
      const { ...declared }: ToolDefinition = tool;
      delete declared.returns;
      return declared;
    });
  const opened = await openWorkspace().store.open({
    ...(await embeddingsOf(settings)),
    name: library,
    create: true,
  });
  await opened.sync({ origin: "tools.jsonl", fingerprint: "", tools });
  const groups = opened.groups();
  right = new Map(
    tools.map((tool) => [
      tool.id,
      {
        name: groups.functionName(tool),
        wire: tool.id.replaceAll(/[^A-Za-z0-9_-]+/g, "_").slice(0, 64),
        args: sampleOf(tool.parameters) as object,
      },
    ]),
  );
  if (used) {
    const isChosen = new Set(chosen.map(({ id }) => id));
    const others = sets.flatMap(({ questions }) => questions.filter(({ id }) => !isChosen.has(id)));
    const counts = new Map<string, number>();
    for (const id of others.flatMap((other) => other.tools))
      counts.set(id, (counts.get(id) ?? 0) + 1);
    const uses = new Map([...counts].toSorted(([, one], [, other]) => other - one));
    openWorkspace().runtime.journal.toolUses = async () => uses;
  }
  if (told) return await printTold(name, chosen, settings);
  const graph = await openGraph("tulip");
  const chat = new ChatOpenAI({ model: "gpt-4.1-mini", maxRetries: 0 });
  const search = await createToolSearch({ library, home });
  const agentWith = (given: object) => createAgent({ model: chat, ...given });
  const solveWith =
    (agent: ReturnType<typeof agentWith>): Solve =>
    ({ query }) =>
      agent.invoke({ messages: [{ role: "user", content: query }] });
  const withMiddleware = (options: object) =>
    solveWith(agentWith({ middleware: [search.middleware(options)] as AgentMiddleware[] }));
  const bound = tools.map(({ id, description, parameters }) =>
    langChainTool(() => "Done.", {
      name: right.get(id)?.wire ?? id,
      description,
      schema: parameters as never,
    }),
  );
  const agents: Record<string, Solve> = {
    tulip: ({ query }, thread_id) =>
      graph.invoke(
        { request: query },
        { configurable: { thread_id }, context: settings, durability: "sync" },
      ),
    middleware: withMiddleware({ offer: "called" }),
    "middleware, bound": withMiddleware({ offer: "bound" }),
    "middleware, plans": withMiddleware({ offer: "called", plans: true }),
    ...(tools.length <= 150 ? { createAgent: solveWith(agentWith({ tools: bound })) } : {}),
  };
  for (const [agent, solve] of Object.entries(agents)) {
    if (!agent.includes(only)) continue;
    current = chosen[0];
    await solve(chosen[0] as Question, `${library}-${agent}-warm`);
    bodies.length = 0;
    const before = process.cpuUsage();
    for (const [at, task] of chosen.entries()) {
      current = task;
      await solve(task, `${library}-${agent}-${at}`);
    }
    const { user, system } = process.cpuUsage(before);
    const { read, cached } = tokensOf(bodies);
    const per = (value: number) => Math.round(value / chosen.length).toLocaleString("en");
    writeRow([
      name,
      agent,
      (bodies.length / chosen.length).toFixed(2),
      per(read),
      per(read - cached * 0.9),
      `${Math.round((cached / read) * 100)} %`,
      per((user + system) / 1000),
    ]);
  }
}

/** What first prompts tell of requests for one tool, and of those for several. */
async function printTold(set: string, questions: readonly Question[], settings: SettingsInput) {
  for (const [kind, isSeveral] of [
    ["one tool", false],
    ["several tools", true],
  ] as const) {
    const own = questions.filter((each) => servingTools(each).length > 1 === isSeveral);
    if (own.length === 0) continue;
    const workspace = openWorkspace();
    const { named, signed, tokens, stable } = await firstPrompts({
      questions: own,
      workspace,
      settings,
    });
    const rounded = [named, signed, stable].map((share) => share.toFixed(2));
    writeRow([`${set}, ${kind}`, String(own.length), ...rounded, Math.round(tokens).toString()]);
  }
}

async function embeddingsOf(settings: { library: string }) {
  const { openEmbeddings } = await import("../../models/embeddings/embeddings.js");
  const { embeddings: spec } = parseSettings(settings);
  return { embeddings: await openEmbeddings(spec), embeddingModel: spec };
}

/** Arguments that fit a schema. */
// oxlint-disable-next-line typescript/no-explicit-any -- any schema
function sampleOf(schema: any): unknown {
  if (!schema || typeof schema !== "object") return "value";
  if (schema.enum) return schema.enum[0];
  if ("const" in schema) return schema.const;
  if ("default" in schema) return schema.default;
  const [choice] = schema.anyOf ?? schema.oneOf ?? [];
  if (choice) return sampleOf(choice);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "object" || schema.properties) {
    const required: string[] = schema.required ?? [];
    return Object.fromEntries(required.map((name) => [name, sampleOf(schema.properties?.[name])]));
  }
  if (type === "array")
    return Array.from({ length: schema.minItems ?? 1 }, () => sampleOf(schema.items));
  if (type === "integer" || type === "number") return schema.minimum ?? 1;
  if (type === "string") return OF_FORMATS[schema.format] ?? "value";
  return type === "boolean" ? true : type === "null" ? null : "value";
}

/** Tools of the task at work: of several that serve alike, the one that the prompt tells most about. */
function neededIn(isBetter: (id: string) => number): string[] {
  const groups = current ? servingTools(current) : [];
  return groups.map((group) =>
    group.reduce((best, id) => (isBetter(id) > isBetter(best) ? id : best)),
  );
}

function replyTo(body: ChatBody): Completion {
  const texts = (body.messages ?? []).map(({ content }) =>
    typeof content === "string" ? content : JSON.stringify(content),
  );
  return body.tools?.length ? stepOf(body, texts) : programOf(texts);
}

/** What the script writes as a program. */
function programOf(texts: readonly string[]): Completion {
  const lines = texts.flatMap((text) => text.split("\n"));
  const isAll = texts.some((text) => text.includes("\nAll functions."));
  const known = (id: string) => {
    const { name = "" } = right.get(id) ?? {};
    const { signed, named } = toldOf(lines, name);
    return signed ? 2 : named || isAll ? 1 : 0;
  };
  const wasShown = texts.some((text) => text.includes("Your last program:"));
  const code = neededIn(known).map((id, at) => {
    const { name = "", args = {} } = right.get(id) ?? {};
    if (known(id) === 0 && !wasShown) return `need(${JSON.stringify(current?.query)});`;
    const isGuess = known(id) === 1 && Object.keys(args).length > 0;
    return `const r${at} = await ${name}(${JSON.stringify(isGuess ? { guess: 1 } : args)});`;
  });
  const made = code.findIndex((line) => line.startsWith("const"));
  const last = made === -1 ? "return `Done.`;" : `return \`Done: \${r${made}}\`;`;
  return { content: ["```ts", ...code, last, "```"].join("\n") };
}

/** What the script calls next. */
function stepOf(body: ChatBody, texts: readonly string[]): Completion {
  const names = (body.tools ?? []).map((tool) => String(tool.function["name"]));
  const described = (body.tools ?? []).map((tool) => String(tool.function["description"]));
  const all = [...described, ...texts].join("\n");
  const said = all.split("\n");
  const calledBefore = (body.messages ?? []).flatMap((message) =>
    ((message["tool_calls"] ?? []) as { function: object }[]).map((call) =>
      JSON.stringify(call.function),
    ),
  );
  const known = (id: string) => {
    const { wire = "", name = "" } = right.get(id) ?? {};
    return names.includes(wire) || all.includes(`${wire}(`) || toldOf(said, name).signed ? 1 : 0;
  };
  const needed = neededIn(known);
  const hasPlanned = calledBefore.some((text) => text.includes("run_plan"));
  const open = needed.filter((id) => {
    if (hasPlanned) return false;
    const wire = right.get(id)?.wire ?? "";
    return !calledBefore.some(
      (text) => text.includes(`"${wire}"`) || text.includes(`\\"${wire}\\"`),
    );
  });
  const finds = calledBefore.filter((text) => text.includes("find_tools")).length;
  if (open.some((id) => known(id) === 0) && names.includes("find_tools") && finds < 2)
    return { calls: [{ name: "find_tools", arguments: { queries: [current?.query ?? ""] } }] };
  const next = open.filter((id) => known(id) === 1);
  if (next.length === 0) return { content: "Done." };
  if (names.includes("run_plan")) {
    const lines = next.map((id, at) => {
      const { name, args } = right.get(id) as { name: string; args: object };
      return `const r${at} = await ${name}(${JSON.stringify(args)});`;
    });
    const program = [...lines, "return r0;"].join("\n");
    return { calls: [{ name: "run_plan", arguments: { program } }] };
  }
  const calls = next.map((id) => {
    const { wire = "", args = {} } = right.get(id) ?? {};
    return names.includes(wire)
      ? { name: wire, arguments: { ...args } }
      : { name: "call_tool", arguments: { name: wire, arguments: args } };
  });
  return { calls: calls.map((call, at) => ({ id: `call_${bodies.length}_${at}`, ...call })) };
}

/** Tokens of all prompts, and those that the endpoint has read from its cache. */
function tokensOf(prompts: readonly ChatBody[]): { read: number; cached: number } {
  const before: number[][] = [];
  let read = 0;
  let cached = 0;
  for (const { tools = [], messages = [] } of prompts) {
    const said = messages.map(({ role, content, tool_calls }) => {
      const text = typeof content === "string" ? content : JSON.stringify(content ?? "");
      return `${role}: ${text}${tool_calls ? JSON.stringify(tool_calls) : ""}`;
    });
    const defined = tools.length > 0 ? [JSON.stringify(tools)] : [];
    const tokens = [...defined, ...said].flatMap((text) => encoding.encode(text, [], []));
    const common = Math.max(0, ...before.map((other) => commonOf(tokens, other)));
    const blocks = Math.floor(common / 128) * 128;
    read += tokens.length;
    cached += blocks >= 1024 ? blocks : 0;
    before.push(tokens);
  }
  return { read, cached };
}

function commonOf(one: readonly number[], other: readonly number[]): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at < most && one[at] === other[at]) at += 1;
  return at;
}
