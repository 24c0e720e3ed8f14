import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { z } from "zod";
import { valuesText } from "../cli/options.js";
import type { JsonSchema } from "../common/schemas/jsonSchema.js";
import { settingsSchema } from "../state/settings.js";
import { acts, commandTree, examplesOf } from "./commandTree.js";
import { markdownTable } from "./markdownTable.js";
import { SOURCE_FOLDERS } from "./setup/build.mjs";

/** A page of one table has no use for an outline beside it. */
const WIDE = "---\naside: false\n---";

/** The pages of the reference that are made from the code, by file name. */
export async function referencePages(): Promise<Record<string, string>> {
  return {
    "commands.md": await commandsPage(),
    "settings.md": settingsPage(),
    "errors.md": errorsPage(),
  };
}

async function commandsPage(): Promise<string> {
  const { program, commands } = await commandTree();
  const sections = commands.flatMap((command) => commandSections(command, "tulipgraph"));
  const every = optionRows(program).filter(([flags]) => !flags?.includes("--version"));
  return [
    "# Commands",
    "From a checkout or a project that has installed the package, write `npx tulipgraph …`. Each command has a `--help`. [Settings](settings.md) lists what `--set` takes.",
    "These options hold for every command:",
    markdownTable(["option", "what it does"], every),
    ...sections,
    "",
  ].join("\n\n");
}

/** A command and its subcommands. */
function commandSections(command: Command, before: string): string[] {
  const words = `${before} ${command.name()}`;
  const children = command.commands.flatMap((child) => commandSections(child, words));
  if (!acts(command)) return [`## \`${words}\``, sentence(command.description()), ...children];
  const depth = before === "tulipgraph" ? "##" : "###";
  const rows = [...argumentRows(command), ...optionRows(command)];
  const examples = examplesOf(command);
  return [
    `${depth} \`${words}\``,
    `${sentence(command.description())}.`,
    fenced("text", `${words} ${command.usage()}`),
    ...(rows.length > 0 ? [markdownTable(["argument or option", "what it does"], rows)] : []),
    ...(examples.length > 0 ? [fenced("sh", examples.join("\n"))] : []),
    ...children,
  ];
}

function argumentRows({ registeredArguments }: Command): string[][] {
  return registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? "…" : ""}`;
    return [
      `\`${argument.required ? name : `[${name}]`}\``,
      explained(argument.description, argument.argChoices, argument.defaultValue),
    ];
  });
}

function optionRows({ options }: Command): string[][] {
  const shown = options.filter(({ hidden }) => !hidden);
  return shown.map(({ flags, description, argChoices, defaultValue, negate }) => [
    `\`${flags}\``,
    explained(description, argChoices, negate ? undefined : defaultValue),
  ]);
}

/** What an argument or option means, with its values and its default. */
function explained(text: string, choices: readonly string[] = [], usual?: unknown): string {
  const listed = choices.map((choice) => `\`${choice}\``).join(", ");
  const said = [inCell(text), listed].filter(Boolean).join(": ");
  const value = defaultText(usual);
  return value ? `${said} (default ${value})` : said;
}

function defaultText(value: unknown): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return "";
  return `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}

function settingsPage(): string {
  const { properties = {} } = z.toJSONSchema(settingsSchema, { io: "input" });
  const rows = Object.entries(
    properties as Record<string, JsonSchema & { description?: string }>,
  ).map(([name, property]) => [
    `\`${name}\``,
    valuesText(property),
    defaultText(property["default"]),
    inCell(property.description ?? ""),
  ]);
  return [
    WIDE,
    "# Settings",
    "The settings of a run: `--set name=value` on the command line, `context` in code and over the API, the configuration of an assistant in Studio. A value without a default is left out unless you give it.",
    markdownTable(["setting", "values", "default", "what it does"], rows),
    "",
  ].join("\n\n");
}

/** A commented class, up to its code. */
const ERROR_CLASS =
  /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:export )?class \w+ extends TulipgraphError\b(?:(?!\bclass )[\s\S])*?readonly code = "([A-Z_]+)"/g;

function errorsPage(): string {
  const files = SOURCE_FOLDERS.flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: "utf8" }).map((file) => join(room, file)),
  );
  const code = files
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(file, "utf8"));
  const rows = code.flatMap((text) =>
    [...text.matchAll(ERROR_CLASS)].map(([, comment = "", name = ""]) => [
      `\`${name}\``,
      inCell(gist(comment)),
    ]),
  );
  return [
    WIDE,
    "# Errors by code",
    "Every error thrown on purpose is a `TulipgraphError`. Its message is one line for a person: what was wanted, what came, what is available and what to do. Its `code` is for programs and never changes.",
    markdownTable(
      ["code", "what has happened"],
      rows.toSorted(([a = ""], [b = ""]) => a.localeCompare(b)),
    ),
    "",
  ].join("\n\n");
}

/** A comment up to its first tag, as running text without links. */
function gist(comment: string): string {
  const [text = ""] = comment.replaceAll(/\s*\n\s*\*\s?/g, " ").split(/\s@\w/);
  return text.replaceAll(/\{@link (\w+)\}/g, "`$1`").trim();
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** A text for a cell of a table: pages read what looks like a tag as one. */
function inCell(text: string): string {
  return sentence(text).replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("{", "&#123;");
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
