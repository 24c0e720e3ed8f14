import { describe, expect, it } from "vitest";
import { phraseOf } from "../../../plans/language/program.js";

describe("the phrase that an unknown function is searched by", () => {
  it.each<[string, string[], string]>([
    ["find_user", ["name"], "find user by name"],
    ["findUser", ["name", "name"], "find user by name"],
    ["find_user_by_name", ["name"], "find user by name"],
    ["send-email", [], "send email"],
    ["convert", ["value", "fromUnit", "toUnit"], "convert by from unit and to unit"],
    ["$update", ["args"], "$update"],
  ])("of %s(%j) is %j", (name, given, phrase) => {
    expect(phraseOf({ name, given })).toBe(phrase);
  });
});
