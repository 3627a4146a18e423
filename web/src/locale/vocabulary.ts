/** All words of the app by the name they are looked up under: what a language can translate. */

import type { strings } from "../strings";
import type { accountStrings } from "../strings-accounts";
import type { accountsRoute } from "../strings-accounts-route";
import type { answerStrings } from "../strings-answer";
import type { coachStrings } from "../strings-coach";
import type { coachRoute } from "../strings-coach-route";
import type { coachWork } from "../strings-coach-work";
import type { costStrings } from "../strings-costs";
import type { findingStrings } from "../strings-finding";
import type { findingRoute } from "../strings-finding-route";
import type { guardStrings } from "../strings-guard";
import type { graphStrings } from "../strings-guard-graph";
import type { guardsStrings } from "../strings-guard-guards";
import type { guardHostsStrings } from "../strings-guard-hosts";
import type { orchestraStrings } from "../strings-guard-orchestra";
import type { guardRoute } from "../strings-guard-route";
import type { guardExplainStrings, guardRulesStrings } from "../strings-guard-rules";
import type { handoutStrings } from "../strings-handouts";
import type { languageStrings } from "../strings-language";
import type { memoryStrings } from "../strings-memory";
import type { memoryKeeping } from "../strings-memory-keeping";
import type { noticeStrings } from "../strings-notices";
import type { offlineStrings } from "../strings-offline";
import type { planStrings } from "../strings-plan";
import type { planChat } from "../strings-plan-chat";
import type { classStrings } from "../strings-plan-class";
import type { planDocument } from "../strings-plan-document";
import type { planHabits } from "../strings-plan-habits";
import type { planRoute } from "../strings-plan-route";
import type { settingsStrings } from "../strings-settings";
import type { settingsDataStrings } from "../strings-settings-data";
import type { settingsRoute } from "../strings-settings-route";
import type { studyStrings } from "../strings-study";
import type { coursesStrings, DOMAINS } from "../strings-study-courses";
import type { outcomeStrings } from "../strings-study-outcome";
import type { progressStrings, settingsStrings as studySettings, statusStrings } from "../strings-study-progress";
import type { sessionStrings } from "../strings-study-session";
import type { tourStrings } from "../strings-tour";
import type { stepStrings } from "../strings-trace-steps";
import type { traceStrings } from "../strings-traces";
import type { tracesRoute } from "../strings-traces-route";
import type { plotStrings, uiStrings } from "../strings-ui";

export interface Vocabulary {
  accounts: typeof accountStrings;
  accountsRoute: typeof accountsRoute;
  answer: typeof answerStrings;
  app: typeof strings;
  coach: typeof coachStrings;
  coachRoute: typeof coachRoute;
  coachWork: typeof coachWork;
  costs: typeof costStrings;
  finding: typeof findingStrings;
  findingRoute: typeof findingRoute;
  guard: typeof guardStrings;
  guardExplain: typeof guardExplainStrings;
  guardGraph: typeof graphStrings;
  guardGuards: typeof guardsStrings;
  guardHosts: typeof guardHostsStrings;
  guardOrchestra: typeof orchestraStrings;
  guardRoute: typeof guardRoute;
  guardRules: typeof guardRulesStrings;
  handouts: typeof handoutStrings;
  language: typeof languageStrings;
  memory: typeof memoryStrings;
  memoryKeeping: typeof memoryKeeping;
  notices: typeof noticeStrings;
  offline: typeof offlineStrings;
  plan: typeof planStrings;
  planChat: typeof planChat;
  planClass: typeof classStrings;
  planDocument: typeof planDocument;
  planHabits: typeof planHabits;
  planRoute: typeof planRoute;
  plots: typeof plotStrings;
  settings: typeof settingsStrings;
  settingsData: typeof settingsDataStrings;
  settingsRoute: typeof settingsRoute;
  study: typeof studyStrings;
  studyCourses: typeof coursesStrings;
  studyDomains: typeof DOMAINS;
  studyOutcome: typeof outcomeStrings;
  studyProgress: typeof progressStrings;
  studySession: typeof sessionStrings;
  studySettings: typeof studySettings;
  studyStatus: typeof statusStrings;
  tour: typeof tourStrings;
  traceSteps: typeof stepStrings;
  traces: typeof traceStrings;
  tracesRoute: typeof tracesRoute;
  ui: typeof uiStrings;
}

/** English words in another language: any text for a text, the same arguments for a function, parts may be missing. */
export type Translated<T> = T extends (...given: infer Given) => infer Made
  ? (...given: Given) => Translated<Made>
  : T extends string
    ? string
    : T extends number | boolean | null | undefined
      ? T
      : T extends readonly unknown[]
        ? { readonly [Place in keyof T]: Translated<T[Place]> }
        : { readonly [Key in keyof T]?: Translated<T[Key]> };

/** A language: words under the names of the vocabulary. What is missing stays English. */
export type Table = { readonly [Name in keyof Vocabulary]?: Translated<Vocabulary[Name]> };
