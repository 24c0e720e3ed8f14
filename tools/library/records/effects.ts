import { wordsOf } from "../../../common/nearNames.js";
import type { ToolDefinition, ToolEffects, ToolRecord } from "../../tool.js";

/** What a person has said of a tool's effects, and what its source said then. */
export interface EffectsLabel {
  effects: ToolEffects;
  said: ToolEffects;
}

type Counted = Pick<ToolRecord, "effects" | "sourceEffects" | "isLabelled">;

/**
 * The effects that count. The word of a source that nobody has vouched for can only make a tool stricter: an MCP server's
 * `readOnlyHint` does not let a call pass without being asked about, nor does a GET that is named after a change. Whoever
 * writes a function or a file of declarations vouches for it. A person's label decides, until the source itself says that
 * the tool writes after all.
 */
export function countedEffects(
  tool: ToolDefinition,
  { effects: byHand, said }: Partial<EffectsLabel>,
): Counted {
  const { effects } = tool;
  const isWithdrawn = said === "read" && effects === "write";
  if (byHand && !isWithdrawn) return { effects: byHand, sourceEffects: effects, isLabelled: true };
  const isHint = effects === "read" && isHintOnly(tool);
  return isHint ? { effects: "write", sourceEffects: "read" } : { effects };
}

function isHintOnly({ source, ...tool }: ToolDefinition): boolean {
  if (source.kind === "openapi") return nameOrBeginning(tool) !== undefined;
  return source.kind === "mcp";
}

/** Whether a tool counts as a write although its source says that it only reads, and no person has said anything. */
export function isUnvouched({ effects, sourceEffects, isLabelled }: ToolRecord): boolean {
  return effects === "write" && sourceEffects === "read" && !isLabelled;
}

/** Why such a tool is not called where only reads may be, and what to do. */
export function unvouchedText({ id }: Pick<ToolRecord, "id">): string {
  return `${id} counts as a write, because only its source says that it reads; if that is so: tulipgraph tools label ${id} --reads`;
}

/**
 * What a tool does as far as anybody says, for judging what a run has achieved: a read that nobody has vouched for is no
 * proof that something was changed. What may be done without asking, its `effects` say.
 */
export function saidEffects({ effects, sourceEffects, isLabelled }: Counted): ToolEffects {
  return isLabelled ? effects : (sourceEffects ?? effects);
}

/** A word by which a tool speaks of a change. */
interface ChangingWord {
  place: "name" | "description";
  word: string;
}

/** The word by which a tool that is said to read speaks of changing something, if there is one. */
export function changingWord(
  tool: Pick<ToolDefinition, "name" | "description" | "source">,
): ChangingWord | undefined {
  const found = nameOrBeginning(tool);
  // Documents of APIs are long and speak of other operations.
  if (found || tool.source.kind === "openapi") return found;
  const [, word] = CHANGES_LATER.exec(tool.description) ?? [];
  return word === undefined ? undefined : { place: "description", word };
}

function nameOrBeginning({
  name,
  description,
}: Pick<ToolDefinition, "name" | "description">): ChangingWord | undefined {
  const words = wordsOf(name);
  const inName = words.some((word) => READING.has(word))
    ? undefined
    : words.find((word) => CHANGING.has(word));
  if (inName !== undefined) return { place: "name", word: inName };
  const first = /^[\s#*_>`"-]*(\p{L}+)/u.exec(description)?.[1] ?? "";
  return STATED.test(first) ? { place: "description", word: first } : undefined;
}

/** Verbs that change something; a name has them in this form. */
const VERBS =
  "delete remove send create update close pay write edit move rename insert add publish cancel archive merge reset drop purge clear wipe erase transfer refund buy purchase submit approve reject assign upload deploy install uninstall revoke disable enable modify overwrite destroy truncate invite reply upsert save commit push kill terminate restart";
const CHANGING: ReadonlySet<string> = new Set(VERBS.split(" "));

/** Beside one of these a changing word is what is read: get_commit, list_close_dates. */
const READING: ReadonlySet<string> = new Set(
  "get list read search find fetch show describe count check query view lookup browse preview validate explain compare has is can".split(
    " ",
  ),
);

/** Their third person may also be the plural of what is read: "Search for posts and updates". */
const NOUNS: ReadonlySet<string> = new Set(
  "update edit archive move transfer purchase refund commit push save install upload reset".split(
    " ",
  ),
);

/** "delete" and "deletes" */
function forms(verb: string): string {
  if (/[aeo]y$|uy$/.test(verb)) return `${verb}s?`;
  return verb.endsWith("y") ? `${verb.slice(0, -1)}(?:y|ies)` : `${verb}(?:e?s)?`;
}

const ALL_FORMS = VERBS.split(" ").map(forms);

const STATED = new RegExp(`^(?:${ALL_FORMS.join("|")})$`, "i");

/** At the beginning of a later sentence or part of one: "Looks at the notes and deletes the old ones". */
const CHANGES_LATER = new RegExp(
  `(?:[.!:;]\\s+|\\n|\\b(?:and|then|also)\\s+)(${VERBS.split(" ")
    .map((verb) => (NOUNS.has(verb) ? verb : forms(verb)))
    .join("|")})\\b(?!\\s*[(_-])`,
  "i",
);
