import type { ToolContext } from "../../tool.js";
import { choiceProblem } from "./records.js";
import type { OfficeWorld } from "./state.js";
import type { Visit } from "./tables.js";
import { boundsProblem, isDayWithin } from "./times.js";

const TRAFFIC_SOURCES = ["direct", "referral", "search engine", "social media"];

const PLOT_VALUES = [
  "total_visits",
  "session_duration_seconds",
  "user_engaged",
  "visits_direct",
  "visits_referral",
  "visits_search_engine",
  "visits_social_media",
];

const PLOT_TYPES = ["bar", "line", "scatter", "histogram"];

/** The days that a figure is wanted for. */
interface Days {
  /** First day, inclusive, as YYYY-MM-DD; from the first visit on when left out */
  time_min?: string;
  /** Last day, inclusive, as YYYY-MM-DD; up to the last visit when left out */
  time_max?: string;
}

/**
 * Look up all visits of one visitor to the website.
 *
 * @name analytics.get_visitor_information_by_id
 * @effects read
 * @flow private
 * @returns the visits with date, page views, seconds on the site, traffic source and whether the
 * visitor was engaged, or in words that there are none
 */
export function getVisitorInformationById(
  {
    visitor_id,
  }: {
    /** Id of the visitor: four digits, such as "0860" */
    visitor_id: string;
  },
  ctx: ToolContext<OfficeWorld>,
): (Omit<Visit, "user_engaged"> & { user_engaged: boolean })[] | string {
  if (!visitor_id) return "Visitor ID not provided.";
  const visits = ctx.world.tables.visits.filter((visit) => visit.visitor_id === visitor_id);
  if (visits.length === 0) return "Visitor not found.";
  return visits.map((visit) => ({ ...visit, user_engaged: isEngaged(visit) }));
}

/**
 * Draw a chart of one figure of the website's analytics over a range of days and save it as a file.
 *
 * @name analytics.create_plot
 * @effects write
 * @returns the path of the file, or in words what is missing or wrong
 */
export function createPlot(
  {
    time_min,
    time_max,
    value_to_plot,
    plot_type,
  }: {
    /** First day, as YYYY-MM-DD */
    time_min: string;
    /** Last day, as YYYY-MM-DD */
    time_max: string;
    /** Figure to draw: total_visits, session_duration_seconds (the average), user_engaged (engaged users), visits_direct, visits_referral, visits_search_engine or visits_social_media */
    value_to_plot: string;
    /** Kind of chart: bar, line, scatter or histogram */
    plot_type: string;
  },
  ctx: ToolContext<OfficeWorld>,
): string {
  if (!time_min) return "Start date not provided.";
  if (!time_max) return "End date not provided.";
  const problem =
    choiceProblem({ what: "Value to plot", value: value_to_plot, choices: PLOT_VALUES }) ??
    choiceProblem({ what: "Plot type", value: plot_type, choices: PLOT_TYPES });
  if (problem !== undefined) return problem;
  const path = `plots/${time_min}_${time_max}_${value_to_plot}_${plot_type}.png`;
  ctx.world.change.plots.push(path);
  return path;
}

/**
 * Count the visits to the website day by day.
 *
 * @name analytics.total_visits_count
 * @effects read
 * @returns number of visits by day; days without a visit are left out
 */
export function totalVisitsCount(
  days: Days,
  ctx: ToolContext<OfficeWorld>,
): Record<string, number> | string {
  return byDay(ctx.world, days, ({ length }) => length);
}

/**
 * Count the engaged users of the website day by day.
 *
 * @name analytics.engaged_users_count
 * @effects read
 * @returns number of visits with an engaged user by day; days without any visit are left out
 */
export function engagedUsersCount(
  days: Days,
  ctx: ToolContext<OfficeWorld>,
): Record<string, number> | string {
  return byDay(ctx.world, days, (visits) => visits.filter(isEngaged).length);
}

/**
 * Count the visits to the website that came from one traffic source day by day.
 *
 * @name analytics.traffic_source_count
 * @effects read
 * @returns number of visits from the source by day; days without any visit are left out
 */
export function trafficSourceCount(
  {
    traffic_source,
    ...days
  }: Days & {
    /** Where the visitors came from: direct, referral, search engine or social media; all when left out */
    traffic_source?: string;
  },
  ctx: ToolContext<OfficeWorld>,
): Record<string, number> | string {
  if (!traffic_source) return totalVisitsCount(days, ctx);
  // WorkBench counts nothing for an unknown source, which looks the same as no visits.
  const problem = choiceProblem({
    what: "Traffic source",
    value: traffic_source,
    choices: TRAFFIC_SOURCES,
  });
  if (problem !== undefined) return problem;
  const figure = (visits: Visit[]) =>
    visits.filter((visit) => visit.traffic_source === traffic_source).length;
  return byDay(ctx.world, days, figure);
}

/**
 * Calculate the average time that visitors stayed on the website day by day.
 *
 * @name analytics.get_average_session_duration
 * @effects read
 * @returns average length of a visit in seconds by day; days without a visit are left out
 */
export function getAverageSessionDuration(
  days: Days,
  ctx: ToolContext<OfficeWorld>,
): Record<string, number> | string {
  return byDay(ctx.world, days, averageDuration);
}

/** A figure for each day with visits, in the order of the days. */
function byDay(
  world: OfficeWorld,
  { time_min, time_max }: Days,
  figure: (visits: Visit[]) => number,
): Record<string, number> | string {
  const problem = boundsProblem({ time_min, time_max });
  if (problem !== undefined) return problem;
  const visitsOf = new Map<string, Visit[]>();
  for (const visit of world.tables.visits) {
    if (!isDayWithin(visit.date_of_visit, { min: time_min, max: time_max })) continue;
    const sameDay = visitsOf.get(visit.date_of_visit) ?? [];
    sameDay.push(visit);
    visitsOf.set(visit.date_of_visit, sameDay);
  }
  const inOrder = [...visitsOf.keys()].toSorted();
  return Object.fromEntries(inOrder.map((day) => [day, figure(visitsOf.get(day) ?? [])]));
}

function averageDuration(visits: Visit[]): number {
  const seconds = visits.map(({ session_duration_seconds }) => Number(session_duration_seconds));
  return seconds.reduce((sum, each) => sum + each, 0) / seconds.length;
}

function isEngaged({ user_engaged }: Visit): boolean {
  return user_engaged === "True";
}
