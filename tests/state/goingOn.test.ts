import { describe, expect, it } from "vitest";
import { DIRECTIONS, settingsGoingOn } from "../../state/goingOn.js";
import { parseSettings, settingsSchema } from "../../state/settings.js";

describe("a run that goes on", () => {
  it("has a direction for each setting", () => {
    expect(Object.keys(DIRECTIONS).toSorted()).toEqual(
      Object.keys(settingsSchema.shape).toSorted(),
    );
  });

  it("keeps all that it began with where nothing is given", () => {
    const begun = parseSettings({ library: "work", approval: "plan", toolIds: ["a"], budget: 3 });
    expect(parseSettings({ ...settingsGoingOn(begun, {}) })).toEqual(begun);
    expect(parseSettings({ ...settingsGoingOn(begun, { approval: null }) })).toEqual(begun);
  });

  const BEGUN = {
    library: "work",
    approval: "writes",
    madeTools: "thread",
    remember: false,
    searchWhileActing: false,
    toolIds: ["a", "b"],
    maxModelCalls: 10,
    maxSeconds: 20,
    budget: 3,
    flowRules: "strict.json",
    instructions: "Never delete.",
  };

  it.each([
    ["approval", "none", "writes"],
    ["approval", "declared", "writes"],
    ["approval", "plan", "plan"],
    ["madeTools", "library", "thread"],
    ["remember", true, false],
    ["searchWhileActing", true, false],
    ["toolIds", ["b", "c"], ["b"]],
    ["maxModelCalls", 50, 10],
    ["maxModelCalls", 5, 5],
    ["maxSeconds", 600, 20],
    ["budget", "$5", 3],
    ["flowRules", "off", "strict.json"],
    ["instructions", "Do as you like.", "Never delete."],
    ["library", "math", "work"],
    ["model", "openai:other", "openai:other"],
    ["temperature", 1, 1],
  ])("with %s given as %j has %j", (name, given, wanted) => {
    const begun = parseSettings(BEGUN);
    expect(settingsGoingOn(begun, { [name]: given })).toMatchObject({ [name]: wanted });
  });

  it("is as strict as the caller wants where it began without a limit", () => {
    const begun = parseSettings({ madeTools: "library", remember: true });
    const stricter = { toolIds: ["a"], madeTools: "thread", remember: false };
    expect(settingsGoingOn(begun, stricter)).toMatchObject(stricter);
  });

  it("refuses what is no value of a setting rather than overlook it", () => {
    expect(() => settingsGoingOn(parseSettings(BEGUN), { approval: "maybe" })).toThrow(/approval/);
    expect(() => settingsGoingOn(parseSettings(BEGUN), { aproval: "plan" })).toThrow(/aproval/);
  });
});
