import { beginning, clipped, listed } from "./text.js";
import { nearestName } from "./nearNames.js";
import { withoutSecrets, withoutSecretsIn } from "./secrets.js";

/**
 * The base of every error meant for a person: its one-line message says what was wanted, what came, what is
 * available and what to do. It contains no keys or passwords, because errors get logged and saved.
 */
export abstract class TulipgraphError extends Error {
  /** Identifies the error for programs: it stays the same if the message is reworded. */
  abstract readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(withoutSecrets(message), options);
  }

  override get name(): string {
    return this.constructor.name;
  }
}

/** A name that is not among the known ones: a graph, library, tool, model provider, thread, option. */
export class UnknownName extends TulipgraphError {
  readonly code = "UNKNOWN_NAME";

  /**
   * @param details.kind what was looked for, in words: "graph", "library"
   * @param details.wanted the name that came
   * @param details.available the names that exist, in the order in which to show them
   * @param details.hint what else the user can do
   */
  constructor(
    readonly details: { kind: string; wanted: string; available: readonly string[]; hint?: string },
  ) {
    super(unknownNameMessage(details));
    this.details = withoutSecretsIn(details);
  }
}

/** An unusable setting, option or argument of the user. */
export class InvalidSetting extends TulipgraphError {
  readonly code = "INVALID_SETTING";

  constructor(readonly details: { setting: string; problem: string; hint?: string }) {
    super(explained(details.setting, details));
    this.details = withoutSecretsIn(details);
  }
}

/** A chat model or an embedding model that could not be reached or refused the request. */
export class ModelFailed extends TulipgraphError {
  readonly code = "MODEL_FAILED";

  constructor(
    readonly details: {
      model: string;
      problem: string;
      hint?: string;
      /** The provider would answer later; `retryAfterMs` if it says when. */
      overloaded?: { retryAfterMs?: number };
    },
    options?: ErrorOptions,
  ) {
    super(explained(`model ${details.model}`, details), options);
    this.details = withoutSecretsIn(details);
  }
}

/** A tool library, its sources or its index is unusable. */
export class LibraryFailed extends TulipgraphError {
  readonly code = "LIBRARY_FAILED";

  constructor(
    readonly details: { library: string; problem: string; hint?: string },
    options?: ErrorOptions,
  ) {
    super(explained(`library ${details.library}`, details), options);
    this.details = withoutSecretsIn(details);
  }
}

/** Someone else changed a tool after its editor read it; the other version stays. */
export class EditConflict extends TulipgraphError {
  readonly code = "EDIT_CONFLICT";

  /** @param details.found what is there now: a version, or null for no such tool */
  constructor(readonly details: { tool: string; basedOn: number | null; found: number | null }) {
    const { tool, basedOn, found } = details;
    const wanted = basedOn === null ? "not to exist" : `to be at version ${basedOn}`;
    const came = found === null ? "does not exist any more" : `is at version ${found} by now`;
    super(`tool ${tool} was expected ${wanted} and ${came}; look at it again before changing it`);
  }
}

/** A graph leads to a stage without the data that the stage needs. */
export class WiringFault extends TulipgraphError {
  readonly code = "WIRING_FAULT";

  constructor(readonly details: { stage: string; problem: string }) {
    super(
      `stage ${details.stage}: ${details.problem}. Check where the edges to it come from in the table of its graph`,
    );
  }
}

/** A benchmark whose files are unusable. */
export class BenchmarkFailed extends TulipgraphError {
  readonly code = "BENCHMARK_FAILED";

  /** @param details.problem begins with `file:line: ` if a line is at fault */
  constructor(
    readonly details: { benchmark: string; problem: string; hint?: string },
    options?: ErrorOptions,
  ) {
    super(explained(`benchmark ${details.benchmark}`, details), options);
    this.details = withoutSecretsIn(details);
  }
}

/** An error's message: what is wrong, with what if that is known, and what to do, which is a sentence of its own. */
export function explained(
  subject: string | undefined,
  { problem, hint = "" }: { problem: string; hint?: string | undefined },
): string {
  // A name of a file or a command stays as it is.
  const sentence = hint.replace(/^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase());
  const end = /[.?!]$/.test(problem) ? " " : ". ";
  return [[subject, problem].filter(Boolean).join(": "), sentence].filter(Boolean).join(end);
}

/** What went wrong, also where something other than an error was thrown. Of Zod, whose message is JSON, its issues in words. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { issues } = error as { issues?: { path?: unknown[]; message?: string }[] };
  if (!Array.isArray(issues) || !error.message.startsWith("[")) return error.message;
  const said = issues.map(({ path = [], message }) => [path.join("."), message]);
  return said.map((parts) => parts.filter(Boolean).join(": ")).join("; ");
}

/** A text with white space collapsed, to fit an error's single line. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** The first sentence of a text, cut to fit, between words if it has any. */
export function inBrief(text: string, most: number): string {
  const line = oneLine(text);
  const sentence = /^.+?[.!?](?=\s+[A-Z]|$)/.exec(line)?.[0] ?? line;
  if (sentence.length <= most) return sentence;
  const lastWord = sentence.lastIndexOf(" ", most);
  return clipped(sentence, lastWord > most / 2 ? lastWord : most);
}

/** Most available names listed in a message; the rest are counted. */
const NAMES_SHOWN = 12;

/** Characters of a name that are shown. */
const LONGEST_WANTED = 100;

function unknownNameMessage({ kind, wanted, available, hint }: UnknownName["details"]): string {
  const near = nearestName(wanted, available);
  const parts = [
    `unknown ${kind} "${beginning(wanted, LONGEST_WANTED)}"`,
    near ? `did you mean "${near}"?` : undefined,
    available.length > 0 ? `available: ${listed(available, NAMES_SHOWN)}` : `none are available`,
    hint,
  ];
  return parts.filter(Boolean).join("; ");
}
