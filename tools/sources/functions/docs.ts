import ts from "typescript";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";

/** A block tag of a doc comment, such as `@cost 3`. */
export interface DocTag {
  name: string;
  text: string;
  node: ts.Node;
}

/** What the doc comment above a function says. */
export interface FunctionDocs {
  /** The text before the tags; empty if there is none. */
  description: string;
  /** From `@param`: the name or dotted path as written (`size`, `options.size`) to its text. */
  parameters: Map<string, string>;
  /** Root names of the `@param` tags, in order; destructured parameters are named by them. */
  parameterNames: string[];
  returns: string;
  /** All other tags, in the order of the source. */
  tags: DocTag[];
}

/**
 * Reads the doc comments of a function's declarations. The first description and the first text of each parameter win;
 * all tags are kept.
 */
export function readDocs(declarations: readonly ts.Node[]): FunctionDocs {
  const comments = declarations.flatMap((declaration) => ownComment(declaration) ?? []);
  const parameters = new Map<string, string>();
  const tags: DocTag[] = [];
  const returns: string[] = [];
  for (const tag of comments.flatMap((comment) => [...(comment.tags ?? [])])) {
    const text = plainText(tag.comment);
    if (ts.isJSDocParameterTag(tag)) addParameter(tag, parameters);
    else if (ts.isJSDocReturnTag(tag)) returns.push(withoutDash(text));
    else tags.push({ name: tag.tagName.text, text, node: tag });
  }
  const roots = [...parameters.keys()].map((path) => path.split(".")[0] ?? path);
  return {
    description: comments.map((comment) => unwrap(plainText(comment.comment))).find(Boolean) ?? "",
    parameters,
    parameterNames: [...new Set(roots)],
    returns: returns.find(Boolean) ?? "",
    tags,
  };
}

/** The comment above a property. */
export function symbolText(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const comments = (symbol.declarations ?? []).map((declaration) => {
    const comment = ts.isJSDocPropertyLikeTag(declaration) ? declaration : ownComment(declaration);
    return withoutDash(plainText(comment?.comment));
  });
  // Only the checker knows the comment of an inherited property.
  const inherited = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  return comments.find(Boolean) ?? unwrap(inherited);
}

/** Puts a description before the schema's own, which may name the members of an enum. */
export function withText(schema: JsonSchema, text: string): JsonSchema {
  if (text === "") return schema;
  const own = typeof schema.description === "string" ? ` (${schema.description})` : "";
  return { ...schema, description: `${text}${own}` };
}

const FILE_COMMENT_TAGS = new Set(["packageDocumentation", "module", "fileoverview", "license"]);

/** The doc comment directly above; a file comment does not count. */
export function ownComment(declaration: ts.Node): ts.JSDoc | undefined {
  const comment = ts.getJSDocCommentsAndTags(declaration).findLast(ts.isJSDoc);
  const isOfFile = comment?.tags?.some((tag) => FILE_COMMENT_TAGS.has(tag.tagName.text));
  return isOfFile ? undefined : comment;
}

function addParameter(tag: ts.JSDocParameterTag, parameters: Map<string, string>): void {
  const add = (path: string, comment: ts.JSDocTag["comment"]): void => {
    const text = withoutDash(plainText(comment));
    if (!parameters.get(path)) parameters.set(path, text);
  };
  add(tag.name.getText(), tag.comment);
  // In JavaScript the tags `@param options.name` are nested in that of `@param {object} options`.
  const nested = tag.typeExpression?.type;
  if (nested === undefined || !ts.isJSDocTypeLiteral(nested)) return;
  for (const property of nested.jsDocPropertyTags ?? [])
    add(property.name.getText(), property.comment);
}

/** The text of a comment with `{@link Target | label}` replaced by its label or target. */
function plainText(comment: ts.JSDocTag["comment"]): string {
  if (comment === undefined) return "";
  if (typeof comment === "string") return comment.trim();
  return comment.map(partText).join("").trim();
}

function partText(part: ts.JSDocComment): string {
  if (part.kind === ts.SyntaxKind.JSDocText) return part.text;
  const link = part as ts.JSDocLink;
  // The parser ends the target at the first character that names cannot have: after `https` in a URL.
  const [target = "", label = ""] = `${link.name?.getText() ?? ""}${link.text}`.split("|");
  return (label || target).trim();
}

function withoutDash(text: string): string {
  return unwrap(text.replace(/^-\s*/, ""));
}

const LIST_OR_CODE = /^(?:\s|[-*+] |\d+[.)] |```|\|)/m;

/** Joins wrapped lines of paragraphs; lists and code stay. */
function unwrap(text: string): string {
  return text
    .trim()
    .split(/\n[ \t]*\n/)
    .map((paragraph) =>
      LIST_OR_CODE.test(paragraph) ? paragraph : paragraph.replaceAll("\n", " "),
    )
    .join("\n\n");
}
