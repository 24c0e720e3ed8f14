import { basename } from "node:path";
import { z } from "zod";
import type { IsGranted } from "../../tools/library/libraryOfPerson.js";
import { possibleGroups } from "../../tools/library/records/groups.js";
import type { ToolDefinition } from "../../tools/tool.js";
import { type Caller, SCOPES, seesAll } from "./caller.js";

const forms = z.array(z.string().min(1)).min(1);

/** To whom something is granted, all of which must hold, and the tools that all of the rest describes. */
export const grantForm = z.strictObject({
  group: z.string().min(1).optional().describe("a group that tokens name (jwt.groupsClaim)"),
  owner: z
    .string()
    .regex(/^(?:key|jwt):|^\*$/, {
      error:
        'is nobody; write "key:ada" for keys made with --owner ada, "jwt:ISSUER:ada" for tokens',
    })
    .optional()
    .describe("key:ada; jwt:https://id.example.com/:* for all"),
  scope: z.enum(SCOPES).optional().describe("a scope that the key or token has"),
  sources: forms.optional().describe("sources by name: MCP servers, OpenAPI documents, files"),
  groups: forms.optional().describe("groups of tools"),
  tools: forms.optional().describe("tools by id; crm.* for all that begin with crm."),
  effects: z.enum(["read", "write"]).optional().describe("only those that read, or that write"),
});

type Grant = z.infer<typeof grantForm>;

/** What a grant says of whoever calls. */
export type Grantee = Pick<Caller, "owner" | "scopes" | "groups">;

/** Whether a name is listed: `openai:*` stands for all names that begin with `openai:`. */
export function fits(name: string, form: string): boolean {
  return form.endsWith("*") ? name.startsWith(form.slice(0, -1)) : name === form;
}

/**
 * What somebody may find and call: the tools of all grants to them together, and with the scope `admin` every tool.
 *
 * @returns undefined if that is every tool
 */
export function grantedTo(who: Grantee, grants: readonly Grant[] | undefined) {
  if (!grants || seesAll(who)) return undefined;
  const own = grants.filter((grant) => isTo(grant, who));
  const isGranted: IsGranted = (tool) => own.some((grant) => covers(grant, tool));
  return isGranted;
}

function isTo({ group, owner, scope }: Grant, who: Grantee): boolean {
  return (
    (group === undefined || (who.groups ?? []).includes(group)) &&
    (owner === undefined || fits(who.owner, owner)) &&
    (scope === undefined || who.scopes.includes(scope))
  );
}

function covers({ effects, ...named }: Grant, tool: ToolDefinition): boolean {
  const { sources, groups, tools } = namesOf(tool);
  return (
    isListed(named.sources, sources) &&
    isListed(named.groups, groups) &&
    isListed(named.tools, tools) &&
    (effects === undefined || tool.effects === effects)
  );
}

/** By which names grants know a tool. */
export function namesOf(tool: ToolDefinition) {
  return { sources: [sourceName(tool)], groups: possibleGroups(tool), tools: [tool.id] };
}

/** Whether one of the names is listed; any is where nothing is. */
function isListed(listed: readonly string[] | undefined, names: readonly string[]): boolean {
  return listed?.some((form) => names.some((name) => fits(name, form))) ?? true;
}

/** A source's name in the home; of a file, its name without the ending; of a catalog that ships, the catalog's. */
function sourceName({ source }: ToolDefinition): string {
  if (source.kind === "mcp") return source.server;
  if (source.kind === "openapi") return source.api;
  if (source.kind === "function" && source.catalog !== undefined) return source.catalog;
  return basename(source.file).replace(/\.[^.]+$/, "");
}
