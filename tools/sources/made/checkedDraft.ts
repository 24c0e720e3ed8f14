import { askCompiler } from "../../calls/compiler/compilerThread.js";
import type { ToolRecord, ToolSource } from "../../tool.js";
import { type DraftReading, failedDraft } from "./draft.js";
import type { DraftRequest } from "./readDraft.js";

/** Time limit for checking a draft, in milliseconds; an honest one takes a fraction of a second. */
const DRAFT_MS = 20_000;

/** Characters; longer replies are not searched for a tool. */
const LONGEST_REPLY = 200_000;

const READER = new URL("./readDraft.js", import.meta.url).href;

/**
 * Reads a model's reply as a tool (`readDraft.ts`) in a thread with limits on time and memory, because the
 * types of a hostile draft can keep the compiler busy forever.
 *
 * @throws the signal's reason when it is aborted
 */
export async function checkedDraft(
  request: DraftRequest,
  { timeoutMs = DRAFT_MS, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<DraftReading> {
  const { reply, tools } = request;
  if (reply.length > LONGEST_REPLY)
    return failedDraft({
      problem: `the text has ${reply.length} characters; at most ${LONGEST_REPLY}`,
    });
  const given = [{ ...request, tools: lightTools(tools, reply) }];
  const question = { module: READER, reader: "readDraft", given };
  const end = await askCompiler<DraftReading>({ question, timeoutMs, signal });
  if ("reading" in end) return end.reading;
  if ("met" in end) {
    return failedDraft({
      problem: `the types of the tool take too much ${end.met} to check; use simpler types`,
    });
  }
  return failedDraft({
    problem: `the code cannot be checked (${end.thrown}); write it more simply`,
  });
}

/** Of tools that a reply does not name, only their names and calls are needed. */
function lightTools(tools: readonly ToolRecord[], reply: string): ToolRecord[] {
  return tools.map((tool) => {
    if (reply.includes(tool.id)) return tool;
    const { returns: _unread, ...named } = tool;
    const parameters = { type: "object" as const, properties: {} };
    return { ...named, description: "", parameters, source: lightSource(tool.source) };
  });
}

function lightSource(source: ToolSource): ToolSource {
  if (source.kind === "generated") return { ...source, code: "", program: "", checks: [] };
  if (source.kind !== "program") return source;
  return { ...source, code: "", test: { args: {}, today: "", calls: [], result: null } };
}
