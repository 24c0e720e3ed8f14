import ts from "typescript";
import type { SourceProblem } from "../tool.js";
import { hasComment } from "./docs.js";
import { type Member, type Tell, membersOf } from "./members.js";
import { isGenerator, isToolShaped, mayHoldTools } from "./exportShapes.js";
import { pathText } from "../threads/exportPath.js";
import { problemAtNode } from "./problems.js";
import type { SourceProgram } from "./sourceProgram.js";

/** An exported function of a file, or one in an exported object or class; it may be declared elsewhere. */
export interface ExportedFunction {
  /** The way to it in the entry file's exports; `default` for a default export. */
  exportName: string;
  /** Its name in the source; undefined for an unnamed default export. */
  name: string | undefined;
  /** Where to look for its doc comments; several for overloads. */
  declarations: readonly [ts.Node, ...ts.Node[]];
  signatures: readonly [ts.Signature, ...ts.Signature[]];
}

/** An exported value in which the source shows no function that can be a tool; `problem` says why. */
export interface OtherExport extends SourceProblem {
  /** Whether it may be or hold tools of a kit, which only exist when the file has run. */
  kit?: "likely" | "possible";
}

/** What a file exports, without types and plain data. */
export interface Exports {
  /** In the order of the source. */
  functions: ExportedFunction[];
  others: OtherExport[];
}

/**
 * Finds the functions that the entry exports, itself or from other files: alone, as members of objects, namespaces and
 * arrays, and as methods of classes. A function that is exported several ways is found once: by its own name, else as
 * a member, else as the default.
 */
export function readExports(source: SourceProgram): Exports {
  const { checker, entry, files } = source;
  const found: Exports = { functions: [], others: [] };
  const seen = new Set<ts.Node>();
  for (const place of exportedValues({ checker, entry })) {
    const { functions, others } = readPlace(place, source);
    const fresh = functions.filter((each) => !seen.has(declarationOf(each)));
    for (const each of fresh) seen.add(declarationOf(each));
    found.functions.push(...fresh);
    found.others.push(...others);
  }
  return {
    functions: found.functions.toSorted((left, right) => inSourceOrder({ left, right, files })),
    others: found.others,
  };
}

/** What the entry exports beside types, in the order in which a function's first name is the one that counts. */
function exportedValues({ checker, entry }: Pick<SourceProgram, "checker" | "entry">): Member[] {
  const module = checker.getSymbolAtLocation(entry);
  if (module === undefined) return [];
  const exported = [...checker.getExportsOfModule(module), ...assignedExports({ module, checker })]
    .map((symbol) => ({
      symbol,
      target: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    }))
    .filter(({ symbol, target }) => target.flags & VALUE || symbol.name === "default");
  const named = new Set(
    exported.filter(({ symbol }) => symbol.name !== "default").map(({ target }) => target),
  );
  const places = exported
    .filter(({ symbol, target }) => symbol.name !== "default" || !named.has(target))
    .map(({ symbol, target }): Member => {
      const isDefault = symbol.name === "default";
      const written = checker.getTypeOfSymbol(target);
      const type = checker.getAwaitedType(written) ?? written;
      return {
        steps: [symbol.name],
        name: isDefault ? declaredName(target) : symbol.name,
        symbol: target,
        type: type.flags & UNREADABLE ? type : checker.getNonNullableType(type),
      };
    });
  return places.toSorted((left, right) => rank(left) - rank(right));
}

/** The properties of `module.exports = { … }`, which are the exports of a CommonJS module. */
function assignedExports({
  module,
  checker,
}: {
  module: ts.Symbol;
  checker: ts.TypeChecker;
}): ts.Symbol[] {
  const assigned = module.exports?.get(ts.InternalSymbolName.ExportEquals);
  if (assigned === undefined) return [];
  return checker.getPropertiesOfType(checker.getTypeOfSymbol(assigned));
}

/** Functions themselves, then what holds some, then the default export. */
function rank({ type, steps }: Member): number {
  if (steps[0] === "default") return 2;
  return type.getCallSignatures().length > 0 ? 0 : 1;
}

/** Types have no value, and the members of an enum are data. */
const VALUE = ts.SymbolFlags.Value & ~ts.SymbolFlags.Enum & ~ts.SymbolFlags.EnumMember;

/** The functions of an export, or why it has none. */
function readPlace(place: Member, source: SourceProgram): Exports {
  const { type, steps } = place;
  const others: OtherExport[] = [];
  const tell: Tell = (problem, kit) => {
    const node = place.symbol.declarations?.[0] ?? source.entry;
    others.push({ ...problemAtNode({ node, exportName: steps[0] ?? "", problem }), kit });
  };
  const shown = place.name ?? "default";
  if (isToolShaped(type, source.checker)) {
    tell(
      `"${shown}" has the form of a tool and is none of a kit that is known; ${ADVICE}`,
      "likely",
    );
    return { functions: [], others };
  }
  const members = type.getCallSignatures().length > 0 ? [place] : membersOf(place, source, tell);
  const functions = members.flatMap((member) => {
    if (!isGenerator(member.type)) return exportedFunction(member) ?? [];
    const name = member.name ?? "default";
    tell(
      `function "${name}" is a generator, which gives its results bit by bit; give them at once`,
    );
    return [];
  });
  if (mayHoldTools(place, source))
    tell(`"${shown}" holds what looks like tools and is none; ${ADVICE}`, "likely");
  else if (members.length === 0 && others.length === 0) tellEmpty({ place, shown, source, tell });
  return { functions, others };
}

const ADVICE = "export functions with a TSDoc comment, or tools of LangChain, the AI SDK or Mastra";

const UNREADABLE = ts.TypeFlags.Any | ts.TypeFlags.Unknown;

/** Data are not told: nobody takes them for tools. */
function tellEmpty({
  place: { type },
  shown,
  source: { checker },
  tell,
}: {
  place: Member;
  shown: string;
  source: SourceProgram;
  tell: Tell;
}): void {
  if (type.flags & UNREADABLE) {
    tell(
      `the type of "${shown}" is not known, so nothing in it can be read; ${ADVICE}`,
      "possible",
    );
    return;
  }
  const methods = checker
    .getPropertiesOfType(type)
    .filter((each) => checker.getTypeOfSymbol(each).getCallSignatures().length > 0);
  const isClass = type.getConstructSignatures().length > 0;
  const isData = checker.isArrayLikeType(type) || !(type.flags & ts.TypeFlags.Object);
  if (isClass || isData || methods.length === 0) return;
  const kind = checker.typeToString(type);
  tell(
    `"${shown}" is ${kind}, whose functions are those of a package; export your own that use it`,
  );
}

function exportedFunction(place: Member): ExportedFunction | undefined {
  const { type, symbol, steps, name } = place;
  const [first, ...others] = type.getCallSignatures();
  const [declaration, ...more] = documented(symbol, first);
  if (first === undefined || declaration === undefined) return undefined;
  return {
    exportName: pathText(steps),
    name,
    declarations: [declaration, ...more],
    signatures: [first, ...others],
  };
}

/** Where its code is, whichever way it is exported. */
function declarationOf({ signatures: [first], declarations }: ExportedFunction): ts.Node {
  return first.declaration ?? declarations[0];
}

/** The checker lists declared functions before constants, and re-exports after both. */
function inSourceOrder({
  left,
  right,
  files,
}: {
  left: ExportedFunction;
  right: ExportedFunction;
  files: readonly string[];
}): number {
  const [first] = left.declarations;
  const [second] = right.declarations;
  const fileOf = (node: ts.Node): number => files.indexOf(node.getSourceFile().fileName);
  return fileOf(first) - fileOf(second) || first.pos - second.pos;
}

/** The comment is above the export, or else above the function it names. */
function documented(target: ts.Symbol, signature: ts.Signature | undefined): ts.Node[] {
  const own = target.declarations ?? [];
  const behind: ts.Node | undefined = signature?.declaration;
  return own.some(hasComment) || behind === undefined ? own : [...own, behind];
}

function declaredName(target: ts.Symbol): string | undefined {
  if (target.name !== "default") return target.name;
  const names = (target.declarations ?? []).map((node) => ts.getNameOfDeclaration(node));
  return names.find((name) => name !== undefined && ts.isIdentifier(name))?.getText();
}
