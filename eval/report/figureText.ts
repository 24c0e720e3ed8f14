import type { Scorer } from "../scorers/scorer.js";

type Unit = Scorer["unit"];

const FORMATS: Record<Unit, (value: number) => string> = {
  share: (value) => value.toFixed(2),
  usd: (value) => `$${formatDollars(value)}`,
  tokens: (value) => formatCount(value),
  count: (value) => formatCount(value, 2),
  ms: formatDuration,
};

/** Shown for a figure that is unknown or does not apply. */
export const NO_FIGURE = "–";

/** A figure as tables show it: shares with two decimals, dollars with three digits. */
export function formatFigure(value: number, unit: Unit): string {
  if (!Number.isFinite(value)) return NO_FIGURE;
  return FORMATS[unit](value);
}

/** A figure next to another one, such as a deviation next to its mean, with the same number of decimals. */
export function formatBeside(value: number, unit: Unit, other: number): string {
  return unit === "usd" ? `$${formatDollars(value, other)}` : formatFigure(value, unit);
}

/** A difference with its sign, unless it is shown as 0 or is unknown; the minus sign is as wide as the plus sign. */
export function formatDifference(value: number, unit: Unit): string {
  const figure = formatFigure(Math.abs(value), unit);
  if (!Number.isFinite(value) || figure === formatFigure(0, unit)) return figure;
  return `${value < 0 ? "−" : "+"}${figure}`;
}

/** A p-value with three decimals, never rounded to 0. */
export function formatP(p: number): string {
  if (p < 0.001) return "<0.001";
  return p >= 0.9995 ? "1" : p.toFixed(3);
}

/** A number with separators; `decimals` are shown only if it is small and not whole. */
export function formatCount(value: number, decimals = 0): string {
  const digits = Math.abs(value) < 100 && !Number.isInteger(value) ? decimals : 0;
  return value.toLocaleString("en-GB", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** @param sized the amount whose size determines the number of decimals */
function formatDollars(value: number, sized = value): string {
  if (value === 0 && sized === 0) return "0";
  if (Math.abs(sized) >= 100) return formatCount(value);
  // Without an exponent, which toPrecision uses below 1e-6.
  const decimals = sized === 0 ? 2 : Math.max(2, 2 - Math.floor(Math.log10(Math.abs(sized))));
  return value.toFixed(Math.min(decimals, 12));
}

function formatDuration(ms: number): string {
  if (Math.abs(ms) < 1000) return `${Math.round(ms)} ms`;
  if (Math.abs(ms) < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${(ms / 60_000).toFixed(1)} min`;
}
