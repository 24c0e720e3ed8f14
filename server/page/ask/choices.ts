import { useEffect, useState } from "react";
import type { Choices } from "../routes/libraryRoutes.js";
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

/** The examples of the landing view: the library that ships, and the rules that need no key. */
export const EXAMPLE = {
  graph: "tulip",
  context: { library: "math", model: "offline:planner" },
};

/** Whether the operator lets everybody try the examples. */
export function hasExamples({ graphs, libraries, catalogs, models }: Choices): boolean {
  const { library, model } = EXAMPLE.context;
  const isAllowed = graphs.some(({ id }) => id === EXAMPLE.graph);
  return isAllowed && [...libraries, ...catalogs].includes(library) && models.includes(model);
}

/** What is chosen at the moment, and what there is to choose from. */
export type Chosen = ReturnType<typeof useChoices>;

type Choosable = "graph" | "library" | "model" | "approval";

/**
 * The choices of a conversation: what is picked here, else those of its last run, because threads keep none, else what
 * is usual on the server.
 */
export function useChoices(last: ShownRun | undefined) {
  const offer = useFetched<Choices>("/console/choices").value;
  const [picked, setPicked] = useState<Partial<Record<Choosable, string>>>({});
  const threadId = last?.threadId;
  const [pickedFor, setPickedFor] = useState(threadId);
  useEffect(() => {
    if (pickedFor === threadId) return;
    // A first run makes the thread, and what was picked for it holds on.
    if (pickedFor !== undefined) setPicked({});
    setPickedFor(threadId);
  }, [threadId, pickedFor]);
  const { graph: usual, ...usualSettings } = { ...offer?.usual };
  const { graph = last?.graph ?? usual ?? EXAMPLE.graph, ...settings } = picked;
  const context = { ...last?.settings, ...settings };
  return {
    offer,
    wish: { graph, context } as Omit<Wish, "request">,
    /** The settings that hold, with those that nobody chose. */
    shown: { ...usualSettings, ...context } as Record<string, unknown>,
    choose: (name: Choosable, value: string) =>
      setPicked((before) => ({ ...before, [name]: value })),
  };
}
