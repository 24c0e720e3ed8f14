import { LONGEST_NAME } from "../../../common/bounds.js";
import { beginning, clipped } from "../../../common/text.js";
import { oneLine } from "../../../common/errors.js";
import { isSchema as isObject } from "../../../common/schemas/referredSchema.js";
import { cleanSchemas } from "../../../common/schemas/cleanParameters.js";
import { entriesOf, rowOf } from "../declaredRows.js";
import { WHOLE_FILE } from "../problems.js";
import { connectedOrigin, type ConnectedSource } from "../../remote.js";
import type { SourceProblem, ToolDefinition } from "../../tool.js";

/** A tool as a server lists it. Nothing in it can be relied on. */
export interface ListedTool {
  name?: unknown;
  title?: unknown;
  description?: unknown;
  inputSchema?: unknown;
  outputSchema?: unknown;
  annotations?: unknown;
  execution?: unknown;
}

interface ServerAbout {
  title?: string;
  instructions?: string;
}

/** Characters kept of a description: providers accept little more, and every prompt contains them. */
const LONGEST_DESCRIPTION = 8_000;

/** Characters kept of a server's instructions, which searches match for each of its tools. */
const LONGEST_ABOUT = 500;

/**
 * The tools of a listing as definitions. Each one that cannot be used is a problem and does not affect the others, and so
 * is what a schema loses when it is cleaned. Of two tools with the same name, the first is kept.
 */
export function definitionsOf(
  source: Pick<ConnectedSource, "name" | "kind">,
  about: ServerAbout,
  listed: readonly ListedTool[],
): { tools: ToolDefinition[]; problems: SourceProblem[] } {
  const tools = new Map<string, ToolDefinition>();
  const problems: SourceProblem[] = [];
  for (const [index, written] of listed.entries()) {
    const tool = asListed(written);
    const shape = nameProblem(tool, tools) ?? toolSchemas(tool);
    const exportName = typeof tool.name === "string" ? beginning(tool.name, 60) : WHOLE_FILE;
    const place = { file: connectedOrigin(source), line: index + 1, exportName };
    if (typeof shape === "string") {
      problems.push({ ...place, problem: shape });
      continue;
    }
    const { losses, ...schemas } = shape;
    const definition = { ...definitionOf(source, about, tool), ...schemas };
    tools.set(definition.name, definition);
    if (losses) problems.push({ ...place, problem: losses });
  }
  return { tools: [...tools.values()], problems };
}

/** A tool that a server lists as the API of a model's provider has it: under `input_schema`, or in `function`. */
function asListed(written: ListedTool): ListedTool {
  const [entry] = "inputSchema" in written ? [] : entriesOf(written);
  const { name, description, parameters: inputSchema } = Object(entry && rowOf(entry)).row ?? {};
  return inputSchema === undefined ? written : { ...written, name, description, inputSchema };
}

function nameProblem({ name }: ListedTool, known: ReadonlyMap<string, ToolDefinition>) {
  if (typeof name !== "string" || name.trim() === "") return "a tool without a name is left out";
  if (name.length > LONGEST_NAME) {
    const length = `${name.length} characters, ${LONGEST_NAME} at most`;
    return `a tool is left out for its long name, "${oneLine(beginning(name, 60))}…" (${length})`;
  }
  if (!known.has(name)) return undefined;
  return `"${oneLine(name)}" is listed twice; the first is kept, this one is left out`;
}

/** The schemas of a tool, cleaned; or why it cannot be used. */
function toolSchemas({ name, inputSchema, outputSchema }: ListedTool) {
  const title = `"${oneLine(String(name))}"`;
  const written = { parameters: inputSchema, returns: outputSchema };
  const { schemas, losses, excess } = cleanSchemas(title, written);
  if (schemas) return { ...schemas, losses };
  return `${title} is left out: ${excess ?? "its inputSchema is not a JSON Schema of an object"}`;
}

function definitionOf(
  source: Pick<ConnectedSource, "name" | "kind">,
  about: ServerAbout,
  tool: ListedTool,
): Omit<ToolDefinition, "parameters" | "returns"> {
  const name = String(tool.name);
  const { title, instructions } = about;
  return {
    id: `${source.name}.${name}`,
    name,
    description: clipped(descriptionOf(tool), LONGEST_DESCRIPTION),
    provider: title ?? source.name,
    ...(instructions && { providerDescription: clipped(oneLine(instructions), LONGEST_ABOUT) }),
    source: {
      kind: "mcp",
      file: connectedOrigin(source),
      server: source.name,
      tool: name,
      ...(TASKS.includes(Object(tool.execution).taskSupport) && { isTask: true }),
    },
    ...hintsOf(tool.annotations),
  };
}

const TASKS: readonly unknown[] = ["optional", "required"];

/** The title may have to serve as description. */
function descriptionOf({ title, description, annotations }: ListedTool): string {
  if (typeof description === "string" && description.trim()) return description;
  const titles = [title, isObject(annotations) ? annotations["title"] : undefined];
  return titles.find((each): each is string => typeof each === "string") ?? "";
}

/**
 * What a server's hints say; whether a read counts as one, `tools/calls/flow/effects.ts` decides. A tool without hints
 * may write. A destructive one needs approval, even if it is said to read, too. The results of one that works on an
 * open world come from outside, and what it writes goes outside. Labels given by a person stay, whatever the hints say.
 */
function hintsOf(annotations: unknown): Pick<ToolDefinition, "effects" | "approval" | "flow"> {
  const hints = isObject(annotations) ? annotations : {};
  const isSaid = (name: string) => String(hints[name]).toLowerCase() === "true";
  const isDestructive = isSaid("destructiveHint");
  const effects = isSaid("readOnlyHint") && !isDestructive ? "read" : "write";
  return {
    effects,
    ...(isDestructive && { approval: true }),
    ...(isSaid("openWorldHint") && {
      flow: effects === "read" ? ["foreign"] : ["foreign", "outward"],
    }),
  };
}
