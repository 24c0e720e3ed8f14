/** A numeric axis. */
export interface ValueAxis {
  domain: [number, number];
  ticks: number[];
  isLog: boolean;
  /** Pixels from the lower end. */
  position: (value: number) => number;
}

/** From this ratio of the largest to the smallest cost on, a linear axis would crowd the small ones. */
const LOG_FROM = 12;

/** An axis for costs: logarithmic if they range widely, else linear from zero. */
export function costAxis({ costs, length }: { costs: number[]; length: number }): ValueAxis {
  const [least, most] = [Math.min(...costs), Math.max(...costs)];
  const isLog = least > 0 && most / least >= LOG_FROM;
  const domain: [number, number] = isLog ? [least / 1.4, most * 1.4] : [0, most * 1.08 || 1];
  if (!isLog) return linearAxis(domain, length, roundStep(domain[1] / 8));
  const [from, to] = domain.map(Math.log) as [number, number];
  return {
    domain,
    isLog,
    ticks: logTicks(domain),
    position: (value) => ((Math.log(value) - from) / (to - from)) * length,
  };
}

/** An axis for shares: the part of 0 to 1 that they cover, ending at tenths. */
export function shareAxis({ shares, length }: { shares: number[]; length: number }): ValueAxis {
  const least = Math.max(0, Math.floor(Math.min(...shares) * 10 - 0.5) / 10);
  const most = Math.min(1, Math.ceil(Math.max(...shares) * 10) / 10);
  // Some room above 1, so that points there are not cut off.
  const domain: [number, number] = [least, Math.max(most, least + 0.1) + 0.03];
  return linearAxis(domain, length, domain[1] - domain[0] > 0.55 ? 0.2 : 0.1);
}

function linearAxis(domain: [number, number], length: number, step: number): ValueAxis {
  const [from, to] = domain;
  const first = Math.ceil(from / step - 1e-9);
  const count = Math.floor(to / step + 1e-9) - first + 1;
  return {
    domain,
    isLog: false,
    // Rounded, because 3 × 0.1 is a little more than 0.3.
    ticks: Array.from({ length: count }, (_, index) =>
      Number(((first + index) * step).toPrecision(12)),
    ),
    position: (value) => ((value - from) / (to - from)) * length,
  };
}

/** 1, 2 and 5 times the powers of ten within the domain. */
function logTicks([from, to]: [number, number]): number[] {
  const first = Math.floor(Math.log10(from));
  const count = Math.ceil(Math.log10(to)) - first + 1;
  return Array.from({ length: count }, (_, index) => first + index)
    .flatMap((power) => [1, 2, 5].map((factor) => Number(`${factor}e${power}`)))
    .filter((tick) => tick >= from && tick <= to);
}

/** The next of 1, 2, 5, 10 … times a power of ten. */
function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
}
