import {
  type OpenQuestion,
  QuestionClosed,
  openQuestions,
  requireOpen,
} from "../../graphs/openQuestions.js";
import { projectGraph } from "../../graphs/projects.js";
import { settingsBegun } from "../../state/goingOn.js";
import type { Settings } from "../../state/settings.js";
import { type Caller, requireScope } from "../access/caller.js";
import { conflict } from "../problem.js";
import { type RunOrder, orderOf } from "../runs/runRow.js";
import { parsed } from "./requests.js";
import { lastRun, seenThread } from "./threadRows.js";
import { readState } from "./threadStates.js";
import type { ServerStore } from "../schema.js";
import type { Runs } from "../runs/runs.js";

/** What a run goes on with. */
export interface GoingOn {
  /** The settings that the run of the thread began with. */
  begun?: Partial<Settings>;
  /** The questions that are open, which a decision answers. */
  asked?: OpenQuestion[];
  /** Who was granted what the run that asked finds and calls. */
  grantee?: RunOrder["grantee"];
  /** The run that began what it goes on with. */
  requestId?: string;
}

/**
 * What a run goes on with that brings no input of its own: nothing for a thread that the caller does not see, which is
 * refused later.
 *
 * @throws HttpProblem 409 for a decision about something that does not wait for one
 */
export async function goingOnWith(options: {
  server: { data: ServerStore; runs: Runs };
  caller: Caller;
  threadId: string;
  checkpoint?: { checkpoint_id: string };
  resume: unknown;
}): Promise<GoingOn> {
  const { server, caller, threadId, checkpoint, resume } = options;
  if (resume !== undefined) requireScope(caller, "approve");
  const row = await seenThread(server.data, caller, threadId);
  if (!row) return {};
  const state = await readState({ server, row, checkpoint });
  const begun = projectGraph(String(parsed(row.metadata)["graph_id"]))
    ? undefined
    : settingsBegun(state);
  const last = await lastRun(server.data, threadId);
  const requestId = last?.request_id ?? undefined;
  if (resume === undefined) return { begun, requestId };
  const asked = openQuestions(state);
  try {
    // A run that stopped before a stage, or failed in it, goes on with any value.
    const isStopped = state.next.length > 0 && row.status !== "busy";
    if (asked.length === 0 && !isStopped)
      throw new QuestionClosed({
        problem: `thread ${threadId} is not waiting for an answer`,
        open: [],
      });
    requireOpen({ resume, open: asked });
  } catch (error) {
    if (!(error instanceof QuestionClosed)) throw error;
    throw conflict(error.message);
  }
  return { begun, asked, requestId, grantee: last && orderOf(last).grantee };
}
