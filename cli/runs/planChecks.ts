import { UnknownName } from "../../common/errors.js";
import { planProblem } from "../../workspace/savedPlans.js";
import { parseContext } from "../../state/context.js";
import { isSavedPlan } from "../../tools/runtime/savedPlan.js";
import { EXIT } from "../exit.js";
import { openLibrary } from "../tools/openLibrary.js";
import type { PlanOptions } from "./plans.js";
import { printJson, printTable } from "../printing/print.js";

/**
 * `plans check [NAMES]`
 *
 * @returns the exit code: 1 if a plan does not pass
 */
export async function checkPlans(names: readonly string[], options: PlanOptions): Promise<number> {
  const { library: name, embeddings, json } = options;
  const library = await openLibrary(parseContext({ library: name, embeddings }));
  const plans = library.list().filter(isSavedPlan);
  const available = plans.map(({ id }) => id);
  const unknown = names.find((id) => !available.includes(id));
  if (unknown !== undefined) {
    const kind = `saved plan in library ${library.name}`;
    throw new UnknownName({ kind, wanted: unknown, available });
  }
  const wanted = names.length > 0 ? plans.filter(({ id }) => names.includes(id)) : plans;
  const checks: { plan: string; problem: string | undefined }[] = [];
  for (const plan of wanted) {
    const problem = await planProblem(plan, (id) => library.get(id));
    checks.push({ plan: plan.id, problem });
  }
  if (json) printJson(checks.map(({ plan, problem }) => ({ plan, passed: !problem, problem })));
  else printTable({ rows: checks.map(({ plan, problem }) => [plan, problem ?? "passed"]) });
  if (checks.length === 0 && !json)
    process.stderr.write(`library ${library.name} has no saved plans\n`);
  return checks.some(({ problem }) => problem) ? EXIT.notSolved : EXIT.done;
}
