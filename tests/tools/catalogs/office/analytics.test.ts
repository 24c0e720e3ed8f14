import { beforeEach, describe, expect, it } from "vitest";
import {
  createPlot,
  engagedUsersCount,
  getAverageSessionDuration,
  getVisitorInformationById,
  totalVisitsCount,
  trafficSourceCount,
} from "../../../../tools/catalogs/office/analytics.js";
import type { OfficeWorld } from "../../../../tools/catalogs/office/state.js";
import type { ToolContext } from "../../../../tools/tool.js";
import { changeOf, sampleContext } from "./support.js";

let ctx: ToolContext<OfficeWorld>;
beforeEach(() => {
  ctx = sampleContext();
});

describe("looking up a visitor", () => {
  it("gives every visit, engagement as a truth value and figures as texts", () => {
    const visits = getVisitorInformationById({ visitor_id: "1042" }, ctx);
    expect(visits).toEqual([
      {
        date_of_visit: "2023-11-22",
        visitor_id: "1042",
        page_views: "4",
        session_duration_seconds: "35",
        traffic_source: "direct",
        user_engaged: true,
      },
      expect.objectContaining({ date_of_visit: "2023-11-27", page_views: "9" }),
    ]);
  });

  it("says if there is none", () => {
    expect(getVisitorInformationById({ visitor_id: "" }, ctx)).toBe("Visitor ID not provided.");
    expect(getVisitorInformationById({ visitor_id: "42" }, ctx)).toBe("Visitor not found.");
  });
});

describe("figures by day", () => {
  const days = { time_min: "2023-11-23", time_max: "2023-11-28" };

  it("count the visits, both bounds inclusive, days without a visit left out", () => {
    expect(totalVisitsCount(days, ctx)).toEqual({
      "2023-11-23": 2,
      "2023-11-24": 1,
      "2023-11-27": 2,
      "2023-11-28": 3,
    });
  });

  it("are for all days when no bound is given, in their order", () => {
    const counts = totalVisitsCount({}, ctx);
    const visited = ["22", "23", "24", "27", "28", "29"].map((day) => `2023-11-${day}`);
    expect(Object.keys(counts)).toEqual(visited);
  });

  it("count the engaged users, 0 on a day with others only", () => {
    expect(engagedUsersCount(days, ctx)).toEqual({
      "2023-11-23": 1,
      "2023-11-24": 0,
      "2023-11-27": 1,
      "2023-11-28": 1,
    });
  });

  it("count the visits from one source, or from all when none is named", () => {
    expect(trafficSourceCount({ ...days, traffic_source: "direct" }, ctx)).toEqual({
      "2023-11-23": 0,
      "2023-11-24": 0,
      "2023-11-27": 1,
      "2023-11-28": 2,
    });
    expect(trafficSourceCount(days, ctx)).toEqual(totalVisitsCount(days, ctx));
  });

  it("average the seconds of the visits", () => {
    expect(getAverageSessionDuration(days, ctx)).toEqual({
      "2023-11-23": 42,
      "2023-11-24": 12,
      "2023-11-27": 32,
      "2023-11-28": 26,
    });
  });

  it("are none where there were no visits", () => {
    expect(totalVisitsCount({ time_min: "2023-12-01" }, ctx)).toEqual({});
  });

  it("are refused for a bound that is not a date and an unknown source", () => {
    const nonsense = { time_min: "last week" };
    for (const figure of [totalVisitsCount, engagedUsersCount, getAverageSessionDuration]) {
      expect(figure(nonsense, ctx)).toMatch(/^time_min not valid\. /);
    }
    expect(trafficSourceCount({ time_max: "2023-11" }, ctx)).toMatch(/^time_max not valid\. /);
    expect(trafficSourceCount({ traffic_source: "radio" }, ctx)).toBe(
      "Traffic source not valid. It must be one of: direct, referral, search engine, social media.",
    );
  });
});

describe("making a plot", () => {
  const plot = {
    time_min: "2023-11-23",
    time_max: "2023-11-28",
    value_to_plot: "total_visits",
    plot_type: "bar",
  };

  it("gives its path and records it, each time that it is made", () => {
    const path = "plots/2023-11-23_2023-11-28_total_visits_bar.png";
    expect(createPlot(plot, ctx)).toBe(path);
    createPlot(plot, ctx);
    expect(changeOf(ctx)).toEqual({ plots: [path, path] });
  });

  it.each([
    [{ time_min: "" }, /^Start date not provided\.$/],
    [{ time_max: "" }, /^End date not provided\.$/],
    [{ value_to_plot: "visits" }, /^Value to plot not valid\. It must be one of: total_visits, /],
    [{ plot_type: "pie" }, /^Plot type not valid\. It must be one of: bar, line, scatter, /],
  ])("answers %j with %s", (wrong, answer) => {
    expect(createPlot({ ...plot, ...wrong }, ctx)).toMatch(answer);
    expect(changeOf(ctx)).toEqual({});
  });
});
