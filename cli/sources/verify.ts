import { messageOf, oneLine } from "../../common/errors.js";
import { withoutSecrets } from "../../common/secrets.js";
import { parseSettings } from "../../state/settings.js";
import { definitionHash } from "../../tools/library/records/hash.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import type { Pin } from "../../tools/library/records/pins.js";
import type { ToolDefinition } from "../../tools/tool.js";
import { listSource } from "../../tools/sources/listSource.js";
import { openStoredLibrary } from "../../nodes/workspace/libraries.js";
import { openWorkspace } from "../../nodes/workspace/workspace.js";
import { EXIT } from "../exit.js";
import { printJson } from "../printing/print.js";

/** How a source's offer differs from what was accepted of it. */
interface Difference {
  library: string;
  origin: string;
  /** Absent if the whole source is concerned. */
  id?: string;
  /** In words. */
  problem: string;
}

/** `tools verify`: a line for each tool that its source no longer offers as accepted; exit code 1 if there is any. */
export async function verifyPins({ json }: { json?: boolean }): Promise<number> {
  const { store } = openWorkspace();
  const differences: Difference[] = [];
  for (const name of await store.names()) {
    const library = await openStoredLibrary({ store, context: parseSettings({ library: name }) });
    const origins = new Set(library.pins().map(({ origin }) => origin));
    for (const origin of [...origins].toSorted()) {
      for (const problem of await problemsOf(library, origin)) {
        differences.push({ library: name, origin, ...problem });
      }
    }
  }
  if (json) printJson({ differences });
  for (const { library, origin, id, problem } of json ? [] : differences) {
    process.stdout.write(`library ${library}: ${id ?? origin} ${problem}\n`);
  }
  if (!json && differences.length === 0) process.stdout.write("everything is as it was accepted\n");
  return differences.length > 0 ? EXIT.notSolved : EXIT.done;
}

type Problem = Pick<Difference, "id" | "problem">;

async function problemsOf(library: ToolLibrary, origin: string): Promise<Problem[]> {
  const source = await openWorkspace().store.sources.get(origin.slice(origin.indexOf(":") + 1));
  if (!source) return [{ problem: "is not a source of this home" }];
  try {
    const { tools } = await listSource(source);
    return compare({ library, origin, listed: tools });
  } catch (error) {
    const reason = withoutSecrets(oneLine(messageOf(error)));
    return [{ problem: `cannot be listed (${reason})` }];
  }
}

/** What a person has rejected is no difference, as long as it stays the same. */
function compare(options: {
  library: ToolLibrary;
  origin: string;
  listed: readonly ToolDefinition[];
}): Problem[] {
  const { library, origin, listed } = options;
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
