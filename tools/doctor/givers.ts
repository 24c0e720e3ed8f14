import { wordsOf } from "../library/toolText.js";
import { termsOf } from "../library/words.js";
import type { ToolDefinition } from "../tool.js";
import type { Finding } from "./finding.js";
import { parametersOf } from "./toolTexts.js";

/** A value that a model cannot make up and has to get from elsewhere. */
interface Wanted {
  kind: "id" | "token" | "key";
  /** Words for what it belongs to: `customer_id` belongs to a customer. */
  subject: string[];
  parameter: string;
  text: string;
}

const IDS = new Set(["id", "identifier", "uuid", "guid"]);
const KEYS = new Set([
  "api",
  "access",
  "secret",
  "auth",
  "app",
  "private",
  "subscription",
  "rapidapi",
]);

/** A list itself gives the token of its next page. */
const PAGES = new Set(["page", "next", "cursor", "continuation", "sync", "pagination"]);

const GIVING = new Set(
  `get list search find create add make fetch lookup query retrieve show read new register book open start generate
  all browse recommend look return give schedule send upload insert view check detail login`.split(
    /\s+/,
  ),
);
const MAKING = new Set(["create", "add", "register", "new", "insert", "make"]);
const SIGNING_IN = new Set([
  "login",
  "authenticate",
  "authentication",
  "token",
  "auth",
  "session",
  "oauth",
  "sign",
]);

/** Finds ids and tokens that tools need and that no tool of the library gives. */
export function giverFindings(tools: readonly ToolDefinition[]): Finding[] {
  const read = tools.map(readTool);
  const names = new Set(tools.flatMap(({ id, name }) => [id, name]));
  const groups = new Map<string, { wanted: Wanted; tools: string[] }>();
  for (const { id, wants } of read) {
    for (const wanted of wants) {
      if (wanted.text.match(/[\w.-]+/g)?.some((word) => word !== id && isName(word, names)))
        continue;
      const key = `${wanted.kind} ${wanted.subject.join(" ")}`;
      const group = groups.get(key) ?? { wanted, tools: [] };
      if (!group.tools.includes(id)) group.tools.push(id);
      groups.set(key, group);
    }
  }
  return [...groups.values()]
    .filter(({ wanted }) => !read.some((tool) => gives(tool, wanted)))
    .map(({ wanted, tools }) => finding(wanted, tools));
}

/** Only for words that look like identifiers: "search" in a text need not mean the tool of that name. */
function isName(word: string, names: ReadonlySet<string>): boolean {
  return /[a-z][A-Z]|[_.-]/.test(word) && names.has(word.replace(/[.-]+$/, ""));
}

/** What matters of a tool to find out who gives what. */
interface ReadTool {
  id: string;
  wants: Wanted[];
  nameTerms: ReadonlySet<string>;
  terms: ReadonlySet<string>;
  /** Fields of its result, each as words; empty if it does not describe its result. */
  fields: ReadonlySet<string>;
}

function readTool(tool: ToolDefinition): ReadTool {
  const { id, name, description, returns = {}, parameters } = tool;
  const nameTerms = new Set(termsOf(name));
  const fields = parametersOf(returns).map((field) => termsOf(field.name).map(oneOf).join(" "));
  const said = [returns, ...parametersOf(returns).map(({ schema }) => schema)].map((schema) =>
    typeof schema.description === "string" ? schema.description : "",
  );
  return {
    id,
    nameTerms,
    terms: new Set([...nameTerms, ...termsOf(description), ...said.flatMap(termsOf)]),
    fields: new Set(fields),
    wants: parametersOf(parameters).flatMap((parameter) => {
      if (!parameter.required) return [];
      const { description: text } = parameter.schema;
      const wanted = wantedOf(parameter.name, typeof text === "string" ? text : "", nameTerms);
      return wanted ? [wanted] : [];
    }),
  };
}

function wantedOf(name: string, text: string, nameTerms: ReadonlySet<string>): Wanted | undefined {
  const words = wordsOf(name)
    .replace(/\bapikey\b/, "api key")
    .split(" ")
    .map(oneOf);
  // "id_customer" means the same as "customer_id".
  if (words.length > 1 && words[0] === "id") words.push(words.shift() ?? "");
  const last = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const parameter = name;
  if (before.some((word) => PAGES.has(word))) return undefined;
  if (last === "token") return { kind: "token", subject: before, parameter, text };
  if (last === "key" && KEYS.has(before.at(-1) ?? ""))
    return { kind: "key", subject: before, parameter, text };
  if (!IDS.has(last) || (last === "identifier" && before.length === 0)) return undefined;
  // A client id is configured once by whoever runs the agent.
  if (before.at(-1) === "client") return { kind: "key", subject: before, parameter, text };
  const nouns = [...nameTerms].filter((term) => !GIVING.has(term) && !MAKING.has(term));
  const subject = before.length > 0 ? termsOf(before.join(" ")) : nouns;
  if (subject.length === 0) return undefined;
  // The maker of a thing may choose its id.
  const makes = [...nameTerms].some((term) => MAKING.has(term));
  if (makes && subject.every((word) => nameTerms.has(word))) return undefined;
  return { kind: "id", subject, parameter, text };
}

function gives(tool: ReadTool, wanted: Wanted): boolean {
  const { kind, subject, parameter } = wanted;
  const field = termsOf(parameter).map(oneOf);
  if (field.length > 1 && tool.fields.has(field.join(" "))) return true;
  if (kind === "key") return false;
  const needsIt = tool.wants.some(
    (own) => own.kind === kind && own.subject.join(" ") === subject.join(" "),
  );
  if (kind === "token") return !needsIt && [...SIGNING_IN].some((word) => tool.nameTerms.has(word));
  const isAbout = subject.some((word) => tool.terms.has(word));
  if (!isAbout) return false;
  if ([...tool.fields].some((field) => IDS.has(field))) return true;
  return !needsIt && [...GIVING].some((word) => tool.terms.has(word));
}

function finding({ kind, parameter }: Wanted, tools: string[]): Finding {
  const need = tools.length === 1 ? "needs" : `${tools.length} tools need`;
  const what = parameter === "id" ? "an id" : `"${parameter}"`;
  const isKey = kind === "key";
  return {
    check: "givers",
    severity: isKey ? "note" : "warning",
    tools,
    problem: `${need} ${what}, which no tool of the library gives`,
    change: isKey
      ? "Set it where the tool runs; a model does not have one and must not see it"
      : "Add a tool that finds it, or name in the parameter's text the tool that gives it",
  };
}

/** `termsOf` leaves words of three letters in the plural. */
function oneOf(word: string): string {
  return word === "ids" ? "id" : word;
}
