import { describe, expect, it } from "vitest";
import { sameOfficeChange } from "../../../../tools/catalogs/office/change.js";

const EVENT = {
  event_id: "00000300",
  event_name: "catch-up",
  participant_email: "mei.tan@kestrel.example",
  event_start: "2023-12-01 13:00:00",
  duration: "30",
};

const RIGHT = { same: true, unwanted: 0 };

describe("two changes of the office", () => {
  it("are the same if nothing was to be changed and nothing was", () => {
    expect(sameOfficeChange({}, {})).toEqual(RIGHT);
    expect(sameOfficeChange({}, { calendar: { added: [], changed: {} }, plots: [] })).toEqual(
      RIGHT,
    );
  });

  it("are the same whatever the case of their texts", () => {
    const loud = { ...EVENT, event_name: "Catch-Up" };
    expect(
      sameOfficeChange({ calendar: { added: [EVENT] } }, { calendar: { added: [loud] } }),
    ).toEqual(RIGHT);
    expect(sameOfficeChange({ plots: ["plots/a.png"] }, { plots: ["plots/A.png"] })).toEqual(RIGHT);
  });

  it.each([
    ["customer_relationship_manager", "status", "Won"],
    ["project_management", "list_name", "In Review"],
    ["project_management", "board", "Front end"],
  ])("differ when the case of a %s %s does", (database, column, value) => {
    const change = (text: string) => ({
      [database]: { changed: { "00000001": { [column]: text } } },
    });
    expect(sameOfficeChange(change(value), change(value))).toEqual(RIGHT);
    expect(sameOfficeChange(change(value), change(value.toLowerCase()))).toEqual({
      same: false,
      unwanted: 1,
    });
  });

  it("are the same in whatever order rows were deleted and changed", () => {
    const changed = { "1": { duration: "30" }, "2": { duration: "60", event_name: "a" } };
    const turned = { "2": { event_name: "a", duration: "60" }, "1": { duration: "30" } };
    expect(
      sameOfficeChange(
        { calendar: { deleted: ["3", "4"], changed } },
        { calendar: { changed: turned, deleted: ["4", "3"] } },
      ),
    ).toEqual(RIGHT);
  });

  it("differ when new rows or plots came in another order, though none is unwanted", () => {
    const other = { ...EVENT, event_name: "lunch" };
    const ids = ["00000300", "00000301"] as const;
    const inOrder = [EVENT, other].map((row, place) => ({ ...row, event_id: ids[place] }));
    const turned = [other, EVENT].map((row, place) => ({ ...row, event_id: ids[place] }));
    const harmless = { same: false, unwanted: 0 };
    expect(
      sameOfficeChange({ calendar: { added: inOrder } }, { calendar: { added: turned } }),
    ).toEqual(harmless);
    expect(sameOfficeChange({ plots: ["a", "b"] }, { plots: ["b", "a"] })).toEqual(harmless);
  });
});

describe("unwanted changes", () => {
  it("are every row added, deleted or changed and every plot when nothing was to be changed", () => {
    const actual = {
      calendar: { added: [EVENT], deleted: ["1", "2"] },
      email: { changed: { "00000001": { subject: "x", body: "y" } } },
      plots: ["a", "a"],
    };
    expect(sameOfficeChange({}, actual)).toEqual({ same: false, unwanted: 6 });
  });

  it("are none where a run has done too little", () => {
    const expected = {
      calendar: { added: [EVENT], deleted: ["1", "2"], changed: { "3": { duration: "30" } } },
      plots: ["a", "b"],
    };
    const none = { same: false, unwanted: 0 };
    expect(sameOfficeChange(expected, {})).toEqual(none);
    expect(sameOfficeChange(expected, { calendar: { deleted: ["2"] }, plots: ["b"] })).toEqual(
      none,
    );
  });

  it("are only what is more than was wanted", () => {
    const before = { ...EVENT, event_name: "by mistake" };
    const shifted = { ...EVENT, event_id: "00000301" };
    expect(
      sameOfficeChange(
        { calendar: { added: [EVENT] } },
        { calendar: { added: [before, shifted] } },
      ),
    ).toEqual({ same: false, unwanted: 1 });
    expect(
      sameOfficeChange({ calendar: { added: [EVENT] } }, { calendar: { added: [EVENT, shifted] } }),
    ).toEqual({ same: false, unwanted: 1 });
    expect(sameOfficeChange({ plots: ["a"] }, { plots: ["a", "a"] }).unwanted).toBe(1);
  });

  it("are one for the right row with a wrong value, or with one value too many", () => {
    const expected = { calendar: { changed: { "3": { duration: "30" } } } };
    for (const values of [{ duration: "60" }, { duration: "30", event_name: "a" }]) {
      expect(sameOfficeChange(expected, { calendar: { changed: { "3": values } } })).toEqual({
        same: false,
        unwanted: 1,
      });
    }
  });
});

describe("a change of another form", () => {
  it.each([
    [null, /^change of the office: the whole: /],
    [{ calender: {} }, /^change of the office: .*calender/],
    [{ calendar: { deleted: [3] } }, /^change of the office: calendar\.deleted\.0: /],
    [{ plots: "a.png" }, /^change of the office: plots: /],
  ])("is refused, with the place that is wrong: %j", (change, problem) => {
    expect(() => sameOfficeChange({}, change)).toThrow(problem);
    expect(() => sameOfficeChange(change, {})).toThrow(problem);
  });
});
