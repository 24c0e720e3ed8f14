import { describe, expect, it } from "vitest";
import { isSmallTalk } from "../../../plans/grounding/smallTalk.js";

describe("small talk", () => {
  it.each([
    "Hi there!",
    "thanks, that's all",
    "Thank you for your help!",
    "No thanks.",
    "Hallo, wie geht's?",
    "Bonjour, comment ça va ?",
    "Hola, ¿qué tal?",
    "Buonasera! Come va?",
    "Bom dia, tudo bem?",
    "Добрый день! Как дела?",
    "おはようございます",
    "早上好",
  ])("is %s", (request) => {
    expect(isSmallTalk(request)).toBe(true);
  });

  it.each([
    "ok",
    "Great, do it.",
    "Thanks for the report on TASK-17, close it",
    "that's all wrong, undo it",
    "Hi, what is 7 times 6?",
  ])("is not %s", (request) => {
    expect(isSmallTalk(request)).toBe(false);
  });
});
