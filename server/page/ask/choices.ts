import { useEffect, useState } from "react";
import type { Choices } from "../routes/libraryRoutes.js";
import type { Preset } from "../routes/presets.js";
import type { ShownRun } from "../routes/watchedRun.js";
import { useFetched } from "../parts/useLive.js";

/** What one may choose for a run. */
export interface Wish {
  request: string;
  graph: string;
  context: Record<string, unknown>;
  /** Ask as if this were the end of the conversation. */
  checkpoint?: string;
}

/** How much a person wants to be asked, in words. */
export const APPROVALS: [value: string, words: string][] = [
  ["declared", "when a tool requires it"],
  ["plan", "before a plan writes"],
  ["writes", "before every write"],
  ["none", "never"],
];

/** What is chosen at the moment, and what there is to choose from. */
export type Chosen = ReturnType<typeof useChoices>;

/**
 * The choices of a conversation: what is picked here, else those of its last run, because threads keep none, else what
 * is usual on the server.
 */
export function useChoices(last: ShownRun | undefined) {
  const offer = useFetched<Choices>("/console/choices").value;
  const [picked, setPicked] = useState<{ graph?: string; [setting: string]: unknown }>({});
  const threadId = last?.threadId;
  const [pickedFor, setPickedFor] = useState(threadId);
  useEffect(() => {
    if (pickedFor === threadId) return;
    // A first run makes the thread, and what was picked for it holds on.
    if (pickedFor !== undefined) setPicked({});
    setPickedFor(threadId);
  }, [threadId, pickedFor]);
  const { graph: usual = "", ...usualSettings } = { ...offer?.usual };
  const { graph = last?.graph ?? usual, ...settings } = picked;
  const given = Object.entries({ ...last?.settings, ...settings });
  const context = Object.fromEntries(given.filter(([, value]) => value !== null));
  const shown: Record<string, unknown> = { ...usualSettings, ...context };
  const { presets: offered = [] } = { ...offer };
  // One alone is not a choice.
  const presets = offered.length > 1 ? offered : [];
  return {
    offer,
    wish: { graph, context } as Omit<Wish, "request">,
    /** The settings that hold, with those that nobody chose. */
    shown,
    presets,
    /** The most particular one that holds; none says of approvals what was chosen otherwise. */
    preset: presets.findLast(
      ({ settings, ...preset }) =>
        preset.graph === graph &&
        Object.entries({ approval: usualSettings.approval, ...settings }).every(
          ([name, value]) => shown[name] === value,
        ),
    ),
    choose: (choice: typeof picked) => setPicked((before) => ({ ...before, ...choice })),
    /** Takes a preset, and what only others set away. */
    take: (preset: Preset) => {
      const others = presets.flatMap(({ settings }) => Object.keys(settings));
      const absent = Object.fromEntries(others.map((name) => [name, null]));
      setPicked((before) => ({ ...before, ...absent, ...preset.settings, graph: preset.graph }));
    },
  };
}
