import { answerQuestions } from "../../tools/threads/answerQuestions.js";
import { clausesOf } from "./sentences.js";

// Entry of the thread that reads sentences.

const { default: nlp } = await import("compromise/two");
answerQuestions((request: string) => clausesOf(request, nlp));
