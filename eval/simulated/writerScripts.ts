import type { DraftFault } from "../creation/draftFaults.js";
import { readText, sectionsOf } from "../files.js";

/** A prepared draft of a tool. */
export interface WriterDraft {
  /** The whole reply, including the text around the code. */
  reply: string;
  /** Its deliberate fault; absent for a draft that passes all checks. */
  fault?: DraftFault;
}

/** What the writer does with one request. */
export interface WriterScript {
  /** A part of the request by which the writer recognises it. */
  about: string;
  /** The first control call. */
  wish: { kind: "create"; task: string } | { kind: "update"; tool: string; instruction: string };
  /** Searches in the library before that. */
  searches: readonly string[];
  /** Used one after another until one is accepted; the last one is repeated. */
  drafts: readonly WriterDraft[];
  /** What is wrong with the last draft although it passes its own examples. */
  flaw?: string;
}

/** A draft without a fault. */
const USABLE = "usable";

/** A script for each request of `eval creation`. */
export const WRITER_SCRIPTS: readonly WriterScript[] = sectionsOf(
  readText(new URL("./writerScripts.txt", import.meta.url)),
  "===",
).map(([about, body]) => ({
  about,
  ...intentionsOf(body.slice(0, body.indexOf("\n---")).split("\n")),
  drafts: sectionsOf(body, "---").map(([fault, reply]) =>
    fault === USABLE ? { reply } : { reply, fault: fault as DraftFault },
  ),
}));

/** Reads lines such as "create: Adds two numbers." and "update clamp: Swap its bounds." */
function intentionsOf(lines: readonly string[]): Pick<WriterScript, "wish" | "searches" | "flaw"> {
  const said = lines.map((line) => line.split(/: (.*)/, 2) as [string, string]);
  const about = (wanted: string) => said.flatMap(([what, text]) => (what === wanted ? [text] : []));
  const [task] = about("create");
  const [[, instruction] = ["", ""]] = said.filter(([what]) => what.startsWith("update "));
  const [[what] = [""]] = said;
  const [flaw] = about("flaw");
  return {
    wish:
      task === undefined
        ? { kind: "update", tool: what.replace("update ", ""), instruction }
        : { kind: "create", task },
    searches: about("search"),
    ...(flaw === undefined ? {} : { flaw }),
  };
}
