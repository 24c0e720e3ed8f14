import { KITS, type Kit } from "./threads/kitTool.js";

/** A JSON Schema as it is sent to model providers; the root of a tool's parameters is an object. */
export type JsonSchema = { [keyword: string]: unknown };

/** JSON Schema of a tool's arguments: always an object with named properties. */
export interface ParametersSchema extends JsonSchema {
  type: "object";
  properties: Record<string, JsonSchema>;
  required?: string[];
}

/** Whether a call may change something outside the run. Undeclared effects count as `write`. */
export type ToolEffects = "read" | "write";

/**
 * What a tool does with data. `private`: it gives data that is not for everybody. `foreign`: it gives text that
 * somebody outside has written. `outward`: what it is given leaves the house. That it writes, its effects say.
 */
export type FlowLabel = "private" | "foreign" | "outward";

/**
 * Where a tool comes from, and all that is needed to call it.
 *
 * `function`: an exported TypeScript function, or one in an exported object or class. `exportName` is the way to it
 * in the exports (`tools/threads/exportPath.ts`): "add", "api.add". `catalog` names a catalogue that ships with the
 * project (its functions run in-process); without it the file is a user's and its functions run in a
 * worker. `file` is absolute for a user's file and relative to the package root for a shipped one.
 * `callStyle` says whether the arguments are passed one by one, in the order of `parameterNames`,
 * or as one object. `takesContext`: a `ToolContext` is passed as the last argument.
 *
 * `langchain`, `ai-sdk`, `mastra`: an export made with a kit's own function; called as the kit calls it.
 *
 * `declared`: a line of a JSONL file that describes the tool. It has no function: a call of it is
 * checked and recorded, and gives no result, unless it names a world that answers for it
 * (`WorldDefinition.answer`).
 *
 * `generated`: a function that a model has written; it runs in the sandbox and nowhere else. `code` is
 * TypeScript with one exported function, `program` the same as JavaScript without exports, in which the
 * function is a global. `calls` are the ids of the only tools that it may call (`callTool`); `checks` are
 * what every later version has to pass, too.
 *
 * `mcp` and `openapi`: a tool of a connected source (`tools/sources/connected.ts`), which is called over its own
 * protocol. `file` is the source's origin ("mcp:files"), `server` and `api` are its name in the home.
 *
 * `program`: a plan that was saved. `code` is of the language of programs (`plans/program/`), in which the
 * parameters are names; our interpreter follows it, and each of its calls is a call like any other.
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
  | { kind: Kit; file: string; exportName: string }
  | { kind: "declared"; file: string; world?: string }
  | {
      kind: "mcp";
      file: string;
      server: string;
      /** As the server calls it. */
      tool: string;
    }
  | {
      kind: "openapi";
      file: string;
      api: string;
      /** All that a request needs, beside what the source's settings say. */
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
  /** In capitals: "GET". */
  method: string;
  /** Where the API answers: "https://api.example.com/v1". */
  server: string;
  /** With its parameters in braces: "/repos/{owner}/{repo}". */
  path: string;
  /** Where each argument goes whose place is not in the body under its own name: by the name of the argument. */
  places: Record<string, HttpPlace>;
  /** How the other arguments form the body; absent where the operation takes none. */
  body?: HttpBody;
  /** Names of the document's security schemes, any one list of which is enough; absent where it names none. */
  security?: string[][];
  /** How the next page is reached, where there are pages. */
  paging?: HttpPaging;
}

/** The place of an argument in a request. */
export interface HttpPlace {
  in: "path" | "query" | "header" | "cookie" | "body";
  /** The name there, which may differ from the argument's. */
  name: string;
  /** As OpenAPI has it: "form", "deepObject", …; also "tabDelimited", and "json" for a value as JSON. */
  style?: string;
  explode?: boolean;
}

/** The body of a request. */
export interface HttpBody {
  mediaType: string;
  /** The argument that is the whole body; absent where the body is an object of the other arguments. */
  argument?: string;
}

/** How all pages of a list are had in one call. */
export interface HttpPaging {
  /** The argument that asks for all pages. */
  all: string;
  /** The argument that says where a page begins; absent where only a `Link` header leads to the next. */
  argument?: string;
  /** Where an answer holds the cursor of the next page: "meta.next_cursor"; absent where pages have numbers. */
  cursor?: string;
  /** Where an answer holds the items: "data"; absent where it is a list itself. */
  items?: string;
}

/** A function that a saved plan calls. */
export interface PlanFunction {
  /** As its code names it. */
  name: string;
  /** Id of the tool. */
  tool: string;
  /** Hash of what the plan relies on: what the tool takes, gives and may do. */
  contract: string;
}

/** The run that a plan was saved from: with these results it makes these calls, and ends so. */
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
  /** Left out where the tool gave none, and where the call failed. */
  result?: unknown;
  /** Why it failed. */
  error?: string;
}

/** An example call of a generated tool and what has to come of it, from `@example call => result`. */
export interface ExampleCheck {
  /** Arguments by name, as a model would give them. */
  args: Record<string, unknown>;
  /**
   * `value`: this result; numbers are equal up to a relative 1e-9 · `throws`: an error, whatever it
   * says · `runs`: an end without an error, whatever the result (for tools that call others).
   */
  expects: { kind: "value"; value: unknown } | { kind: "throws" } | { kind: "runs" };
}

/** What a source yields about one tool; the library adds version and hash. */
export interface ToolDefinition {
  /** Unique in its library; equal to `name` unless the source says otherwise. Any characters. */
  id: string;
  name: string;
  description: string;
  /** Who offers it, such as a server or an API; its tools are found by this name as well. */
  provider?: string;
  /** What the provider is for, in its own words. */
  providerDescription?: string;
  /** The kind of tool, as its source sorts them. */
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
  /** Labels for flow rules, from `@flow` or by hand; a tool without any is outside of all rules. */
  flow?: FlowLabel[];
  /** Names of the arguments that leave with a call of an `outward` tool; absent where all do. */
  sends?: string[];
  /** Example calls or uses in words, from `@example`. */
  examples?: string[];
}

/** A source whose code is an export of a file. */
export type ExportSource = Extract<ToolSource, { kind: "function" | Kit }>;

/** Whether a tool is an export of a file, of a user's or a shipped one. */
export function isExport(source: ToolSource): source is ExportSource {
  return source.kind === "function" || KITS.some((kit) => kit === source.kind);
}

/** What a tool is called in its file: the name of its export, or the id of its declaration. */
export function nameInSource({ id, source }: Pick<ToolDefinition, "id" | "source">): string {
  if (source.kind === "mcp") return source.tool;
  if (source.kind === "openapi") return `${source.operation.method} ${source.operation.path}`;
  return source.kind === "declared" || source.kind === "program" ? id : source.exportName;
}

/** The code of a tool that a model has written, or of a saved plan; empty for any other, and for none. */
export function writtenCode(tool: Pick<ToolDefinition, "source"> | undefined): string {
  const source = tool?.source;
  return source?.kind === "generated" || source?.kind === "program" ? source.code : "";
}

/** Ids of the tools that it says it calls. */
export function calledTools({ source }: Pick<ToolDefinition, "source">): string[] {
  if (source.kind === "generated") return source.calls;
  return source.kind === "program" ? [...new Set(source.calls.map(({ tool }) => tool))] : [];
}

/** A tool as the library keeps it. Versions start at 1 and are append-only. */
export interface ToolRecord extends ToolDefinition {
  version: number;
  /** Of everything that a model or a caller can see of the definition. */
  hash: string;
}

/** Why an export or a declaration did not become a tool, with its place in the source. */
export interface SourceProblem {
  file: string;
  line: number;
  /** For a declaration its id. */
  exportName: string;
  /** One line: what is missing or cannot be expressed, and what to do. */
  problem: string;
}

/** What reading a source file gives: the tools that could be read, and what was left out and why. */
export interface SourceReading {
  tools: ToolDefinition[];
  problems: SourceProblem[];
}

/**
 * Last parameter of a tool function that wants more than its arguments.
 *
 * @typeParam World the state that the tool's catalogue acts on
 */
export interface ToolContext<World = unknown> {
  /** The run's own copy of the catalogue's world; undefined where the catalogue has none. */
  world: World;
  /** Aborted when the call's time is over or the run is cancelled. */
  signal: AbortSignal;
  threadId: string;
  callId: string;
  /** Calls another tool of the library under the same journal, limits and time-out. */
  callTool: (call: { tool: string; args: Record<string, unknown> }) => Promise<unknown>;
}
