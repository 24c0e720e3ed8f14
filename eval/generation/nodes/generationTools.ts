import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { runWorkspace } from "../../../nodes/workspace/workspace.js";
import { type Settings, readSettings } from "../../../state/settings.js";
import type { GenerationState } from "../generationState.js";
import type { TrialRun } from "../../../tools/runtime/trials.js";
import type { ToolRecord } from "../../../tools/tool.js";

/** The tools for plans, and a way to try plans out. */
export interface GenerationTools {
  settings: Settings;
  /** Tools that can be tried out, or that nobody can run; plans never contain writes with lasting effects. */
  tools: ReadonlyMap<string, ToolRecord>;
  /** Opens a trial on fresh worlds. */
  openTrial: () => Promise<TrialRun>;
  /** Changes with the tools; facts found with the same revision are still valid. */
  revision: string;
}

/** Opens the tools of a run. */
export async function generationTools(
  state: GenerationState,
  config: LangGraphRunnableConfig,
): Promise<GenerationTools> {
  const settings = readSettings(config);
  const { runtime, library: openLibrary } = runWorkspace();
  const library = await openLibrary(settings);
  const openTrial = () =>
    runtime.openTrial({
      // No run has this name, so every world is new.
      threadId: `generation/${state.seed}/${state.draw}`,
      timeoutMs: settings.toolTimeoutMs,
      signal: config.signal,
      library,
    });
  const trial = await openTrial();
  const chosen = settings.toolIds && new Set(settings.toolIds);
  const tools = library
    .list()
    .filter((tool) => trial.canRun(tool) || isOnlyDeclared(tool))
    .filter(({ id }) => !chosen || chosen.has(id))
    .toSorted(({ id: one }, { id: other }) => (one < other ? -1 : 1));
  return {
    settings,
    tools: new Map(tools.map((tool) => [tool.id, tool])),
    openTrial,
    revision: JSON.stringify([library.name, library.revision, settings.toolIds]),
  };
}

function isOnlyDeclared({ source }: ToolRecord): boolean {
  return source.kind === "declared" && source.world === undefined;
}
