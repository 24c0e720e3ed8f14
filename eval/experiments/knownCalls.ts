/**
 * What requests cost if a model knows their calls: a script writes the program, or makes the next calls, as soon as it
 * is told of the functions, and asks for those that it is not told of. It is no language model. Results are drawn from
 * what the tools say that they return.
 *
 *   npx tsx eval/experiments/knownCalls.ts BENCH/tulip_math [--agent middleware] [--limit 60] [--gold PLANS]
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { createAgent } from "langchain";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    agent: { type: "string", default: "tulip" },
    limit: { type: "string", default: "60" },
    gold: { type: "string" },
    home: { type: "string" },
    show: { type: "string" },
    plans: { type: "boolean", default: false },
    first: { type: "string" },
    set: { type: "string", multiple: true, default: [] },
    tokenizer: { type: "string", default: "." },
    root: { type: "string", default: process.cwd() },
  },
});
const [bench = ""] = positionals;
const root = values.root;
const { registerChatProvider } = await import(join(root, "models/providers.ts"));
const { openWorkspace, closeWorkspaces } = await import(join(root, "nodes/workspace/workspace.ts"));
const { defineWorld } = await import(join(root, "tools/runtime/worlds/worlds.ts"));
const { openGraph } = await import(join(root, "graphs/openGraph.ts"));
const { createToolSearch } = await import(join(root, "agents/createToolSearch.ts"));

// npm install gpt-tokenizer, in any folder
const { countTokens: count } = await import(
  join(values.tokenizer, "node_modules/gpt-tokenizer/esm/encoding/o200k_base.js")
);

type Row = Record<string, any>;
interface Step {
  tool: string;
  args: Row;
}
interface Task {
  id: string;
  query: string;
  steps: Step[];
}

const rows = (file: string): Row[] =>
  readFileSync(join(bench, file), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((l) => JSON.parse(l));
const tools = new Map(rows("tools.jsonl").map((tool) => [String(tool["id"]), tool]));
const written: Record<string, [string, Row][]> = values.gold
  ? JSON.parse(readFileSync(values.gold, "utf8"))
  : {};

function stepsOf(row: Row): Step[] {
  const plan = written[row["id"]];
  if (plan) return plan.map(([tool, args]) => ({ tool, args }));
  const calls: Row[] = row["calls"] ?? (row["turns"] ?? []).flatMap((turn: Row) => turn["calls"]);
  const labels = new Map(calls.map((call, at) => [call["label"], at]));
  const plain = (value: unknown): unknown => {
    if (typeof value === "string")
      return value.replaceAll(
        /\$(var_?\d+)(\.?[^$]*)\$/g,
        (_, label: string, path: string) => `$$PREV[${labels.get(label)}]${path}`,
      );
    if (Array.isArray(value)) return value.map(plain);
    if (value && typeof value === "object")
      return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, plain(v)]));
    return value;
  };
  return calls.map((call) => ({ tool: call["tool"], args: plain(call["args"] ?? {}) as Row }));
}

const given: Task[] = rows("queries.jsonl")
  .map((row) => ({ id: row["id"], query: row["query"], steps: stepsOf(row) }))
  .filter(({ steps }) => steps.length > 0 && steps.every(({ tool }) => tools.has(tool)));

const isRef = /\$\$PREV\[(\d+)\]((?:\.?[\w]+|\[[^\]]*\])*)/g;
// --- results
const seeded = (schema: any, name = "result", depth = 0): unknown => {
  if (!schema || typeof schema !== "object") return `${name} 1`;
  if (schema.enum) return schema.enum[0];
  const known =
    "type" in schema && typeof schema.type !== "object"
      ? schema
      : Object.values(schema).some((v: any) => v && typeof v === "object" && "type" in v) &&
          !schema.type
        ? { type: "object", properties: schema }
        : schema;
  const type = Array.isArray(known.type) ? known.type[0] : known.type;
  if (type === "object" || type === "dict")
    return Object.fromEntries(
      Object.entries(known.properties ?? { value: { type: "string" } }).map(([k, v]) => [
        k,
        seeded(v, k, depth + 1),
      ]),
    );
  if (["array", "list", "tuple"].includes(type))
    return [1, 2].map(() => seeded(known.items ?? { type: "string" }, name, depth + 1));
  if (["integer", "int"].includes(type)) return 7;
  if (["number", "float"].includes(type)) return 7;
  if (["boolean", "bool"].includes(type)) return true;
  return `${name} 1`;
};
const world = defineWorld({
  name: "seeded",
  create: () => ({}),
  save: () => ({}),
  load: () => ({}),
  answer: (_w: unknown, { tool }: { tool: string }) => ({
    result: seeded(tools.get(tool)?.["returns"]),
  }),
});

// --- tasks whose calls fit the schemas, and whose results have what later calls use
const { validateArguments } = await import(join(root, "tools/runtime/calls/validateArguments.ts"));
const { readDeclarations } = await import(join(root, "tools/sources/readDeclarations.ts"));
const declared = new Map<string, any>(
  (await readDeclarations({ file: join(bench, "tools.jsonl") })).tools.map((tool: any) => [
    tool.id,
    tool,
  ]),
);
const isSound = ({ steps }: Task) => {
  const results = new Map<number, unknown>();
  return steps.every(({ tool, args }, at) => {
    results.set(at, seeded(tools.get(tool)?.["returns"]));
    const filled = valueIn(args, results);
    if (JSON.stringify(filled).includes("$$PREV")) return false;
    return validateArguments({ record: { ...declared.get(tool), hash: tool }, args: filled }).ok;
  });
};
// --- names
const norm = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
const words = (id: string) =>
  id
    .split(/[.:]/)
    .at(-1)!
    .replaceAll(/(?<=[a-z])(?=[A-Z])|[_-]+/g, " ")
    .toLowerCase();
function namesIn(text: string): string[] {
  const plain = text.match(/[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*/g) ?? [];
  const listed = [...text.matchAll(/^- (\w+)(?: \([^\n]*?\))?: (.*)$/gm)].flatMap(
    ([, group, members = ""]) =>
      (members.replaceAll(/\([^)]*\)/g, "").match(/[\w$-]+/g) ?? []).map(
        (member) => `${group}.${member}`,
      ),
  );
  return [...new Set([...listed, ...plain])];
}
function nameOf(id: string, known: readonly string[]): string | undefined {
  const tool = tools.get(id)!;
  const full = norm(id);
  const own = norm(tool["name"]);
  const wanted = [full, own, norm(`${tool["provider"] ?? ""}${tool["name"]}`)];
  for (const one of wanted) {
    const found = known.filter((name) => norm(name) === one);
    if (found.length > 0) return found.find((name) => name.includes(".")) ?? found[0];
  }
  return known.find(
    (name) => name.includes(".") && (full.endsWith(norm(name)) || norm(name).endsWith(own)),
  );
}

// --- replies
const refsIn = (args: unknown): number[] =>
  [...JSON.stringify(args).matchAll(isRef)].map(([, at]) => Number(at));
function codeOf(value: unknown): string {
  if (typeof value === "string") {
    const whole = new RegExp(`^${isRef.source}$`).exec(value);
    if (whole) return `r${whole[1]}${whole[2]}`;
    if (!value.includes("$$PREV")) return JSON.stringify(value);
    return `\`${value.replaceAll(isRef, (_, at, path) => `\${r${at}${path}}`)}\``;
  }
  if (Array.isArray(value)) return `[${value.map(codeOf).join(", ")}]`;
  if (value && typeof value === "object")
    return `{ ${Object.entries(value)
      .map(([k, v]) => `${JSON.stringify(k)}: ${codeOf(v)}`)
      .join(", ")} }`;
  return JSON.stringify(value);
}
function programFor({ steps }: Task, known: readonly string[]): string {
  const names = steps.map(({ tool }) => nameOf(tool, known));
  const missing = [...new Set(steps.flatMap(({ tool }, at) => (names[at] ? [] : [words(tool)])))];
  const open = new Set<number>();
  const lines = steps.flatMap(({ args }, at) => {
    if (!names[at] || refsIn(args).some((ref) => open.has(ref))) {
      open.add(at);
      return [];
    }
    return [`const r${at} = await ${names[at]}(${codeOf(args)});`];
  });
  const results = steps.flatMap((_, at) => (open.has(at) ? [] : [`\${r${at}}`]));
  return [
    ...missing.map((phrase) => `need(${JSON.stringify(phrase)});`),
    ...lines,
    `return \`It gave ${results.join(", ")}.\`;`,
  ].join("\n");
}
function valueIn(value: unknown, results: Map<number, unknown>): unknown {
  if (typeof value === "string") {
    const at = (text: string, index: string, path: string) => {
      let found: any = results.get(Number(index));
      for (const [, key] of path.matchAll(/([\w]+)/g)) found = found?.[key!];
      return found ?? text;
    };
    const whole = new RegExp(`^${isRef.source}$`).exec(value);
    if (whole) return at(value, whole[1]!, whole[2]!);
    return value.replaceAll(isRef, (text, index, path) => String(at(text, index, path)));
  }
  if (Array.isArray(value)) return value.map((one) => valueIn(one, results));
  if (value && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, valueIn(v, results)]));
  return value;
}
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

function actFor(task: Task, messages: readonly BaseMessage[], bound: Row[]): AIMessage {
  const answers = new Map(
    messages.flatMap((m) => (ToolMessage.isInstance(m) ? [[m.tool_call_id, m] as const] : [])),
  );
  const made = messages.flatMap((m) => (AIMessage.isInstance(m) ? (m.tool_calls ?? []) : []));
  const known = bound.map((tool) => String(tool["name"]));
  const results = new Map<number, unknown>();
  const used = new Set<unknown>();
  for (const [at, { tool, args }] of task.steps.entries()) {
    const name = nameOf(tool, known);
    const wanted = JSON.stringify(valueIn(args, results));
    const call = made.find(
      (one) =>
        one.name === name &&
        !used.has(one) &&
        JSON.stringify(one.args) === wanted &&
        answers.has(one.id ?? ""),
    );
    if (call) {
      used.add(call);
      results.set(at, parsed(answers.get(call.id!)!.text));
    }
  }
  const planned = made.find(
    ({ name, id }) => name === "run_plan" && answers.get(id ?? "")?.status !== "error",
  );
  const open = planned ? [] : [...task.steps.entries()].filter(([at]) => !results.has(at));
  const call = (name: string, args: unknown) => ({
    id: `call_${crypto.randomUUID()}`,
    name,
    args: args as Row,
    type: "tool_call" as const,
  });
  const missing = [...new Set(open.flatMap(([, { tool }]) => (nameOf(tool, known) ? [] : [tool])))];
  const find = known.find((name) => name === "find_tools" || name === "search_tools");
  const plan = bound.find(({ name }) => name === "run_plan");
  if (plan && (open.length > 1 || missing.length > 0)) {
    const told = [
      ...known,
      ...namesIn(String(plan["description"])),
      ...namesIn(bound.map((tool) => tool["description"]).join("\n")),
    ];
    if (open.every(([, { tool }]) => nameOf(tool, told)))
      return new AIMessage({
        content: "",
        tool_calls: [call("run_plan", { program: programFor(task, told) })],
      });
  }
  if (missing.length > 0 && find) {
    const said = JSON.stringify(made.filter(({ name }) => name === find).map(({ args }) => args));
    const phrases = missing
      .map((tool) => (said.includes(words(tool)) ? String(tools.get(tool)!["name"]) : words(tool)))
      .filter((phrase) => !said.includes(JSON.stringify(phrase)));
    if (phrases.length > 0)
      return new AIMessage({
        content: "",
        tool_calls: [
          call(
            find,
            find === "find_tools" ? { queries: phrases } : { action_descriptions: phrases },
          ),
        ],
      });
  }
  const ready = open.filter(
    ([, { tool, args }]) => nameOf(tool, known) && refsIn(args).every((ref) => results.has(ref)),
  );
  if (ready.length > 0)
    return new AIMessage({
      content: "",
      tool_calls: ready.map(([, { tool, args }]) =>
        call(nameOf(tool, known)!, valueIn(args, results)),
      ),
    });
  const message =
    open.length === 0
      ? `It gave ${[...results.values()].map((v) => JSON.stringify(v)).join(", ")}.`
      : "Some tools are missing.";
  if (known.includes("stop"))
    return new AIMessage({
      content: "",
      tool_calls: [call("stop", { message, solved: open.length === 0 })],
    });
  return new AIMessage({ content: message });
}

const tasks = given.filter(isSound).slice(0, Number(values.limit));

// --- the model
interface Asked {
  stage: string;
  tokens: number;
  prompt: string;
  reply: string;
}
const asked = new Map<string, Asked[]>();
let current: Task | undefined;
const textOf = (m: BaseMessage) =>
  m.text +
  (AIMessage.isInstance(m) && m.tool_calls?.length
    ? JSON.stringify(m.tool_calls.map(({ name, args }) => ({ name, args })))
    : "");

class KnowsCalls extends BaseChatModel<any> {
  _llmType() {
    return "known";
  }
  override bindTools(bound: any) {
    return this.withConfig({ tools: bound } as any);
  }
  override async _generate(messages: BaseMessage[], options: any) {
    const bound: Row[] = (options.tools ?? []).map(
      (tool: any) =>
        tool.function ?? {
          name: tool.name,
          description: tool.description,
          parameters: tool.schema,
        },
    );
    const task = current!;
    const stage: string = options.stage ?? "agent";
    const prompt = messages.map(textOf).join("\n");
    let reply: AIMessage;
    if (stage === "writeProgram")
      reply = new AIMessage(`\`\`\`ts\n${programFor(task, namesIn(prompt))}\n\`\`\``);
    else if (stage === "phraseSearch")
      reply = new AIMessage({
        content: "",
        tool_calls: [
          {
            id: "s",
            name: "search_tools",
            type: "tool_call",
            args: {
              searches: options.input.subtasks.map((phrase: string, at: number) => ({
                subtask: at + 1,
                phrase: `${phrase} tool`,
              })),
            },
          },
        ],
      });
    else if (stage === "act" || stage === "agent") reply = actFor(task, messages, bound);
    else if (stage === "wordAnswer" || stage === "aggregate")
      reply = new AIMessage(JSON.stringify({ result: "It is done.", solved: true }));
    else reply = new AIMessage("It is done.");
    const tokens =
      messages.reduce((sum, m) => sum + count(textOf(m)), 0) +
      (bound.length > 0 ? count(JSON.stringify(bound)) : 0);
    asked.set(task.id, [
      ...(asked.get(task.id) ?? []),
      {
        stage,
        tokens,
        prompt:
          bound.length > 0 && values.show
            ? `${prompt}\nTOOLS ${JSON.stringify(bound, null, 1)}`
            : prompt,
        reply: textOf(reply),
      },
    ]);
    reply.usage_metadata = {
      input_tokens: tokens,
      output_tokens: count(textOf(reply)),
      total_tokens: tokens,
    };
    return { generations: [{ text: reply.text, message: reply }] };
  }
}
registerChatProvider("known", {
  structuredReplies: "stage",
  makeChat: async () => new KnowsCalls({}),
});

// --- runs
const home = values.home ?? mkdtempSync(join(tmpdir(), "known-"));
process.env["TULIPGRAPH_HOME"] = home;
const library = basename(bench);
const file = join(home, `${library}.jsonl`);
writeFileSync(
  file,
  [...tools.values()].map((tool) => `${JSON.stringify({ ...tool, world: "seeded" })}\n`).join(""),
);
const imported = spawnSync(
  "node",
  ["bin/tulipgraph.mjs", "tools", "import", file, "--library", library],
  { cwd: root, encoding: "utf8", env: process.env },
);
if (imported.status !== 0) console.error(imported.stdout, imported.stderr);
openWorkspace({ home, worlds: [world] });
const settings = {
  model: "known:calls",
  library,
  ...Object.fromEntries(
    values.set.map((one) => {
      const [k, v = ""] = one.split("=");
      return [k, /^\d/.test(v) ? Number(v) : v];
    }),
  ),
};
let solved = 0;
const ends: string[] = [];
if (values.agent === "middleware") {
  const search = await createToolSearch({
    library,
    home,
    ...Object.fromEntries(Object.entries(settings).filter(([k]) => k === "topK")),
  });
  const agent = createAgent({
    model: new KnowsCalls({}) as any,
    middleware: [
      search.middleware({
        ...(values.plans ? { plans: true } : {}),
        ...(values.first ? { searchFirst: Number(values.first) } : {}),
      } as any) as any,
    ],
  });
  for (const task of tasks) {
    current = task;
    const { messages } = await agent.invoke(
      { messages: [{ role: "user", content: task.query }] },
      { recursionLimit: 60 },
    );
    const end = messages.at(-1)?.text ?? "";
    solved += Number(!end.startsWith("Some tools"));
    if (end.startsWith("Some tools")) ends.push(`${task.id}: ${end}`);
  }
} else {
  const graph = await openGraph(values.agent);
  for (const task of tasks) {
    current = task;
    const state: any = await graph.invoke({ request: task.query } as any, {
      configurable: { thread_id: task.id },
      context: settings as any,
      recursionLimit: 200,
    });
    solved += Number(state.status === "solved");
    if (state.status !== "solved")
      ends.push(`${task.id}: ${state.status} ${state.answer.slice(0, 160)}`);
  }
}
const all = tasks.map(({ id }) => asked.get(id) ?? []);
const mean = (list: number[]) => list.reduce((a, b) => a + b, 0) / list.length;
const stages = new Map<string, number>();
for (const { stage } of all.flat()) stages.set(stage, (stages.get(stage) ?? 0) + 1);
console.log(
  JSON.stringify({
    set: library,
    agent: values.agent,
    left: given.length - given.filter(isSound).length,
    tasks: tasks.length,
    solved,
    calls: mean(all.map((a) => a.length)).toFixed(2),
    tokens: Math.round(mean(all.map((a) => a.reduce((s, { tokens }) => s + tokens, 0)))),
    first: Math.round(mean(all.map(([one]) => one?.tokens ?? 0))),
    stages: Object.fromEntries(stages),
  }),
);
if (values.show) {
  writeFileSync(
    values.show,
    tasks
      .map(({ id }, at) =>
        (all[at] ?? [])
          .map(
            ({ stage, tokens, prompt, reply }, n) =>
              `#### ${id} call ${n + 1} ${stage} ${tokens}\n${prompt}\n---- reply\n${reply}\n`,
          )
          .join("\n"),
      )
      .join("\n\n") +
      "\n" +
      ends.join("\n"),
  );
  console.error(ends.slice(0, 8).join("\n"));
}
await closeWorkspaces();
if (!values.home) rmSync(home, { recursive: true, force: true });
