import { LONGEST_PROGRAM, MOST_PROGRAM_LINES } from "../../common/bounds.js";
import { clipped } from "../../common/text.js";
import { oneLine } from "../../common/errors.js";
import { MOST_PLAN_CALLS } from "../../state/settings.js";
import type { ProgramUndo } from "../../state/program.js";
import {
  type Expected,
  changesSince,
  expectedAfter,
  expectedNow,
  isAsBefore,
  lastingFacts,
  takenBack,
} from "../../tools/calls/engine/expected.js";
import { validateArguments } from "../../tools/calls/engine/validateArguments.js";
import type { Look } from "../../tools/calls/journal/journal.js";
import { canonicalJson } from "../../tools/library/records/hash.js";
import {
  type CallForm,
  needsResult,
  pathsBefore,
  readCallForm,
} from "../../tools/library/records/wayBack.js";
import type { LibraryView } from "../../tools/library/library.js";
import type { ToolRecord } from "../../tools/tool.js";
import { doneSentence } from "../policy/deedSentence.js";
import type { Write } from "./undoTarget.js";

/** The call that takes a write back. */
export interface Inverse {
  write: Write;
  says: string;
  tool: ToolRecord;
  args: Record<string, unknown>;
  /** Why a person should think twice. */
  doubt?: string;
  expects?: Expected;
}

export interface UndoPlan extends Pick<ProgramUndo, "cannot" | "already"> {
  inverses: Inverse[];
}

type Tools = Pick<LibraryView, "get" | "name">;

/** The look at what a write has changed, to be taken again before it is taken back; undefined if there is none. */
export function lookAgain(
  { tool, args, result, before, after, isUnknown }: Write,
  library: Tools,
): Pick<Look, "tool" | "args"> | undefined {
  const known = after ?? before;
  if (known) return { tool: known.tool, args: known.args };
  const form = readCallForm(library.get(tool)?.before);
  if (!form || (needsResult(form) && isUnknown)) return undefined;
  return { tool: form.tool, args: form.argumentsOf({ args, result }) };
}

/**
 * Plans how writes are taken back, last first.
 *
 * @param options.seen what is seen now, by {@link keyOf} the look
 */
export function planInverses(options: {
  writes: readonly Write[];
  library: Tools;
  seen: ReadonlyMap<string, Look>;
}): UndoPlan {
  const { writes, library } = options;
  const seen = new Map(options.seen);
  const plan: UndoPlan = { inverses: [], cannot: [], already: [] };
  const bounds = { lines: 1, length: 100 };
  for (const write of writes) {
    const record = library.get(write.tool);
    const says = doneSentence({ ...write, tool: record, name: write.tool });
    const call = inverseCall(write, library);
    if ("problem" in call) {
      plan.cannot.push(`${says} (${call.problem})`);
      continue;
    }
    const look = lookAgain(write, library);
    const key = look && keyOf(look);
    const found = stateOf({
      write,
      form: call.form,
      now: key === undefined ? undefined : seen.get(key),
    });
    if (found === "already") {
      plan.already.push(says);
      continue;
    }
    const inverse = { write, says, tool: call.tool, args: call.args, ...found.facts };
    const { length } = inverseLines(inverse, call.tool.name);
    bounds.lines += 2;
    bounds.length += length;
    const isTooLong = bounds.length > LONGEST_PROGRAM || bounds.lines > MOST_PROGRAM_LINES;
    if (isTooLong || plan.inverses.length >= MOST_PLAN_CALLS) {
      const rest = writes.slice(writes.indexOf(write));
      plan.cannot.push(
        `${says}${rest.length > 1 ? `, and ${rest.length - 1} before it` : ""} (too much for one program: undo again for the rest)`,
      );
      break;
    }
    plan.inverses.push(inverse);
    if (key !== undefined && found.next) seen.set(key, found.next);
  }
  return plan;
}

/** Identifies what a look looks at. */
export function keyOf({ tool, args }: Pick<Look, "tool" | "args">): string {
  return canonicalJson([tool, args]);
}

/** Two lines of the program: a comment and the call. */
export function inverseLines({ says, doubt, args }: Inverse, name: string): string {
  const about = clipped(oneLine([says, doubt].filter(Boolean).join(": ")), LONGEST_COMMENT);
  return `// ${about}\nawait ${name}(${JSON.stringify(args)});\n`;
}

const LONGEST_COMMENT = 200;

function inverseCall(
  write: Write,
  library: Tools,
): { form: CallForm; tool: ToolRecord; args: Record<string, unknown> } | { problem: string } {
  const record = library.get(write.tool);
  if (!record) return { problem: `library ${library.name} no longer has ${write.tool}` };
  const form = readCallForm(record.undo);
  if (!form) return { problem: `no way back is known for ${write.tool}` };
  const tool = library.get(form.tool);
  if (!tool) return { problem: `library ${library.name} has no ${form.tool}` };
  const { before, result, args: given, isUnknown } = write;
  if (needsResult(form) && isUnknown)
    return { problem: "it is not known whether it was made, nor what it gave" };
  if (pathsBefore(form).length > 0 && before?.value === undefined)
    return {
      problem: `what was there before is not known${before?.error ? `: ${before.error}` : ""}`,
    };
  const values = form.argumentsOf({ args: given, result, before: before?.value });
  // A thing may have more properties than are given to make it again.
  const { properties } = tool.parameters;
  const isWhole = form.names.includes(undefined);
  const args = isWhole
    ? Object.fromEntries(Object.entries(values).filter(([name]) => name in properties))
    : values;
  const check = validateArguments({ record: tool, args });
  return check.ok ? { form, tool, args } : { problem: `${form.tool}: ${check.problem}` };
}

/** How what a write has changed stands now. */
function stateOf(options: { write: Write; form: CallForm; now?: Look }) {
  const { write, form, now } = options;
  const expected = write.isUnknown ? undefined : expectedAfter(write, form);
  if (!expected) {
    const changes = now && changesOf(write, now);
    if (write.isUnknown && changes === "") return "already";
    if (!now && !write.isUnknown) return { facts: {} };
    const what = write.isUnknown ? "whether this was done" : "how it was afterwards";
    // Whether this write has changed it or somebody else, a person can tell by the values.
    const doubt = [`it is not known ${what}`, changes].filter(Boolean).join("; ");
    return { facts: { doubt, expects: now && whole(now) } };
  }
  if (!now) return { facts: { expects: expected } };
  const changes = changesSince(expected, now);
  if (changes && isAsBefore(expected, write, now)) return "already";
  const next = takenBack(expected, write, now);
  if (!changes) return { facts: { expects: expected }, next };
  return {
    facts: { doubt: `changed since: ${changes}`, expects: expectedNow(expected, now) },
    next,
  };
}

function whole({ tool, args, value }: Look): Expected {
  const isGone = value === undefined || value === null;
  return { tool, args, holds: lastingFacts(value), ...(isGone && { isGone }) };
}

/** How a thing differs from what it was before a write, in words; undefined if that is not known. */
function changesOf({ before }: Write, now: Look): string | undefined {
  return before?.value === undefined ? undefined : (changesSince(whole(before), now) ?? "");
}
