import { randomBytes } from "node:crypto";
import { Hono } from "hono";
import { v5 } from "@langchain/core/utils/uuid";
import { z } from "zod";
import type { McpSession } from "../../agents/mcp/session.js";
import { InvalidSetting } from "../../common/errors.js";
import { parseSettings } from "../../state/settings.js";
import { sha256 } from "../../tools/library/records/hash.js";
import type { InputRequest } from "../../tools/remote.js";
import { masterKeys } from "../../tools/sources/credentials/masterKeys.js";
import { type Caller, requireScope } from "../access/caller.js";
import { keepToken } from "../access/keepToken.js";
import { libraryAbsent, requireLibrary } from "../access/libraries.js";
import { forbidden } from "../problem.js";
import { threadRow } from "../runs/runRow.js";
import type { Environment } from "../server.js";
import { askOnPage, asking, openPageQuestions } from "./askOnPage.js";
import type { Served } from "./createRun.js";
import type { Request } from "./requests.js";
import { originOf } from "./connections.js";
import { query } from "./taking.js";

/** How long a call waits for a person on the page (ms), with a client that wants to know how it goes, and with others. */
const PATIENCE_MS = 600_000;
const SHORT_PATIENCE_MS = 45_000;

const mcpQuery = z.object({ library: z.string().optional() });

const UNENDED = new AbortController().signal;

/** The namespace of the ids of the threads in whose name clients call. */
const NAMESPACE = "0d0f6a1e-6f0e-4b5c-9d0a-2a3b9a6c1f57";

/**
 * MCP beside the API: `find_tools`, `call_tool` and `run_plan` over a library that the caller sees (`?library=`), for the
 * same keys, tokens and owners, with what they are granted.
 */
export function mcpRoutes(server: Served): Hono<Environment> {
  openPageQuestions();
  const app = new Hono<Environment>();
  const load = async () => {
    const [{ mcpOverHttp }, { mcpServerFor, stateCodec }] = await Promise.all([
      import("../../agents/mcp/serveHttp.js"),
      import("../../agents/mcp/mcpServer.js"),
    ]);
    const codec = stateCodec(sealingKey(server));
    return {
      codec,
      ...mcpOverHttp((made) => mcpServerFor(made.authInfo?.extra?.["session"] as McpSession)),
    };
  };
  let loaded: ReturnType<typeof load> | undefined;
  app.on(["POST", "GET", "DELETE"], "/mcp", query(mcpQuery), async (context) => {
    // For the first client.
    const { codec, fetch } = await (loaded ??= load());
    const caller = context.get("caller");
    const session = { ...(await sessionOf(server, context)), codec };
    return await fetch(context.req.raw, {
      clientId: `${caller.owner} ${caller.id} ${session.threadId}`,
      extra: { session },
    });
  });
  return app;
}

/** The same in all processes, so that each can go on with what another has begun; without a master key, this one's own. */
function sealingKey({ workspace }: Served): Uint8Array {
  try {
    const [master] = masterKeys(workspace.place);
    if (master) return Buffer.from(sha256(`mcp ${master.bytes.toString("hex")}`), "hex");
  } catch (error) {
    if (!(error instanceof InvalidSetting)) throw error;
  }
  return randomBytes(32);
}

/** What a caller's requests share: its library, and a thread in the journal that belongs to it. */
async function sessionOf(server: Served, context: Request): Promise<Omit<McpSession, "codec">> {
  const { access, workspace } = server;
  const caller = context.get("caller");
  const { library: wanted } = mcpQuery.parse(context.req.query());
  const settings = parseSettings({ ...(wanted && { library: wanted }), ...access.policy.force });
  const { library, embeddings, approval, threshold, ranking, toolIds } = settings;
  const toolTimeoutMs = Math.min(
    settings.toolTimeoutMs,
    access.policy.limits.toolTimeoutMs ?? Infinity,
  );
  if (settings.flowRules) {
    const problem = "the operator's file forces flow rules, which hold for graphs alone";
    throw forbidden(problem, "Run a graph");
  }
  if (!access.seesLibrary({ caller, library })) throw libraryAbsent(library);
  await requireLibrary(workspace, caller, library);
  await keepToken(workspace, caller, context.get("token"));
  const behalf = {
    ...access.behalfOf(caller),
    isWithdrawn: () => access.revocations.isRevoked(caller.id),
  };
  const { openToolbox } = await import("../../agents/toolbox.js");
  const toolbox = await openToolbox(
    {
      library,
      embeddings,
      threshold,
      ranking,
      toolIds,
      toolTimeoutMs,
      behalf,
      approval: approval === "plan" ? "writes" : approval,
    },
    workspace,
  );
  const threadId = await threadOf(server, caller, library);
  const page = `${originOf(context)}/#approvals`;
  const onPage = async (questions: readonly InputRequest[], ms: number, signal: AbortSignal) =>
    await Promise.all(
      questions.map(async (question) => {
        const answer = await askOnPage({ server, caller, question, ms, signal });
        if (answer) return answer;
        const what = question.connect
          ? `${question.message}: connect`
          : `${question.tool} waits for a person: decide`;
        throw new Error(`${what} at ${page}, then make the same call again. Nothing was called`);
      }),
    );
  return {
    toolbox,
    threadId,
    allowWrites: approval === "none",
    mayCall: () => requireScope(caller, "run"),
    mayFind: () => requireScope(caller, "read"),
    connecting: {
      begin: async (question) => {
        await asking({ server, caller, question });
        return new URL(page);
      },
      done: async (question) => void (await onPage([question], PATIENCE_MS, UNENDED)),
    },
    onPage: async (questions, { mcpReq }) => {
      const isPatient = mcpReq._meta?.progressToken !== undefined;
      return await onPage(questions, isPatient ? PATIENCE_MS : SHORT_PATIENCE_MS, mcpReq.signal);
    },
  };
}

/** A caller's thread for a library, in whose name its calls are journaled, and which can be read and deleted as any other. */
async function threadOf({ data }: Served, caller: Caller, library: string): Promise<string> {
  const now = Math.floor(await data.now());
  for (let attempt = 0; ; attempt++) {
    const thread_id = v5(`${caller.owner} ${library} ${attempt}`, NAMESPACE);
    await data.db
      .insertInto("threads")
      .values({
        thread_id,
        owner: caller.owner,
        status: "idle",
        metadata: JSON.stringify({ by: "mcp", library }),
        config: "{}",
        created_at: now,
        updated_at: now,
      })
      .onConflict((known) => known.column("thread_id").doNothing())
      .execute();
    // Others choose ids of threads, too.
    const known = await threadRow(data, thread_id);
    if (known?.owner === caller.owner) return thread_id;
  }
}
