/** Longest token sequences for BLEU. */
const LONGEST_GRAM = 4;

/** Splits a text into words (with digits) and single punctuation marks. */
export function tokensOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

/**
 * BLEU-4 of one text against one reference (Papineni et al. 2002), between 0 and 1. Precisions of two
 * tokens and more are smoothed by adding one to both counts (Lin and Och, "ORANGE", 2004; `add-k` with
 * k = 1 in sacreBLEU), so that a short text that is right scores 1. 0 without a token in common.
 */
export function bleu4(predicted: readonly string[], reference: readonly string[]): number {
  if (predicted.length === 0) return 0;
  const precisions = Array.from({ length: LONGEST_GRAM }, (_, index) =>
    gramPrecision(predicted, reference, index + 1),
  );
  const logarithm =
    precisions.reduce((sum, precision) => sum + Math.log(precision), 0) / LONGEST_GRAM;
  const brevity = Math.min(0, 1 - reference.length / predicted.length);
  return Math.exp(logarithm + brevity);
}

/**
 * ROUGE-L of one text against one reference (Lin 2004), between 0 and 1: the harmonic mean of the
 * longest common subsequence as a share of the one and of the other.
 */
export function rougeL(predicted: readonly string[], reference: readonly string[]): number {
  const tokens = predicted.length + reference.length;
  return tokens === 0 ? 0 : (2 * longestCommonSubsequence(predicted, reference)) / tokens;
}

/** Share of the text's token sequences of that size that are in the reference, with multiplicity. */
function gramPrecision(
  predicted: readonly string[],
  reference: readonly string[],
  size: number,
): number {
  const known = gramCounts(reference, size);
  const common = [...gramCounts(predicted, size)].reduce(
    (sum, [gram, count]) => sum + Math.min(count, known.get(gram) ?? 0),
    0,
  );
  const all = Math.max(0, predicted.length - size + 1);
  return size === 1 ? common / all : (common + 1) / (all + 1);
}

function gramCounts(tokens: readonly string[], size: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (let start = 0; start + size <= tokens.length; start += 1) {
    // Tokens contain no blanks.
    const gram = tokens.slice(start, start + size).join(" ");
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return counts;
}

/** Length of the longest common subsequence, which need not be contiguous. */
function longestCommonSubsequence(a: readonly string[], b: readonly string[]): number {
  let lengths = Array.from({ length: b.length + 1 }, () => 0);
  for (const token of a) {
    const next = [0];
    for (let at = 0; at < b.length; at += 1) {
      const longer = Math.max(lengths[at + 1] ?? 0, next[at] ?? 0);
      next.push(token === b[at] ? (lengths[at] ?? 0) + 1 : longer);
    }
    lengths = next;
  }
  return lengths.at(-1) ?? 0;
}
