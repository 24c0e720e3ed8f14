import { LONGEST_NAME, beginning, clipped } from "../../../common/bounds.js";
import { oneLine } from "../../../common/errors.js";
import { isSchema as isObject } from "../../../common/schemas/referredSchema.js";
import { withRootProperties } from "../../../common/schemas/rootChoices.js";
import { schemaExcess } from "../../../common/schemas/size.js";
import { WHOLE_FILE } from "../problems.js";
import { type ConnectedSource, connectedOrigin } from "../connected.js";
import type { JsonSchema, ParametersSchema, SourceProblem, ToolDefinition } from "../../tool.js";

/** A tool as a server lists it. Nothing of it can be relied on: servers send what they like. */
export interface ListedTool {
  name?: unknown;
  title?: unknown;
  description?: unknown;
  inputSchema?: unknown;
  outputSchema?: unknown;
  annotations?: unknown;
}

/** What a server says of itself. */
export interface ServerAbout {
  title?: string;
  instructions?: string;
}

/** Characters of a description that are kept; providers take little more, and every question shows them. */
const LONGEST_DESCRIPTION = 8_000;

/** Characters of what a server says that it is for, which is part of what each of its tools is found by. */
const LONGEST_ABOUT = 500;

/**
 * The tools of a listing as definitions; what cannot be one is a problem of its own and harms no other. The first
 * of two tools with one name is kept.
 */
export function definitionsOf(options: {
  source: Pick<ConnectedSource, "name" | "kind">;
  about: ServerAbout;
  listed: readonly ListedTool[];
}): { tools: ToolDefinition[]; problems: SourceProblem[] } {
  const { source, about, listed } = options;
  const tools = new Map<string, ToolDefinition>();
  const problems: SourceProblem[] = [];
  for (const [index, tool] of listed.entries()) {
    const problem = nameProblem(tool, tools) ?? schemaProblem(tool);
    if (problem === undefined) {
      const definition = definitionOf({ source, about, tool });
      tools.set(definition.name, definition);
      continue;
    }
    const exportName = typeof tool.name === "string" ? beginning(tool.name, 60) : WHOLE_FILE;
    problems.push({ file: connectedOrigin(source), line: index + 1, exportName, problem });
  }
  return { tools: [...tools.values()], problems };
}

function nameProblem(
  { name }: ListedTool,
  known: ReadonlyMap<string, ToolDefinition>,
): string | undefined {
  if (typeof name !== "string" || name.trim() === "") return "a tool without a name is left out";
  if (name.length > LONGEST_NAME) {
    const length = `${name.length} characters, ${LONGEST_NAME} at most`;
    return `a tool is left out for its long name, "${oneLine(beginning(name, 60))}…" (${length})`;
  }
  if (!known.has(name)) return undefined;
  return `"${oneLine(name)}" is listed twice; the first is kept, this one is left out`;
}

function schemaProblem({ name, inputSchema, outputSchema }: ListedTool): string | undefined {
  const isForObjects = isObject(inputSchema) && (inputSchema["type"] ?? "object") === "object";
  const excess = schemaExcess(inputSchema) ?? schemaExcess(outputSchema);
  const problem =
    excess ?? (isForObjects ? undefined : "its inputSchema is no JSON Schema of an object");
  return problem && `"${oneLine(String(name))}" is left out: ${problem}`;
}

function definitionOf(options: {
  source: Pick<ConnectedSource, "name" | "kind">;
  about: ServerAbout;
  tool: ListedTool;
}): ToolDefinition {
  const { source, about, tool } = options;
  const name = String(tool.name);
  const returns = isObject(tool.outputSchema) ? tool.outputSchema : undefined;
  const { title, instructions } = about;
  return {
    id: `${source.name}.${name}`,
    name,
    description: clipped(descriptionOf(tool), LONGEST_DESCRIPTION),
    provider: title ?? source.name,
    ...(instructions && { providerDescription: clipped(oneLine(instructions), LONGEST_ABOUT) }),
    parameters: parametersOf(tool.inputSchema as JsonSchema),
    ...(returns && { returns }),
    source: { kind: "mcp", file: connectedOrigin(source), server: source.name, tool: name },
    ...hintsOf(tool.annotations),
  };
}

/** A title says at times what a missing description does not. */
function descriptionOf({ title, description, annotations }: ListedTool): string {
  if (typeof description === "string" && description.trim()) return description;
  const titles = [title, isObject(annotations) ? annotations["title"] : undefined];
  return titles.find((each): each is string => typeof each === "string") ?? "";
}

/** The whole schema, with the two parts that every reader of parameters relies on. */
function parametersOf(schema: JsonSchema): ParametersSchema {
  const whole = withRootProperties(schema);
  const properties = isObject(whole["properties"]) ? whole["properties"] : {};
  return { ...whole, type: "object", properties } as ParametersSchema;
}

/**
 * What a server's hints say. A tool without hints may write. One that says it destroys is asked about; of one that
 * says it works on an open world, what it gives was written by somebody outside, and what it writes leaves the house.
 * Labels that a person has given stay, whatever the hints say.
 */
function hintsOf(annotations: unknown): Pick<ToolDefinition, "effects" | "approval" | "flow"> {
  const hints = isObject(annotations) ? annotations : {};
  const effects = hints["readOnlyHint"] === true ? "read" : "write";
  const isDestructive = effects === "write" && hints["destructiveHint"] === true;
  return {
    effects,
    ...(isDestructive && { approval: true }),
    ...(hints["openWorldHint"] === true && {
      flow: effects === "read" ? ["foreign"] : ["foreign", "outward"],
    }),
  };
}
