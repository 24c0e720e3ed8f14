import DefaultTheme from "vitepress/theme";
import { type Theme, useData, useRouter } from "vitepress";
import { nextTick, onMounted, watch } from "vue";
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

/** Draws the diagrams of a page, in the colours of the scheme; the drawing package is loaded only for a page that has some. */
async function draw(isDark: boolean): Promise<void> {
  const nodes = [...document.querySelectorAll<HTMLElement>("pre.mermaid")];
  if (nodes.length === 0) return;
  const { default: mermaid } = await import("@mermaid-js/tiny");
  mermaid.initialize({ startOnLoad: false, theme: isDark ? "dark" : "neutral" });
  for (const node of nodes) {
    node.dataset["source"] ??= node.textContent;
    node.textContent = node.dataset["source"];
    delete node.dataset["processed"];
  }
  await mermaid.run({ nodes });
}
