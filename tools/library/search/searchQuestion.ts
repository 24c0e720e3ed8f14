import { InvalidSetting } from "../../../common/errors.js";
import type { Ranking } from "./request.js";

/** A question to a library. */
export interface SearchQuestion {
  /**
   * Each different phrase is embedded once. A blank one finds nothing, and only the beginning of a long one is read.
   */
  phrases: readonly string[];
  /** At most this many hits for each phrase; 1 or more. */
  topK: number;
  /** Hits are nearer than this, in squared L2 distance (0 to 4). 0: no threshold. */
  threshold?: number;
  /** Finds nothing where no tool is near enough, by the usual distance of the encoder. A threshold takes precedence. */
  nearOnly?: boolean;
  /** Gives the nearest tools where none is near enough, and says that it is unsure. */
  keepUnsure?: boolean;
  /** Searches among these tools only; ids that the library does not have are ignored. */
  within?: readonly string[];
  /** What tools are ranked by; default: both. */
  ranking?: Ranking;
  /** Whoever asks lists all tools by name anyway, so none has to be named besides the hits. */
  allNamed?: boolean;
  /**
   * Leaves out what has next to no chance of being wanted, so that clear winners come nearly alone; the next likely tools
   * are named apart from the hits. Not by meaning alone.
   */
  asFewAsNeeded?: boolean;
  /** The tools of a tool's group: those of a likely one are named before others. */
  kinOf?: ((id: string) => readonly string[]) | undefined;
  /** How long it is to tell of tools: of those that are named apart from the hits, short ones come first. */
  lengthsOf?: (ids: readonly string[]) => ReadonlyMap<string, number>;
}

/** @throws InvalidSetting for a number that makes no sense */
export function requireUsable({ topK, threshold }: SearchQuestion): void {
  if (!Number.isInteger(topK) || topK < 1) {
    throw new InvalidSetting({
      setting: "topK",
      problem: `${topK} is not a whole number of 1 or more`,
    });
  }
  if (threshold !== undefined && !(threshold >= 0)) {
    throw new InvalidSetting({
      setting: "threshold",
      problem: `${threshold} is not a squared distance`,
      hint: "Give a number from 0 (no threshold) to 4",
    });
  }
}

/** A tool that is not a hit because it is too far away. */
export interface Miss {
  id: string;
  distance: number;
  /** The distance below which it would have been a hit. */
  needed: number;
}
