import { z } from "zod";
import { several } from "../../common/bounds.js";
import { inBrief, InvalidSetting, UnknownName } from "../../common/errors.js";
import { tellingProgress } from "../../common/longWork.js";
import { ask } from "../../models/ask.js";
import { withoutSections } from "../../nodes/programs/functionDeclarations.js";
import { formQuestion, promptOf } from "../../nodes/shared/question.js";
import { replyForm } from "../../nodes/shared/replyForm.js";
import { openWorkspace } from "../../nodes/workspace/workspace.js";
import { OFFLINE_MODEL, type Settings, parseSettings } from "../../state/settings.js";
import { NOTHING_USED, type Usage, addUsage } from "../../state/state.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import type { ToolRecord } from "../../tools/tool.js";
import { EXIT, untilCancelled } from "../exit.js";
import { settingsOf } from "../options.js";
import { printJson } from "../printing/print.js";
import { openLibrary } from "./openLibrary.js";

export interface PhrasesOptions {
  model?: string;
  set?: Record<string, unknown>;
  remove?: boolean;
  json?: boolean;
}

/** What was done, as `--json` prints it. */
interface Phrased {
  library: string;
  /** Tools that have got phrases, or lost them with `--remove`. */
  tools: number;
  phrases: number;
  /** Phrases that fit another tool better. */
  dropped: number;
  /** Tools that a reply said nothing about, or that none of it fitted. */
  without: string[];
  usage: Usage;
}

/** Tools told to the model at once: few enough for a small model, and together, so that it tells them apart. */
const BATCH = 10;

const PHRASES_EACH = 5;

/** Most characters of a phrase; a longer one is no short phrase. */
const LONGEST = 80;

const reply = replyForm(
  z.object({
    tools: z.array(z.object({ tool: z.string(), phrases: z.array(z.string()) })),
  }),
);

interface PhrasesInput {
  background?: string;
  tools: { name: string; about: string }[];
}

const phrasesQuestion = formQuestion({
  stage: "phrases",
  form: reply,
  instructions: () => [
    `For each tool, write ${PHRASES_EACH} short phrases that different people would say when they need it, in everyday words and without values. Say no phrase that fits another tool of the list as well.`,
    'For "create_pull_request: Opens a pull request": "open a PR", "propose my changes", "ask for a review of my branch".',
  ],
  task: ({ tools }: PhrasesInput) => [
    tools.map(({ name, about }) => `${name}: ${about}`).join("\n"),
  ],
});

/**
 * `tools phrases LIBRARY`: asks a model what people would say to the tools that have no phrases yet, and keeps what
 * fits no other tool better, batch by batch.
 */
export async function phraseTools(name: string, options: PhrasesOptions): Promise<number> {
  const { json, remove } = options;
  const settings = parseSettings(await settingsOf({ ...options, library: name }));
  const known = await openWorkspace().store.names();
  if (!known.includes(name))
    throw new UnknownName({ kind: "library", wanted: name, available: known });
  const library = await openLibrary(settings);
  const done = remove ? await removePhrases(library) : await addPhrases(library, settings);
  if (json) printJson(done);
  else process.stdout.write(`${doneText(done, remove ?? false)}\n`);
  return EXIT.done;
}

async function removePhrases(library: ToolLibrary): Promise<Phrased> {
  const phrased = library.list().filter(({ phrases }) => phrases !== undefined);
  await library.phrase(new Map(phrased.map(({ id }) => [id, undefined])));
  const phrases = phrased.reduce((sum, tool) => sum + (tool.phrases?.length ?? 0), 0);
  return { ...NOTHING, library: library.name, tools: phrased.length, phrases };
}

const NOTHING = { tools: 0, phrases: 0, dropped: 0, without: [], usage: NOTHING_USED };

async function addPhrases(library: ToolLibrary, settings: Settings): Promise<Phrased> {
  if (settings.model === OFFLINE_MODEL) {
    throw new InvalidSetting({
      setting: "model",
      problem: "the built-in rules cannot say what people would say",
      hint: "Name a language model with --model",
    });
  }
  const tools = library.list().filter(({ phrases }) => phrases === undefined);
  const work = { label: "phrases", unit: "steps", total: tools.length } as const;
  const done: Phrased = { ...NOTHING, library: library.name, without: [] };
  await untilCancelled((signal) =>
    tellingProgress(work, async (tell) => {
      for (let from = 0; from < tools.length; from += BATCH) {
        const batch = tools.slice(from, from + BATCH);
        await phraseBatch({ library, settings, batch, signal, done });
        tell({ done: from + batch.length });
      }
    }),
  );
  return done;
}

/** What an interrupted run has kept stays; the next one asks about the others. */
async function phraseBatch(options: {
  library: ToolLibrary;
  settings: Settings;
  batch: readonly ToolRecord[];
  signal: AbortSignal;
  done: Phrased;
}): Promise<void> {
  const { library, settings, batch, signal, done } = options;
  const groups = library.groups();
  const tools = batch.map((tool) => ({
    name: groups.functionName(tool),
    about: inBrief(withoutSections(tool.description), 200),
  }));
  const input = { tools };
  const prompt = promptOf(phrasesQuestion, { input });
  const answer = await ask({ prompt, settings, usage: NOTHING_USED, config: { signal } });
  const read = "reply" in answer ? reply.read(answer.reply.text) : { problem: "no reply" };
  if ("used" in answer) done.usage = addUsage(done.usage, answer.used);
  const said = shortPhrases("value" in read ? read.value.tools : []);
  const kept = new Map<string, string[]>();
  for (const [at, { id }] of batch.entries()) {
    const short = said.get(tools[at]?.name ?? "") ?? [];
    const fitting = await fittingPhrases(library, id, short);
    done.dropped += short.length - fitting.length;
    if (fitting.length > 0) kept.set(id, fitting);
    else done.without.push(id);
  }
  await library.phrase(kept);
  done.tools += kept.size;
  done.phrases += [...kept.values()].flat().length;
}

/** By tool, what is short, and said for no other one: a small model also says what all their texts have in common. */
function shortPhrases(
  said: readonly { tool: string; phrases: readonly string[] }[],
): ReadonlyMap<string, string[]> {
  const plain = said.map(({ tool, phrases }) => {
    const short = phrases.map((phrase) => phrase.trim()).filter(isShort);
    return [tool, [...new Set(short)]] as const;
  });
  const counted = plain.flatMap(([, phrases]) => phrases.map((phrase) => phrase.toLowerCase()));
  const isOwn = (phrase: string) =>
    counted.filter((other) => other === phrase.toLowerCase()).length === 1;
  return new Map(
    plain.map(([tool, phrases]) => [tool, phrases.filter(isOwn).slice(0, PHRASES_EACH)]),
  );
}

function isShort(phrase: string): boolean {
  return phrase !== "" && phrase.length <= LONGEST;
}

/** Leaves out phrases that the search now gives to another tool of the same group instead. */
async function fittingPhrases(
  library: ToolLibrary,
  id: string,
  phrases: readonly string[],
): Promise<string[]> {
  const { results } = await library.search({ phrases, topK: LOOKED_AT });
  const groups = library.groups();
  const groupOf = (tool: ToolRecord | undefined) =>
    tool ? /^.*(?=\.)/.exec(groups.functionName(tool))?.[0] : undefined;
  const own = groupOf(library.get(id));
  return results.flatMap(({ phrase, hits }) => {
    const first = hits.find((hit) => hit.id === id || groupOf(library.get(hit.id)) === own);
    const hasOwn = hits.some((hit) => hit.id === id);
    return first && hasOwn && first.id !== id && isClear(hits, first.id, id) ? [] : [phrase];
  });
}

/** How far the search looks for a tool; one that it does not see there is what phrases are for. */
const LOOKED_AT = 10;

/** A sibling is e times as likely. */
function isClear(
  hits: readonly { id: string; score?: number }[],
  one: string,
  other: string,
): boolean {
  const scoreOf = (id: string) => hits.find((hit) => hit.id === id)?.score ?? 0;
  return scoreOf(one) - scoreOf(other) >= 1;
}

function doneText({ library, tools, phrases, dropped, without }: Phrased, remove: boolean): string {
  if (remove)
    return `library ${library}: ${several(phrases, "phrase")} of ${several(tools, "tool")} removed`;
  const left = without.length > 0 ? `; none for ${without.join(", ")}` : "";
  return `library ${library}: ${several(phrases, "phrase")} for ${several(tools, "tool")}, ${dropped} dropped because another tool fits better${left}`;
}
