import type { DraftFault } from "../creation/draftFaults.js";
import { readText, sectionsOf } from "../files.js";

/** A reply of the writer to the wish for a tool. */
export interface WriterDraft {
  /** The whole reply, with whatever it wraps the code in. */
  reply: string;
  /** What it has wrong on purpose; absent for a draft that passes all checks. */
  fault?: DraftFault;
}

/** What the writer does with one request. */
export interface WriterScript {
  /** A part of the request by which the writer knows it. */
  about: string;
  /** The control call that it begins with. */
  wish: { kind: "create"; task: string } | { kind: "update"; tool: string; instruction: string };
  /** What it looks for in the library before. */
  searches: readonly string[];
  /** One after the other, as long as the one before could not be used; the last one again and again. */
  drafts: readonly WriterDraft[];
  /** What the last draft does wrong although it passes its own examples. */
  flaw?: string;
}

/** A draft without a fault. */
const USABLE = "usable";

/** All that the writer knows: a script for each request of `eval creation`. */
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
