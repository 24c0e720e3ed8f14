import type { Theme } from "./vocabulary.js";

/** Themes of health, learning, offices and leisure. */
export const PEOPLE_THEMES: readonly Theme[] = [
  {
    name: "health",
    facets: [
      ["laboratory result", "blood test outcome", "measured analysis value"],
      ["attending physician", "doctor in charge", "treating specialist"],
      ["medication dose", "amount of medicine", "prescribed quantity of the drug"],
      ["follow-up appointment", "next examination", "date of the control visit"],
      ["insurance approval", "reimbursement decision", "consent of the health fund"],
      ["ward room", "station bed", "clinic chamber"],
    ],
    families: [
      {
        noun: "patient file",
        prefix: "PF",
        openings: [
          "The hospital keeps the patient file {ref} of my father.",
          "A nurse mentioned the patient file {ref} after the operation.",
        ],
      },
      {
        noun: "dental treatment",
        prefix: "DT",
        openings: [
          "My tooth aches, so there is the dental treatment {ref}.",
          "The dental treatment {ref} is about a crown on a molar.",
        ],
      },
      {
        noun: "physiotherapy plan",
        prefix: "PP",
        openings: [
          "My back is stiff, hence the physiotherapy plan {ref}.",
          "The physiotherapy plan {ref} has exercises for the knee.",
        ],
      },
    ],
  },
  {
    name: "learning",
    facets: [
      ["exam mark", "grade achieved", "score in the final test"],
      ["course tutor", "teaching lecturer", "seminar leader"],
      ["tuition balance", "outstanding study fees", "unpaid course money"],
      ["lecture hall", "classroom location", "auditorium for the lessons"],
      ["submission deadline", "latest day for the essay", "due date of the assignment"],
      ["certificate number", "diploma identifier", "credential code"],
    ],
    families: [
      {
        noun: "university enrolment",
        prefix: "UE",
        openings: [
          "I study physics under the university enrolment {ref}.",
          "The campus office filed the university enrolment {ref}.",
        ],
      },
      {
        noun: "language course",
        prefix: "LA",
        openings: [
          "I learn Portuguese in the language course {ref}.",
          "The evening school runs the language course {ref}.",
        ],
      },
      {
        noun: "driving school file",
        prefix: "DS",
        openings: [
          "My daughter learns to drive, see the driving school file {ref}.",
          "The instructor noted the driving school file {ref}.",
        ],
      },
    ],
  },
  {
    name: "authority",
    facets: [
      ["processing stage", "progress of the paperwork", "step the dossier has reached"],
      ["case worker", "clerk responsible", "official handling the matter"],
      ["filing charge", "administrative fee", "stamp cost"],
      ["missing document", "paper still lacking", "absent attachment"],
      ["hearing date", "day of the interview", "appointment before the board"],
      ["archive shelfmark", "registry signature", "records office code"],
    ],
    families: [
      {
        noun: "building permit",
        prefix: "BP",
        openings: [
          "We want to add a storey, so we filed the building permit {ref}.",
          "The architect drew plans for the building permit {ref}.",
        ],
      },
      {
        noun: "passport application",
        prefix: "PA",
        openings: [
          "I travel soon, hence the passport application {ref}.",
          "The photographs belong to the passport application {ref}.",
        ],
      },
      {
        noun: "tax return",
        prefix: "TR",
        openings: [
          "My income of last year is in the tax return {ref}.",
          "The revenue office received the tax return {ref}.",
        ],
      },
    ],
  },
  {
    name: "culture",
    facets: [
      ["admission price", "entrance ticket cost", "money at the door"],
      ["opening hours", "visiting times", "daily access schedule"],
      ["guided tour language", "tongue of the guide", "spoken idiom on the walk"],
      ["curator contact", "phone of the organiser", "line to the management"],
      ["visitor capacity", "maximum audience", "crowd limit"],
      ["cloakroom rule", "coat deposit policy", "regulation for bags"],
    ],
    families: [
      {
        noun: "museum visit",
        prefix: "MV",
        openings: [
          "Our class plans the museum visit {ref} to see paintings.",
          "The museum visit {ref} is about ancient sculptures.",
        ],
      },
      {
        noun: "concert evening",
        prefix: "CE",
        openings: [
          "An orchestra plays at the concert evening {ref}.",
          "I got seats for the concert evening {ref} with a violinist.",
        ],
      },
      {
        noun: "theatre night",
        prefix: "TN",
        openings: [
          "A comedy is on stage at the theatre night {ref}.",
          "The actors rehearse for the theatre night {ref}.",
        ],
      },
    ],
  },
  {
    name: "property",
    facets: [
      ["cold rent", "basic lease payment", "housing price without extras"],
      ["living area", "floor space in square metres", "size of the rooms"],
      ["landlord address", "owner mailing details", "residence of the proprietor"],
      ["notice period", "termination term", "weeks to quit"],
      ["heating type", "warmth source", "radiator fuel"],
      ["deposit account", "security savings", "bank holding the bond"],
    ],
    families: [
      {
        noun: "flat lease",
        prefix: "FT",
        openings: [
          "I moved in on the third floor with the flat lease {ref}.",
          "Two students share the flat lease {ref}.",
        ],
      },
      {
        noun: "shop tenancy",
        prefix: "ST",
        openings: [
          "The bakery on the corner has the shop tenancy {ref}.",
          "We sell shoes under the shop tenancy {ref}.",
        ],
      },
      {
        noun: "allotment garden",
        prefix: "AG",
        openings: [
          "We grow tomatoes in the allotment garden {ref}.",
          "The shed with the tools stands in the allotment garden {ref}.",
        ],
      },
    ],
  },
];
