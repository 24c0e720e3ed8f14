import type { Outcomes } from "./outcome.js";
import { CUSTOMER_FOLLOW_UP_OUTCOMES } from "./outcomes/customerFollowUp.js";
import { HAND_OVERS_OUTCOMES } from "./outcomes/handOvers.js";
import { PARTLY_SOLVABLE_OUTCOMES } from "./outcomes/partlySolvable.js";
import { REPORTING_OUTCOMES } from "./outcomes/reporting.js";
import { SPRINT_PLANNING_OUTCOMES } from "./outcomes/sprintPlanning.js";
import { TRIAGE_OUTCOMES } from "./outcomes/triage.js";
import { CUSTOMER_FOLLOW_UP } from "./tasks/customerFollowUp.js";
import { HAND_OVERS } from "./tasks/handOvers.js";
import { PARTLY_SOLVABLE } from "./tasks/partlySolvable.js";
import { REPORTING } from "./tasks/reporting.js";
import { SPRINT_PLANNING } from "./tasks/sprintPlanning.js";
import { TRIAGE } from "./tasks/triage.js";
import { UNSOLVABLE } from "./tasks/unsolvable.js";
import type { WorkTask } from "./workTask.js";

/** The parts of the benchmark; the first five go by what people want, the last two by what is possible. */
export const PARTS: readonly {
  split: string;
  tasks: readonly WorkTask[];
  outcomes: Outcomes;
}[] = [
  { split: "triage", tasks: TRIAGE, outcomes: TRIAGE_OUTCOMES },
  { split: "sprint planning", tasks: SPRINT_PLANNING, outcomes: SPRINT_PLANNING_OUTCOMES },
  { split: "customer follow-up", tasks: CUSTOMER_FOLLOW_UP, outcomes: CUSTOMER_FOLLOW_UP_OUTCOMES },
  { split: "reporting", tasks: REPORTING, outcomes: REPORTING_OUTCOMES },
  { split: "hand-overs", tasks: HAND_OVERS, outcomes: HAND_OVERS_OUTCOMES },
  { split: "partly solvable", tasks: PARTLY_SOLVABLE, outcomes: PARTLY_SOLVABLE_OUTCOMES },
  { split: "unsolvable", tasks: UNSOLVABLE, outcomes: {} },
];
