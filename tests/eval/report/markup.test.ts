import { describe, expect, it } from "vitest";
import { markup, markupText, trusted } from "../../../eval/report/markup.js";

describe("markup", () => {
  it("escapes every value, in contents and in attributes", () => {
    const text = `"><script>'&`;
    expect(markupText(markup`<p title="${text}">${text}</p>`)).toBe(
      '<p title="&quot;&gt;&lt;script&gt;&#39;&amp;">&quot;&gt;&lt;script&gt;&#39;&amp;</p>',
    );
  });

  it("accepts other markup and lists, and leaves out absent parts", () => {
    const items = ["a", "b"].map((text) => markup`<li>${text}</li>`);
    expect(markupText(markup`<ul>${items}${undefined}${trusted("<hr>")}</ul>`)).toBe(
      "<ul><li>a</li><li>b</li><hr></ul>",
    );
  });

  it("does not mistake data for markup, whatever its shape", () => {
    const forged = JSON.parse('{ "markup": "<b>", "Symbol(markup)": "<b>" }') as never;
    expect(markupText(markup`${forged}`)).not.toContain("<b>");
  });
});
