import { useMemo, useRef, useState } from "react";
import type { ShownVisit } from "../../console/watchedRun.js";
import {
  type Layout,
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
  const { view, zoom, move } = useViewBox(layout);
  const counts = new Map<string, number>();
  for (const { stage } of visits) counts.set(stage, (counts.get(stage) ?? 0) + 1);
  const taken = waysTaken(visits, atWork === undefined);
  return (
    <figure className="graph">
      <div className="zoom">
        <button type="button" aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
          Whole graph
        </button>
        <button type="button" aria-label="Enlarge" onClick={() => zoom(1.25)}>
          +
        </button>
        <button type="button" aria-label="Reduce" onClick={() => zoom(0.8)}>
          −
        </button>
        <button type="button" onClick={() => zoom(0)}>
          Fit
        </button>
      </div>
      <svg viewBox={view} role="group" aria-label="The graph of the run" {...move}>
        {layout.ways.map((way) => (
          <Way
            key={`${way.from} ${way.to}`}
            way={way}
            isTaken={taken.has(`${way.from} ${way.to}`)}
          />
        ))}
        {layout.stages.map(({ id, x, y, width }) => (
          <StageBox
            key={id}
            {...{ id, x, y, width }}
            visits={counts.get(id) ?? 0}
            isAtWork={id === atWork}
            isChosen={id === chosen}
            choose={choose}
          />
        ))}
      </svg>
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
  id: string;
  x: number;
  y: number;
  width: number;
  visits: number;
  isAtWork: boolean;
  isChosen: boolean;
  choose: (stage: string) => void;
}) {
  const { id, x, y, width, visits, isAtWork, isChosen, choose } = props;
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
      aria-label={`${name}, ${visits} visits${isAtWork ? ", at work" : ""}`}
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

/** What of the drawing is seen: zoomed by buttons, moved by dragging. */
function useViewBox({ width, height }: Layout) {
  const [scale, setScale] = useState(1);
  const [centre, setCentre] = useState<{ x: number; y: number }>();
  const grip = useRef<{ x: number; y: number }>(undefined);
  const [wide, high] = [width / scale, height / scale];
  const at = centre ?? { x: width / 2, y: height / 2 };
  const view = [at.x - wide / 2, at.y - high / 2, wide, high]
    .map((each) => each.toFixed(1))
    .join(" ");
  const zoom = (factor: number) => {
    if (factor === 0) setCentre(undefined);
    setScale((before) =>
      factor === 0 ? 1 : Math.min(LARGEST, Math.max(SMALLEST, before * factor)),
    );
  };
  const move = {
    onPointerDown: ({ clientX: x, clientY: y }: React.PointerEvent) =>
      void (grip.current = { x, y }),
    onPointerUp: () => void (grip.current = undefined),
    onPointerLeave: () => void (grip.current = undefined),
    onPointerMove: ({ clientX, clientY, currentTarget }: React.PointerEvent<SVGSVGElement>) => {
      if (!grip.current) return;
      const { width: shown } = currentTarget.getBoundingClientRect();
      const ratio = wide / Math.max(1, shown);
      const [dx, dy] = [clientX - grip.current.x, clientY - grip.current.y];
      grip.current = { x: clientX, y: clientY };
      setCentre({ x: at.x - dx * ratio, y: at.y - dy * ratio });
    },
  };
  return { view, zoom, move };
}
