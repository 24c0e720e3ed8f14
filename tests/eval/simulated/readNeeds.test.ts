import { describe, expect, it } from "vitest";
import { codeIn, readNeeds, readReference, speaksOf } from "../../../eval/simulated/findings.js";
import { REQUEST } from "./support.js";

describe("a request as the simulated policy reads it", () => {
  it.each([
    [REQUEST, ["the import duty", "the day of arrival"]],
    [
      "Could you find out the weight, the bay as well as the fee for the parcel PK-1?",
      ["the weight", "the bay", "the fee for the parcel"],
    ],
    ["I would like to know the fee of the parcel PK-1.", ["the fee of the parcel"]],
    ["My parcel PK-1 is late and wet. Can you look up its carrier?", ["its carrier"]],
    ["It rains. The parcel PK-1 is wet.", []],
  ])("asks for what stands behind its asking words: %s", (request, needs) => {
    expect(readNeeds(request).map(({ text }) => text)).toEqual(needs);
  });

  it("names the matter by a reference, or does not", () => {
    expect(readReference(REQUEST)).toBe("PK-10423");
    expect(readReference("Please tell me the time.")).toBeUndefined();
  });
});

describe("a text as the simulated policy reads it", () => {
  const [duty, day] = readNeeds(REQUEST);
  if (!duty || !day) throw new Error("the request was not understood");

  it("speaks of a need when it has all words of it that mean something", () => {
    const text = "Looks up customs fee (import duty) for a parcel";
    expect(speaksOf(text, duty)).toBe(true);
    expect(speaksOf("Looks up the duty roster", duty)).toBe(false);
    expect(speaksOf(text, day)).toBe(false);
  });

  it("tells a code that was not known before, by its form", () => {
    expect(codeIn("import duty of PK-10423: AB23-CD45", REQUEST)).toBe("AB23-CD45");
    expect(codeIn("import duty of PK-10423: see the general terms", REQUEST)).toBeUndefined();
    expect(codeIn("ServiceUnavailable: HTTP 503", REQUEST)).toBeUndefined();
  });
});
