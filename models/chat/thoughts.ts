/**
 * How models mark where their thoughts begin and end, as chat templates and servers show it: tags (Qwen, DeepSeek,
 * Seed-OSS, MiniMax, LongCat), Magistral, Kimi, Command A, OpenThinker, Gemma, Apertus, and Granite's sentences.
 */
const TAG = String.raw`(?:\w+[:_])?(?:think|thinking|thoughts?|reasoning|reflection|scratchpad)(?:_\w+)?`;

const OPENERS = [
  String.raw`<${TAG}(?:\s[^<>]*)?>`,
  String.raw`\[THINK\]`,
  "◁think▷",
  String.raw`<\|(?:START_THINKING|begin_of_thought|think|inner_prefix)\|>`,
  String.raw`<(?:\|channel>|unused94>)thought\b`,
  String.raw`^\s*Here(?:'s| is) my thought process:`,
];

const CLOSERS = [
  String.raw`</${TAG}>`,
  String.raw`\[/THINK\]`,
  "◁/think▷",
  String.raw`<\|(?:END_THINKING|end_of_thought|/think|inner_suffix)\|>`,
  String.raw`<channel\|>|<unused95>`,
  String.raw`(?<=\n\s*)Here(?:'s| is) my response:`,
];

const MARK = new RegExp(`(?<opener>${OPENERS.join("|")})|(?:${CLOSERS.join("|")})`, "gi");

interface Mark {
  isOpener: boolean;
  start: number;
  end: number;
  /** Where the thought that it opens ends, if anywhere. */
  closer?: Mark;
}

/**
 * A reply without the model's thoughts, which are not part of it: drafts in them are not meant to be run, shown or read; and
 * without results that it invents after what it says.
 *
 * Thoughts are what stands between two marks, at the beginning or from the start of a line on; before a closing mark
 * without an opening one, which is then part of the prompt; and after an opening mark that nothing closes. Marks in
 * code, in quotes or in the middle of a sentence are part of the text.
 */
export function withoutThoughts(text: string): string {
  const said = withoutResults(finalChannel(text));
  const marks = marksIn(said);
  return marks.length === 0 && said === text ? text : unwrapped(cutThoughts(said, marks));
}

/**
 * A model that goes on as if it were the tools' turn: whatever it has them say, no tool has said it. What a server's template
 * begins their turn with: Qwen and Hermes, GLM, Mistral, Command A, Granite; and tags that models have learnt.
 */
const RESULTS =
  /^[^\S\n]*(?:<\/?(?:tool|function)_(?:response|result|output)s?>|<\|(?:observation|START_TOOL_RESULT|tool_response)\|>|\[TOOL_RESULTS\])/gim;

/** A reply as far as the model speaks for itself. */
function withoutResults(text: string): string {
  for (const mark of text.matchAll(RESULTS)) {
    const start = mark.index;
    const { isCode } = placeFrom(text, 0)({ isOpener: true, start, end: start + mark[0].length });
    if (!isCode) return text.slice(0, start);
  }
  return text;
}

function cutThoughts(text: string, marks: readonly Mark[]): string {
  const lastCloser = marks.findLast(({ isOpener }) => !isOpener);
  let kept = "";
  let at = 0;
  // Opening marks in code, whose closing ones belong to the code, too.
  let inCode = 0;
  let place = placeFrom(text, at);
  for (const mark of marks) {
    if (mark.start < at) continue;
    const { isCode, isBlank } = place(mark);
    const line = lineAround(text, mark);
    const isLeading = isBlank && kept.trim() === "";
    if (!mark.isOpener) {
      if (inCode > 0) inCode--;
      else if (isStrayEnd(line, isCode)) {
        kept = "";
        at = mark.end;
        place = placeFrom(text, at);
      }
      continue;
    }
    if (isCode && !isLeading) {
      inCode++;
      continue;
    }
    const nearest =
      mark.closer ?? (lastCloser && lastCloser.start > mark.start ? lastCloser : mark);
    const end = nearest === mark ? text.length : nearest.end;
    const isSection = isLeading || line.before.trim() === "" || isOverLines(text, mark, nearest);
    kept += text.slice(at, isSection ? mark.start : end);
    at = end;
    place = placeFrom(text, at);
  }
  return kept + text.slice(at);
}

/** Thoughts that begin within a line go on over several; one line is a text that speaks of such marks. */
function isOverLines(text: string, opener: Mark, closer: Mark): boolean {
  return closer === opener
    ? /^[^\S\n]*\n/.test(text.slice(opener.end, opener.end + 20))
    : text.slice(opener.end, closer.start).includes("\n");
}

/** Whether a closing mark without an opening one ends thoughts, and is not mentioned. */
function isStrayEnd({ before, behind }: { before: string; behind: string }, isCode: boolean) {
  const isAlone = before.trim() === "" && behind.trim() === "";
  if (isCode) return isAlone;
  return before.trim() === "" || behind.trim() === "" || /\S$/.test(before);
}

/** Characters of a line that are looked at on each side of a mark. */
const NEARBY = 500;

function lineAround(text: string, { start, end }: Mark) {
  const before = text.slice(Math.max(0, start - NEARBY), start);
  return {
    before: before.slice(before.lastIndexOf("\n") + 1),
    behind: /^.*/.exec(text.slice(end, end + NEARBY))?.[0] ?? "",
  };
}

/** All marks but those in quotes, each opening one with the one that closes it. */
function marksIn(text: string): Mark[] {
  const open: Mark[] = [];
  return [...text.matchAll(MARK)].flatMap((match): Mark[] => {
    const start = match.index;
    const end = start + match[0].length;
    if (isQuoted(text, start, end)) return [];
    const mark: Mark = { isOpener: match.groups?.["opener"] !== undefined, start, end };
    if (mark.isOpener) open.push(mark);
    else {
      const opener = open.pop();
      if (opener) opener.closer = mark;
    }
    return [mark];
  });
}

function isQuoted(text: string, start: number, end: number): boolean {
  const before = text[start - 1] ?? "";
  return /["'`“‘«]/.test(before) && /["'`”’»]/.test(text[end] ?? "");
}

/** Says of growing places whether they are in code or in a literal, and whether nothing stands before them. */
function placeFrom(text: string, from: number) {
  const tokens = /(?:^[ \t]*~{3,}|`+|[^\s`~]{1,99}|~)/gm;
  tokens.lastIndex = from;
  let isFenced = false;
  let ticks = 0;
  let isBlank = true;
  let next = tokens.exec(text);
  return (mark: Mark): { isCode: boolean; isBlank: boolean } => {
    for (; next && next.index < mark.start; next = tokens.exec(text)) {
      const [token] = next;
      isBlank = false;
      if (/(?:```|~~~)$/.test(token)) [isFenced, ticks] = [!isFenced, 0];
      else if (token.startsWith("`")) ticks += token.length;
    }
    const quotes =
      lineAround(text, mark)
        .before.slice(-(mark.start - from))
        .split('"').length - 1;
    return { isCode: isFenced || ticks % 2 === 1 || quotes % 2 === 1, isBlank };
  };
}

/** What encloses the whole of a reply that follows thoughts, and tokens of templates around it. */
const WRAPPER = /^\s*<(answer|response|final_answer|solution)>([^]*?)(?:<\/\1>\s*)?$/i;
const TOKENS =
  /^\s*<\|(?:START_(?:RESPONSE|TEXT)|begin_of_solution|response_start)\|>|<\|(?:END_(?:RESPONSE|TEXT)|end_of_solution|response_end|im_end|eot_id|end_of_text|endoftext|end|return)\|>\s*$/g;

function unwrapped(text: string): string {
  const bare = text.replaceAll(TOKENS, "").replace(/^\s*\n/, "");
  return WRAPPER.exec(bare)?.[2]?.trim() ?? bare;
}

/** A message in harmony, the format of gpt-oss: the recipient of a call, its channel, and its text. */
const MESSAGE =
  /(?:<\|start\|>\w+([^<]*))?<\|channel\|>\s*(\w+)([^<]*)(?:<\|constrain\|>[^<]*)?<\|message\|>([^]*?)(?=<\|(?:end|return|call|start|channel)\|>|$)/g;

const HARMONY = /^\s*(?:<\|start\|>[^<]*)?<\|channel\|>|<\|end\|>\s*<\|start\|>[^<]*<\|channel\|>/;

/** The same where a server has dropped the tokens around the names of channels. */
const BARE_HARMONY = /^\s*(?:assistant)?analysis[^]*assistant(?:final|commentary(?=\s*to=))([^]*)$/;

/** What a reply in harmony says and calls: its final message, or calls in the form in which they are written. */
function finalChannel(text: string): string {
  const bare = BARE_HARMONY.exec(text)?.[1];
  if (bare !== undefined || !HARMONY.test(text)) return bare ?? text;
  const messages = [...text.matchAll(MESSAGE)].map(
    ([whole, start, channel, header, said = ""]) => ({
      whole,
      channel,
      isCall: /\bto=/.test(`${start} ${header}`),
      said,
    }),
  );
  const calls = messages.filter(({ isCall }) => isCall).map(({ whole }) => whole);
  if (calls.length > 0) return calls.join("\n");
  const final = messages.filter(({ channel }) => channel === "final");
  const shown =
    final.length > 0 ? final : messages.filter(({ channel }) => channel === "commentary");
  return shown.map(({ said }) => said).join("\n");
}
