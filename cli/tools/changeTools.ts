import { resolve } from "node:path";
import { InvalidSetting, UnknownName } from "../../common/errors.js";
import { openStoredLibrary } from "../../home/libraries.js";
import { openWorkspace } from "../../home/workspace.js";
import { isWithoutFile, PERSON } from "../../tools/library/records/edits.js";
import { patternTest } from "../../common/nearNames.js";
import { isUnvouched } from "../../tools/library/records/effects.js";
import {
  FLOW_FORM,
  flowText,
  type GivenLabels,
  readFlow,
} from "../../tools/library/records/labels.js";
import { CALL_FORM, readCallForm } from "../../tools/library/records/wayBack.js";
import { FIELDS } from "../../tools/sources/functions/tags.js";
import type { LibraryView } from "../../tools/library/library.js";
import { isConnectedOrigin } from "../../tools/remote.js";
import type { ToolRecord } from "../../tools/tool.js";
import { changes, importAll, importFile } from "../sources/importFile.js";
import { printJson, printLine } from "../printing/print.js";
import { type LibraryOptions, libraryContext, openLibrary } from "./openLibrary.js";

/** `tools import FILES` */
export async function importFiles(
  files: string[],
  options: LibraryOptions & { description?: string },
): Promise<number> {
  const { library, description, json } = options;
  return await importAll({
    all: files,
    json,
    work: async (file) => ({ file, ...(await importFile({ file, library, description })) }),
    print: (done) => printLine(`library ${done.library}: ${changes(done)}`),
  });
}

/** `tools remove IDS`, `tools remove --file FILE` or `tools remove --source NAME` */
export async function removeTools(
  ids: string[],
  options: LibraryOptions & { file?: string; source?: string },
): Promise<void> {
  const { file, source, json } = options;
  const given = [ids.length > 0 && "ids", file && "--file", source && "--source"].filter(Boolean);
  if (given.length !== 1) {
    throw new InvalidSetting({
      setting: "tools remove",
      problem:
        given.length > 0
          ? `both ${given.join(" and ")} are given`
          : "neither ids nor --file nor --source is given",
      hint: "Name the tools, or a file or a source whose tools are to be removed",
    });
  }
  if (source !== undefined) {
    const { removeSource } = await import("../sources/sources.js");
    return await removeSource({ ...options, source });
  }
  const { store } = openWorkspace();
  // As stored, without re-reading its files: a missing file may be the reason for the removal.
  const library = await openStoredLibrary({ store, context: await libraryContext(options) });
  const files = library
    .origins()
    .map(({ origin }) => origin)
    .filter((origin) => !isWithoutFile(origin));
  // The origin of a connected source is not a path: "openapi:github".
  const origin = file === undefined || files.includes(file) ? file : resolve(file);
  if (origin !== undefined && !files.includes(origin))
    throw new UnknownName({ kind: "file", wanted: origin, available: files });
  if (origin === undefined) await library.remove(ids, { by: PERSON, why: "removed by hand" });
  const removed = origin === undefined ? ids : await library.removeOrigin(origin);
  if (json) printJson({ library: library.name, removed });
  else printLine(`library ${library.name}: ${removed.length} removed`);
}

/** In place of labels: go back to those of the tool's source. */
const OF_SOURCE = "source";

interface LabelOptions extends LibraryOptions {
  flow?: string;
  reads?: boolean;
  writes?: boolean;
  undo?: string;
  before?: string;
  deed?: string;
}

/** `tools label TOOLS --reads | --writes --flow LABELS --undo CALL --before CALL --deed SENTENCE` */
export async function labelTools(names: string[], options: LabelOptions): Promise<void> {
  const { flow, reads, writes, deed, json } = options;
  const undo = wayBackIn(options);
  requireSentence(deed);
  const effects = reads ? ("read" as const) : writes ? ("write" as const) : undefined;
  if (effects === undefined && flow === undefined && undo === undefined && deed === undefined) {
    throw new InvalidSetting({
      setting: "tools label",
      problem: "nothing says what the tools do",
      hint: "Write --reads, --writes, --flow LABELS, --undo CALL or --deed SENTENCE",
    });
  }
  const labels = flow === undefined ? undefined : flowIn(flow);
  const library = await openLibrary(await libraryContext(options));
  const ids = namedTools({ library, names, readsAlone: reads === true });
  for (const id of ids) {
    const tool = library.get(id);
    if (tool) requireKnown({ undo, flow: labels, deed }, tool, library);
  }
  await library.label(ids, { effects, flow: labels, undo, deed });
  const labelled = ids.flatMap((id) => library.get(id) ?? []);
  if (json) {
    const tools = labelled.map(
      ({ id, effects: does, flow: now = [], sends, undo: back, before, deed: says }) => ({
        id,
        effects: does,
        flow: now,
        sends,
        undo: back,
        before,
        deed: says,
      }),
    );
    return printJson({ library: library.name, tools });
  }
  for (const tool of labelled) {
    const does = effects && (tool.effects === "read" ? "reads" : "writes");
    const text = [does, flow && flowText(tool), undo && wayBackText(tool), deed && deedText(tool)]
      .filter(Boolean)
      .join("; ");
    printLine(`${tool.id}: ${text}`);
  }
}

/** @throws UnknownName for what labels name and nothing has, because they would have no effect */
function requireKnown(
  { undo, flow, deed }: GivenLabels,
  tool: ToolRecord,
  library: LibraryView,
): void {
  for (const call of Object.values(typeof undo === "object" ? undo : {})) {
    const form = readCallForm(call);
    if (!form) continue;
    const called = library.get(form.tool);
    if (!called) {
      const available = library.list().map(({ id }) => id);
      const kind = `tool in library ${library.name}`;
      throw new UnknownName({ kind, wanted: form.tool, available });
    }
    requireParameters(
      form.names.filter((name) => name !== undefined),
      called,
    );
    const roots = form.paths.flatMap(([root]) => root ?? []);
    requireParameters(roots, tool, ["result", "before", "args"]);
  }
  if (typeof flow === "object") requireParameters(flow.sends ?? [], tool);
  const { type = "object", properties } = tool.returns ?? {};
  // Of a result whose values nobody has told, any may be there.
  if (deed === undefined || (type === "object" && !properties)) return;
  const values = [...deed.matchAll(/\{(\w+)[\w.]*\}/g)].flatMap(([, name]) => name ?? []);
  requireParameters(values, tool, Object.keys(properties ?? {}));
}

/** @throws UnknownName for a name that no parameter of a tool has, unless the tool takes any */
function requireParameters(
  names: readonly string[],
  { id, parameters }: ToolRecord,
  others: readonly string[] = [],
): void {
  const available = [...new Set([...Object.keys(parameters.properties), ...others])];
  const wanted = names.find((each) => !available.includes(each));
  if (wanted === undefined || parameters["additionalProperties"]) return;
  throw new UnknownName({ kind: `parameter of ${id}`, wanted, available });
}

/** @throws InvalidSetting for what no receipt can have */
function requireSentence(deed: string | undefined): void {
  const { form, fits } = FIELDS.deed;
  if (deed === undefined || fits(deed)) return;
  throw new InvalidSetting({
    setting: "--deed",
    problem: `"${deed}" does not fit`,
    hint: `write ${form}, such as "Refunded {refunded} of order {order}"; or ${OF_SOURCE}`,
  });
}

function deedText({ deed }: ToolRecord): string {
  return deed === undefined ? "receipts say it by its name" : `receipts say: ${deed}`;
}

/** @throws InvalidSetting for what is not a call */
function wayBackIn({ undo, before }: LabelOptions): GivenLabels["undo"] {
  if (undo === OF_SOURCE && before === undefined) return OF_SOURCE;
  const isNone = undo === "none" && before === undefined;
  const given = Object.entries({ "--undo": isNone ? undefined : undo, "--before": before });
  for (const [setting, text] of given)
    if (text !== undefined && !readCallForm(text))
      throw new InvalidSetting({
        setting,
        problem: `"${text}" is not a call`,
        hint: `write ${CALL_FORM}; or for --undo none or ${OF_SOURCE}`,
      });
  if (before !== undefined && undo === undefined)
    throw new InvalidSetting({
      setting: "--before",
      problem: "nothing says how the tool is taken back",
      hint: "Write --undo CALL, too",
    });
  if (undo === undefined) return undefined;
  return isNone ? {} : { undo, ...(before !== undefined && { before }) };
}

function wayBackText({ undo, before }: ToolRecord): string {
  if (undo === undefined) return "no way back";
  return `taken back by ${undo}${before === undefined ? "" : `, before it ${before}`}`;
}

function flowIn(flow: string): GivenLabels["flow"] {
  const labels = flow === OF_SOURCE ? OF_SOURCE : readFlow(flow);
  if (labels) return labels;
  throw new InvalidSetting({
    setting: "--flow",
    problem: `"${flow}" is not a label`,
    hint: `write ${FLOW_FORM}; or ${OF_SOURCE}`,
  });
}

/**
 * The ids that are meant. A pattern or a source vouches only for what its tools say of themselves: whoever writes
 * "github" has not looked at each of them.
 */
function namedTools(options: {
  library: LibraryView;
  names: readonly string[];
  readsAlone: boolean;
}): string[] {
  const { library, names, readsAlone } = options;
  const tools = library.list();
  const ids = names.flatMap((name) => {
    const meant = tools.some(({ id }) => id === name) ? [] : tools.filter(meantBy(name));
    if (meant.length === 0) return [name];
    const chosen = readsAlone ? meant.filter(isUnvouched) : meant;
    if (chosen.length > 0) return chosen.map(({ id }) => id);
    throw new InvalidSetting({
      setting: "--reads",
      problem: `of the tools of ${name}, no source says that it only reads, or you have labelled them already`,
      hint: "Name those that only read by their ids",
    });
  });
  return [...new Set(ids)];
}

function meantBy(name: string): (tool: ToolRecord) => boolean {
  const fits = name.includes("*") ? patternTest(name) : undefined;
  return ({ id, source: { file } }) =>
    fits ? fits(id) : isConnectedOrigin(file) && file.endsWith(`:${name}`);
}
