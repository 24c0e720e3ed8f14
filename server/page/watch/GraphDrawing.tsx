import { useMemo, useState } from "react";
import type { ShownVisit } from "../routes/watchedRun.js";
import { Button } from "../parts/Frame.js";
import { counted } from "../parts/words.js";
import {
  type PlacedStage,
  type PlacedWay,
  STAGE_HEIGHT,
  type Wiring,
  layoutOf,
  nameOf,
  partOf,
} from "./layout.js";

const SMALLEST = 0.25;
const LARGEST = 3;

/** The graph of a run: its stages with the number of visits, the ways that were taken, and the stage at work. */
export function GraphDrawing(props: {
  wiring: Wiring;
  visits: readonly ShownVisit[];
  atWork: string | undefined;
  chosen: string | undefined;
  choose: (stage: string) => void;
}) {
  const { wiring, visits, atWork, chosen, choose } = props;
  const [isWhole, setWhole] = useState(false);
  const visited = [...new Set(visits.map(({ stage }) => stage))].join(" ");
  const layout = useMemo(
    () => layoutOf(isWhole ? wiring : partOf(wiring, visited.split(" "))),
    [wiring, visited, isWhole],
  );
  const [scale, setScale] = useState<number>();
  const zoom = (factor: number) =>
    setScale((before = 1) => Math.min(LARGEST, Math.max(SMALLEST, before * factor)));
  const counts = new Map<string, number>();
  for (const { stage } of visits) counts.set(stage, (counts.get(stage) ?? 0) + 1);
  const taken = waysTaken(visits, atWork === undefined);
  return (
    <figure className="graph box">
      <div className="zoom">
        <Button aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
          Whole graph
        </Button>
        <Button aria-label="Zoom in" onClick={() => zoom(1.25)}>
          +
        </Button>
        <Button aria-label="Zoom out" onClick={() => zoom(0.8)}>
          −
        </Button>
        <Button onClick={() => setScale(undefined)}>Fit</Button>
      </div>
      <div tabIndex={0} role="region" aria-label="The graph of the run">
        <svg
          viewBox={`${layout.left} 0 ${layout.width} ${layout.height}`}
          width={scale === undefined ? "100%" : layout.width * scale}
          height={scale === undefined ? "100%" : layout.height * scale}
        >
          {layout.ways.map((way) => (
            <Way
              key={`${way.from} ${way.to}`}
              way={way}
              isTaken={taken.has(`${way.from} ${way.to}`)}
            />
          ))}
          {layout.stages.map((stage) => (
            <StageBox
              key={stage.id}
              stage={stage}
              visits={counts.get(stage.id) ?? 0}
              isAtWork={stage.id === atWork}
              isChosen={stage.id === chosen}
              choose={choose}
            />
          ))}
        </svg>
      </div>
    </figure>
  );
}

/** The steps between visits, with those from the start and to the end. */
function waysTaken(visits: readonly ShownVisit[], hasEnded: boolean): Set<string> {
  const stages = visits.map(({ stage }) => stage);
  const way = ["__start__", ...stages, ...(hasEnded ? ["__end__"] : [])];
  return new Set(way.slice(1).map((stage, at) => `${way[at]} ${stage}`));
}

function Way({ way: { points }, isTaken }: { way: PlacedWay; isTaken: boolean }) {
  const path = points.map(
    ({ x, y }, at) => `${at === 0 ? "M" : "L"}${x.toFixed(1)},${y.toFixed(1)}`,
  );
  const [end, before] = [points.at(-1), points.at(-2)];
  return (
    <g className={`way ${isTaken ? "taken" : ""}`}>
      <path d={path.join("")} />
      {end && before && <path className="head" d={headOf(before, end)} />}
    </g>
  );
}

/** An arrow's head, as a triangle at the end of its line. */
function headOf(from: { x: number; y: number }, to: { x: number; y: number }): string {
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const corner = (turn: number) =>
    `${(to.x - 7 * Math.cos(angle + turn)).toFixed(1)},${(to.y - 7 * Math.sin(angle + turn)).toFixed(1)}`;
  return `M${to.x.toFixed(1)},${to.y.toFixed(1)}L${corner(0.45)}L${corner(-0.45)}Z`;
}

function StageBox(props: {
  stage: PlacedStage;
  visits: number;
  isAtWork: boolean;
  isChosen: boolean;
  choose: (stage: string) => void;
}) {
  const { visits, isAtWork, isChosen, choose } = props;
  const { id, x, y, width } = props.stage;
  const kinds = [visits > 0 && "visited", isAtWork && "at-work", isChosen && "chosen"];
  const isEnd = id.startsWith("__");
  const name = nameOf(id);
  const box = (
    <>
      <rect
        x={x - width / 2}
        y={y - STAGE_HEIGHT / 2}
        width={width}
        height={STAGE_HEIGHT}
        rx={isEnd ? 17 : 7}
      />
      <text x={x} y={y + 4.5} textAnchor="middle">
        {visits > 1 ? `${name} ×${visits}` : name}
      </text>
    </>
  );
  const className = `stage-box ${kinds.filter(Boolean).join(" ")}`;
  if (isEnd || visits === 0) return <g className={className}>{box}</g>;
  return (
    <g
      className={className}
      role="button"
      tabIndex={0}
      aria-pressed={isChosen}
      aria-label={`${name}, ${counted(visits, "visit")}${isAtWork ? ", running" : ""}`}
      onClick={() => choose(id)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        choose(id);
      }}
    >
      {box}
    </g>
  );
}
