/** A field in which people work or spend their time, and people who might ask for something in it. */
export interface Domain {
  /** What the person is at, following "who". */
  field: string;
  /** Age, profession, education and hobbies of one person each. */
  people: readonly [string, string, string, string, string];
}

/**
 * Eighteen domains with five people each, as many as "AI Agent 007" has for its persona-based data; the
 * domains and people are this project's own.
 */
export const DOMAINS: readonly Domain[] = [
  {
    field: "keeps a software product running",
    people: [
      "34, support engineer, trained as an electrician, restores old radios",
      "27, release manager, computer science degree, climbs on weekends",
      "45, head of support, left school at 16, sings in a choir",
      "52, reliability engineer, physics degree, keeps bees",
      "23, junior tester, in a dual course of study, plays handball",
    ],
  },
  {
    field: "plans the work of a team",
    people: [
      "38, product owner, studied design, bakes bread",
      "29, team lead, mathematics degree, runs half-marathons",
      "47, project manager, business school, sails",
      "41, scrum master, studied psychology, paints in watercolours",
      "33, operations planner, vocational training, collects maps",
    ],
  },
  {
    field: "sells to companies and looks after them",
    people: [
      "31, account manager, studied languages, dances tango",
      "44, sales director, economics degree, plays chess by mail",
      "26, customer success assistant, communication studies, vlogs about plants",
      "57, key account manager, trained as a merchant, goes fishing",
      "36, contracts clerk, law degree not finished, volunteers at a food bank",
    ],
  },
  {
    field: "does the accounts of a small business",
    people: [
      "49, bookkeeper, certified accountant, knits",
      "28, owner of a bicycle shop, trained mechanic, races on gravel",
      "62, tax adviser, economics degree, grows roses",
      "35, payroll clerk, evening school, plays the bass",
      "40, restaurant owner, no degree, follows Formula 1",
    ],
  },
  {
    field: "teaches at a school",
    people: [
      "30, mathematics teacher, master's degree, plays board games",
      "55, physics teacher, doctorate, watches birds",
      "42, primary school teacher, teacher training college, plays the ukulele",
      "25, student teacher, still at university, does improvised theatre",
      "60, headmistress, history degree, hikes long trails",
    ],
  },
  {
    field: "studies at a university",
    people: [
      "20, first-year student of engineering, rows",
      "24, master's student of statistics, writes crosswords",
      "22, student of architecture, photographs façades",
      "28, doctoral student of biology, dives",
      "66, senior student of philosophy, retired baker, plays pétanque",
    ],
  },
  {
    field: "builds and repairs houses",
    people: [
      "37, carpenter, master craftsman, carves spoons",
      "51, site manager, civil engineering degree, rides motorbikes",
      "29, painter, apprenticeship, sprays murals",
      "46, roofer with a firm of her own, apprenticeship, trains dogs",
      "33, surveyor, technical college, flies drones",
    ],
  },
  {
    field: "cares for patients",
    people: [
      "32, nurse on a night ward, nursing school, reads crime novels",
      "48, general practitioner, medical degree, cycles to work",
      "27, physiotherapist, college, plays volleyball",
      "58, hospital administrator, health economics, cooks for many",
      "39, pharmacist, university, builds model ships",
    ],
  },
  {
    field: "grows food",
    people: [
      "53, dairy farmer, agricultural school, plays the accordion",
      "31, vegetable grower, left banking, makes cheese",
      "44, winemaker, oenology degree, restores barrels",
      "26, greenhouse technician, apprenticeship, breeds orchids",
      "61, orchard owner, self-taught, tells stories at fairs",
    ],
  },
  {
    field: "moves goods and people",
    people: [
      "43, freight dispatcher, commercial school, plays darts",
      "35, bus driver, retrained from joiner, learns Portuguese",
      "50, warehouse manager, logistics degree, coaches football",
      "28, courier, sociology degree, writes poems",
      "39, ship's officer, nautical college, bakes on board",
    ],
  },
  {
    field: "runs a kitchen or a shop",
    people: [
      "36, head chef, apprenticeship, forages for mushrooms",
      "24, barista, student of music, records street sounds",
      "55, grocer, family trade, does judo",
      "41, caterer, hotel school, collects cookery books",
      "30, baker, apprenticeship, boulders",
    ],
  },
  {
    field: "makes films, music or texts",
    people: [
      "29, sound editor, conservatoire, repairs synthesizers",
      "47, journalist, literature degree, swims in cold lakes",
      "34, illustrator, art school, keeps axolotls",
      "52, translator, two degrees in languages, gardens on a balcony",
      "38, stage manager, technical school, plays bridge",
    ],
  },
  {
    field: "works in a laboratory",
    people: [
      "31, chemist, doctorate, brews beer",
      "45, lab technician, vocational school, sews costumes",
      "27, data analyst in genetics, bioinformatics degree, plays ice hockey",
      "59, materials scientist, professor, walks in old mines",
      "36, quality inspector, evening college, does calligraphy",
    ],
  },
  {
    field: "serves in a town's administration",
    people: [
      "40, clerk for building permits, civil service school, plays table tennis",
      "54, head of the town library, library science, keeps a diary of clouds",
      "33, city planner, geography degree, skates",
      "62, mayor's secretary, commercial school, breeds canaries",
      "28, event officer, cultural studies, plays the saxophone",
    ],
  },
  {
    field: "trains for sport",
    people: [
      "25, semi-professional runner, sports science, knows every bakery in town",
      "43, swimming coach, sports academy, plays poker",
      "19, cyclist and apprentice mechanic, builds wheels",
      "37, triathlete and programmer, computer science degree, meditates",
      "68, retired teacher and marathon walker, keeps statistics of everything",
    ],
  },
  {
    field: "organises a household and a family",
    people: [
      "35, father of three on leave, engineer by training, repairs toys",
      "42, mother of twins and nurse, sews",
      "70, grandfather, former postman, makes jam",
      "29, flatmate of four, student of law, hosts quiz nights",
      "50, carer for her parents, accountant by training, sings",
    ],
  },
  {
    field: "looks after money and insurance",
    people: [
      "46, loan officer, bank apprenticeship, plays tennis",
      "31, actuary, mathematics degree, solves cubes",
      "58, insurance broker, trained salesman, restores a sailing boat",
      "39, financial planner, economics degree, teaches yoga",
      "26, auditor in her first year, business degree, draws comics",
    ],
  },
  {
    field: "looks after machines and energy",
    people: [
      "44, maintenance manager in a paper mill, mechanical engineering, plays the trumpet",
      "33, wind turbine technician, apprenticeship, climbs for fun, too",
      "55, heating engineer, master craftsman, keeps carp",
      "29, energy consultant, environmental science, repairs bicycles for friends",
      "48, operator in a water works, technical school, photographs stars",
    ],
  },
];
