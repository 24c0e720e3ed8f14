import { clipped } from "../../common/text.js";
import { type Gap, gapOf, startsPage } from "../../plans/grounding/incompleteness.js";
import { valueText } from "../../plans/grounding/valueText.js";
import { isPlainObject } from "../../plans/steps/references.js";
import type { Deeds, Reading } from "../../state/deeds.js";
import type { Call, GraphState } from "../../state/state.js";
import { canonicalJson } from "../../tools/library/records/hash.js";
import { wholeResult } from "../kit/stage.js";
import { callInWords } from "./callTexts.js";

/** Look-ups that the receipt tells in brief. */
const MOST_FOUND = 3;

const LONGEST_ASKED = 80;
const LONGEST_FOUND = 240;

/** What the look-ups of a run gave, for its receipt. */
export function readIn(reads: readonly Call[], state: GraphState): Deeds["read"] {
  const done = reads.filter(({ error }) => error === undefined);
  const gaps = gapsIn(done);
  return {
    calls: done.length,
    failed: reads.length - done.length,
    found: done.slice(-MOST_FOUND).map((call): Reading => {
      const { id, tool } = call;
      const but = gaps.get(call)?.text;
      const about = relevant(wholeResult(call), `${state.answer} ${state.run.request}`);
      const says = `${callInWords(call, LONGEST_ASKED)}: ${clipped(valueText(about).replaceAll(/\s+/g, " "), LONGEST_FOUND)}`;
      return { id, tool, says: but ? `${says}; incomplete: ${but}` : says, ...(but && { but }) };
    }),
  };
}

/** Of the objects of a list, those that are spoken of, if any are. */
function relevant(result: unknown, said: string): unknown {
  if (!Array.isArray(result)) return result;
  const spoken = result.filter(
    (item) => isPlainObject(item) && Object.values(item).some((leaf) => isNamed(leaf, said)),
  );
  return spoken.length > 0 ? spoken : result;
}

function isNamed(leaf: unknown, said: string): boolean {
  return typeof leaf === "string" && leaf.length > 1 && said.includes(leaf);
}

/**
 * What the look-ups of a run lack. Pages that were read one after the other fill each other's gaps: what counts is the
 * last of them, or how many things all of them gave.
 */
export function gapsIn(reads: readonly Call[]): Map<Call, Gap> {
  const found = reads.map((call) => ({ call, gap: gapOf(wholeResult(call)) }));
  const lacking = found.flatMap(({ call, gap }, at): [Call, Gap][] => {
    if (!gap) return [];
    const isSame = (other: { call: Call }) => listingOf(other.call) === listingOf(call);
    const others = found.filter(isSame);
    const isLast = !found.slice(at + 1).some(isSame);
    const given = others.reduce((sum, other) => sum + (other.gap?.given ?? 0), 0);
    const isFilled = gap.total !== undefined && others.length > 1 && given >= gap.total;
    return isLast && !isFilled ? [[call, gap]] : [];
  });
  return new Map(lacking);
}

/** What is listed: all but the arguments that say where a page starts. */
function listingOf({ tool, args }: Call): string {
  const asked = Object.entries(args).filter(([name]) => !startsPage(name));
  return canonicalJson([tool, Object.fromEntries(asked)]);
}
