import { z } from "zod";

/** A change that a run made, tried to make or left. */
const deedSchema = z.object({
  /** Id of its call in the journal, "parent/1" for a call within a call; absent if it was never called. */
  id: z.string().optional(),
  /** Where the program of the run makes the call; absent for calls outside a program. */
  place: z.string().optional(),
  tool: z.string(),
  /** Long values are cut; the journal has them whole. */
  args: z.record(z.string(), z.unknown()),
  /** One sentence about it, without a full stop. */
  says: z.string(),
  /** What the result itself says was not, not yet or only partly done: "status partial". */
  but: z.string().optional(),
});
export type Deed = z.infer<typeof deedSchema>;

/** What a look-up gave. */
const readingSchema = z.object({
  id: z.string(),
  tool: z.string(),
  /** Call and result in brief. */
  says: z.string(),
  /** Why it is incomplete: "3 of 240". */
  but: z.string().optional(),
});
export type Reading = z.infer<typeof readingSchema>;

/**
 * The receipt of a run: what happened, from the journal of its calls alone. No model has written any of it. `made` was
 * done, if with a reservation (`but`) · `failed` was tried · `refused` was not let through by a check, a rule or the
 * budget · `notMade` was taken out or rejected by a person, or was left when a program was abandoned · `unknown` may or
 * may not have happened.
 */
export const deedsSchema = z.object({
  made: z.array(deedSchema),
  failed: z.array(deedSchema),
  refused: z.array(deedSchema),
  notMade: z.array(deedSchema),
  unknown: z.array(deedSchema),
  read: z.object({
    /** Look-ups that succeeded. */
    calls: z.number().int(),
    failed: z.number().int(),
    /** The last few of them. */
    found: z.array(readingSchema),
  }),
  /** Whether tools that change something were at hand. */
  couldWrite: z.boolean(),
});
export type Deeds = z.infer<typeof deedsSchema>;

/** A part of the receipt, for a person. */
export interface ReceiptLine {
  kind: "made" | "failed" | "refused" | "notMade" | "unknown" | "nothing" | "read";
  label: string;
  /** One or more sentences. */
  says: string[];
}

const LABELS = {
  made: "Changed",
  failed: "Failed",
  refused: "Refused",
  notMade: "Not made",
  unknown: "Not known whether made",
} as const;

/** Sentences shown of each part of a receipt. */
const MOST_SHOWN = 20;

/** The receipt as a person reads it: empty if nothing was called and nothing could have been changed. */
export function receiptLines(deeds: Deeds): ReceiptLine[] {
  const { couldWrite, read } = deeds;
  const kinds = Object.keys(LABELS) as (keyof typeof LABELS)[];
  const parts = kinds.flatMap((kind): ReceiptLine[] => {
    const told = deeds[kind];
    const rest = told.length - MOST_SHOWN;
    const shown = told.slice(0, MOST_SHOWN).map(({ says }) => says);
    const says = rest > 0 ? [...shown, `${rest} more`] : shown;
    return told.length > 0 ? [{ kind, label: LABELS[kind], says }] : [];
  });
  const isUnchanged = deeds.made.length === 0 && (couldWrite || parts.length > 0);
  const whole =
    deeds.unknown.length > 0
      ? "Nothing else was changed for certain"
      : deeds.made.length > 0
        ? "Nothing else was changed"
        : "Nothing was changed";
  const changed = isUnchanged || deeds.made.length > 0;
  return [
    ...parts,
    ...(changed ? [{ kind: "nothing" as const, label: "", says: [whole] }] : []),
    ...readLine(read),
  ];
}

function readLine({ calls, failed, found }: Deeds["read"]): ReceiptLine[] {
  if (calls + failed === 0) return [];
  const rest = calls - found.length;
  const says = [
    ...found.map(({ says }) => says),
    ...(rest > 0 ? [`${rest} more`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ];
  return [{ kind: "read", label: "Read", says }];
}

export function receiptText(deeds: Deeds): string[] {
  return receiptLines(deeds).map(({ label, says }) =>
    label ? `${label}: ${says.map(withinLine).join(" · ")}.` : `${says.join(" · ")}.`,
  );
}

/** A sentence after a colon; names in capitals stay. */
function withinLine(text: string): string {
  return /^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
