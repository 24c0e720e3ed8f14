import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Ended } from "./homeParties.js";

/** Where a command line works: in a library of its own, on one tool after another. */
export interface Place {
  folder: string;
  library: string;
  /** Unique in the campaign. */
  tool: string;
  run: (argv: readonly string[], input?: string) => Promise<Ended>;
  /** Whether a command ended well. */
  isDone: (ended: Ended) => boolean;
  /** The sources that the library has. */
  sources: Set<string>;
  /** What was told as done and is not there. */
  lose: (what: string) => void;
}

/** Writes the file of a tool that notes each of its calls in a file. */
export function writeTool({ folder, tool }: Pick<Place, "folder" | "tool">): string {
  const file = join(folder, `${tool}.ts`);
  writeFileSync(
    file,
    `import { appendFileSync } from "node:fs";
/**
 * Note a token.
 *
 * @param token - The token.
 * @name ${tool}
 */
export function ${tool}(token: string): string {
  appendFileSync(${JSON.stringify(join(folder, "touched.txt"))}, "${tool} " + token + "\\n");
  return token;
}
`,
  );
  return file;
}

const server = join(import.meta.dirname, "../fixtures/oneHome/changingServer.mjs");

const document = {
  openapi: "3.0.0",
  info: { title: "Shop", version: "1" },
  servers: [{ url: "https://shop.example" }],
  paths: {
    "/orders": { get: { operationId: "orders", responses: { 200: { description: "ok" } } } },
  },
  components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "x-key" } } },
  security: [{ key: [] }],
};

/** A tool of a source that stays: an MCP server whose list grows with each round. Undefined if it is not imported yet. */
export async function useSource({
  place,
  round,
}: {
  place: Place;
  round: number;
}): Promise<string | undefined> {
  const { folder, library, run, isDone, sources } = place;
  const name = `source_of_${library}`;
  const listing = join(folder, `${name}.listing`);
  writeFileSync(
    listing,
    ["one", ...Array.from({ length: round }, (_, at) => `new_${at}`)].join("\n"),
  );
  const argv = [
    "tools",
    "import",
    "mcp",
    name,
    "--library",
    library,
    "--",
    process.execPath,
    server,
  ];
  if (!sources.has(name) && isDone(await run([...argv, listing]))) sources.add(name);
  return sources.has(name) ? `${name}.one` : undefined;
}

/** The other commands that write, each with a look at what it has done. */
export const WRITING: readonly ((place: Place) => Promise<void>)[] = [
  async ({ tool, library, run, isDone, lose }) => {
    const of = ["--library", library];
    if (!isDone(await run(["tools", "label", tool, "--flow", "private", ...of]))) return;
    const shown = await run(["tools", "list", tool, "--json", ...of]);
    if (isDone(shown) && !shown.stdout.includes('"flow":["private"]')) lose(`label of ${tool}`);
  },
  async ({ tool, run, isDone, lose }) => {
    if (!isDone(await run(["keys", "create", "--scope", "read", "--name", tool]))) return;
    const shown = await run(["keys", "list", "--json"]);
    if (!isDone(shown)) return;
    const keys = JSON.parse(shown.stdout) as { id: string; name: string }[];
    const key = keys.find(({ name }) => name === tool);
    if (!key) return lose(`key ${tool}`);
    isDone(await run(["keys", "revoke", key.id]));
  },
  async ({ tool, library, folder, run, isDone, lose }) => {
    const of = ["--library", library];
    const file = join(folder, `${tool}.jsonl`);
    const past = { query: `Note ${tool}`, tool, args: { token: "x" }, result: "x", helpful: true };
    writeFileSync(file, `${JSON.stringify(past)}\n`);
    if (!isDone(await run(["memory", "import", file, ...of]))) return;
    const out = `${file}.out`;
    if (!isDone(await run(["memory", "export", out, ...of]))) return;
    if (!readFileSync(out, "utf8").includes(`Note ${tool}`)) lose(`memory of ${tool}`);
  },
  async ({ tool, library, folder, run, isDone, lose }) => {
    const of = ["--library", library];
    const listing = join(folder, `${tool}.listing`);
    writeFileSync(listing, "one\n");
    const imported = [
      "tools",
      "import",
      "mcp",
      tool,
      ...of,
      "--",
      process.execPath,
      server,
      listing,
    ];
    if (!isDone(await run(imported))) return;
    writeFileSync(listing, "one\ntwo\n");
    await run(["tools", "call", `${tool}.one`, "{}", ...of]);
    const shown = await run(["tools", "review", tool, ...of]);
    if (shown.code === 1 && !isDone(await run(["tools", "review", tool, "--yes", ...of]))) return;
    const list = await run(["tools", "list", "--json", ...of]);
    if (isDone(list) && !list.stdout.includes(`"${tool}.one"`)) lose(`import of ${tool}.one`);
    isDone(await run(["tools", "remove", "--source", tool, ...of]));
  },
  async ({ tool, library, folder, run, isDone, lose }) => {
    const of = ["--library", library];
    const file = join(folder, `${tool}.json`);
    writeFileSync(file, JSON.stringify(document));
    const auth = ["--auth", "key=$SHOP_KEY", "--credentials", "caller"];
    if (!isDone(await run(["tools", "import", "openapi", file, tool, ...auth, ...of]))) return;
    if (!isDone(await run(["tools", "login", tool], "a-key\n"))) return;
    const shown = await run(["whoami", "--json", ...of]);
    if (isDone(shown) && !shown.stdout.includes(tool)) lose(`login at ${tool}`);
  },
  async ({ tool, library, folder, run, isDone, lose }) => {
    const file = join(folder, `${tool}_twice.ts`);
    writeFileSync(
      file,
      `/**
 * Twice a number.
 *
 * @param value - The number.
 * @returns Twice the number.
 * @example ${tool}_twice(4) => 8
 * @example ${tool}_twice(7) => 14
 */
export function ${tool}_twice(value: number): number {
  return 2 * value;
}
`,
    );
    if (!isDone(await run(["tools", "add", file, "--library", library]))) return;
    const list = await run(["tools", "list", "--json", "--library", library]);
    if (isDone(list) && !list.stdout.includes(`"${tool}_twice"`)) lose(`${tool}_twice`);
  },
  async ({ tool, library, run, isDone, lose }) => {
    const of = ["--library", library];
    const model = ["--model", "openai:double"];
    const solved = await run(["solve", `Plan ${tool} p${tool}`, ...model, "--thread", tool, ...of]);
    if (!isDone(solved)) return;
    if (!isDone(await run(["plans", "save", tool, "--as", `${tool}_plan`, ...of]))) return;
    const list = await run(["tools", "list", "--json", ...of]);
    if (isDone(list) && !list.stdout.includes(`"${tool}_plan"`)) lose(`plan of ${tool}`);
    isDone(await run(["threads", "prune", "--keep", "500"]));
  },
];
