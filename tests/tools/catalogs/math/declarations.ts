import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const CATALOG = fileURLToPath(new URL("../../../../tools/catalogs/math/", import.meta.url));

/** What the source text says of one tool function. */
export interface Declaration {
  exportName: string;
  description: string;
  parameters: { name: string; type: string; optional: boolean; text: string }[];
  returnType: string;
  /** Text of each tag by the tag's name, `@param` left out. */
  tags: Record<string, string>;
}

/** Reads every exported function that has a `@name`, straight from the syntax tree. */
export function readDeclarations(): Declaration[] {
  return readdirSync(CATALOG).flatMap((file) => {
    const text = readFileSync(join(CATALOG, file), "utf8");
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
    return source.statements
      .filter(ts.isFunctionDeclaration)
      .map((node) => declarationOf(node, source))
      .filter((declaration) => "name" in declaration.tags);
  });
}

function declarationOf(node: ts.FunctionDeclaration, source: ts.SourceFile): Declaration {
  const tags: Record<string, string> = {};
  for (const tag of ts.getJSDocTags(node)) {
    if (!ts.isJSDocParameterTag(tag)) tags[tag.tagName.text] = textOf(tag.comment);
  }
  return {
    exportName: node.name?.text ?? "",
    description: ts
      .getJSDocCommentsAndTags(node)
      .filter(ts.isJSDoc)
      .map((comment) => textOf(comment.comment))
      .join(" "),
    parameters: node.parameters.map((parameter) => ({
      name: parameter.name.getText(source),
      type: parameter.type?.getText(source) ?? "",
      optional: parameter.initializer !== undefined || parameter.questionToken !== undefined,
      text: textOf(ts.getJSDocParameterTags(parameter)[0]?.comment),
    })),
    returnType: node.type?.getText(source) ?? "",
    tags,
  };
}

function textOf(comment: ts.JSDocTag["comment"]): string {
  return ts.getTextOfJSDocComment(comment) ?? "";
}
