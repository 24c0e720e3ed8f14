import { freeName } from "../../../common/codeNames.js";
import { clipped, listed } from "../../../common/text.js";
import { InvalidSetting, oneLine } from "../../../common/errors.js";
import { patternTest } from "../../../common/nearNames.js";
import { isPrivateHost } from "../../../common/privateHost.js";
import { isSchema } from "../../../common/schemas/referredSchema.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import type { SourceProblem, SourceReading, ToolDefinition } from "../../tool.js";
import { WHOLE_FILE } from "../problems.js";
import { argumentsOf } from "./arguments.js";
import { isJson } from "./mediaTypes.js";
import { lostReferences, type Operation, operationsOf } from "./operations.js";
import { ALL_PAGES, pagingOf } from "./paging.js";
import { plainSchema, plainText } from "./plainSchema.js";
import { type ApiDocument, readDocument } from "./readDocument.js";
import { type AuthScheme, type OpenApiSettings, givenWays, schemesOf } from "./settings.js";

/** The tools of a document, problems, and what else is needed of it. */
export interface OpenApiListing extends SourceReading {
  schemes: Record<string, AuthScheme>;
  /** Where its operations are called. */
  servers: string[];
}

const LONGEST_ABOUT = 500;

/**
 * Reads a document and makes tools of its operations.
 *
 * @throws InvalidSetting in one line for a document that cannot be used
 */
export async function listOpenApi(
  options: { name: string } & Pick<OpenApiSettings, "document" | "base" | "only" | "deprecated">,
): Promise<OpenApiListing> {
  const { name, document: place, base } = options;
  const read = await readDocument(place);
  const { operations, bad } = operationsOf(read.document);
  if (operations.length === 0 && bad.length === 0) {
    throw new InvalidSetting({
      setting: `document ${place}`,
      problem: "it has no operations",
      hint: "Each method under `paths` becomes a tool",
    });
  }
  const chosen = operations.length > 0 ? chosenOf(operations, options) : [];
  const facts = factsOf(name, read);
  const ids = idsOf(operations);
  const tools: ToolDefinition[] = [];
  const problems: SourceProblem[] = bad.map(({ operationId, method, path, fault }) => {
    const exportName = operationId ?? `${method} ${path}`;
    return { file: place, line: 1, exportName, problem: `${exportName} is left out: ${fault}` };
  });
  for (const operation of chosen) {
    const id = ids.get(operation) ?? "";
    const note = (problem: string) =>
      problems.push({ file: place, line: 1, exportName: id, problem: `${id} ${problem}` });
    const isOpen = !operation.security?.length;
    operation.security = givenWays(operation.security, read.document, base !== undefined);
    if (!isOpen && operation.security?.length === 0) {
      note(CERTIFICATE);
      continue;
    }
    for (const lack of operation.lacks) note(lack);
    const server = base ?? serverOf(read, operation);
    const isInside = base === undefined && leadsInside(read, server);
    const isUsable = server !== undefined && !isInside;
    const tool = isUsable ? toTool({ operation, id, server, facts }) : undefined;
    const lacks = isInside ? insideOf(server) : server ? TOO_MANY : withoutServer(operation);
    if (tool) tools.push(tool);
    else note(lacks);
  }
  requireTools(place, { tools, problems });
  problems.push(...lostNote(place, read));
  const servers = tools.flatMap(({ source }) =>
    source.kind === "openapi" ? [source.operation.server] : [],
  );
  const asked = new Set(operations.flatMap(({ security = [] }) => security.flat()));
  const schemes = schemesOf(read.document, asked);
  return { tools, problems, schemes, servers: [...new Set(servers)] };
}

const CERTIFICATE =
  "demands a certificate of its client (mutualTLS), which cannot be given, and is left out; --base leads it to a proxy that has one";

const TOO_MANY = "takes more arguments than a model can be shown, and is left out";

/** References told of. */
const LOST_TOLD = 3;

/** What schemas refer to in vain, in one line for the whole document. */
function lostNote(place: string, { document }: ApiDocument): SourceProblem[] {
  const lost = lostReferences(document);
  if (lost.length === 0) return [];
  const told = lost.map((ref) => clipped(oneLine(ref), 80));
  const what = lost.length === 1 ? "a reference leads" : "some references lead";
  const problem = `${what} nowhere; in schemas they stand for any value: ${listed(told, LOST_TOLD)}`;
  return [{ file: place, line: 1, exportName: WHOLE_FILE, problem }];
}

/** @throws InvalidSetting if there are only problems, with the first one */
function requireTools(place: string, { tools, problems }: SourceReading): void {
  const [first] = problems;
  if (tools.length > 0 || !first) return;
  throw new InvalidSetting({
    setting: `document ${place}`,
    problem: `none of its operations can be a tool: ${first.problem}`,
    hint: "If it does not say where the API answers: --base https://api.example.com",
  });
}

/** Whether a document from elsewhere has this machine or its neighbours called, with the credentials of its user. */
function leadsInside({ url: from }: ApiDocument, server?: string): boolean {
  if (from === undefined || server === undefined) return false;
  return isPrivateHost(new URL(server).hostname) && !isPrivateHost(from.hostname);
}

function insideOf(server?: string): string {
  return `is called at ${server}, a private address, and the document comes from elsewhere; if that is meant, import it with --base ${server}`;
}

function withoutServer({ servers: [server] }: Operation): string {
  return server === undefined
    ? "does not say where to call it (servers)"
    : `is called at "${server}", which is not an absolute address`;
}

function factsOf(api: string, { document }: ApiDocument): ApiFacts {
  const info = isSchema(document["info"]) ? document["info"] : {};
  const { title, description, summary } = info;
  const about = [summary, description].find((text) => typeof text === "string" && text !== "");
  return {
    api,
    document,
    provider: typeof title === "string" && title !== "" ? title : api,
    ...(typeof about === "string" ? { providerDescription: plainText(about, LONGEST_ABOUT) } : {}),
  };
}

/** An operation's id is its operationId; if it has none, or that of another one, its method and path. */
function idsOf(operations: readonly Operation[]): Map<Operation, string> {
  const taken = new Set<string>();
  const ids = new Map<Operation, string>();
  for (const operation of operations) {
    const { operationId } = operation;
    const wanted =
      operationId === undefined || taken.has(operationId) ? byPath(operation) : operationId;
    const id = freeName(wanted, taken);
    taken.add(id);
    ids.set(operation, id);
  }
  return ids;
}

function byPath({ method, path }: Operation): string {
  return `${method.toLowerCase()}_${nameFrom(path)}`;
}

function nameFrom(text: string): string {
  return text.replaceAll(/\W+/g, "_").replaceAll(/^_+|_+$/g, "");
}

/** @throws InvalidSetting if a choice leaves nothing */
function chosenOf(
  operations: readonly Operation[],
  { only, deprecated }: Pick<OpenApiSettings, "only" | "deprecated">,
): readonly Operation[] {
  const chosen = only ? matching(operations, only) : operations;
  if (deprecated !== false) return chosen;
  const current = chosen.filter(({ isDeprecated }) => !isDeprecated);
  if (current.length > 0) return current;
  const problem = `all ${chosen.length} operations are deprecated`;
  throw new InvalidSetting({ setting: "--no-deprecated", problem, hint: "Leave it out" });
}

/** The operations whose operationId, path or tag matches one of the patterns, in which * stands for anything. */
function matching(operations: readonly Operation[], only: readonly string[]): Operation[] {
  const patterns = only.map(patternTest);
  const chosen = operations.filter(({ operationId = "", path, tags }) =>
    patterns.some((isMeant) => [operationId, path, ...tags].some(isMeant)),
  );
  if (chosen.length > 0) return chosen;
  throw new InvalidSetting({
    setting: `--only ${only.join(" ")}`,
    problem: "no operation has such an operationId, path or tag",
    hint: `Its first operation is ${operations[0]?.operationId ?? operations[0]?.path ?? ""}`,
  });
}

/** Undefined if neither the document nor its address says it. */
function serverOf({ url }: ApiDocument, { servers }: Operation): string | undefined {
  const wanted = servers.length > 0 ? servers : ["/"];
  return wanted.map((each) => usableServer(each, url)).find((each) => each !== undefined);
}

function usableServer(wanted: string, from?: URL): string | undefined {
  if (!URL.canParse(wanted, from) || /[{}]/.test(wanted)) return undefined;
  const url = new URL(wanted, from);
  // A user name and password in a document are not those of its user.
  Object.assign(url, { username: "", password: "" });
  const isWeb = url.protocol === "https:" || url.protocol === "http:";
  url.pathname = url.pathname.replace(/\/+$/, "");
  return isWeb ? url.href.replace(/\/(?=\?|$)/, "") : undefined;
}

const LONGEST_DESCRIPTION = 1200;

/** Characters of a result's schema, which is shown to models that write plans. */
const LONGEST_RETURNS = 6000;

/** What the tools of one document have in common. */
interface ApiFacts {
  /** The source's name. */
  api: string;
  /** The document, whose references point only into itself. */
  document: JsonSchema;
  provider: string;
  providerDescription?: string;
}

/**
 * An operation as a tool.
 *
 * @returns undefined if it has more arguments than a model can be shown
 */
export function toTool(options: {
  operation: Operation;
  id: string;
  server: string;
  facts: ApiFacts;
}): ToolDefinition | undefined {
  const { operation, id, server, facts } = options;
  const { api, document, provider, providerDescription } = facts;
  const { method, path, security, texts, tags } = operation;
  const isRead = method === "GET" || method === "HEAD" || method === "QUERY";
  // HEAD requests have no body. Those of GET may have one, although few do.
  const sent = method === "HEAD" ? undefined : operation.body;
  const taken = argumentsOf({ parameters: operation.parameters, body: sent }, document);
  if (!taken) return undefined;
  const { parameters, places, body } = taken;
  const paging = pagingOf(operation, { document, places });
  const properties = { ...parameters.properties, ...(paging ? ALL_PAGES : {}) };
  const returns = returnsOf(operation, document);
  return {
    id: `${api}.${id}`,
    name: nameFrom(id) || byPath(operation),
    description: plainText(
      texts.map((one) => one.replace(/(?<![.!?:;])$/, ".")).join("\n\n") || `${method} ${path}`,
      LONGEST_DESCRIPTION,
    ),
    provider,
    ...(providerDescription === undefined ? {} : { providerDescription }),
    ...(tags[0] === undefined ? {} : { category: tags[0] }),
    parameters: { ...parameters, properties },
    ...(returns ? { returns } : {}),
    source: {
      kind: "openapi",
      file: `openapi:${api}`,
      api,
      operation: {
        method,
        server,
        path,
        places,
        ...(body ? { body } : {}),
        ...(security ? { security } : {}),
        ...(paging ? { paging } : {}),
      },
    },
    effects: isRead ? "read" : "write",
  };
}

function returnsOf({ success }: Operation, document: JsonSchema): JsonSchema | undefined {
  const [, schema] = Object.entries(success.content).find(([type]) => isJson(type)) ?? [];
  if (schema === undefined) return undefined;
  const returns = plainSchema(schema, { document, side: "response", most: LONGEST_RETURNS });
  return returns && Object.keys(returns).length > 0 ? returns : undefined;
}
