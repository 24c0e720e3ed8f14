import { type PerField, WORD_FIELDS, type WordField } from "./words.js";

// How the words of a library's tools are laid out in numbers. A tool goes by its position, and positions come in
// segments of 4,096, so that an edit writes few small rows and a search reads few large ones.

/** Tools of a segment; a tool's place within it takes 12 bits. */
export const SEGMENT = 4096;

/**
 * The tools of a segment that have a word, in the order of their places. Each entry packs a tool's place and how often
 * the word stands in each of its fields.
 */
export interface Posting {
  segment: number;
  entries: Uint32Array;
}

/** The numbers kept for each tool of a segment, one tool after another. */
export const NUMBERS = {
  /** Number of its words, plus one; 0 where there is no tool. */
  wordCount: 0,
  /** Sum of the rarities of the words in its name; see `rarityOf`. */
  name: 1,
  description: 2,
  /** What it does, and whether it is deprecated; see `traitsOf`. */
  traits: 3,
} as const;

/** How many numbers each tool has. */
export const NUMBERS_EACH = Object.keys(NUMBERS).length;

/** The segment of a position, and the place in it. */
export function segmentOf(position: number): { segment: number; at: number } {
  return { segment: Math.floor(position / SEGMENT), at: position % SEGMENT };
}

/** Inverse of {@link segmentOf}. */
export function positionOf(segment: number, at: number): number {
  return segment * SEGMENT + at;
}

/** The place of an entry's tool in its segment. */
export function placeIn(entry: number): number {
  return entry & (SEGMENT - 1);
}

/** How many tools have a word. */
export function havingOf(postings: readonly Posting[]): number {
  return postings.reduce((sum, { entries }) => sum + entries.length, 0);
}

/**
 * How much a word says that this many of the tools have (inverse document frequency, as in BM25). The sums kept for a
 * tool use the rarities at the time the tool was added.
 */
export function rarityOf({ tools, having }: { tools: number; having: number }): number {
  return Math.log(1 + (tools - having + 0.5) / (having + 0.5));
}

/** How many tools a segment has, and how many words they have together. */
export function countWords(numbers: Float32Array): { tools: number; words: number } {
  let tools = 0;
  let words = 0;
  for (let at = NUMBERS.wordCount; at < numbers.length; at += NUMBERS_EACH) {
    const count = numbers[at] as number;
    if (count > 0) tools += 1;
    words += Math.max(count - 1, 0);
  }
  return { tools, words };
}

/** Packs a tool's place and how often a word stands in its fields. */
export function entryOf(at: number, counts: PerField): number {
  let entry = at;
  for (const { field, shift } of FIELD_BITS) entry |= counts[field] << shift;
  // Bitwise operators give signed numbers; entries are unsigned.
  return entry >>> 0;
}

/** Where each field's count lies in an entry, above the tool's place. */
const FIELD_BITS = fieldBits();

function fieldBits() {
  let shift = Math.log2(SEGMENT);
  return (Object.keys(WORD_FIELDS) as WordField[]).map((field) => {
    const bits = { field, shift, ...WORD_FIELDS[field] };
    shift += Math.log2(bits.most + 1);
    return bits;
  });
}

/** The bits of the fields that tell what share of a name or a description a request covers. */
export const COVERED = { name: bitsOf("name"), description: bitsOf("description") };

function bitsOf(wanted: WordField): number {
  return FIELD_BITS.reduce(
    (bits, { field, shift, most }) => (field === wanted ? bits | (most << shift) : bits),
    0,
  );
}

const COVERED_FIELDS = Object.entries(COVERED) as [keyof typeof COVERED, number][];

/** Adds a word's rarity to the sums of the fields that it stands in. */
export function addRarity(options: { numbers: Float32Array; entry: number; rarity: number }): void {
  const { numbers, entry, rarity } = options;
  const from = placeIn(entry) * NUMBERS_EACH;
  for (const [field, bits] of COVERED_FIELDS) {
    if (entry & bits) (numbers[from + NUMBERS[field]] as number) += rarity;
  }
}

/** What an entry counts for: the counts in its fields, each times the field's weight. */
export function entryWeight(entry: number): number {
  let sum = 0;
  for (const { shift, most, weight } of FIELD_BITS) sum += weight * ((entry >>> shift) & most);
  return sum;
}
