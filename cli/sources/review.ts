import { several } from "../../common/text.js";
import { lineDiff } from "../../common/lineDiff.js";
import { InvalidSetting, UnknownName, messageOf, oneLine } from "../../common/errors.js";
import { withoutSecrets } from "../../common/secrets.js";
import { worstFirst } from "../../tools/library/checks/finding.js";
import { sourceFindings } from "../../tools/library/checks/sourceFindings.js";
import { planProblem } from "../../memory/savedPlans.js";
import { isSavedPlan } from "../../tools/calls/engine/savedPlan.js";
import { PLANS_ORIGIN } from "../../tools/library/records/edits.js";
import type { LibraryEditor, LibraryView } from "../../tools/library/library.js";
import { definitionText } from "../../tools/library/records/definitionText.js";
import { definitionHash } from "../../tools/library/records/hash.js";
import { undoProposals } from "../../tools/library/records/undoProposals.js";
import { listSource } from "../../tools/sources/kinds.js";
import type { Pin, WithheldTool } from "../../tools/library/records/pins.js";
import type { ToolDefinition } from "../../tools/tool.js";
import { openWorkspace } from "../../home/workspace.js";
import { EXIT } from "../exit.js";
import { findingLines } from "./importFile.js";
import { printJson, bold, wrapText, printHanging, printLine } from "../printing/print.js";
import { storedLibrary, type CommonOptions } from "../tools/openLibrary.js";
import { findSource } from "./sources.js";

export interface ReviewOptions extends CommonOptions {
  accept?: string[];
  reject?: string[];
  yes?: boolean;
}

/** Columns of a diff, including the sign before each line. */
const WIDTH = 80;

/** A definition that waits for a decision, as `--json` prints it. */
type Waiting = Awaited<ReturnType<typeof waitingIn>>[number];

/**
 * `tools review [NAME]`: accepts or rejects withheld definitions as the options say, and shows the remaining ones.
 *
 * @param name of a source; undefined for all
 * @returns the exit code: 1 while something waits for a decision
 */
export async function reviewTools(name: string | undefined, options: ReviewOptions) {
  const { store } = openWorkspace();
  if (name !== undefined) await findSource(name);
  const names = options.library === undefined ? await store.names() : [options.library];
  const libraries = await Promise.all(names.map(storedLibrary));
  await decide(libraries, options, name);
  const waiting = (await Promise.all(libraries.map((one) => waitingIn(one, name)))).flat();
  const proposed = libraries.flatMap((library) => proposalsIn(library, name));
  if (options.json) printJson([...waiting, ...proposed]);
  else {
    print(waiting, name);
    printProposals(proposed);
  }
  return waiting.some(({ rejected }) => !rejected) ? EXIT.notSolved : EXIT.done;
}

async function decide(libraries: readonly LibraryEditor[], options: ReviewOptions, name?: string) {
  const { accept = [], reject = [], yes = false } = options;
  const both = accept.find((id) => reject.includes(id));
  if (both !== undefined) {
    throw new InvalidSetting({
      setting: "tools review",
      problem: `"${both}" is to be accepted and rejected`,
      hint: "Name it once",
    });
  }
  const ids = new Set(
    libraries.flatMap((library) => [
      ...idsIn(library, name),
      ...proposalsIn(library, name).map(({ id }) => id),
    ]),
  );
  const unknown = [...accept, ...reject].find((id) => !ids.has(id));
  if (unknown !== undefined)
    throw new UnknownName({ kind: "withheld tool", wanted: unknown, available: [...ids] });
  for (const library of libraries) {
    const withheld = idsIn(library, name);
    const chosen = yes ? withheld.filter((id) => !reject.includes(id)) : accept;
    await library.decide({
      accept: withheld.filter((id) => chosen.includes(id)),
      reject: withheld.filter((id) => reject.includes(id)),
    });
    for (const { id, undo, before } of proposalsIn(library, name)) {
      if (reject.includes(id)) await library.label([id], { undo: {} });
      else if (yes || accept.includes(id)) await library.label([id], { undo: { undo, before } });
    }
  }
}

function withheldOf(library: LibraryView, name: string | undefined): WithheldTool[] {
  return library.withheld().filter(({ origin }) => name === undefined || nameOf(origin) === name);
}

function idsIn(library: LibraryView, name: string | undefined): string[] {
  return withheldOf(library, name).map(({ tool }) => tool.id);
}

/** A way back that nobody has decided about. It holds nothing up: the tool is called meanwhile, and not taken back. */
interface Proposal extends Pick<Waiting, "library" | "source" | "id"> {
  change: "way back";
  undo: string;
  before?: string;
}

function proposalsIn(library: LibraryView, name: string | undefined): Proposal[] {
  return undoProposals(library.list()).flatMap(({ tool, undo, before }) => {
    const origin = library.get(tool)?.source.file ?? "";
    const source = nameOf(origin);
    if (name !== undefined && source !== name) return [];
    return [{ library: library.name, source, id: tool, change: "way back", undo, before }];
  });
}

function printProposals(proposed: readonly Proposal[]): void {
  for (const { library, id, undo, before } of proposed) {
    const text = `may be taken back by ${undo}, library ${library}`;
    printHanging({ label: `${bold(id)}  `, text });
    if (before !== undefined)
      printHanging({ label: "  ", text: `what it changes is shown by ${before}` });
  }
  if (proposed.length > 0)
    printHanging({
      text: `${several(proposed.length, "way")} back proposed: tulipgraph tools review --accept ID or --reject ID`,
    });
}

function nameOf(origin: string): string {
  return origin.slice(origin.indexOf(":") + 1);
}

async function waitingIn(library: LibraryView, name: string | undefined) {
  const withheld = withheldOf(library, name);
  if (withheld.length === 0) return [];
  const tools = withheld.map(({ tool }) => tool);
  const present = library.list();
  const { journal } = openWorkspace().runtime;
  const reviewed = withheld.map(async (one) => {
    const { origin, tool, at, rejected, accepted } = one;
    const others = [...present, ...tools].filter(({ source }) => source.file !== origin);
    return {
      library: library.name,
      source: nameOf(origin),
      id: tool.id,
      change: accepted ? "changed" : "new",
      seen: at,
      rejected,
      /** From the accepted definition to the withheld one. */
      diff: lineDiff(
        { label: accepted ? "accepted" : "nothing", text: accepted ? linesOf(accepted) : "" },
        { label: `as listed on ${at.slice(0, 10)}`, text: linesOf(tool) },
      ),
      findings: worstFirst(sourceFindings({ tools: [tool], others })),
      /** How many threads have called it. */
      threads: await journal.threadsOf(tool.id),
    };
  });
  return await Promise.all(reviewed);
}

/** What matters about a tool, in lines no longer than a terminal is wide. */
function linesOf(tool: ToolDefinition): string {
  return wrapText({ text: definitionText(tool), width: WIDTH - 1 }).join("\n");
}

function print(waiting: readonly Waiting[], name: string | undefined): void {
  for (const { library, id, change, seen, rejected, diff, findings, threads } of waiting) {
    const state = rejected ? `${change}, rejected` : change;
    const text = `${state}, seen ${seen.slice(0, 10)}, library ${library}`;
    printHanging({ label: `${bold(id)}  `, text });
    for (const line of findingLines(findings)) printHanging({ text: line });
    printLine(diff);
    if (threads > 0)
      printLine(`${threads === 1 ? "1 thread has" : `${threads} threads have`} used it`);
    printLine("");
  }
  const open = waiting.filter(({ rejected }) => !rejected);
  const all = name === undefined ? "" : ` ${name}`;
  if (open.length === 0) return printLine("nothing waits for a decision");
  for (const library of new Set(open.flatMap((one) => (one.threads > 0 ? one.library : [])))) {
    printHanging({
      text: `What would change for their runs, without a call: tulipgraph eval from-threads --library ${library} --out runs.jsonl, then tulipgraph eval run --replay --tasks runs.jsonl --library ${library} --out replay`,
    });
  }
  printHanging({
    text: `${several(open.length, "tool")} withheld: tulipgraph tools review${all} --accept ID or --reject ID, or --yes for all`,
  });
}

/** How a source's offer differs from what was accepted of it, or why a saved plan no longer holds. */
interface Difference {
  library: string;
  origin: string;
  id?: string;
  problem: string;
}

/**
 * `tools verify`: a line for each tool that its source no longer offers as accepted, and for each saved plan that does
 * not repeat its run with the tools as they are now; exit code 1 if there is any.
 */
export async function verifyPins({ json }: { json?: boolean }): Promise<number> {
  const { store } = openWorkspace();
  const differences: Difference[] = [];
  for (const name of await store.names()) {
    const library = await storedLibrary(name);
    const origins = new Set(library.pins().map(({ origin }) => origin));
    for (const origin of [...origins].toSorted()) {
      for (const problem of await problemsOf(library, origin))
        differences.push({ library: name, origin, ...problem });
    }
    for (const plan of library.list().filter(isSavedPlan)) {
      const problem = await planProblem(plan, (id) => library.get(id));
      if (problem) differences.push({ library: name, origin: PLANS_ORIGIN, id: plan.id, problem });
    }
  }
  if (json) printJson({ differences });
  for (const { library, origin, id, problem } of json ? [] : differences)
    printHanging({ label: `library ${library}: `, text: `${id ?? origin} ${problem}` });
  if (!json && differences.length === 0) printLine("everything is as it was accepted");
  return differences.length > 0 ? EXIT.notSolved : EXIT.done;
}

type Problem = Pick<Difference, "id" | "problem">;

async function problemsOf(library: LibraryView, origin: string): Promise<Problem[]> {
  const source = await openWorkspace().store.sources.get(origin.slice(origin.indexOf(":") + 1));
  if (!source) return [{ problem: "is not a source of this home" }];
  try {
    const connections = await openWorkspace().connections();
    const { tools } = await listSource(source, { connections });
    return compare(library, origin, tools);
  } catch (error) {
    const reason = withoutSecrets(oneLine(messageOf(error)));
    return [{ problem: `cannot be listed (${reason})` }];
  }
}

/** What a person has rejected does not count as a difference, as long as it stays the same. */
function compare(library: LibraryView, origin: string, listed: readonly ToolDefinition[]) {
  const present = new Set(library.list().map(({ id }) => id));
  const pins = new Map<string, Pin>();
  for (const pin of library.pins()) if (pin.origin === origin) pins.set(pin.id, pin);
  const rejected = library.withheld().filter((each) => each.origin === origin && each.rejected);
  const isRejected = (id: string, hash: string) =>
    rejected.some((each) => each.tool.id === id && each.hash === hash);
  const changed = listed.flatMap((tool): Problem[] => {
    const [pin, hash] = [pins.get(tool.id), definitionHash(tool)];
    if (pin?.hash === hash || isRejected(tool.id, hash)) return [];
    if (!pin) return [{ id: tool.id, problem: "is offered by the source and was not accepted" }];
    const day = pin.at.slice(0, 10);
    return [{ id: tool.id, problem: `is not as it was accepted on ${day}, says the source` }];
  });
  const offered = new Set(listed.map(({ id }) => id));
  const gone = [...pins.keys()].filter((id) => present.has(id) && !offered.has(id));
  return [
    ...changed,
    ...gone.map((id): Problem => ({ id, problem: "is no longer offered by the source" })),
  ];
}
