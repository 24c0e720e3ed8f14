import { expect, it } from "vitest";
import { todayOf } from "../../../nodes/shared/todayOf.js";
import { parseContext } from "../../../state/context.js";

it.each([
  [{ library: "work" }, "2025-03-12"],
  [{ library: "office" }, "2023-11-30"],
  [{ background: "It is Tuesday, 5 May 2026, and rains." }, "2026-05-05"],
  [{ background: "Nothing happens before 24 December." }, new Date().toISOString().slice(0, 10)],
  [{}, new Date().toISOString().slice(0, 10)],
])("takes the day of a run from its background, else from the machine: %j", (settings, day) => {
  expect(todayOf(parseContext(settings))).toBe(day);
});
