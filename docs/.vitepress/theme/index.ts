/// <reference types="vite/client" />
import DefaultTheme from "vitepress/theme";
import { type Theme, useData, useRouter } from "vitepress";
import { nextTick, onMounted, watch } from "vue";
import script from "@mermaid-js/tiny/dist/mermaid.tiny.js?url";
// oxlint-disable-next-line import/no-unassigned-import
import "./style.css";

/** VitePress's own theme, which also draws diagrams. */
export default {
  extends: DefaultTheme,
  setup() {
    const { isDark } = useData();
    const router = useRouter();
    onMounted(() => {
      watch([() => router.route.path, isDark], () => void nextTick(() => draw(isDark.value)), {
        immediate: true,
      });
    });
  },
} satisfies Theme;

/** What the script of Mermaid puts into the page. */
interface Mermaid {
  initialize: (options: { startOnLoad: boolean; theme: string }) => void;
  run: (options: { nodes: HTMLElement[] }) => Promise<void>;
}

/** Draws the diagrams of a page in the colours of the scheme. Mermaid is only loaded for a page that has some. */
async function draw(isDark: boolean): Promise<void> {
  const nodes = [...document.querySelectorAll<HTMLElement>("pre.mermaid")];
  if (nodes.length === 0) return;
  loading ??= loaded();
  const mermaid = await loading;
  mermaid.initialize({ startOnLoad: false, theme: isDark ? "dark" : "neutral" });
  for (const node of nodes) {
    node.dataset["source"] ??= node.textContent;
    node.textContent = node.dataset["source"];
    delete node.dataset["processed"];
  }
  await mermaid.run({ nodes });
}

let loading: Promise<Mermaid> | undefined;

/** It is a plain script, not a module. */
async function loaded(): Promise<Mermaid> {
  const element = Object.assign(document.createElement("script"), { src: script });
  await new Promise((resolve, reject) => {
    element.addEventListener("load", resolve);
    element.addEventListener("error", reject);
    document.head.append(element);
  });
  return (globalThis as unknown as { mermaid: Mermaid }).mermaid;
}
