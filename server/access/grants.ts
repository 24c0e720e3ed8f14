import { basename } from "node:path";
import { z } from "zod";
import type { IsGranted } from "../../tools/library/libraryOfPerson.js";
import { possibleGroups } from "../../tools/library/records/groups.js";
import type { ToolDefinition } from "../../tools/tool.js";
import { type Caller, SCOPES, seesAll } from "./caller.js";

const forms = z.array(z.string().min(1)).min(1);

/** To whom something is granted, all of which must hold, and the tools that all of the rest describes. */
export const grantForm = z.strictObject({
  group: z.string().min(1).optional(),
  owner: z
    .string()
    .regex(/^(?:key|jwt):|^\*$/, {
      error:
        'is nobody; write "key:ada" for keys made with --owner ada, "jwt:ISSUER:ada" for tokens',
    })
    .optional(),
  scope: z.enum(SCOPES).optional(),
  sources: forms.optional(),
  groups: forms.optional(),
  tools: forms.optional(),
  effects: z.enum(["read", "write"]).optional(),
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

function covers({ sources, groups, tools, effects }: Grant, tool: ToolDefinition): boolean {
  return (
    isListed(sources, [sourceName(tool)]) &&
    isListed(groups, possibleGroups(tool)) &&
    isListed(tools, [tool.id]) &&
    (effects === undefined || tool.effects === effects)
  );
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
