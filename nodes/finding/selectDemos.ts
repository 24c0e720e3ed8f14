import { namedEmbeddings } from "../../models/embeddings/embeddings.js";
import { runWorkspace } from "../../home/workspace.js";
import { demonstrationThreshold, readSettings } from "../../state/settings.js";
import { addUsage } from "../../state/state.js";
import { estimateTokens } from "../../common/tokens.js";
import { embeddingRefusal, embeddingUsage, textsFor } from "../policy/searchFor.js";
import { oneLine } from "../../common/errors.js";
import { type Line, type StageChange, stage } from "../kit/stage.js";

/**
 * Chooses demonstrations to show for the request (TPTU-v2, arXiv:2311.11315): of similar tasks, or if there are none,
 * of the tools at hand, limited to those a search would find. The library must have their tools and the run may use
 * them; these are then on offer too. Comes after `search`. With `demos` at 0 it only empties the channel.
 */
export function selectDemos() {
  return stage({ ends: true, lines }, async (state, config) => {
    const settings = readSettings(config);
    const { library: name, embeddings, demos: count, topK } = settings;
    const { demonstrations: store } = await runWorkspace().experience();
    if (count === 0 || !(await store.libraries()).includes(name)) return { demonstrations: [] };
    const { run, toolIds } = state;
    const isSearched = toolIds.length > topK;
    const texts = [run.request, ...(isSearched ? textsFor([run.request]) : [])];
    const refusal = embeddingRefusal(state, settings, texts);
    if (refusal) return refusal;
    const started = performance.now();
    const library = await runWorkspace().library(settings);
    const known = library.list().map(({ id }) => id);
    const chosen = settings.toolIds && new Set(settings.toolIds);
    // Of the tools at hand, those that a search for the request finds.
    const search = { phrases: [run.request], ranking: settings.ranking, topK, within: toolIds };
    const found = isSearched ? await library.search(search) : undefined;
    const nearest = found?.results.flatMap(({ hits }) => hits.map(({ id }) => id));
    const demonstrations = await store.select({
      library: name,
      query: run.request,
      available: new Set(chosen ? known.filter((id) => chosen.has(id)) : known),
      retrieved: nearest ?? toolIds,
      threshold: demonstrationThreshold(settings),
      count,
      embeddings: await namedEmbeddings(embeddings),
    });
    const used = {
      ...embeddingUsage(state, settings, estimateTokens(texts)),
      ms: performance.now() - started,
    };
    const shown = demonstrations.flatMap(({ calls }) => calls.map(({ tool }) => tool));
    return {
      demonstrations: demonstrations.map(({ task, calls, answer }) => ({ task, calls, answer })),
      toolIds: [...new Set([...toolIds, ...shown])],
      usage: addUsage(state.usage, used),
    };
  });
}

function lines({ change: { demonstrations = [] } }: StageChange): Line[] {
  return demonstrations.map(({ task }) => `shows how this was solved: ${oneLine(task)}`);
}
