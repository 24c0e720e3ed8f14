import { parseJson } from "../../../common/jsonInText.js";

/** Where the program of a reply may be: in blocks of code, in their order, or in the text itself. */
type WrittenCode = { blocks: string[] } | { texts: string[] } | { problem: string };

interface Block {
  tag: string;
  isTag: boolean;
  code: string;
  start: number;
  end: number;
}

/** Fences, and the tags that some models are taught. */
const BLOCK =
  /(?:(```+)|^[ \t]*(~~~+))(?:([^\n`]*)\n|(?:ts|js|typescript|javascript) )([^]*?)(?:\1\2|$(?![^]))|^[ \t]*(?:<pre>)?<(code|program|script|typescript|javascript|ts|js|run|tool_code|execute\w*|solution|answer|\w*artifact)(?:\s[^<>]*)?>([^]*?)(?:<\/\5>|$(?![^]))/gim;

/** Finds the code of a program in a model's reply; data, output and other languages are none. */
export function writtenCode(text: string): WrittenCode {
  const whole = programInJson(text.replaceAll(AROUND_JSON, ""));
  if (whole !== undefined) return writtenCode(whole);
  const fenced = [...text.matchAll(BLOCK)].flatMap((match): Block[] => {
    const [all, , , tag = "", inFence, , inTag = ""] = match;
    const isTag = inFence === undefined;
    const inside = inFence ?? inTag.replace(/^\s*(?:```\w*\n|<!\[CDATA\[)|(?:```|\]\]>)\s*$/g, "");
    const code = trimmed(programInJson(inside) ?? inside);
    const start = match.index;
    const end = start + all.length;
    return code ? [{ tag: tag.trim().toLowerCase(), isTag, code, start, end }] : [];
  });
  const blocks = fenced.filter(isCode);
  const shown =
    blocks.length > 0
      ? blocks
      : fenced.filter(({ isTag, start }) => !isTag || !hasCode(text.slice(0, start)));
  if (shown.length === 0) return { texts: [...new Set([trimmed(text), withoutProse(text)])] };
  const problem = doubtAbout(text, shown);
  return problem ? { problem } : { blocks: shown.map(({ code }) => code) };
}

const CODE = new Set(["ts", "typescript", "js", "javascript", "tsx", "jsx", "mts", "mjs"]);

function isCode({ tag, code }: Block): boolean {
  if (CODE.has(tag)) return true;
  const isData = parseJson(code) !== undefined;
  return !isData && /^(?:json\w*)?$/.test(tag) && hasCode(code);
}

/** What a program is if fences, or tags, stand in its own texts: all between the first fence and the last, or the whole. */
export function widestCode(text: string): string {
  const opening = /^[ \t]*```[^\n`]*\n/m.exec(text);
  if (!opening) return trimmed(text);
  const start = opening.index + opening[0].length;
  return trimmed(text.slice(start, Math.max(text.lastIndexOf("\n```"), start)));
}

/** Whether one of the lines looks like the beginning of a program. */
function hasCode(text: string): boolean {
  return text.split("\n").some((line) => FIRST.test(line));
}

/** The program in an object such as `{"program": "…"}`, in a call of something that runs code, or in a text of JSON. */
function programInJson(text: string): string | undefined {
  return /^\s*[{"]/.test(text) ? programIn(parseJson(text)) : undefined;
}

/** Tags around an object that is the whole of a reply, and words before it. */
const AROUND_JSON = /^\s*<tool_call>|<\/tool_call>\s*$|^[^{`<]*\n(?=\{)/g;

/** Keys whose text is a program, and those whose text may have one in a fence. */
const KEYS = "program code typescript javascript script ts js source solution".split(" ");
const TEXTS = "answer response content".split(" ");

/** Names of tools that models have learnt to run code with. */
const RUNS_CODE = /^(?:run|execute|eval)?_?(?:code|program|script|typescript|javascript|python)?$/i;

function programIn(value: unknown): string | undefined {
  if (typeof value === "string") return value.includes("```") ? value : programInJson(value);
  const given = Object(value) as Record<string, unknown>;
  const { name, arguments: args = given["parameters"] } = given;
  if (typeof name === "string" && RUNS_CODE.test(name) && args) return programIn(args);
  const [code] = KEYS.map((key) => [given[key]].flat())
    .filter((lines) => lines.length > 0 && lines.every((line) => typeof line === "string"))
    .map((lines) => lines.join("\n"));
  const said = TEXTS.map((key) => given[key]).find((text) => typeof text === "string");
  return code ?? (said === undefined ? undefined : programIn(said));
}

/** Code with the characters that a page or a word processor has written otherwise. */
export function restored(code: string): string {
  const plain = code.replaceAll("&gt;", ">").replaceAll("&lt;", "<").replaceAll("&quot;", '"');
  return plain.replaceAll("&amp;", "&").replaceAll(/[“”]/g, '"').replaceAll(/[‘’]/g, "'");
}

/** Words that say of the next or the last program that it is not to be run. */
const NOT_THIS =
  /\b(?:not|never|avoid|wrong|incorrect|bad|instead of|rather than|nicht|falsch|pas)\b|n['’]t\b/i;
const NOT_LAST =
  /\b(?:do not|don['’]t|never|should not) (?:run|use|write|do)\b|\b(?:second|latter|last) (?:one|program|version)\b[^.]*\b(?:wrong|incorrect|not|n['’]t)\b|\b(?:use|run) the (?:first|former|other)\b/i;

/** Questions that a program must not go ahead of. */
const ASKS =
  /\b(?:shall|should|may) I\b[^.!]*\?|\bplease confirm\b|\b(?:before|until|unless) you (?:confirm|agree|approve)/i;

/** What is not clear about what to run, as an instruction to the model. */
function doubtAbout(text: string, blocks: readonly Block[]): string | undefined {
  const [before, last] = blocks.slice(-2).length > 1 ? blocks.slice(-2) : [undefined, blocks[0]];
  const behind = text.slice(last?.end);
  if (ASKS.test(behind))
    return 'it has a program and asks something after it; to ask first, reply with stop("…") alone';
  if (!before || !last) return undefined;
  const said = text.slice(before.end, last.start).trimEnd();
  const sentence = said.split(/[.!?]\s|\n\s*\n/).at(-1) ?? "";
  if (!NOT_THIS.test(sentence) && !NOT_LAST.test(behind)) return undefined;
  return "it has several programs and says not to run one of them; reply with the one to run alone";
}

/** Without blank lines around it, and without the end of a fence that nothing begins. */
export function trimmed(code: string): string {
  return code.replaceAll(/^(?:[ \t]*\r?\n)+|\n\s*```\s*$/g, "").trimEnd();
}

/** The lines from the first to the last that look like code, if all others are prose. */
function withoutProse(text: string): string {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => FIRST.test(line));
  const last = lines.findLastIndex((line) => LAST.test(line));
  const around = [...lines.slice(0, Math.max(first, 0)), ...lines.slice(last + 1)];
  if (first < 0 || last < first || !around.every(isProse)) return trimmed(text);
  return trimmed(lines.slice(first, last + 1).join("\n"));
}

const FIRST =
  /^\s*(?:(?:const|let|var)\s+[\w$[{]|await\s|(?:for|if)\s*\(|try\s*\{|return\s|(?:export\s+)?(?:async\s+)?function\s|\(async|\/\/)/;

const LAST = /[;})\]`]\s*(?:\/\/.*)?$/;

/** Whether dropping a line loses no code. */
function isProse(line: string): boolean {
  return line.trim() === "" || /^[^=;{}`]*[\p{L}\p{N}.:!?*"]\s*$/u.test(line);
}
