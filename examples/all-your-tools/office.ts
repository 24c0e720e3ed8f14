// Fifteen ordinary functions of a small office; nothing in them refers to tulipgraph.

const DAY_MS = 86_400_000;

/**
 * Count the days from one date to another; negative if the second comes first.
 *
 * @param from - A date, such as 2026-11-22.
 * @param to - A date, such as 2026-12-24.
 * @effects read
 */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/**
 * Give the date some days after a date.
 *
 * @param date - A date, such as 2026-11-22.
 * @param days - How many days later; negative for earlier.
 * @effects read
 */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}

/**
 * Tell whether a date is a Saturday or a Sunday.
 *
 * @param date - A date, such as 2026-11-22.
 * @effects read
 */
export function isWeekend(date: string): boolean {
  return [0, 6].includes(new Date(date).getUTCDay());
}

/**
 * Give the first day from a date on that is neither a Saturday nor a Sunday.
 *
 * @param date - A date, such as 2026-11-22.
 * @effects read
 */
export function nextWorkday(date: string): string {
  return isWeekend(date) ? nextWorkday(addDays(date, 1)) : date;
}

/**
 * Write an amount of money with two decimals and its currency.
 *
 * @param amount - The amount.
 * @param currency - Code of the currency, such as EUR.
 * @effects read
 */
export function formatMoney(amount: number, currency = "EUR"): string {
  return `${amount.toFixed(2)} ${currency}`;
}

/**
 * Add value-added tax to a net amount.
 *
 * @param net - The net amount.
 * @param percent - The rate of the tax in percent.
 * @effects read
 */
export function addTax(net: number, percent: number): number {
  return Math.round(net * (100 + percent)) / 100;
}

/**
 * Divide a bill evenly; the first payers carry the cents that are left over.
 *
 * @param total - The bill.
 * @param payers - How many people pay.
 * @effects read
 */
export function splitBill(total: number, payers: number): number[] {
  const cents = Math.round(total * 100);
  const share = Math.floor(cents / payers);
  return Array.from(
    { length: payers },
    (_, payer) => (share + (payer < cents % payers ? 1 : 0)) / 100,
  );
}

/**
 * Say by how many percent a value has changed.
 *
 * @param before - The earlier value, not 0.
 * @param after - The later value.
 * @effects read
 */
export function percentChange(before: number, after: number): number {
  return ((after - before) / before) * 100;
}

/**
 * Give the median of some numbers.
 *
 * @param values - One number or more.
 * @effects read
 */
export function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/**
 * Count the words of a text.
 *
 * @param text - Any text.
 * @effects read
 */
export function countWords(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}

/**
 * Turn a title into a file name of small letters, digits and hyphens.
 *
 * @param title - Any title.
 * @effects read
 */
export function slugify(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

/**
 * Give the initials of a name.
 *
 * @param name - Such as Ada Lovelace.
 * @effects read
 */
export function initials(name: string): string {
  return name
    .split(/\s+/)
    .map((part) => part.charAt(0).toUpperCase())
    .join("");
}

/**
 * Join names as a sentence does: "Ada, Grace and Mary".
 *
 * @param names - One name or more.
 * @effects read
 */
export function joinNames(names: string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/**
 * Write lines as a list with a hyphen before each.
 *
 * @param lines - The lines.
 * @effects read
 */
export function bulletList(lines: string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

/**
 * Give the quarter of a date, such as 2026-Q4.
 *
 * @param date - A date, such as 2026-11-22.
 * @effects read
 */
export function quarterOf(date: string): string {
  const day = new Date(date);
  return `${day.getUTCFullYear()}-Q${Math.floor(day.getUTCMonth() / 3) + 1}`;
}
