import ts from "typescript";
import type { SourceProblem } from "../tool.js";
import { hasComment } from "./docs.js";
import { type Member, type Report, membersOf } from "./members.js";
import { isGenerator, isToolShaped, mayHoldTools } from "./exportShapes.js";
import { pathText } from "../threads/exportPath.js";
import { problemAtNode } from "./problems.js";
import type { SourceProgram } from "./sourceProgram.js";

/** An exported function, or one in an exported object or class; it may be declared in another file. */
export interface ExportedFunction {
  /** The path to it in the entry file's exports; `default` for a default export. */
  exportName: string;
  /** Its name in the source; undefined for an unnamed default export. */
  name: string | undefined;
  /** Where to look for its doc comments; several for overloads. */
  declarations: readonly [ts.Node, ...ts.Node[]];
  signatures: readonly [ts.Signature, ...ts.Signature[]];
}

/** An exported value in which the source shows no function to make a tool of; `problem` says why. */
export interface OtherExport extends SourceProblem {
  /** Whether it may be or contain tools of a kit, which exist only once the file has run. */
  kit?: "likely" | "possible";
}

/** What a file exports, apart from types and plain data. */
export interface Exports {
  /** In the order of the source. */
  functions: ExportedFunction[];
  others: OtherExport[];
}

/**
 * Finds the functions that the entry exports, its own or those of other files: alone, as members of objects, namespaces
 * and arrays, and as methods of classes. A function exported in several ways is found once: under its own name, else as
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
    functions: inSourceOrder(found.functions, files),
    others: found.others,
  };
}

/** The values that the entry exports, ordered so that the first name found for a function is the one to use. */
function exportedValues({ checker, entry }: Pick<SourceProgram, "checker" | "entry">): Member[] {
  const module = checker.getSymbolAtLocation(entry);
  if (module === undefined) return [];
  const exported = [...checker.getExportsOfModule(module), ...assignedExports(module, checker)]
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
function assignedExports(module: ts.Symbol, checker: ts.TypeChecker): ts.Symbol[] {
  const assigned = module.exports?.get(ts.InternalSymbolName.ExportEquals);
  if (assigned === undefined) return [];
  return checker.getPropertiesOfType(checker.getTypeOfSymbol(assigned));
}

/** Functions first, then values that contain some, then the default export. */
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
  const report: Report = (problem, kit) => {
    const node = place.symbol.declarations?.[0] ?? source.entry;
    others.push({ ...problemAtNode({ node, exportName: steps[0] ?? "", problem }), kit });
  };
  const shown = place.name ?? "default";
  if (isToolShaped(type, source.checker)) {
    report(`"${shown}" looks like a tool, but of no supported kit; ${ADVICE}`, "likely");
    return { functions: [], others };
  }
  const members = type.getCallSignatures().length > 0 ? [place] : membersOf(place, source, report);
  const functions = members.flatMap((member) => {
    if (!isGenerator(member.type)) return exportedFunction(member) ?? [];
    const name = member.name ?? "default";
    report(
      `function "${name}" is a generator, which yields its results one by one; return them all at once`,
    );
    return [];
  });
  if (mayHoldTools(place, source))
    report(
      `"${shown}" contains what looks like tools, but of no supported kit; ${ADVICE}`,
      "likely",
    );
  else if (members.length === 0 && others.length === 0)
    reportEmpty({ place, shown, source, report });
  return { functions, others };
}

const ADVICE = "export functions with a TSDoc comment, or tools of LangChain, the AI SDK or Mastra";

const UNREADABLE = ts.TypeFlags.Any | ts.TypeFlags.Unknown;

/** Plain data is not reported: nobody takes it for tools. */
function reportEmpty({
  place: { type },
  shown,
  source: { checker },
  report,
}: {
  place: Member;
  shown: string;
  source: SourceProgram;
  report: Report;
}): void {
  if (type.flags & UNREADABLE) {
    report(
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
  report(
    `"${shown}" is ${kind}, whose functions are those of a package; export functions of yours that use it`,
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

/** Where its code is, however it is exported. */
function declarationOf({ signatures: [first], declarations }: ExportedFunction): ts.Node {
  return first.declaration ?? declarations[0];
}

/** The checker lists declared functions before constants, and re-exports after both. */
function inSourceOrder(
  functions: readonly ExportedFunction[],
  files: readonly string[],
): ExportedFunction[] {
  const fileOf = (node: ts.Node): number => files.indexOf(node.getSourceFile().fileName);
  return functions.toSorted(
    ({ declarations: [left] }, { declarations: [right] }) =>
      fileOf(left) - fileOf(right) || left.pos - right.pos,
  );
}

/** The comment is above the export, else above the function that the export names. */
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
