import { describe, expect, it } from "vitest";
import { CATALOGS } from "../../../../tools/catalogs/index.js";
import { ROBOT_TOOLS } from "./support.js";

/**
 * The tools with their parameters in the order of the functions: as in the original, except `amount_ml`,
 * which is ours. */
const PARAMETERS: Record<string, string[]> = {
  get_objects: [],
  get_agents: [],
  is_person_busy_or_idle: ["person_name"],
  check_hindering_reasons: ["person_name", "object_name"],
  check_reach_object_for_robot: ["object_name"],
  hand_object_over_to_person: ["object_name", "person_name"],
  move_object_to_person: ["object_name", "person_name"],
  move_object_away_from_person: ["object_name", "away_from"],
  pour_into: ["source_container_name", "target_container_name", "amount_ml"],
  speak: ["person_name", "text"],
  point_at_object_or_agent: ["name"],
};

describe("the robot's catalog", () => {
  it("has the tools and parameters of the published simulation", () => {
    const offered = ROBOT_TOOLS.map(({ name, parameters }) => [
      name,
      Object.keys(parameters.properties),
    ]);
    expect(Object.fromEntries(offered)).toEqual(PARAMETERS);
    const pour = ROBOT_TOOLS.find(({ name }) => name === "pour_into");
    expect(pour?.parameters.required).not.toContain("amount_ml");
  });

  it("declares look-ups as reads and everything else as writes", () => {
    const looks = /^(?:get|is|check)_/;
    for (const { name, effects } of ROBOT_TOOLS)
      expect(effects).toBe(looks.test(name) ? "read" : "write");
  });

  it("gives every tool and every parameter a text of its own", () => {
    for (const { description, parameters, returns } of ROBOT_TOOLS) {
      expect(description).toMatch(/^[A-Z].{20,}\.$/su);
      expect(returns?.description).toMatch(/\w{3,}/u);
      for (const schema of Object.values(parameters.properties)) {
        expect(schema.description).toMatch(/\w{3,}/u);
      }
    }
    expect(new Set(ROBOT_TOOLS.map(({ description }) => description)).size).toBe(
      ROBOT_TOOLS.length,
    );
  });

  it("comes with the character, so that a model is told it wherever the library is used", () => {
    expect(CATALOGS["robot"]?.background).toContain("the tool speak");
  });
});
