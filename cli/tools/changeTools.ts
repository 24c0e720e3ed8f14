import { resolve } from "node:path";
import { InvalidSetting, TulipgraphError, UnknownName } from "../../common/errors.js";
import { type Import, openStoredLibrary } from "../../nodes/workspace/libraries.js";
import { openWorkspace } from "../../nodes/workspace/workspace.js";
import { isWithoutFile, PERSON } from "../../tools/library/records/edits.js";
import { FLOW_FORM, flowText, readFlow } from "../../tools/flow/labels.js";
import { EXIT } from "../exit.js";
import { changes, importFile } from "../sources/importFile.js";
import { errorText, printJson } from "../printing/print.js";
import { type LibraryOptions, libraryContext, openLibrary } from "./openLibrary.js";

/** `tools import FILES`: a file that cannot be imported is reported on stderr, and the others are still imported. */
export async function importFiles(
  files: string[],
  options: LibraryOptions & { description?: string },
): Promise<number> {
  const { library, description, json } = options;
  const done: (Import & { file: string; library: string })[] = [];
  for (const file of files) {
    try {
      const imported = await importFile({ file, library, description });
      done.push({ file, ...imported });
      if (!json) process.stdout.write(`library ${imported.library}: ${changes(imported)}\n`);
    } catch (error) {
      if (!(error instanceof TulipgraphError) || files.length === 1) throw error;
      process.stderr.write(`${errorText({ error, debug: false })}\n`);
    }
  }
  if (json) printJson(done);
  return done.length === files.length ? EXIT.done : EXIT.usage;
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
  if (origin !== undefined && !files.includes(origin)) {
    throw new UnknownName({ kind: "file", wanted: origin, available: files });
  }
  if (origin === undefined) await library.remove(ids, { by: PERSON, why: "removed by hand" });
  const removed = origin === undefined ? ids : await library.removeOrigin(origin);
  if (json) printJson({ library: library.name, removed });
  else process.stdout.write(`library ${library.name}: ${removed.length} removed\n`);
}

/** In place of labels: go back to those of the tool's source. */
const OF_SOURCE = "source";

/** `tools label IDS --flow LABELS` */
export async function labelTools(
  ids: string[],
  options: LibraryOptions & { flow: string },
): Promise<void> {
  const { flow, json } = options;
  const labels = flow === OF_SOURCE ? undefined : readFlow(flow);
  if (flow !== OF_SOURCE && !labels) {
    throw new InvalidSetting({
      setting: "--flow",
      problem: `"${flow}" is not a label`,
      hint: `write ${FLOW_FORM}; or ${OF_SOURCE}`,
    });
  }
  const library = await openLibrary(await libraryContext(options));
  await library.label(ids, labels);
  const labelled = ids.flatMap((id) => library.get(id) ?? []);
  if (json) {
    const tools = labelled.map(({ id, flow: now = [], sends }) => ({ id, flow: now, sends }));
    return printJson({ library: library.name, tools });
  }
  for (const tool of labelled) process.stdout.write(`${tool.id}: ${flowText(tool)}\n`);
}
