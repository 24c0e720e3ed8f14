import { FLOW_FORM, readFlow } from "../flow/labels.js";

/** A setting that a tool states about itself. */
export interface StatedSetting {
  /** What a value must be, in words. */
  form: string;
  fits: (value: unknown) => boolean;
}

/** Settings that declarations and tools of kits have in common. */
export const COMMON_SETTINGS = {
  effects: {
    form: '"read" or "write"',
    fits: (value) => value === "read" || value === "write",
  },
  cost: {
    form: "a number of budget units, 0 or more",
    fits: (value) => Number.isFinite(value) && Number(value) >= 0,
  },
  timeoutMs: {
    form: "a number of milliseconds above 0",
    fits: (value) => Number.isFinite(value) && Number(value) > 0,
  },
  flow: { form: FLOW_FORM, fits: (value) => readFlow(value) !== undefined },
} satisfies Record<string, StatedSetting>;

/**
 * The settings among some fields: those with a valid value, and a problem for each other one.
 *
 * @param options.shownAs names a field in a problem
 */
export function statedSettings<Key extends string>({
  settings,
  fields,
  shownAs,
}: {
  settings: Record<Key, StatedSetting>;
  fields: Record<string, unknown>;
  shownAs: (key: Key) => string;
}): { values: Partial<Record<Key, unknown>>; problems: string[] } {
  const values: Partial<Record<Key, unknown>> = {};
  const problems: string[] = [];
  for (const key of Object.keys(settings) as Key[]) {
    const { form, fits } = settings[key];
    const value = fields[key];
    if (value === undefined) continue;
    if (fits(value)) values[key] = value;
    else problems.push(`has ${shownAs(key)} ${JSON.stringify(value)}; it must be ${form}`);
  }
  return { values, problems };
}
