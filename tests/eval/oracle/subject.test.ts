import { expect, it } from "vitest";
import { openSubject } from "../../../eval/oracle/subject.js";

it("has those tasks of the wanted levels that can be done completely, also with gold programs", async () => {
  const whole = await openSubject("work");
  const planned = await openSubject("work", { levels: ["easy", "medium", "hard", "unsolvable"] });
  const programmed = await openSubject("work", { levels: ["program"] });
  expect(planned.gold).toHaveLength(65);
  expect(programmed.gold).toHaveLength(30);
  expect(whole.gold.map(({ task }) => task.id)).toEqual(
    [...planned.gold, ...programmed.gold].map(({ task }) => task.id),
  );
  for (const { task, plan } of programmed.gold) {
    expect(plan.steps).toEqual(task.calls);
  }
});
