import { judgeRobot } from "../benchmarks/robot/judgeRobot.js";
import { scoreOf, type Scored, type Scorer } from "./scorer.js";

const ATTENTIVE =
  "Character of the supportive robot: Ocker, Tanneberg, Eggert and Gienger 2024, Tulip Agent (arXiv:2407.21778), robo_eval";

/** How attentive the robot was. Undefined outside the robot's world, and if there is nothing to judge. */
export const ROBOT_SCORERS: Scorer[] = [
  {
    id: "silence",
    label: "Silent when not needed",
    definition:
      "For situations in which nobody needs the robot: 1 if it said, showed and did nothing; looking is free.",
    source: ATTENTIVE,
    unit: "share",
    better: "higher",
    score: (scored) => scoreOf(judged(scored)?.silent),
  },
  {
    id: "spokenTo",
    label: "Spoken to the right person",
    definition:
      "Of what the robot said, the share that it said to the person who waits for it, or to all; 0 if it had to speak and said nothing.",
    source: ATTENTIVE,
    unit: "share",
    better: "higher",
    score: (scored) => judged(scored)?.rightPerson,
  },
  {
    id: "reasonFirst",
    label: "Reason before action",
    definition:
      "For situations that take a reason and an act: 1 if the right person was told the reason, by one of the words for it, before the first act.",
    source: ATTENTIVE,
    unit: "share",
    better: "higher",
    score: (scored) => scoreOf(judged(scored)?.reasonFirst),
  },
];

function judged({ task, run, benchmark: { world } }: Scored) {
  if (world?.name !== "robot" || !task.stateDiff || !run.stateDiff) return undefined;
  return judgeRobot(task.stateDiff, run.stateDiff);
}
