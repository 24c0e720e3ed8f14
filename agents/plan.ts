import { z } from "zod";
import { checkedProgram } from "../nodes/programs/checkProgram.js";
import { expressionsIn } from "../plans/language/expressionsIn.js";
import { issueLine } from "../plans/language/progress.js";
import { CALL_TOOL } from "../models/offering/calledTools.js";
import { contractOf } from "../tools/calls/engine/savedPlan.js";
import { canonicalJson, sha256 } from "../tools/library/records/hash.js";
import type { ToolRecord } from "../tools/tool.js";
import { FIND_TOOLS } from "./controlTools.js";
import type { Toolbox } from "./toolbox.js";

/** Makes several calls as a program, wherever it is offered. */
export const RUN_PLAN = "run_plan";

/** What `run_plan` takes. */
export const planArguments = z.object({
  program: z
    .string()
    .min(1)
    .describe(
      "Lines of plain TypeScript that call the functions of find_tools with one object of arguments each and end with return: const a = find_user({ name: “Ada” }); return send_mail({ to: a.email, text: “Hi” });",
    ),
});

/**
 * Reads and checks a program, and makes a saved plan of it, which is called once. A program of `run_plan` has no model to
 * ask.
 */
export async function planOf(
  code: string,
  { toolbox, signal }: { toolbox: Toolbox; signal?: AbortSignal },
): Promise<ToolRecord | { problem: string }> {
  const functions = functionsIn(code, toolbox);
  const groups = toolbox.groups();
  const { program, tools, issues } = await checkedProgram({ code, functions, groups, signal });
  if (!program || issues.length > 0) return { problem: issues.map(issueLine).join("; ") };
  const asking = expressionsIn(program).find(({ kind }) => kind === "look" || kind === "need");
  if (!asking) return onceOnly(RUN_PLAN, program.code, tools);
  const instead = asking.kind === "look" ? "write the rule instead" : `call ${FIND_TOOLS} first`;
  return { problem: `line ${asking.line}: ${RUN_PLAN} has no ${asking.kind}(): ${instead}` };
}

/** A call as a plan, which asks as plans do; its arguments are `{ given }`. */
export function planOfCall(tool: ToolRecord): ToolRecord {
  return onceOnly(CALL_TOOL, "return call(given);", new Map([["call", tool]]), { given: {} });
}

function onceOnly(
  name: string,
  code: string,
  tools: ReadonlyMap<string, ToolRecord>,
  properties: ToolRecord["parameters"]["properties"] = {},
): ToolRecord {
  const calls = [...tools].map(([as, tool]) => ({
    name: as,
    tool: tool.id,
    contract: contractOf(tool),
  }));
  const test = { args: {}, today: "", calls: [], result: null };
  const writes = [...tools.values()].some(({ effects }) => effects === "write");
  return {
    id: name,
    name,
    description: "",
    parameters: { type: "object", properties },
    // So that none is learned from its results.
    returns: {},
    effects: writes ? "write" : "read",
    source: { kind: "program", file: name, code, calls, test },
    version: 1,
    hash: sha256(canonicalJson([code, calls])),
  };
}

/** Words before a parenthesis: each may be the name of a function. */
const CALLED = /[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)?(?=\s*\()/gu;

/** The tools that a program may refer to, by the names of their functions or their ids. */
function functionsIn(code: string, toolbox: Toolbox): Map<string, ToolRecord> {
  const { toolNamed } = toolbox.groups();
  const words = [...new Set(code.match(CALLED))];
  const ids = new Map(words.map((word) => [word, toolNamed(word) ?? word]));
  const records = toolbox.pick([...ids.values()]);
  return new Map(
    [...ids].flatMap(([word, id]): [string, ToolRecord][] => {
      const record = records.get(id);
      return record ? [[word, record]] : [];
    }),
  );
}
