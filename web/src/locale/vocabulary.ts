/** All words of the app by the name they are looked up under: what a language can translate. */

import type { offlineStrings } from "../offline/strings";
import type { answerStrings } from "../pages/answer/strings";
import type { coachRoute } from "../pages/coach/coach-route";
import type { coachStrings, coachWork } from "../pages/coach/strings";
import type { graphStrings } from "../pages/guard/graph/strings";
import type { guardRoute } from "../pages/guard/guard-route";
import type { guardsStrings } from "../pages/guard/guards/strings";
import type { guardExplainStrings, guardRulesStrings, guardStrings } from "../pages/guard/strings";
import type { guardHostsStrings } from "../pages/hosts/hosts";
import type { memoryKeeping, memoryStrings } from "../pages/memory/strings";
import type { orchestraStrings } from "../pages/orchestra/orchestra-page";
import type { accountsRoute } from "../pages/people/accounts-route";
import type { accountStrings } from "../pages/people/strings";
import type { classStrings } from "../pages/plan/document/document-pane";
import type { handoutStrings } from "../pages/plan/handouts/strings";
import type { planRoute } from "../pages/plan/plan-route";
import type { planChat, planDocument, planHabits, planStrings } from "../pages/plan/strings";
import type { findingRoute } from "../pages/search/search-route";
import type { findingStrings } from "../pages/search/strings";
import type { languageStrings, settingsDataStrings } from "../pages/settings/data-page";
import type { settingsRoute } from "../pages/settings/settings-route";
import type { settingsStrings } from "../pages/settings/strings";
import type { outcomeStrings, sessionStrings } from "../pages/study/session/strings";
import type { studyStrings } from "../pages/study/strings";
import type { coursesStrings, DOMAINS } from "../pages/study/strings-courses";
import type { progressStrings, settingsStrings as studySettings, statusStrings } from "../pages/study/strings-progress";
import type { costStrings } from "../pages/traces/costs";
import type { stepStrings } from "../pages/traces/run/strings";
import type { traceStrings } from "../pages/traces/strings";
import type { tracesRoute } from "../pages/traces/traces-route";
import type { noticeStrings } from "../shell/notices/strings";
import type { tourStrings } from "../shell/strings-tour";
import type { strings } from "../strings";
import type { markdownStrings } from "../ui/markdown";
import type { plotStrings, uiStrings } from "../ui/strings";

interface Vocabulary {
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
  markdown: typeof markdownStrings;
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
type Translated<T> = T extends (...given: infer Given) => infer Made
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
