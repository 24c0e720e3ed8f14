/** A sensor's place and the degrees Celsius that it read there. */
export interface Reading {
  place: string;
  celsius: number;
}

/**
 * Find the warmest of several temperature readings.
 *
 * @param readings - The readings to compare; at least one.
 * @returns The warmest reading.
 * @name warmest_reading
 * @effects read
 */
export function warmestReading(readings: Reading[]): Reading {
  const [first, ...others] = readings;
  if (!first) throw new RangeError("readings is empty; give at least one");
  return others.reduce((warmest, next) => (next.celsius > warmest.celsius ? next : warmest), first);
}

/**
 * Say how a temperature feels to most people.
 *
 * @param celsius - Degrees Celsius.
 * @returns One word.
 * @name describe_temperature
 * @effects read
 */
export function describeTemperature(celsius: number): "freezing" | "cold" | "mild" | "hot" {
  if (celsius < 0) return "freezing";
  if (celsius < 12) return "cold";
  return celsius < 26 ? "mild" : "hot";
}
