import type {
  Expression,
  Pattern,
  Program,
  Spread,
  Statement,
} from "../../../plans/language/program.js";

/** A program in one line, brackets around everything: what was understood, without the code's own form. */
export function printed({ body }: Pick<Program, "body">): string {
  return body.map(statement).join(" ");
}

function block(body: Statement[]): string {
  return body.length === 0 ? "{}" : `{ ${body.map(statement).join(" ")} }`;
}

function statement(one: Statement): string {
  switch (one.kind) {
    case "declare":
      return `let ${pattern(one.pattern)} = ${expression(one.value)};`;
    case "assign":
      return `${one.name} = ${expression(one.value)};`;
    case "do":
      return `${expression(one.value)};`;
    case "if":
      return `if ${expression(one.test)} ${block(one.then)} else ${block(one.otherwise)}`;
    case "each":
      return `each ${pattern(one.pattern)} of ${expression(one.list)} ${block(one.body)}`;
    case "try":
      return `try ${block(one.body)} catch ${one.error ?? "-"} ${block(one.rescue)}`;
    case "block":
      return block(one.body);
    case "return":
      return one.value ? `return ${expression(one.value)};` : "return;";
    case "throw":
      return `throw ${expression(one.reason)};`;
    default:
      return `${one.kind};`;
  }
}

function pattern(one: Pattern): string {
  if (one.kind === "name") return one.name;
  const rest = one.rest === undefined ? [] : [`...${one.rest}`];
  if (one.kind === "items") return `[${[...one.items.map(part), ...rest].join(", ")}]`;
  return `{${[...one.fields.map((field) => `${field.key}: ${part(field)}`), ...rest].join(", ")}}`;
}

function part(one: { pattern: Pattern; otherwise: Expression | undefined } | undefined): string {
  if (!one) return "";
  return one.otherwise
    ? `${pattern(one.pattern)} = ${expression(one.otherwise)}`
    : pattern(one.pattern);
}

function list(items: (Expression | Spread)[]): string {
  return items.map(item).join(", ");
}

function item(one: Expression | Spread): string {
  return "spread" in one ? `...${expression(one.spread)}` : expression(one);
}

function expression(one: Expression): string {
  switch (one.kind) {
    case "literal":
      return typeof one.value === "number"
        ? String(one.value)
        : (JSON.stringify(one.value) ?? "undefined");
    case "name":
      return one.name;
    case "template":
      return `\`${one.parts.map((text) => (typeof text === "string" ? text : `\${${expression(text)}}`)).join("")}\``;
    case "list":
      return `[${list(one.items)}]`;
    case "record":
      return `{${one.fields.map(field).join(", ")}}`;
    case "field":
      return `${expression(one.of)}${one.optional ? "?." : "."}${one.key}`;
    case "item":
      return `${expression(one.of)}${one.optional ? "?." : ""}[${expression(one.at)}]`;
    case "unary":
      return `(${one.operator} ${expression(one.value)})`;
    case "binary":
    case "logic":
      return `(${expression(one.left)} ${one.operator} ${expression(one.right)})`;
    case "choose":
      return `(${expression(one.test)} ? ${expression(one.then)} : ${expression(one.otherwise)})`;
    case "function":
      return `(${one.parameters.map(pattern).join(", ")}) => ${Array.isArray(one.body) ? block(one.body) : expression(one.body)}`;
    case "method":
      return `${expression(one.of)}${one.optional ? "?." : "."}${one.name}(${list(one.args)})`;
    case "helper":
      return `${one.name}<${list(one.args)}>`;
    case "date":
      return `date<${one.value ? expression(one.value) : ""}>`;
    case "tool":
      return `#${one.site} ${one.name}(${one.args ? expression(one.args) : ""})`;
    case "all":
      return `all ${expression(one.value)}`;
    case "need":
      return `#${one.site} need(${expression(one.phrase)})`;
    default:
      return `#${one.site} look(${expression(one.value)}, ${expression(one.question)})`;
  }
}

function field(one: { key: string | Expression; value: Expression } | Spread): string {
  if ("spread" in one) return item(one);
  const key = typeof one.key === "string" ? one.key : `[${expression(one.key)}]`;
  return `${key}: ${expression(one.value)}`;
}
