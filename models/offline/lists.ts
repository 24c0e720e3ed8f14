import type { FillRequest, Progress } from "./fill.js";
import { type Pair, pairOf } from "./affinity.js";
import { type Parameter, parametersOf } from "./parameters.js";
import type { Mention } from "./quantities.js";
import { valueFor } from "./values.js";

/** A list takes one enumeration, or all the values there are; returns how well each one fitted. */
export function fillLists({ parameters, request, args, taken }: Progress): number[] {
  const fits: number[] = [];
  for (const parameter of parameters) {
    if (parameter.type !== "list" || args.has(parameter.name)) continue;
    const free = [...request.mentions, ...request.given].filter((mention) => !taken.has(mention));
    const whole = free.find(
      (mention) => valueFor({ parameter, mention, results: request.results }) !== undefined,
    );
    if (whole) {
      args.set(parameter.name, valueFor({ parameter, mention: whole, results: request.results }));
      taken.add(whole);
      continue;
    }
    const members = membersFor({ parameter, free, request });
    if (members.length === 0) continue;
    args.set(
      parameter.name,
      members.map(({ value }) => value),
    );
    for (const { mention } of members) taken.add(mention);
    fits.push(
      Math.min(
        1,
        Math.max(...members.map(({ score }) => score)) + (members.length > 1 ? 0.3 : -0.5),
      ),
    );
  }
  return fits;
}

function membersFor(options: {
  parameter: Parameter;
  free: Mention[];
  request: FillRequest;
}): Pair[] {
  const { parameter, free, request } = options;
  const item: Parameter = { ...parameter, type: parameter.itemType ?? "unknown" };
  const pairs = free
    .map((mention) => pairOf({ parameter: item, mention, results: request.results }))
    .filter((pair) => pair !== undefined);
  const alone =
    parametersOf(request.tool).filter(({ required }) => required).length === 1 &&
    pairs.every(({ mention }) => !request.given.includes(mention));
  if (alone) return pairs;
  const groups = [...new Set(pairs.map(({ mention }) => mention.group))].map((group) =>
    pairs.filter(({ mention }) => mention.group === group),
  );
  if (request.given.length === 0)
    return groups.toSorted((one, other) => total(other) - total(one))[0] ?? [];
  // Among facts only one enumeration is a list without doubt; of two, either may be meant.
  const lists = groups.filter(({ length }) => length > 1);
  return lists.length === 1 ? (lists[0] ?? []) : [];
}

function total(pairs: Pair[]): number {
  return pairs.reduce((sum, { score }) => sum + score + 0.3, 0);
}
