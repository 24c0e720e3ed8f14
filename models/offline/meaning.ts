import type { OfferedTool } from "../../nodes/shared/stageInputs.js";
import { SentenceEncoder } from "../encoder.js";
import { conceptsOf, wordsOf } from "./text.js";

/** How near each tool is to a phrase: the mean of their cosine and of their common words, weighted by rarity. */
export async function meaningsOf(phrase: string, tools: readonly OfferedTool[]): Promise<number[]> {
  const [asked = [], ...offered] = await vectorsOf([phrase, ...tools.map(toolText)]);
  const rarity = rarityAmong(tools);
  const phraseConcepts = conceptsOf(phrase);
  return tools.map((tool, at) => {
    const sentence = Math.max(0, dot(asked, offered[at] ?? []));
    const words = sharedWords({ asked: phraseConcepts, tool, rarity });
    return (sentence + words) / 2;
  });
}

type Rarity = (concept: string) => number;

function rarityAmong(tools: readonly OfferedTool[]): Rarity {
  const counts = new Map<string, number>();
  for (const tool of tools) {
    for (const concept of conceptsOfTool(tool).all) {
      counts.set(concept, (counts.get(concept) ?? 0) + 1);
    }
  }
  return (concept) => Math.log(1 + (tools.length + 1) / ((counts.get(concept) ?? 0) + 1));
}

/** How much of a phrase a tool mentions, and how much of the tool's name the phrase mentions: 0 to 1. */
function sharedWords(options: { asked: string[]; tool: OfferedTool; rarity: Rarity }): number {
  const { asked, tool, rarity } = options;
  const { all, name, head } = conceptsOfTool(tool);
  const within = new Set(asked);
  const covered = share({ of: asked, within: all, rarity });
  const named = share({ of: name, within, rarity });
  const headed = share({ of: head, within, rarity });
  return 0.6 * covered + 0.15 * named + 0.25 * headed;
}

function share(options: { of: string[]; within: Set<string>; rarity: Rarity }): number {
  const { of, within, rarity } = options;
  const whole = of.reduce((sum, concept) => sum + rarity(concept), 0);
  const shared = of.reduce((sum, concept) => sum + (within.has(concept) ? rarity(concept) : 0), 0);
  return whole === 0 ? 0 : shared / whole;
}

const encoder = new SentenceEncoder();

const knownVectors = new Map<string, number[]>();

/** Most vectors kept: far more than the tools of one run. */
const MOST_VECTORS = 20_000;

/** Vectors of texts, kept because the same tools are offered at every visit. */
async function vectorsOf(texts: string[]): Promise<number[][]> {
  if (knownVectors.size > MOST_VECTORS) knownVectors.clear();
  const missing = [...new Set(texts)].filter((text) => !knownVectors.has(text));
  const vectors = await encoder.embedDocuments(missing);
  for (const [at, text] of missing.entries()) knownVectors.set(text, vectors[at] ?? []);
  return texts.map((text) => knownVectors.get(text) ?? []);
}

function dot(one: number[], other: number[]): number {
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
}

/** Words that say nothing about what a tool is for. */
const GENERIC = /^(?:number|list|two|three|nth|first|.)$/i;

/** A tool in concepts. */
export interface ToolConcepts {
  /** Concepts of its name and description. */
  all: Set<string>;
  name: string[];
  /** What the tool returns or does, according to its description. */
  head: string[];
  /** What it is called: by its name, which may be an abbreviation, and by its description. */
  names: string[][];
}

const conceptsOfTools = new WeakMap<OfferedTool, ToolConcepts>();

/** A tool's concepts, kept because every step is compared with all tools. */
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
function toolText({ name, description }: OfferedTool): string {
  return `${wordsOf(name).join(" ")}: ${description.split("\n\n")[0] ?? ""}`;
}

/** The object of a description: "area of a circle" in "Calculates the area of a circle from its radius". */
function subjectOf({ description }: OfferedTool): string {
  const [first = ""] = description.split(/[.:,;(]|\s(?:from|given|using|that|by)\s/);
  return first.split(/\s+/).slice(1).join(" ");
}

/** The head of a description: "area" in "Calculates the area of a circle". */
function headOf({ description }: OfferedTool): string[] {
  const head = description.split(
    /[.:,;(]|\s(?:of|with|for|from|in|on|by|to|between|given|using)\s/,
  )[0];
  return conceptsOf(head ?? "").slice(1);
}
