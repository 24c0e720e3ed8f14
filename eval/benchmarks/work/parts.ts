import type { Outcomes } from "./outcome.js";
import { BEYOND_THE_TOOLS_OUTCOMES } from "./outcomes/beyondTheTools.js";
import { CONDITIONS_OUTCOMES } from "./outcomes/conditions.js";
import { COUNTS_OUTCOMES } from "./outcomes/counts.js";
import { CUSTOMER_FOLLOW_UP_OUTCOMES } from "./outcomes/customerFollowUp.js";
import { DATES_OUTCOMES } from "./outcomes/dates.js";
import { HAND_OVERS_OUTCOMES } from "./outcomes/handOvers.js";
import { LOOPS_OUTCOMES } from "./outcomes/loops.js";
import { PARTLY_SOLVABLE_OUTCOMES } from "./outcomes/partlySolvable.js";
import { REPORTING_OUTCOMES } from "./outcomes/reporting.js";
import { SPRINT_PLANNING_OUTCOMES } from "./outcomes/sprintPlanning.js";
import { TRIAGE_OUTCOMES } from "./outcomes/triage.js";
import { BEYOND_THE_TOOLS } from "./tasks/beyondTheTools.js";
import { CONDITIONS } from "./tasks/conditions.js";
import { COUNTS } from "./tasks/counts.js";
import { CUSTOMER_FOLLOW_UP } from "./tasks/customerFollowUp.js";
import { DATES } from "./tasks/dates.js";
import { HAND_OVERS } from "./tasks/handOvers.js";
import { LOOPS } from "./tasks/loops.js";
import { PARTLY_SOLVABLE } from "./tasks/partlySolvable.js";
import { REPORTING } from "./tasks/reporting.js";
import { SPRINT_PLANNING } from "./tasks/sprintPlanning.js";
import { TRIAGE } from "./tasks/triage.js";
import { UNSOLVABLE } from "./tasks/unsolvable.js";
import type { PlannedTask, ProgrammedTask } from "./workTask.js";

interface Part<Task> {
  split: string;
  tasks: readonly Task[];
  outcomes: Outcomes;
}

/** What a list of steps can say; the first five go by what people want, the last two by what is possible. */
export const PARTS: readonly Part<PlannedTask>[] = [
  { split: "triage", tasks: TRIAGE, outcomes: TRIAGE_OUTCOMES },
  { split: "sprint planning", tasks: SPRINT_PLANNING, outcomes: SPRINT_PLANNING_OUTCOMES },
  { split: "customer follow-up", tasks: CUSTOMER_FOLLOW_UP, outcomes: CUSTOMER_FOLLOW_UP_OUTCOMES },
  { split: "reporting", tasks: REPORTING, outcomes: REPORTING_OUTCOMES },
  { split: "hand-overs", tasks: HAND_OVERS, outcomes: HAND_OVERS_OUTCOMES },
  { split: "partly solvable", tasks: PARTLY_SOLVABLE, outcomes: PARTLY_SOLVABLE_OUTCOMES },
  { split: "unsolvable", tasks: UNSOLVABLE, outcomes: {} },
];

/** What no list of steps can say; the last one goes by what is possible. */
export const PROGRAM_PARTS: readonly Part<ProgrammedTask>[] = [
  { split: "conditions", tasks: CONDITIONS, outcomes: CONDITIONS_OUTCOMES },
  { split: "loops", tasks: LOOPS, outcomes: LOOPS_OUTCOMES },
  { split: "counts", tasks: COUNTS, outcomes: COUNTS_OUTCOMES },
  { split: "dates", tasks: DATES, outcomes: DATES_OUTCOMES },
  { split: "beyond the tools", tasks: BEYOND_THE_TOOLS, outcomes: BEYOND_THE_TOOLS_OUTCOMES },
];
