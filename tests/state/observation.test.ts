import { expect, it } from "vitest";
import { OBSERVATION_LENGTH, cutObservation } from "../../state/calls.js";

it("leaves a result of the greatest length whole and cuts a longer one", () => {
  const whole = "x".repeat(OBSERVATION_LENGTH);
  expect(cutObservation(whole)).toBe(whole);
  expect(cutObservation(`${whole}y`)).toBe(whole);
});

it("does not cut a character in two", () => {
  const text = `${"x".repeat(OBSERVATION_LENGTH - 1)}🌷`;
  expect(cutObservation(text)).toBe("x".repeat(OBSERVATION_LENGTH - 1));
});
