/** The fields of a cron expression: what each may be, and names that stand for numbers. */
const FIELDS = [
  { name: "minute", from: 0, to: 59 },
  { name: "hour", from: 0, to: 23 },
  { name: "day", from: 1, to: 31 },
  { name: "month", from: 1, to: 12, names: "jan feb mar apr may jun jul aug sep oct nov dec" },
  { name: "weekday", from: 0, to: 7, names: "sun mon tue wed thu fri sat" },
] as const;

/** Hours that are looked through for a time: the 29th of February comes again within eight years. */
const MOST_HOURS = 8 * 366 * 24;

const MINUTE_MS = 60_000;

/** When a schedule runs. */
interface Schedule {
  minutes: Set<number>;
  hours: Set<number>;
  days: Set<number>;
  months: Set<number>;
  weekdays: Set<number>;
  /** A day is one of the month's or one of the week's if the schedule restricts both. */
  isEither: boolean;
}

/**
 * Reads a cron expression of five fields: minute, hour, day of the month, month and day of the week, with lists, ranges,
 * steps and English names.
 *
 * @throws Error that says which field is wrong
 */
export function readSchedule(text: string): Schedule {
  const fields = text.trim().toLowerCase().split(/\s+/);
  if (fields.length !== FIELDS.length)
    throw new Error(`expected five fields (minute hour day month weekday), got ${fields.length}`);
  const [minutes, hours, days, months, weekdays] = fields.map(readField) as [
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
  ];
  if (weekdays.has(7)) weekdays.add(0);
  const isEither = !fields[2]?.startsWith("*") && !fields[4]?.startsWith("*");
  return { minutes, hours, days, months, weekdays, isEither };
}

function readField(text: string, at: number): Set<number> {
  const field = FIELDS[at] ?? FIELDS[0];
  const names: readonly string[] = "names" in field ? field.names.split(" ") : [];
  const first = field.name === "month" ? 1 : 0;
  const numberOf = (word: string) =>
    names.includes(word) ? names.indexOf(word) + first : Number(word);
  const values = new Set<number>();
  for (const part of text.split(",")) {
    const [, range = "", step] = /^([a-z0-9*-]+)(?:\/(\d+))?$/.exec(part) ?? [];
    const [low, high = step === undefined ? low : `${field.to}`] =
      range === "*" ? [`${field.from}`, `${field.to}`] : range.split("-");
    const [from, to, by] = [numberOf(low || "?"), numberOf(high || "?"), Number(step ?? 1)];
    if (!(from >= field.from && to <= field.to && from <= to && by > 0))
      throw new Error(`the ${field.name} "${part}" is not within ${field.from}-${field.to}`);
    for (let value = from; value <= to; value += by) values.add(value);
  }
  return values;
}

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/**
 * The first time after another at which a schedule runs.
 *
 * @param timezone of IANA's list
 * @returns milliseconds since 1970; undefined if there is none, such as the 31st of February
 * @throws RangeError for an unknown time zone
 */
export function nextTime(schedule: Schedule, after: number, timezone: string): number | undefined {
  const clock = new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    hourCycle: "h23",
    ...({
      weekday: "short",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
    } as const),
  });
  let time = (Math.floor(after / MINUTE_MS) + 1) * MINUTE_MS;
  for (let hours = 0; hours < MOST_HOURS;) {
    const parts = Object.fromEntries(
      clock.formatToParts(time).map(({ type, value }) => [type, value]),
    );
    const minute = Number(parts["minute"]);
    if (isHour(schedule, parts)) {
      const wait = [...schedule.minutes]
        .filter((each) => each >= minute)
        .map((each) => each - minute);
      if (wait.length > 0) return time + Math.min(...wait) * MINUTE_MS;
    }
    time += (60 - minute) * MINUTE_MS;
    hours += 1;
  }
  return undefined;
}

function isHour(schedule: Schedule, parts: Record<string, string | undefined>): boolean {
  if (!schedule.months.has(Number(parts["month"])) || !schedule.hours.has(Number(parts["hour"])))
    return false;
  const isDay = schedule.days.has(Number(parts["day"]));
  const isWeekday = schedule.weekdays.has(WEEKDAYS.indexOf(parts["weekday"] ?? ""));
  return schedule.isEither ? isDay || isWeekday : isDay && isWeekday;
}
