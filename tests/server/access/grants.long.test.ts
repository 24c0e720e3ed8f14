import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, it, onTestFinished } from "vitest";
import { importTools, openNamed } from "../../../home/libraries.js";
import { openWorkspace } from "../../../home/workspace.js";
import { ownerOfTokens } from "../../../server/access/owners.js";
import { parseSettings } from "../../../state/settings.js";
import { contractOf } from "../../../tools/calls/engine/savedPlan.js";
import type { ToolDefinition } from "../../../tools/tool.js";
import { newHome } from "../../fakes/homes.js";
import { ISSUER } from "../../fakes/issuer.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import { EMBEDDINGS } from "../../tools/sources/mcp/support.js";
import { type User, serveUsers } from "./users.js";

const SETTINGS = parseSettings({ library: "team", embeddings: EMBEDDINGS });

const GRANTS = [
  { group: "sales", groups: ["crm"] },
  { owner: ownerOfTokens(ISSUER, "bob"), tools: ["double_*", "halve_number"] },
  { scope: "approve", effects: "read" },
  { group: "ops", sources: ["tools"], effects: "write" },
  { group: "ops", tools: ["greet"] },
];

/** A valid call of each tool. */
const CALLS = (file: string): Record<string, object> => ({
  double_number: { value: 2 },
  halve_number: { value: 4 },
  greet: { person: "Ada" },
  write_line: { file, line: "tea" },
  "crm.find": { name: "Ada" },
  "crm.update": { name: "Ada" },
  greet_ada: {},
  log_greeting: {},
});

const CRM = `
/** Customers. */
export const crm = {
  /**
   * Find a customer.
   * @param name - Whom.
   * @effects read
   */
  find(name: string): string { return name; },
  /**
   * Update a customer.
   * @param name - Whom.
   */
  update(name: string): string { return name; },
};
`;

/** Who comes with what, and what they find and call: by all ways or by none. The plans call what their names say. */
const WHO: [who: string, scope: string, claims: object, tools: string[]][] = [
  ["ada", "run read", { groups: ["sales"] }, ["crm.find", "crm.update"]],
  ["bob", "run read", { groups: ["other"] }, ["double_number", "halve_number"]],
  [
    "eve",
    "run read approve",
    {},
    ["double_number", "halve_number", "greet", "crm.find", "greet_ada"],
  ],
  ["dan", "run read", { groups: "ops" }, ["greet", "write_line", "greet_ada", "log_greeting"]],
  ["root", "admin", {}, Object.keys(CALLS(""))],
];

const WAYS = [
  "contents",
  "offered",
  "called in a run",
  "page list",
  "page search",
  "page tool",
  "found over MCP",
  "called over MCP",
];

it.each(WHO)("%s with %s and %o is shown and calls just what was granted", async (...row) => {
  const [who, scope, claims, granted] = row;
  const { url, as, calls } = await serveGranting();
  const user = await as(who, scope, claims);
  const tools = Object.keys(calls);
  const asked = await prompted(user);
  const listed = await idsAt(user, "tools?library=team&limit=200");
  const mcp = await mcpOf(url, user);
  const seen: Record<string, string[]> = {};
  for (const tool of tools) {
    const given = calls[tool] ?? {};
    const called = tool.replace(".", "_");
    const run = await calledBy(user, called, given);
    const ways = [
      new RegExp(`\\b${tool.replace(".", "\\b.*\\b")}\\b`, "s").test(asked),
      run.offered.includes(called),
      run.made.includes(tool),
      listed.includes(tool),
      (await idsAt(user, `search?library=team&phrase=${tool}`)).includes(tool),
      (await user.send("GET", `/console/tools/${tool}?library=team`)).status === 200,
      (await mcp("find_tools", { queries: [tool] })).found.includes(tool),
      !(await mcp("call_tool", { tool, arguments: given })).isError,
    ];
    seen[tool] = WAYS.filter((_, at) => ways[at]);
  }
  const wanted = tools.map((tool) => [tool, granted.includes(tool) ? WAYS : []]);
  expect(seen).toEqual(Object.fromEntries(wanted));
});

/** A server with the library `team`: of two files and two saved plans. */
async function serveGranting() {
  const home = newHome();
  const { store } = openWorkspace({ home });
  const crm = join(home, "crm.ts");
  writeFileSync(crm, CRM);
  const file = resolve("tests/fixtures/library/tools.ts");
  await importTools({ store, settings: SETTINGS, file });
  await importTools({ store, settings: SETTINGS, file: crm });
  const library = await openNamed({ store, settings: SETTINGS });
  const log = JSON.stringify(join(home, "log"));
  const greeting = 'greet({ person: "Ada" })';
  await library.put(plan(library, "greet_ada", `return ${greeting};`));
  const logs = `return write_line({ file: ${log}, line: ${greeting} });`;
  await library.put(plan(library, "log_greeting", logs));
  const served = await serveUsers({ home }, { grants: GRANTS });
  return { ...served, calls: CALLS(join(home, "log")) };
}

function plan(library: Awaited<ReturnType<typeof openNamed>>, id: string, code: string) {
  const calls = library.list().flatMap((tool) => {
    const isCalled = code.includes(`${tool.name}(`);
    return isCalled ? [{ name: tool.name, tool: tool.id, contract: contractOf(tool) }] : [];
  });
  const test = { args: {}, today: "2026-03-01", calls: [], result: null };
  const tool: ToolDefinition = {
    id,
    name: id,
    description: `The plan ${id}`,
    parameters: { type: "object", properties: {} },
    effects: calls.length > 1 ? "write" : "read",
    source: { kind: "program", file: "saved plans", code, calls, test },
  };
  return { tool, basedOn: null, note: { by: "person" as const, why: "saved" } };
}

/** What a run's model is told before it is asked anything else. */
async function prompted(user: User): Promise<string> {
  const model = scriptedModel(() => ({ text: "return noFunctionNeeded(`Hello`);" }));
  await run(user, "tulip", model.spec);
  return model.questions[0]?.messages.map(({ text }) => text).join("\n") ?? "";
}

async function calledBy(user: User, name: string, args: object) {
  const model = scriptedModel([{ calls: [{ name, args, id: "one" }] }, { text: "Done." }]);
  const { calls = [] } = await run(user, "naive_tool", model.spec);
  const made = calls.flatMap(({ tool, error }) => (error === undefined ? tool : []));
  return { offered: model.questions[0]?.tools ?? [], made };
}

async function run({ client, settings }: User, graph: string, model: string) {
  const input = { request: "Do what is asked" };
  const values = await client.runs.wait(null, graph, { input, context: settings(model) });
  return values as { calls?: { tool: string; error?: string }[] };
}

async function idsAt({ send }: User, path: string): Promise<string[]> {
  const found = (await (await send("GET", `/console/${path}`)).json()) as unknown;
  const rows = (Array.isArray(found) ? found : (found as { hits: unknown[] }).hits) as {
    id?: string;
    tool?: string;
  }[];
  return rows.map(({ id, tool }) => id ?? tool ?? "");
}

async function mcpOf(url: string, { token }: User) {
  const client = new Client({ name: "test", version: "1" });
  const headers = { authorization: `Bearer ${token}` };
  const at = new URL(`${url}/mcp?library=team`);
  await client.connect(new StreamableHTTPClientTransport(at, { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return async (name: string, given: Record<string, unknown>) => {
    const { isError, structuredContent } = await client.callTool({ name, arguments: given });
    const { tools = [] } = Object(structuredContent) as { tools?: { tool: string }[] };
    return { isError: isError === true, found: tools.map(({ tool }) => tool) };
  };
}
