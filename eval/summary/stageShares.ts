import type { Series } from "./series.js";
import type { StageShare } from "./summary.js";

/** What the tokens of each series went into, as means per run; stages in the order of their visits. */
export function stageShares(series: readonly Series[]): StageShare[] {
  return series.flatMap(({ graph, variant, runs }) => {
    const totals = new Map<
      string,
      Pick<StageShare, "modelCalls" | "inputTokens" | "outputTokens">
    >();
    for (const { stage, ...visit } of runs.flatMap(({ record }) => record.stages)) {
      const known = totals.get(stage);
      totals.set(stage, {
        modelCalls: (known?.modelCalls ?? 0) + visit.modelCalls,
        inputTokens: (known?.inputTokens ?? 0) + visit.inputTokens,
        outputTokens: (known?.outputTokens ?? 0) + visit.outputTokens,
      });
    }
    return [...totals].map(([stage, total]) => ({
      graph,
      variant,
      stage,
      modelCalls: total.modelCalls / runs.length,
      inputTokens: total.inputTokens / runs.length,
      outputTokens: total.outputTokens / runs.length,
    }));
  });
}
