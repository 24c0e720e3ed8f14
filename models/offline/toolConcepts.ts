import type { OfferedTool } from "../../nodes/shared/stageInputs.js";
import { conceptsOf, wordsOf } from "./text.js";

/** Words in names and descriptions of tools that say nothing of what the tool is about. */
const GENERIC = /^(?:number|list|two|three|nth|first|.)$/i;

/** A tool in concepts. */
export interface ToolConcepts {
  /** All that is compared with a phrase. */
  all: Set<string>;
  name: string[];
  /** What its description says that it yields or does. */
  head: string[];
  /** What it is called: by its name (which may be short for it) and by its description. */
  names: string[][];
}

const conceptsOfTools = new WeakMap<OfferedTool, ToolConcepts>();

/** Read once, for each step of a request is compared with all tools. */
export function conceptsOfTool(tool: OfferedTool): ToolConcepts {
  const known = conceptsOfTools.get(tool);
  if (known) return known;
  const read = {
    all: new Set(conceptsOf(toolText(tool))),
    name: conceptsOf(tool.name),
    head: headOf(tool),
    names: [tool.name, subjectOf(tool)]
      .map((text) => conceptsOf(text).filter((concept) => !GENERIC.test(concept)))
      .filter(({ length }) => length > 0),
  };
  conceptsOfTools.set(tool, read);
  return read;
}

/** The text of a tool that is compared with a phrase. */
export function toolText({ name, description }: OfferedTool): string {
  return `${wordsOf(name).join(" ")}: ${description.split("\n\n")[0] ?? ""}`;
}

/** What a tool does and to what, without its verb and before it says from what. */
function subjectOf({ description }: OfferedTool): string {
  const [first = ""] = description.split(/[.:,;(]|\s(?:from|given|using|that|by)\s/);
  return first.split(/\s+/).slice(1).join(" ");
}

/** What a description says that a tool yields or does, before it says of what and how. */
function headOf({ description }: OfferedTool): string[] {
  const head = description.split(
    /[.:,;(]|\s(?:of|with|for|from|in|on|by|to|between|given|using)\s/,
  )[0];
  return conceptsOf(head ?? "").slice(1);
}
