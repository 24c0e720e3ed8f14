import { Command, type StateSnapshot } from "@langchain/langgraph";
import { SHOWN_KEY, workspaceIn } from "../home/workspace.js";
import { settingsBegun, settingsGoingOn } from "../state/goingOn.js";
import { givenSettings } from "../state/settings.js";
import {
  ASKED_KEY,
  type OpenQuestion,
  namedResume,
  openQuestions,
  requireOpen,
} from "./openQuestions.js";

type Configurable = Record<string, unknown>;

interface Readable {
  getState: (config: { configurable: Configurable }) => Promise<StateSnapshot>;
}

/**
 * What a run goes on with: it keeps to what it began with; whoever answers has seen no more than what waits; and from an
 * earlier checkpoint everything is asked about again.
 *
 * @throws QuestionClosed
 */
export async function goingOn<
  Options extends { configurable: Configurable; context?: Record<string, unknown> },
>(graph: Readable, input: Command | null, options: Options) {
  const { configurable } = options;
  const state = await graph.getState({ configurable });
  const asked = configurable[ASKED_KEY] as OpenQuestion[] | undefined;
  requireOpen({ resume: input?.resume, open: openQuestions(state), asked });
  if (await isBehind(graph, configurable)) {
    const { journal } = workspaceIn(configurable).runtime;
    await journal.endApprovals(String(configurable["thread_id"]));
  }
  const shown = state.tasks.flatMap(({ interrupts }) =>
    interrupts.map(({ value }): unknown => value),
  );
  const begun = settingsBegun(state);
  const context = begun ? settingsGoingOn(begun, givenSettings(options)) : options.context;
  const own = { ...configurable, [SHOWN_KEY]: shown };
  // The resume as LangGraph takes it.
  const named =
    input &&
    new Command({ update: input.update, goto: input.goto, resume: namedResume(input.resume) });
  return { input: named, options: { ...options, context, configurable: own } };
}

/** Whether a run starts from a checkpoint after which there are others. */
async function isBehind(
  graph: Readable,
  { checkpoint_id: id, ...configurable }: Configurable,
): Promise<boolean> {
  if (id === undefined) return false;
  const { config } = await graph.getState({ configurable });
  return config.configurable?.["checkpoint_id"] !== id;
}
