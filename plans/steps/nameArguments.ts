import { wordsOf } from "../../common/nearNames.js";
import { type Others, otherFields } from "../../common/schemas/otherArguments.js";
import { only, sameNames, slipsOf } from "./meantNames.js";
import type { PlanValue } from "./plan.js";
import { fieldsOf, requiredOf, type Typed } from "./schemaTypes.js";

/** Arguments, or fields of one, under their declared names. */
export interface NamedArguments {
  args: Record<string, PlanValue>;
  repairs: string[];
  /** Unknown names: their values stay, for the model to fix. */
  unknown: string[];
}

/**
 * Renames unknown arguments to the only free parameter they can mean, by name and type. None is dropped,
 * because a search without its `owner` would find everybody's items; only null is, which models write for
 * omitted arguments.
 *
 * @param options.object the type whose fields the parameters are
 * @param options.others what happens to names that stay unknown; default: as the type says
 * @param options.of name of the tool: in `close_issue`, `id` is the same as `issue_id`
 * @param options.fits whether a value can be of a type
 */
export function nameArguments(options: {
  args: Record<string, PlanValue>;
  object: Typed;
  others?: Others;
  of?: string;
  fits: (value: PlanValue, wanted: Typed) => boolean;
}): NamedArguments {
  const { args, object, others = otherFields(object.schema), of = "", fits } = options;
  const types = fieldsOf(object) ?? new Map<string, Typed>();
  const free = new Map([...types].filter(([name]) => !Object.hasOwn(args, name)));
  const required = requiredOf(object);
  const repairs: string[] = [];
  const unknown: string[] = [];
  const entries = Object.entries(args).flatMap(([name, value]): [string, PlanValue][] => {
    if (types.has(name)) return [[name, value]];
    const fitting = [...free].filter(([, type]) => fits(value, type)).map(([one]) => one);
    const meant =
      others === "taken"
        ? only(sameNames(name, fitting))
        : meantParameter({ wanted: name, free: fitting, required, of });
    if (meant !== undefined) {
      free.delete(meant);
      repairs.push(`unknown argument ${name} was taken for ${meant}`);
      return [[meant, value]];
    }
    if (others !== "refused") return [[name, value]];
    if (value === null) repairs.push(`${name}: null was dropped`);
    else unknown.push(name);
    return value === null ? [] : [[name, value]];
  });
  return { args: Object.fromEntries(entries), repairs, unknown };
}

/** Of the ways to interpret a name, the surest that matches anything must match exactly one. */
function meantParameter(options: {
  wanted: string;
  free: string[];
  required: readonly string[];
  of: string;
}): string | undefined {
  const { wanted, free, required, of } = options;
  const ways = [
    sameNames(wanted, free),
    slipsOf(wanted, free),
    free.filter((name) => isInWords({ wanted, name, of, isRequired: required.includes(name) })),
  ];
  return only(ways.find((names) => names.length > 0) ?? []);
}

/**
 * Whether all words of one name are in the other and the rest add nothing: `owner` and `owned_by`. An extra
 * word may change the meaning (`exclude_owner`, `max_price`), except for a required parameter.
 */
function isInWords(options: {
  wanted: string;
  name: string;
  of: string;
  isRequired: boolean;
}): boolean {
  const [wanted, name, of] = [options.wanted, options.name, options.of].map(stemsOf);
  if (!wanted || !name || !of || wanted.length === 0) return false;
  const more = name.filter((word) => !wanted.includes(word));
  const less = wanted.filter((word) => !name.includes(word));
  const addsNothing = (words: string[]) =>
    words.every((word) => NEUTRAL.has(word) || of.includes(word));
  if (less.length === 0) return options.isRequired || addsNothing(more);
  return more.length === 0 && name.length > 0 && addsNothing(less);
}

/** Words in parameter names without meaning of their own. */
const NEUTRAL = new Set(["by", "of", "to", "the", "id", "name"].map(stemOf));

function stemsOf(name: string): string[] {
  return wordsOf(name).map(stemOf);
}

/** `owner`, `owned` and `owners` have the same stem, and so do `id` and `ids`. */
function stemOf(word: string): string {
  return word.replace(/(?<=..)(?<!s)s$/, "").replace(/(?<=...)(?:er|or|ee|ed|ing|e)$/, "");
}
