import type { JsonSchema } from "../common/schemas/jsonSchema.js";

/** JSON Schema of a tool's arguments: always an object with named properties. */
export interface ParametersSchema extends JsonSchema {
  type: "object";
  properties: Record<string, JsonSchema>;
  required?: string[];
}

/** Whether a call may change something outside the run. Undeclared effects count as `write`. */
export type ToolEffects = "read" | "write";

/**
 * What a tool does with data. `private`: it returns data that is not for everybody. `foreign`: it returns text that
 * somebody outside has written. `outward`: its arguments leave the organization. Whether it writes is said by its
 * effects.
 */
export type FlowLabel = "private" | "foreign" | "outward";

/**
 * Where a tool comes from, and everything needed to call it.
 *
 * `function`: an exported TypeScript function, or one in an exported object. `exportName` is its path in the
 * exports (`tools/calls/workers/exportPath.ts`): "add", "api.add". `catalog` names a catalog that ships with the project,
 * whose functions run in this process; without it, the file is a user's and its functions run in a worker. `file` is
 * absolute for a user's file and relative to the package root for a shipped one. `callStyle` says whether the arguments
 * are passed one by one, in the order of `parameterNames`, or as one object. `takesContext`: a `ToolContext` is passed
 * as the last argument.
 *
 * `langchain`: an exported LangChain tool.
 *
 * `declared`: a line of a JSONL file that describes the tool. It has no function: a call is checked and recorded, and
 * has no result unless the tool names a world that answers for it (`WorldDefinition.answer`).
 *
 * `generated`: a function that a model has written; it only runs in the sandbox. `code` is TypeScript with one exported
 * function, `program` the same as JavaScript without exports, where the function is a global. `calls` are the ids of the
 * only tools that it may call (`callTool`); `checks` are examples that every later version has to pass, too.
 *
 * `mcp` and `openapi`: a tool of a connected source (`tools/remote.ts`), called over the source's own
 * protocol. `file` is the source's origin ("mcp:files"), `server` and `api` are its name in the home.
 *
 * `program`: a saved plan. `code` is in the language of programs (`plans/language/`), with the parameters as names; our
 * interpreter follows it, and each of its calls is a call like any other.
 */
export type ToolSource =
  | {
      kind: "function";
      file: string;
      exportName: string;
      catalog?: string;
      callStyle: "positional" | "object";
      parameterNames: string[];
      takesContext: boolean;
      /** The last of the parameters is an array whose values are passed one by one. */
      rest?: boolean;
    }
  | { kind: "langchain"; file: string; exportName: string }
  | { kind: "declared"; file: string; world?: string }
  | {
      kind: "mcp";
      file: string;
      server: string;
      /** The server's own name for it. */
      tool: string;
      /** It can be called as a task. */
      isTask?: true;
    }
  | {
      kind: "openapi";
      file: string;
      api: string;
      /** Everything a request needs besides the source's settings. */
      operation: HttpOperation;
    }
  | {
      kind: "generated";
      /** Its origin's name: no file stands behind it. */
      file: string;
      code: string;
      program: string;
      exportName: string;
      parameterNames: string[];
      /** The last of the parameters is an array whose values are passed one by one. */
      rest?: boolean;
      calls: string[];
      checks: ExampleCheck[];
    }
  | {
      kind: "program";
      /** Its origin's name: no file stands behind it. */
      file: string;
      code: string;
      calls: PlanFunction[];
      test: RecordedRun;
    };

/** How a call of an operation becomes a request. */
export interface HttpOperation {
  method: string;
  /** Where the API answers: "https://api.example.com/v1". */
  server: string;
  /** With its parameters in braces: "/repos/{owner}/{repo}". */
  path: string;
  /** Where arguments go, by their names; those not listed go into the body under their own names. */
  places: Record<string, HttpPlace>;
  /** How the other arguments form the body; absent if the operation takes none. */
  body?: HttpBody;
  /** Lists of the document's security schemes, any one of which is enough; absent if it names none. */
  security?: string[][];
  /** How one call reads all pages; absent if the result is not a list in pages. */
  paging?: HttpPaging;
}

/** The place of an argument in a request. */
export interface HttpPlace {
  in: "path" | "query" | "header" | "cookie" | "body";
  /** Its name there, which may differ from the argument's. */
  name: string;
  /** As OpenAPI has it: "form", "deepObject", …; also "tabDelimited", "json" for a value as JSON, and "reserved" for one with slashes. */
  style?: string;
  explode?: boolean;
  /** The signs of addresses (`/`, `:`, `?`) stay as they are in a query. */
  allowReserved?: boolean;
}

/** The body of a request. */
export interface HttpBody {
  mediaType: string;
  /** The argument that is the whole body; absent if the body is an object of the other arguments. */
  argument?: string;
  /** How the fields of a form are written, by their names. */
  encoding?: Record<string, Pick<HttpPlace, "style" | "explode"> & { contentType?: string }>;
}

/** How the pages of a list follow each other. */
export interface HttpPaging {
  /** The argument that says where a page starts; absent if only an address leads to the next page. */
  argument?: string;
  /** Number of the first page; absent if the document does not say, or if pages have cursors. */
  first?: number;
  /** Whether the argument counts items, not pages. */
  isOffset?: true;
  /** Where an answer has the cursor or the address of the next page: "meta.next_cursor"; absent if pages have numbers. */
  cursor?: string;
  /** Name of the items in an answer; absent if the answer is the list itself. */
  items?: string;
}

/** A function that a saved plan calls. */
export interface PlanFunction {
  /** Its name in the code. */
  name: string;
  /** Id of the tool. */
  tool: string;
  /** Hash of what the plan relies on: what the tool takes, returns and may do. */
  contract: string;
}

/** The run that a plan was saved from: given these results, the plan makes these calls and ends with this result. */
export interface RecordedRun {
  args: Record<string, unknown>;
  /** The day of the run: "2026-03-01". */
  today: string;
  calls: RecordedCall[];
  result: unknown;
}

export interface RecordedCall {
  /** Id of the tool. */
  tool: string;
  args: Record<string, unknown>;
  /** Absent if the tool returned nothing or the call failed. */
  result?: unknown;
  /** Why it failed. */
  error?: string;
}

/** An example call of a made tool and its expected outcome, from `@example call => result`. */
export interface ExampleCheck {
  /** Arguments by name, as a model would give them. */
  args: Record<string, unknown>;
  /**
   * `value`: this result, with numbers equal up to a relative 1e-9 · `throws`: any error · `runs`: no error, whatever
   * the result (for tools that call others).
   */
  expects: { kind: "value"; value: unknown } | { kind: "throws" } | { kind: "runs" };
}

/** A tool as its source defines it; the library adds version and hash. */
export interface ToolDefinition {
  /** Unique in its library; equal to `name` unless the source says otherwise. Any characters. */
  id: string;
  name: string;
  description: string;
  /** Who offers it, such as a server or an API; searches also find the tool by this name. */
  provider?: string;
  /** What the provider is for, in the provider's words. */
  providerDescription?: string;
  /** The kind of tool, according to its source. */
  category?: string;
  parameters: ParametersSchema;
  returns?: JsonSchema;
  source: ToolSource;
  effects: ToolEffects;
  /** Units of the run's budget that one call costs. */
  cost?: number;
  timeoutMs?: number;
  /** A person has to approve each call. */
  approval?: boolean;
  /**
   * Id of a read that tells whether a call of this write was made, from `@check`. It is called with the same arguments,
   * as far as it takes them, and gives something if the write was made: not false, nothing or an empty list.
   */
  check?: string;
  /**
   * The call that takes a call of this write back, from `@undo`: `reopen_issue({ id })`. Its values come from the
   * arguments of the write, its `result`, and what was read `before` it (`readCallForm`).
   */
  undo?: string;
  /**
   * The call of a read that shows what this write changes, from `@before`: `get_issue({ id })`. It is made before and
   * after each call of a write that can be undone.
   */
  before?: string;
  /**
   * What a call of it has done, for the receipt of a run, from `@deed`: "Refunded {refunded} of order {order}". In braces
   * are fields of the result and arguments.
   */
  deed?: string;
  /** Labels for flow rules, from `@flow` or by hand; no rule applies to a tool without labels. */
  flow?: FlowLabel[];
  /** Names of the arguments that leave with a call of an `outward` tool; absent if all do. */
  sends?: string[];
  /** Example calls or uses in words, from `@example`. */
  examples?: string[];
}

export type ExportSource = Extract<ToolSource, { kind: "function" | "langchain" }>;

/** Whether a tool is an export of a file, whether a user's or a shipped one. */
export function isExport(source: ToolSource): source is ExportSource {
  return source.kind === "function" || source.kind === "langchain";
}

/** The name of a tool in its source: of its export, declaration or operation. */
export function nameInSource({ id, source }: Pick<ToolDefinition, "id" | "source">): string {
  if (source.kind === "mcp") return source.tool;
  if (source.kind === "openapi") return `${source.operation.method} ${source.operation.path}`;
  return source.kind === "declared" || source.kind === "program" ? id : source.exportName;
}

/** The code of a made tool or a saved plan; empty for any other tool. */
export function writtenCode(tool: Pick<ToolDefinition, "source"> | undefined): string {
  const source = tool?.source;
  return source?.kind === "generated" || source?.kind === "program" ? source.code : "";
}

/** Ids of the tools that a tool declares to call. */
export function calledTools({ source }: Pick<ToolDefinition, "source">): string[] {
  if (source.kind === "generated") return source.calls;
  return source.kind === "program" ? [...new Set(source.calls.map(({ tool }) => tool))] : [];
}

/** A tool as the library keeps it. Versions start at 1 and are append-only. */
export interface ToolRecord extends ToolDefinition {
  version: number;
  /** Hash of everything that a model or a caller can see of the definition. */
  hash: string;
  /** What its source says of its effects, if that alone does not count (`tools/library/records/effects.ts`). */
  sourceEffects?: ToolEffects;
  /** A person has said whether it reads or writes. */
  isLabelled?: true;
  /** A person has said how it is taken back, or that it is not. */
  isUndoDecided?: true;
}

/** Why an export or a declaration did not become a tool, with its place in the source. */
export interface SourceProblem {
  file: string;
  line: number;
  /** For a declaration, its id. */
  exportName: string;
  /** One line: what is missing or cannot be expressed, and what to do. */
  problem: string;
}

/** What was read from a source file: the tools, and what was left out and why. */
export interface SourceReading {
  tools: ToolDefinition[];
  problems: SourceProblem[];
  /** What was taken with less than is written. */
  notes?: SourceProblem[];
}

/**
 * Optional last parameter of a tool function, for what it needs besides its arguments.
 *
 * @typeParam World the state that the tool's catalog acts on
 */
export interface ToolContext<World = unknown> {
  /** The run's own copy of the catalog's world; undefined if the catalog has none. */
  world: World;
  /** Aborted when the call times out or the run is cancelled. */
  signal: AbortSignal;
  threadId: string;
  callId: string;
  /** Calls another tool of the library under the same journal, limits and time-out. */
  callTool: (call: { tool: string; args: Record<string, unknown> }) => Promise<unknown>;
}

/** A tool that a model has written. */
export type GeneratedTool = ToolDefinition & { source: { kind: "generated" } };
