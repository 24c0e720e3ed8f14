import type { ToolDefinition } from "../../tool.js";
import { listed } from "../../../common/text.js";
import type { Finding, Severity } from "./finding.js";
import { parametersOf, toolTexts } from "./texts.js";

/** Characters that a person does not see but a model reads. */
const KINDS: readonly { name: string; severity: Severity; pattern: RegExp }[] = [
  // Flags of regions, such as Scotland, are also made of these.
  {
    name: "tag",
    severity: "error",
    pattern: /(?<!\u{1F3F4}[\u{E0020}-\u{E007E}]*)[\u{E0000}-\u{E007F}]/gu,
  },
  { name: "variation selector", severity: "error", pattern: /[\u{E0100}-\u{E01EF}]/gu },
  { name: "bidi control", severity: "error", pattern: /[\u{202A}-\u{202E}\u{2066}-\u{2069}]/gu },
  { name: "control", severity: "error", pattern: /(?![\n\r\t])\p{Cc}/gu },
  // Joiners belong in emoji and in scripts that join letters, but not after these characters.
  {
    name: "zero-width",
    severity: "warning",
    pattern:
      /\u{34F}|[\u{AD}\u{180E}\u{200B}\u{2060}-\u{2064}\u{FEFF}\u{115F}\u{1160}\u{3164}\u{FFA0}]|(?<=[\p{Script=Latin}\d\s])[\u{200C}\u{200D}]/gu,
  },
];

/** A word that mixes Latin and Cyrillic letters, many of which look alike: "pаypal" with a Cyrillic а. */
const LOOKALIKE_WORD =
  /[\p{L}\p{N}_-]*(?:\p{Script=Latin}[\p{L}\p{N}_-]*\p{Script=Cyrillic}|\p{Script=Cyrillic}[\p{L}\p{N}_-]*\p{Script=Latin})[\p{L}\p{N}_-]*/gu;
/** For names, also Latin mixed with Greek; texts may mix these in formulas. */
const LOOKALIKE_NAME =
  /\p{Script=Latin}.*[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}].*\p{Script=Latin}/u;

/** Finds invisible characters in the texts of tools, and letters that pass for others. */
export function hiddenFindings(tools: readonly ToolDefinition[]): Finding[] {
  return tools.flatMap((tool) => [...unseen(tool), ...lookalikes(tool)]);
}

function unseen(tool: ToolDefinition): Finding[] {
  const parameters = parametersOf(tool.parameters);
  const texts = [
    { place: "name", text: `${tool.id} ${tool.name}` },
    ...parameters.map(({ path }) => ({
      place: `name of parameter ${JSON.stringify(path)}`,
      text: path,
    })),
    ...toolTexts(tool),
  ];
  return KINDS.flatMap(({ name, severity, pattern }) => {
    const found = texts.flatMap(({ place, text }) =>
      Array.from(text.matchAll(pattern), ({ 0: character }) => ({ place, character })),
    );
    if (found.length === 0) return [];
    const places = [...new Set(found.map(({ place }) => place))];
    const said = tagText(found.map(({ character }) => character));
    const problem = `${found.length} invisible ${name} character${found.length > 1 ? "s" : ""} (${codesOf(found)}) in ${listed(places)}${said && `, which read "${said}"`}`;
    const change =
      "Delete them; if they hide a text, ask where the tool comes from before using it";
    return [{ check: "hidden", severity, tools: [tool.id], problem, change }];
  });
}

/** The text that tag characters spell: they are invisible copies of ASCII. */
function tagText(characters: readonly string[]): string {
  return characters
    .map((character) => (character.codePointAt(0) ?? 0) - 0xe0000)
    .filter((code) => code >= 0x20 && code < 0x7f)
    .map((code) => String.fromCodePoint(code))
    .join("");
}

function codesOf(found: readonly { character: string }[]): string {
  const codes = found.map(
    ({ character }) =>
      `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`,
  );
  return listed([...new Set(codes)], 2);
}

function lookalikes(tool: ToolDefinition): Finding[] {
  const names = [tool.id, tool.name, ...parametersOf(tool.parameters).map(({ name }) => name)];
  const mixed = names.filter((name) => LOOKALIKE_NAME.test(name));
  const words = toolTexts(tool).flatMap(({ text }) => text.match(LOOKALIKE_WORD) ?? []);
  const found = [...new Set([...mixed, ...words])];
  if (found.length === 0) return [];
  const problem = `letters of several scripts in one word, which may pass for another: ${listed(found.map(withCodes))}`;
  const severity = mixed.length > 0 ? "error" : "warning";
  const change = "Write each name in letters of one script";
  return [{ check: "hidden", severity, tools: [tool.id], problem, change }];
}

function withCodes(word: string): string {
  const codes = [...new Set(word.match(/(?!\p{Script=Latin})\p{L}/gu) ?? [])];
  return `"${word}" (${codesOf(codes.map((character) => ({ character })))})`;
}
