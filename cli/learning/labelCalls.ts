import { END, START, StateGraph } from "@langchain/langgraph";
import { several } from "../../common/text.js";
import { classifyCalls, openClassifier } from "../../memory/classifier.js";
import type { PastCall } from "../../memory/experience.js";
import { namedEmbeddings } from "../../models/embeddings/embeddings.js";
import { judge } from "../../nodes/acting/judge.js";
import { openWorkspace } from "../../home/workspace.js";
import { parseSettings, type Settings, settingsForm } from "../../state/settings.js";
import { FRESH_RUN, State } from "../../state/state.js";
import { printJson } from "../printing/print.js";

interface LabelOptions {
  library?: string;
  by: "model" | "classifier";
  model?: string;
  limit?: number;
  json?: boolean;
}

/** Calls that are judged before their verdicts are kept. */
const BATCH = 50;

/** `memory label`: gives verdicts to stored calls without one (BTP: a model labels some, a classifier the rest). */
export async function labelCalls({ library, by, model, limit, json }: LabelOptions): Promise<void> {
  const settings = parseSettings({ library, judge: by, ...(model ? { model } : {}) });
  const experience = await openWorkspace().experience();
  const open: PastCall[] = [];
  for await (const call of experience.pastCalls({ library: settings.library })) {
    if (call.helpful === null && open.length < (limit ?? Infinity)) open.push(call);
  }
  const counts = { judged: 0, helpful: 0, undecided: 0 };
  for (let done = 0; done < open.length; done += BATCH) {
    const calls = open.slice(done, done + BATCH);
    const verdicts = await VERDICTS[by](calls, settings);
    const judged = calls.flatMap((call, at) => {
      const helpful = verdicts[at] ?? null;
      return helpful === null ? [] : [{ ...call, helpful, judgedBy: by }];
    });
    await experience.label(judged);
    counts.judged += judged.length;
    counts.helpful += judged.filter(({ helpful }) => helpful).length;
    counts.undecided += calls.length - judged.length;
  }
  if (json) return printJson({ library: settings.library, ...counts });
  const undecided = counts.undecided > 0 ? `, ${counts.undecided} undecided` : "";
  const text = `${several(counts.judged, "call")} judged, ${counts.helpful} helpful${undecided}`;
  process.stdout.write(`library ${settings.library}: ${text}\n`);
}

type Verdicts = (calls: readonly PastCall[], settings: Settings) => Promise<(boolean | null)[]>;

const VERDICTS: Record<LabelOptions["by"], Verdicts> = {
  model: async (calls, settings) => {
    const judging = new StateGraph({ state: State, context: settingsForm })
      .addNode("judge", judge())
      .addEdge(START, "judge")
      .addEdge("judge", END)
      .compile();
    const verdicts: (boolean | null)[] = [];
    for (const { id, query, tool, args, result, failed, ms, cost } of calls) {
      const run = { id, request: query };
      const outcome = failed ? { error: result } : { result };
      const made = [{ id, tool, args, ms, cost, ...outcome }];
      const start = { ...FRESH_RUN, messages: [], request: "", run, earlierCalls: [], calls: made };
      const { library, model, judge: by } = settings;
      const after = await judging.invoke(start, { context: { library, model, judge: by } });
      verdicts.push(after.calls[0]?.helpful ?? null);
    }
    return verdicts;
  },
  classifier: async (calls, { embeddings: name }) => {
    const { home } = openWorkspace();
    const classifier = openClassifier({ home, embeddings: name });
    const embeddings = await namedEmbeddings(name);
    const { verdicts } = await classifyCalls({ classifier, calls, embeddings });
    return verdicts.map(({ helpful }) => helpful);
  },
};
