// Generated from schema.json by `npm run types`. Do not edit.

/** Everything a client may send. */
export type ClientFrame =
  | ConnectionHello
  | PracticeStop
  | FileOpen
  | FileSave
  | FileClose
  | FsRequestTree
  | BufferUpdate
  | EditorTabSwitch
  | EditorSelection
  | EditorScroll
  | ExplorerExpandDir
  | ExplorerCollapseDir
  | HintsLevelChange
  | UserExplain
  | UserReview
  | UserIdleStart
  | UserIdleEnd
  | ObserverMute
  | PracticeOpen
  | PracticeSubmitSolution
  | SessionStart
  | SessionResume
  | SessionEnd
  | DashboardRequest
  | DashboardRefreshIssues
  | TerminalReady
  | TerminalInput
  | TerminalResize;
/** Everything the server may send. */
export type ServerFrame =
  | ConnectionInit
  | ConnectionError
  | ConnectionResync
  | ConnectionHeartbeat
  | MemoryChanged
  | SessionStarted
  | SessionResumed
  | SessionEnded
  | SessionCompleted
  | CoachingPhaseUpdate
  | CoachingMessage
  | CoachingIssueContext
  | CoachingPlanReady
  | ObserverStatus
  | FsTree
  | FsTreeUpdate
  | FsContent
  | FsSaveAck
  | FsSaveError
  | EditorOpenFile
  | EditorHighlightLines
  | EditorClearHighlights
  | EditorDecorations
  | EditorClearDecorations
  | EditorHoverHint
  | ExplorerHintFiles
  | ExplorerClearHints
  | ObserverNudge
  | ExplainResponse
  | ExplainError
  | ReviewResponse
  | ReviewError
  | PracticeKataLoad
  | PracticeSolutionReview
  | DashboardState
  | DashboardDreyfus
  | DashboardIssues
  | DashboardIssuesError
  | DashboardMaterials
  | DashboardMaterialsError
  | TerminalOpened
  | TerminalOutput
  | TerminalExit
  | PlanRunChanged
  | PlanFileChanged
  | PlanDelta
  | PlanStep
  | StudyChanged
  | GuardChanged;

/** Oneself: name, roles, what one may do, and what one has spent against which limits. */
export interface AboutMe {
  accounts: boolean;
  tenant: string;
  person: AccountPerson;
  rights: string[];
  spend: SpendState[];
}
/** An account as others of the tenant may see it. */
export interface AccountPerson {
  id: string;
  name: string;
  email: string | null;
  roles: string[];
  state: "active" | "disabled";
  hasPassword: boolean;
  provider: string | null;
  createdAt: string | null;
}
/** What was spent, what may be, and when counting begins anew; all in US dollars and UTC. */
export interface SpendState {
  whose: "person" | "everyone";
  period: "day" | "month";
  spentUsd: number;
  limitUsd: number;
  until: string;
}
/** Whether somebody is signed in, who, and how else one may; `provider` is asked elsewhere. */
export interface AccountSession {
  required: true;
  signedIn: boolean;
  csrf: string | null;
  accounts: true;
  person: AccountPerson | null;
  tenant: string;
  rights: string[];
  provider: string | null;
}
/** An id or e-mail address and a password, to be signed in. */
export interface AccountSignIn {
  name: string;
  password: string;
  tenant?: string;
}
/** Something a person or the coach did; the types and their data are in `actions`. */
export interface Action {
  id: string;
  sessionId: string | null;
  actionType: string;
  data: {
    [k: string]: unknown;
  } | null;
  createdAt: string;
}
/** Where in a file a message belongs; `line` is taken for `startLine`. */
export interface Anchor {
  path: string;
  startLine: number;
  endLine?: number | null;
}
/** A token, and the address that whoever holds it comes from. */
export interface AnswerOpen {
  token: string;
  address?: string;
}
/** One thing to choose. */
export interface AnswerOption {
  letter: string;
  text: string;
}
/** A question of a worksheet; with options, the answer is a letter. */
export interface AnswerQuestion {
  id: string;
  prompt: string;
  blanks: number;
  options: AnswerOption[];
}
/** Answers made from a version: a draft, or handed in. */
export interface AnswerSave {
  token: string;
  address?: string;
  answers: {
    [k: string]: string[];
  };
  version: number;
  handIn?: boolean;
}
/** Questions that belong together. */
export interface AnswerSection {
  number: number;
  title: string;
  intro: string;
  questions: AnswerQuestion[];
}
/** A worksheet as its token opens it, with what was written under the token so far. */
export interface AnswerSheet {
  title: string;
  instructions: string;
  sections: AnswerSection[];
  answers: {
    [k: string]: string[];
  };
  version: number;
  open: boolean;
  closesAt: string;
  handedInAt: string | null;
}
/** The recording of a question. */
export interface AudioRequest {
  learner?: string | null;
  course: string;
  question: string;
}
/** The audit log, the newest first; `next` is what to ask for the older ones with. */
export interface AuditPage {
  entries: AuditRow[];
  next: number | null;
}
/** Who did what, when, to whom. */
export interface AuditRow {
  seq: number;
  at: string;
  person: string;
  action: string;
  target: string;
  detail: {
    [k: string]: unknown;
  };
}
/** Which entries: the newest, or those before one. */
export interface AuditRequest {
  before?: number | null;
  limit?: number;
}
/** The text in an editor changed; nothing answers it. */
export interface BufferUpdate {
  type: "buffer:update";
  payload: {
    path: string;
    content: string;
    cursorPosition?: CursorPosition;
    selections?: TextRange[];
  };
  timestamp?: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** Where the cursor stands; editors count from 1. `lineNumber` is taken for `line`. */
export interface CursorPosition {
  line: number;
  column: number;
}
/** A stretch of text in a file; the names that other editors have for it are taken too. */
export interface TextRange {
  startLine: number;
  startCol?: number;
  endLine: number;
  endCol?: number;
}
/** What at least five learners of a class get wrong; nothing in it comes from one of them. */
export interface ClassMisconception {
  concept: string;
  /** How the course calls the concept. */
  title: string;
  course: string;
  kind: string;
  idea: string;
  helps: string[];
  learners: number;
  since: string | null;
  example: string;
}
/** Everything that enough learners of a class get wrong, the most frequent first. */
export interface ClassMisconceptions {
  classId: string;
  fewest: number;
  misconceptions: ClassMisconception[];
}
/** Which class. */
export interface ClassRequest {
  id: string;
}
/** A client introduces itself, and says the last event it has seen. */
export interface ConnectionHello {
  type: "connection:hello";
  payload: {
    version: string;
    platform: string;
    windowSize: WindowSize;
    lastEventId?: number | null;
  };
  timestamp?: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** Size of the client's window. */
export interface WindowSize {
  width: number;
  height: number;
}
/** A person stops their own code that is running; whatever waits for it gets an error. */
export interface PracticeStop {
  type: "practice:stop";
  payload: {};
  timestamp?: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** A person opens a file. */
export interface FileOpen {
  type: "file:open";
  payload: {
    path: string;
  };
  timestamp?: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** A person saves a file. */
export interface FileSave {
  type: "file:save";
  payload: {
    path: string;
    content: string;
  };
  timestamp?: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** A person closes a file's tab. */
export interface FileClose {
  type: "file:close";
  payload: {
    path: string;
  };
  timestamp?: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** A client asks for the whole file tree. */
export interface FsRequestTree {
  type: "fs:request_tree";
  payload: {};
  timestamp?: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** Another tab is in front. */
export interface EditorTabSwitch {
  type: "editor:tab_switch";
  payload: {
    fromPath?: string | null;
    toPath?: string | null;
  };
  timestamp?: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** Text was selected; inside a highlight with a hover text it is answered with that text. */
export interface EditorSelection {
  type: "editor:selection";
  payload: {
    path: string;
    range: TextRange;
    textLength?: number;
  };
  timestamp?: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** The editor was scrolled; only the time of the last activity is kept. */
export interface EditorScroll {
  type: "editor:scroll";
  payload: {
    path?: string | null;
  };
  timestamp?: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** A folder was opened in the explorer; only the time of the last activity is kept. */
export interface ExplorerExpandDir {
  type: "explorer:expand_dir";
  payload: {
    path: string;
  };
  timestamp?: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** A folder was closed in the explorer; only the time of the last activity is kept. */
export interface ExplorerCollapseDir {
  type: "explorer:collapse_dir";
  payload: {
    path: string;
  };
  timestamp?: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** The hint slider moved. */
export interface HintsLevelChange {
  type: "hints:level_change";
  payload: {
    level: string | number;
    previousLevel?: string | number | null;
  };
  timestamp?: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** A person asks what some code means. */
export interface UserExplain {
  type: "user:explain";
  payload: {
    path: string;
    language?: string | null;
    selection: TextRange;
    selectedText: string;
    surroundingContext?: string;
  };
  timestamp?: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** A person asks for a review: of a kata's solution, or of the work in the active phase. */
export interface UserReview {
  type: "user:review";
  payload: {
    kataId?: string | null;
    userCode?: string | null;
    activeConstraintTitles?: string[];
  };
  timestamp?: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** Nothing has been done for a while; the moment is in ms since 1970 or ISO 8601. */
export interface UserIdleStart {
  type: "user:idle_start";
  payload: {
    lastActionTimestamp: number | string;
  };
  timestamp?: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** The person is back. */
export interface UserIdleEnd {
  type: "user:idle_end";
  payload: {};
  timestamp?: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** The observer is to be quiet, or may speak again. */
export interface ObserverMute {
  type: "observer:mute";
  payload: {
    muted: boolean;
  };
  timestamp?: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** A person opens a kata; answered with `practice:kata_load`. */
export interface PracticeOpen {
  type: "practice:open";
  payload: {
    kataId: string;
  };
  timestamp?: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** A person hands in a solution of a kata. */
export interface PracticeSubmitSolution {
  type: "practice:submit_solution";
  payload: {
    kataId: string;
    code: string;
    activeConstraints?: string[];
  };
  timestamp?: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** A person starts to work on an issue, or without one. */
export interface SessionStart {
  type: "session:start";
  payload: {
    issueNumber?: number | null;
    issueTitle?: string | null;
  };
  timestamp?: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** A person goes on with an earlier session. */
export interface SessionResume {
  type: "session:resume";
  payload: {
    sessionId: string;
  };
  timestamp?: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** A person ends the session. */
export interface SessionEnd {
  type: "session:end";
  payload: {};
  timestamp?: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** A client asks for everything on the dashboard. */
export interface DashboardRequest {
  type: "dashboard:request";
  payload: {
    statsPeriod?: "7d" | "30d" | "all";
  };
  timestamp?: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** A client asks for the issues again. */
export interface DashboardRefreshIssues {
  type: "dashboard:refresh_issues";
  payload: {};
  timestamp?: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** A client shows a terminal of this size; the shell is started when there is none. */
export interface TerminalReady {
  type: "terminal:ready";
  payload: {
    cols?: number;
    rows?: number;
  };
  timestamp?: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** A person types; the first time that starts the shell. */
export interface TerminalInput {
  type: "terminal:input";
  payload: {
    input: string;
  };
  timestamp?: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** The terminal has another size. */
export interface TerminalResize {
  type: "terminal:resize";
  payload: {
    cols: number;
    rows: number;
  };
  timestamp?: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** Actions, newest first. */
export interface CoachActions {
  actions: Action[];
}
/** What model calls cost: in the active session, if there is one, and ever. */
export interface CoachBudget {
  session: CoachCost | null;
  total: CoachCost;
}
/** What model calls cost, in dollars, and how long they took. */
export interface CoachCost {
  totalCost: number;
  byModel: {
    [k: string]: number;
  };
  averageLatencyMs: number | null;
  calls: number;
  failed: number;
}
/** A file as it was read; a binary one comes with an empty text. */
export interface CoachFile {
  path: string;
  content: string;
  language: string;
  lineCount: number;
  binary: boolean;
  size: number;
}
/** A file of the project. */
export interface CoachFilePath {
  /** Path of a file, relative to the project's folder. */
  path: string;
}
/** A gap: the session that showed it last, the stage of its topic, its next review in Study. */
export interface CoachGap {
  topic: string;
  severity: "low" | "medium" | "high";
  frequency: number;
  closed: boolean;
  stage: "novice" | "advanced_beginner" | "competent" | "proficient" | "expert";
  kataId: string | null;
  sessionId: string | null;
  sessionTitle: string | null;
  sessionAt: string | null;
  course: string;
  concept: string;
  nextReview: string | null;
  due: boolean;
  reviews: number;
}
/** The gaps of a person, the most urgent first. */
export interface CoachGaps {
  gaps: CoachGap[];
}
/** How many of the newest. */
export interface CoachNewest {
  limit?: number;
}
/** Whether the observer watches, and whether it may speak. */
export interface CoachObserver {
  active: boolean;
  muted: boolean;
}
/** Where a person is: what the database knows, and what lies on the editor. */
export interface CoachOverview {
  project: string | null;
  session: CoachSession | null;
  plan: PlanRow | null;
  phases: PhaseRow[];
  openFiles: string[];
  observer: CoachObserver;
}
/** Work on one issue of a project, coached; at most one is active for a person and project. */
export interface CoachSession {
  id: string;
  projectDir: string;
  issueNumber: number | null;
  issueTitle: string | null;
  status: "active" | "completed" | "abandoned";
  startedAt: string;
  endedAt: string | null;
}
/** A plan for a session, as it was written; the phases are made from it. */
export interface PlanRow {
  id: string;
  memoryConnection: string | null;
  estimatedDifficulty: string | null;
}
/** One step of a plan; numbers begin at 1. */
export interface PhaseRow {
  id: string;
  number: number;
  title: string;
  description: string;
  status: "pending" | "active" | "complete";
  hintLevel: string;
  expectedFiles: string[];
}
/** A period to look back at. */
export interface CoachPeriod {
  period?: "7d" | "30d" | "all";
}
/** A session. */
export interface CoachSessionId {
  id: string;
}
/** One session, open or over: its phases, and the topics of the gaps that it showed last. */
export interface CoachSessionSeen {
  session: CoachSession;
  phases: PhaseRow[];
  gaps: string[];
}
/** The project's tree; `truncated` says that it has more entries than are shown. */
export interface CoachTree {
  root: TreeNode;
  truncated: boolean;
}
/** A file or a folder of the project; only a folder has children. */
export interface TreeNode {
  name: string;
  path: string;
  type: "file" | "directory";
  children?: TreeNode[] | null;
}
/** The issue that is worked on. */
export interface CoachingIssueContext {
  type: "coaching:issue_context";
  payload: {
    number: number | null;
    title: string;
    summary: string;
    labels: string[];
    url: string | null;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** Paige says something, by itself or beside some lines. */
export interface CoachingMessage {
  type: "coaching:message";
  payload: {
    message: string;
    type: string;
    anchor?: Anchor | null;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** A phase has another status; `phase` is its number. */
export interface CoachingPhaseUpdate {
  type: "coaching:phase_update";
  payload: {
    phase: number;
    status: "pending" | "active" | "complete";
    description: string;
    id: string;
    title: string;
    hintLevel: string;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** A plan was made into phases. */
export interface CoachingPlanReady {
  type: "coaching:plan_ready";
  payload: {
    planId: string;
    phases: PhaseInfo[];
    memoryConnection: string | null;
    estimatedDifficulty: string;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** One phase of a plan. */
export interface PhaseInfo {
  number: number;
  title: string;
  description: string;
  hintLevel: string;
  status: "pending" | "active" | "complete";
}
/** One concept. `recall` is how likely it is remembered now; nothing when it was never met. */
export interface ConceptReport {
  id: string;
  title: string;
  unit: string;
  status: "new" | "learning" | "review" | "mastered" | "relearning";
  mastery: number;
  bloom: "remember" | "understand" | "apply" | "analyze" | "evaluate" | "create";
  target: "remember" | "understand" | "apply" | "analyze" | "evaluate" | "create";
  attempts: number;
  successes: number;
  recall: number | null;
  due: string | null;
  prerequisites: string[];
  ready: boolean;
}
/** Something a client sent could not be used. */
export interface ConnectionError {
  type: "connection:error";
  payload: {
    code: string;
    message: string;
    context: {
      [k: string]: unknown;
    } | null;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** The server lives; sent so that a browser notices when it does not. */
export interface ConnectionHeartbeat {
  type: "connection:heartbeat";
  payload: {};
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** The answer to hello. */
export interface ConnectionInit {
  type: "connection:init";
  payload: {
    sessionId: string | null;
    capabilities: string[];
    featureFlags: {
      [k: string]: boolean;
    };
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** What the client missed is no longer kept; it should read everything again. */
export interface ConnectionResync {
  type: "connection:resync";
  payload: {
    oldest: number;
    latest: number;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** Something that makes a kata harder, from a level on. */
export interface Constraint {
  title: string;
  description: string;
  minLevel: number;
}
/** What one model was asked for on one day; `unpriced` calls have no known price. */
export interface CostRow {
  day: string;
  provider: string;
  model: string;
  door: string;
  purpose: string;
  calls: number;
  failed: number;
  unpriced: number;
  costUsd: number;
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
}
/** What models cost; `days` names every day, also those without a call. */
export interface Costs {
  days: string[];
  rows: CostRow[];
}
/** How many days up to today, and in which time zone a day begins. */
export interface CostsRequest {
  days?: number;
  zone?: string;
}
/** A course for another program; `home` is the address that statements are made for. */
export interface CourseExport {
  learner?: string | null;
  course: string;
  to: "anki" | "csv" | "tsv" | "xapi";
  home?: string;
}
/** A deck, a table or a zipped Exercism track; `file` is its name. */
export interface CourseImport {
  learner?: string | null;
  kind: "anki" | "csv" | "exercism";
  name?: string;
  file?: string;
  /** Whether every card is asked from its back too. */
  bothWays?: boolean;
  /** Whether reviews of the cards are taken over. */
  reviews?: boolean;
  data: string;
}
/** A learner in a course. */
export interface CourseRequest {
  learner?: string | null;
  course: string;
}
/** Where the cursor stands; editors count from 1. `lineNumber` is taken for `line`. */
export interface CursorPosition1 {
  line: number;
  column: number;
}
/** The skills chart. */
export interface DashboardDreyfus {
  type: "dashboard:dreyfus";
  payload: {
    skillAreas: SkillArea[];
    overallStage: string | null;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** One axis of the skills chart; `score` is from 0 to 1. */
export interface SkillArea {
  name: string;
  stage: string;
  score: number;
}
/** Issues, best first. */
export interface DashboardIssues {
  type: "dashboard:issues";
  payload: {
    issues: RankedIssue[];
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** An issue, judged for the person; `unknown` where nobody judged it. */
export interface RankedIssue {
  number: number;
  title: string;
  summary: string;
  suitability: "good_fit" | "stretch" | "too_advanced" | "unknown";
  suitabilityReason: string;
  estimatedDifficulty: ("beginner" | "intermediate" | "advanced") | "unknown";
  relevantSkills: string[];
  priorityScore: number;
  priorityFactors: PriorityFactors;
  learningOpportunities: string[];
}
/** Why an issue is placed where it is. */
export interface PriorityFactors {
  userTagged: boolean;
  similarToRecentWork: boolean;
  addressesKnowledgeGap: boolean;
  teamUrgency: "low" | "medium" | "high" | "unknown";
}
/** There are no issues to show, and why. */
export interface DashboardIssuesError {
  type: "dashboard:issues_error";
  payload: {
    error: string;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** What to read for the gaps that were found. */
export interface DashboardMaterials {
  type: "dashboard:materials";
  payload: {
    recommendations: Recommendation[];
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** What helps with one gap. */
export interface Recommendation {
  knowledgeGap: string;
  /** @maxItems 100 */
  resources: Resource[];
  studyOrder: string;
  practiceConnection: string | null;
}
/** Something to read or watch. */
export interface Resource {
  type: "documentation" | "article" | "video" | "tutorial";
  title: string;
  url: string;
  description: string;
  relevance: "direct" | "deep_dive" | "supplementary";
  estimatedTime: string;
}
/** There is nothing to read, and why. */
export interface DashboardMaterialsError {
  type: "dashboard:materials_error";
  payload: {
    error: string;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** Everything on the dashboard that is known here. */
export interface DashboardState {
  type: "dashboard:state";
  payload: {
    dreyfus: DreyfusRow[];
    stats: DashboardStats;
    inProgressSessions: InProgressSession[];
    katas: KataSummary[];
    openGaps: number;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** One assessed skill. */
export interface DreyfusRow {
  skillArea: string;
  stage: string;
  confidence: number;
  assessedAt: string;
}
/** Counts of a period. */
export interface DashboardStats {
  period: "7d" | "30d" | "all";
  sessionsCompleted: number;
  totalCoachingMinutes: number;
  issuesWorkedOn: number;
  knowledgeGapsIdentified: number;
  knowledgeGapsAddressed: number;
  hintsUsed: number;
  apiCostTotal: number;
}
/** A session that has not ended. */
export interface InProgressSession {
  id: string;
  issueNumber: number | null;
  issueTitle: string | null;
  startedAt: string;
}
/** A kata on the dashboard. */
export interface KataSummary {
  id: string;
  title: string;
  topic: string;
  attemptsCount: number;
  bestLevel: number | null;
  constraintCount: number;
}
/** Where the data is, without its password. */
export interface DatabaseInfo {
  engine: "sqlite" | "postgresql";
  location: string;
  schema: string;
}
/** A highlighted stretch of lines. */
export interface Decoration {
  start: number;
  end: number;
  style: string;
  hoverText?: string | null;
}
/** One of the four ways into Paige, and how far it is. */
export interface DoorStatus {
  id: "plan" | "study" | "coach" | "guard";
  title: string;
  audience: string;
  summary: string;
  works: string[];
  next: string[];
}
/** Decorations go: of one file, or all. */
export interface EditorClearDecorations {
  type: "editor:clear_decorations";
  payload: {
    path?: string | null;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** Paige's highlights go: of one file, or all. */
export interface EditorClearHighlights {
  type: "editor:clear_highlights";
  payload: {
    path?: string | null;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** Every highlight of a file, in place of those that are shown. */
export interface EditorDecorations {
  type: "editor:decorations";
  payload: {
    path: string;
    decorations: Decoration[];
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** Paige highlights lines, besides those that are highlighted already. */
export interface EditorHighlightLines {
  type: "editor:highlight_lines";
  payload: {
    path: string;
    start: number;
    end: number;
    style: string;
    hoverText?: string | null;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** What Paige says about the lines that were selected. */
export interface EditorHoverHint {
  type: "editor:hover_hint";
  payload: {
    path: string;
    range: TextRange;
    hintText: string;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** Paige opens a file for the person. */
export interface EditorOpenFile {
  type: "editor:open_file";
  payload: {
    path: string;
    content: string;
    language: string;
    lineCount: number;
    binary?: boolean;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** The body of every error answer. */
export interface ErrorBody {
  error: ErrorDetail;
}
/** What happened and what to do; `field` is what of the request it is about, where one is. */
export interface ErrorDetail {
  code: string;
  message: string;
  hint: string | null;
  field: string | null;
}
/** Nothing could be explained. */
export interface ExplainError {
  type: "explain:error";
  payload: {
    path: string;
    error: string;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** What some code means. */
export interface ExplainResponse {
  type: "explain:response";
  payload: {
    explanation: string;
    path: string;
    keyConcepts: string[];
    analogy: string | null;
    relatedFiles: string[] | null;
    phaseConnection: string | null;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** No file glows any more. */
export interface ExplorerClearHints {
  type: "explorer:clear_hints";
  payload: {};
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** Files that are to glow in the explorer, besides those that do. */
export interface ExplorerHintFiles {
  type: "explorer:hint_files";
  payload: {
    hints: FileHint[];
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** A file that glows in the explorer; `directories` also lights the folders above it. */
export interface FileHint {
  path: string;
  style: string;
  directories?: boolean | string[] | null;
}
/** A file of the open exercise. */
export interface FileRequest {
  learner?: string | null;
  course: string;
  path: string;
}
/** A new text for a file of the open exercise, over the version that was seen. */
export interface FileWrite {
  learner?: string | null;
  course: string;
  path: string;
  text: string;
  version: string;
}
/** What comes after a reviewed attempt. */
export interface FollowUp {
  type: "constraint_escalation" | "retry_hint" | "completed";
  constraint?: string | null;
  reason?: string | null;
}
/** A day to come: what falls due on it, and what there will be to do with what was left over. */
export interface ForecastDay {
  day: string;
  due: number;
  expected: number;
}
/** A file that was opened; a binary one has no content, and says so. */
export interface FsContent {
  type: "fs:content";
  payload: {
    path: string;
    content: string;
    language: string;
    lineCount: number;
    binary?: boolean;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** A file was saved, at a moment in ms since 1970. */
export interface FsSaveAck {
  type: "fs:save_ack";
  payload: {
    path: string;
    success: true;
    timestamp: number;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** A file could not be saved; what was there is still there. */
export interface FsSaveError {
  type: "fs:save_error";
  payload: {
    path: string;
    error: string;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** The whole file tree; `truncated` is there when the project has more files than are listed. */
export interface FsTree {
  type: "fs:tree";
  payload: {
    root: TreeNode;
    truncated?: boolean;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** A file or folder came, changed or went. */
export interface FsTreeUpdate {
  type: "fs:tree_update";
  payload: {
    action: "add" | "change" | "unlink" | "addDir" | "unlinkDir" | "rename";
    path: string;
    newPath?: string | null;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** What led to a trace and what came of it; `left_out` nodes were too many to be sent. */
export interface GraphAround {
  trace: GraphTrace;
  nodes: GraphNode[];
  edges: GraphEdge[];
  leftOut: number;
}
/** One trace; a level below `full` leaves texts empty that it does not have. */
export interface GraphTrace {
  id: string;
  project: string;
  timestamp: string;
  type: "correction" | "violation" | "decision" | "approval";
  context: GraphContext;
  event: GraphEvent;
  source: ("enforcement_hook" | "user_correction" | "auto_detected") | null;
  session: string;
  action: string;
  reason: string;
  target: string;
  shape: string;
  rule: string;
  confidence: number | null;
  scope: ("project" | "universal") | null;
  files: string[];
}
/** Who acted, on what. */
export interface GraphContext {
  agent: string;
  feature: string;
  task: string;
}
/** What happened, what would have been right, and why. */
export interface GraphEvent {
  whatHappened: string;
  whatWasCorrect: string;
  why: string;
}
/** A thing in the drawing; `distance` is negative for what led to the trace. */
export interface GraphNode {
  key: string;
  kind: "decision" | "agent" | "feature" | "file" | "rule" | "memory" | "guard" | "session";
  id: string;
  label: string;
  type: ("correction" | "violation" | "decision" | "approval") | null;
  at: string | null;
  distance: number;
}
/** That one thing stands in a relation to another; `source` and `target` are keys of nodes. */
export interface GraphEdge {
  source: string;
  relation:
    | "made_by"
    | "about"
    | "touched"
    | "by_rule"
    | "informed_by"
    | "led_to"
    | "corrected"
    | "overrode"
    | "made_guard"
    | "in_session";
  target: string;
}
/** How far to look around a trace, and how much may be sent. */
export interface GraphAroundRequest {
  id: string;
  depth?: number;
  most?: number;
}
/** Something traces are about, and how many there are. */
export interface GraphName {
  name: string;
  count: number;
}
/** How many traces there are, and what they can be narrowed by, the most frequent first. */
export interface GraphOverview {
  total: number;
  types: {
    [k: string]: number;
  };
  agents: GraphName[];
  features: GraphName[];
  rules: GraphName[];
}
/** Which trace, and how much of it. */
export interface GraphTraceRequest {
  id: string;
  level?: "metadata" | "summary" | "full";
}
/** Traces, the best or the newest first; `left_off` did not fit into the level's budget. */
export interface GraphTraces {
  traces: GraphTrace[];
  total: number;
  level: "metadata" | "summary" | "full";
  tokens: number;
  leftOff: number;
}
/** Which traces; `budget` keeps the answer within the tokens of its level, as agents get it. */
export interface GraphTracesRequest {
  query?: string;
  type?: ("correction" | "violation" | "decision" | "approval") | null;
  agent?: string | null;
  feature?: string | null;
  file?: string | null;
  rule?: string | null;
  scope?: ("project" | "universal") | null;
  since?: string | null;
  level?: "metadata" | "summary" | "full";
  budget?: boolean;
  limit?: number;
}
/** An installation to be carried out as it was planned. */
export interface GuardCarryOut {
  cli: "claude-code" | "codex" | "gemini" | "copilot";
  action: "install" | "uninstall";
  level?: "user" | "project";
  digest: string;
}
/** Something of the Guard changed: learned guards, traces, or where it is installed. */
export interface GuardChanged {
  type: "guard:changed";
  payload: {
    part: "guards" | "traces" | "hosts";
    ids: string[];
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** What doctor says of a coding CLI. */
export interface GuardCheck {
  name: string;
  status: "ok" | "warn" | "fail";
  message: string;
  fix: string | null;
}
/** How many decisions came to what. */
export interface GuardCounts {
  denied: number;
  asked: number;
  changed: number;
  passed: number;
  fault: number;
}
/** The decisions of a day. */
export interface GuardDay {
  day: string;
  counts: GuardCounts;
}
/** One decision. */
export interface GuardDecisionId {
  id: string;
}
/** Decisions, the newest first; `total` is how many there are like these. */
export interface GuardDecisions {
  decisions: GuardEntry[];
  total: number;
}
/** One event of a coding CLI and what was decided; `subject` is the command, file or prompt. */
export interface GuardEntry {
  id: string;
  at: string;
  cli: string;
  session: string;
  event: string;
  hostEvent: string;
  decision: string;
  verdict: "denied" | "asked" | "changed" | "passed" | "fault";
  rule: string;
  reason: string;
  instead: string;
  tool: string;
  subject: string;
  isCommand: boolean;
  cwd: string;
  mode: string;
  agent: string;
}
/** Which decisions; without `event` those where there was something to decide. */
export interface GuardDecisionsRequest {
  verdict?: ("denied" | "asked" | "changed" | "passed" | "fault") | null;
  cli?: string | null;
  session?: string | null;
  rule?: string | null;
  event?: string | null;
  query?: string;
  limit?: number;
}
/** What an installation changed. */
export interface GuardDone {
  cli: "claude-code" | "codex" | "gemini" | "copilot";
  action: "install" | "uninstall";
  level: "user" | "project";
  paths: string[];
  notes: string[];
}
/** A command to be judged; without `cwd` it would run in the project. */
export interface GuardExplain {
  command: string;
  cwd?: string;
}
/** What the rules say of a command line; `clear`: whether all that it does could be proved. */
export interface GuardExplained {
  decision: "allow" | "pass" | "ask" | "deny";
  rule: string;
  reason: string;
  instead: string;
  clear: boolean;
  unclear: string;
  cwd: string;
  root: string;
  steps: GuardStep[];
}
/** One command that would run; `considered` is how many rules of its program were looked at. */
export interface GuardStep {
  words: string[];
  decision: "allow" | "pass" | "ask" | "deny";
  rule: string;
  reason: string;
  instead: string;
  family: string;
  considered: number;
}
/** The rules of one tool, or of tools that are alike. */
export interface GuardFamily {
  name: string;
  about: string;
  commands: string[];
  path: string;
  layer: "project" | "person" | "shipped";
  /** How often its rules decided. */
  count: number;
  rules: GuardRule[];
}
/** A rule with its examples, which are executed when rules are checked. */
export interface GuardRule {
  name: string;
  decision: "allow" | "pass" | "ask" | "deny";
  loses: string;
  instead: string;
  must: string[];
  mustNot: string[];
  hits: GuardHits;
}
/** How often a rule decided. */
export interface GuardHits {
  rule: string;
  count: number;
  denied: number;
  last: string | null;
  reason: string;
}
/** What would happen to a file, as a unified diff; secrets in it are left out. */
export interface GuardFileChange {
  path: string;
  kind: "created" | "changed" | "removed";
  diff: string;
}
/** A gate that is code and not a rule file. */
export interface GuardGate {
  name: string;
  about: string;
  events: string[];
}
/** A coding CLI: where Paige is installed in it, and what doctor says of that. */
export interface GuardHost {
  cli: "claude-code" | "codex" | "gemini" | "copilot";
  title: string;
  /** Whether its program is on this machine. */
  found: boolean;
  version: string;
  /** Where Paige is in its settings. */
  levels: ("user" | "project")[];
  checks: GuardCheck[];
  /** When it was last heard of. */
  last: string | null;
}
/** The coding CLIs that can be guarded; `project` is where a project's settings would go. */
export interface GuardHosts {
  hosts: GuardHost[];
  project: string | null;
}
/** The last days in numbers; `complete`: whether everything that was written down is counted. */
export interface GuardOverview {
  counts: GuardCounts;
  days: GuardDay[];
  sessions: GuardSession[];
  /** When each was last heard of. */
  clis: {
    [k: string]: string;
  };
  events: string[];
  /** Those that decided. */
  rules: string[];
  folder: string;
  complete: boolean;
}
/** A session of a coding CLI, and how much was decided in it. */
export interface GuardSession {
  cli: string;
  session: string;
  cwd: string;
  last: string;
  decided: number;
  denied: number;
}
/** What an installation would change; `digest` names exactly this plan. */
export interface GuardPlan {
  cli: "claude-code" | "codex" | "gemini" | "copilot";
  action: "install" | "uninstall";
  level: "user" | "project";
  digest: string;
  changes: GuardFileChange[];
  notes: string[];
}
/** An installation to be planned. */
export interface GuardPlanRequest {
  cli: "claude-code" | "codex" | "gemini" | "copilot";
  action: "install" | "uninstall";
  level?: "user" | "project";
}
/** Something in a rule file that needs a hand. */
export interface GuardProblem {
  path: string;
  rule: string;
  message: string;
}
/** Every rule; `others` decided without being in a rule file. */
export interface GuardRules {
  families: GuardFamily[];
  gates: GuardGate[];
  others: GuardHits[];
  problems: GuardProblem[];
}
/** What at least `FEWEST` got wrong; `same` of them wrote `answer`, where so many did. */
export interface HandoutError {
  question: string;
  asked: string;
  right: string;
  count: number;
  answer: string | null;
  same: number;
}
/** A handout as lists show it. */
export interface HandoutItem {
  id: string;
  classId: string;
  title: string;
  source: string;
  createdAt: string;
  closesAt: string;
  open: boolean;
  /** Whether its figures were handed to the memory of the class. */
  kept: boolean;
  tokens: number;
  handedIn: number;
}
/** What is proposed for the memory of the class and waits for a decision. */
export interface HandoutKept {
  item: HandoutItem;
  proposals: PlanProposal[];
}
/** Something that might be remembered and waits for a decision. */
export interface PlanProposal {
  key: string;
  scope: "teacher" | "class";
  classId: string | null;
  path: string;
  text: string;
  session: string | null;
  proposedAt: string;
  /** Whether a run of its session asks about it now: it is answered there. */
  asked: boolean;
}
/** A lesson or worksheet of the workspace to hand out. */
export interface HandoutMake {
  path: string;
  classId: string;
  tokens: number;
  days?: number;
}
/** How one question went. */
export interface HandoutQuestion {
  id: string;
  asked: string;
  right: number;
  partly: number;
  wrong: number;
  unanswered: number;
}
/** Which handout. */
export interface HandoutRequest {
  id: string;
}
/** A handout with what came back; questions are told from `fewest` worksheets on. */
export interface HandoutSeen {
  item: HandoutItem;
  codes: string[];
  share: number;
  fewest: number;
  questions: HandoutQuestion[];
  errors: HandoutError[];
}
/** Handouts of every class, or of one. */
export interface HandoutsRequest {
  class?: string | null;
}
/** The server lives. */
export interface Health {
  status: "ok";
  uptime: number;
}
/** The issue that is worked on. */
export interface IssueContext {
  number: number | null;
  title: string;
  summary: string;
  labels: string[];
  url: string | null;
}
/** An exercise as a learner may see it: without the instructor's notes. */
export interface Kata {
  id: string;
  title: string;
  topic: string;
  description: string;
  scaffoldingCode: string;
  attemptsCount: number;
  bestLevel: number | null;
}
/** A file or folder that Paige keeps; not `counted`: there is more than this. */
export interface KeptFile {
  what:
    "data" | "database" | "workspace" | "memory" | "teaching" | "settings" | "project" | "sample";
  path: string;
  there: boolean;
  files: number;
  size: number;
  counted: boolean;
}
/** Why a guard is taken back; it is kept in the guard's file. */
export interface LearnedAct {
  id: string;
  why: string;
}
/** One row of the table that decides whether to keep things or to change them. */
export interface LearnedAnswer {
  row: string;
  side: "keep" | "update";
  question: string;
  holds: boolean;
  why: string;
}
/** One action a guard must meet, or must not; `text` is what it does, in a line. */
export interface LearnedExample {
  tool: string;
  agent: string;
  role: string;
  text: string;
  facts: string[];
}
/** A guard and where it stands. */
export interface LearnedGuard {
  id: string;
  standing: "proposed" | "shadow" | "production" | "rolled_back" | "retired";
  since: string;
  version: number;
  event: "pre_tool" | "permission_request" | "stop" | "subagent_stop";
  decision: "deny" | "ask";
  scope: "project" | "universal";
  message: string;
  pattern: string;
  evidence: string[];
  matcher: LearnedMatcher;
  must: LearnedExample[];
  mustNot: LearnedExample[];
  shadow: LearnedShadow;
  trial: LearnedTrial | null;
  history: LearnedStep[];
}
/** What a guard is about: every part that is given has to fit. */
export interface LearnedMatcher {
  /** @maxItems 50 */
  tools: string[];
  /** @maxItems 50 */
  agents: string[];
  /** @maxItems 50 */
  roles: string[];
  /** @maxItems 50 */
  command: string[];
  /** @maxItems 50 */
  paths: string[];
  fields: {
    [k: string]: unknown;
  };
  /** @maxItems 50 */
  contains: string[];
  /** @maxItems 50 */
  unless: string[];
}
/** What was seen of a guard in shadow or in production. */
export interface LearnedShadow {
  events: number;
  hits: number;
  harmless: number;
  overridden: number;
}
/** What a guard was tried on: examples, the benign list, the history. */
export interface LearnedTrial {
  sound: boolean;
  faults: string[];
  probed: number;
  benign: number;
  benignHits: LearnedHit[];
  replay: LearnedReplay;
  answers: LearnedAnswer[];
}
/** An action of the history or of the benign list. */
export interface LearnedHit {
  id: string;
  at: string | null;
  tool: string;
  text: string;
  decision: string;
  rule: string;
}
/** What a guard would have done to the history, in numbers; `harmless` speaks against it. */
export interface LearnedReplay {
  actions: number;
  already: number;
  corrected: number;
  harmless: number;
  /** Too little was kept of them to say. */
  unclear: number;
  hits: LearnedHit[];
}
/** One move of a version; `forced` steps were taken against the criterion. */
export interface LearnedStep {
  version: number;
  stage: "proposed" | "shadow" | "production" | "rolled_back" | "retired";
  at: string;
  why: string;
  by: string;
  forced: boolean;
}
/** Every guard; `promote` says who may put one into production. */
export interface LearnedGuards {
  guards: LearnedGuard[];
  /** Files that cannot be read, and why. */
  problems: string[];
  promote: "person" | "policy";
  folder: string;
}
/** One guard. */
export interface LearnedId {
  id: string;
}
/** Patterns, what could be made of them, and how well learning works. */
export interface LearnedLessons {
  patterns: LearnedPattern[];
  proposals: LearnedProposal[];
  prompts: LearnedPrompt[];
  report: LearnedSign[];
}
/** Something an agent did again and again; `weight` is its count, the old counting less. */
export interface LearnedPattern {
  key: string;
  agent: string;
  action: string;
  reason: string;
  shape: string;
  count: number;
  sessions: number;
  first: string;
  last: string;
  weight: number;
  scope: "project" | "universal";
  traces: string[];
  overridden: number;
}
/** A guard that could be made of a pattern. */
export interface LearnedProposal {
  id: string;
  pattern: string;
  why: string;
  message: string;
  matcher: LearnedMatcher;
  must: LearnedExample[];
  mustNot: LearnedExample[];
}
/** A change of an agent's file that could be made of a pattern, as a unified diff. */
export interface LearnedPrompt {
  agent: string;
  file: string;
  diff: string;
  why: string;
  /** How much longer the file becomes. */
  tokens: number;
}
/** One line of the anti-pattern report: what was measured over how many cases. */
export interface LearnedSign {
  name: string;
  symptom: string;
  detection: string;
  measured: number | null;
  threshold: number;
  cases: number;
  verdict: "ok" | "warning" | "unknown";
  advice: string;
}
/** A success metric before and after; `better` says which way it should go. */
export interface LearnedMetric {
  name: string;
  how: string;
  unit: "" | "share" | "tokens";
  before: number | null;
  after: number | null;
  target: number;
  better: "lower" | "higher";
  met: boolean | null;
}
/** Whether work goes better since the first guard blocked; `since` is empty before that. */
export interface LearnedMetrics {
  since: string | null;
  sessionsBefore: number;
  sessionsAfter: number;
  metrics: LearnedMetric[];
}
/** Why a guard goes on; `force` is kept too, and never skips examples or the benign list. */
export interface LearnedMove {
  id: string;
  why: string;
  force?: boolean;
}
/** Whose files. */
export interface LearnerRequest {
  /** The usual learner when left out. */
  learner?: string | null;
}
/** A limit to be set; without figures there is none. */
export interface LimitChange {
  person?: string;
  usdPerDay?: number | null;
  usdPerMonth?: number | null;
}
/** What one person may spend on models, and has; the empty person is everyone together. */
export interface LimitOnSpend {
  person: string;
  usdPerDay: number | null;
  usdPerMonth: number | null;
  spentUsdToday: number;
  spentUsdThisMonth: number;
}
/** Every limit of the tenant. */
export interface LimitsOnSpend {
  limits: LimitOnSpend[];
}
/** A stored hint for some lines. */
export interface LineHint {
  path: string;
  start: number;
  end: number;
  style: string;
  hoverText?: string | null;
}
/** A constraint that opens at a higher level; what it asks is told then. */
export interface LockedConstraint {
  title: string;
  minLevel: number;
}
/** A new token; its secret is shown this once. */
export interface MadeToken {
  secret: string;
  signIn: MySignIn;
}
/** One browser or program that is signed in. */
export interface MySignIn {
  id: string;
  kind: "browser" | "token";
  label: string;
  createdAt: string;
  expiresAt: string;
  lastUsedAt: string;
  this: boolean;
}
/** The same with who said it, when, and whatever whoever adds it wants back. */
export interface MemoryAdd {
  text: string;
  scope?: ("global" | "project" | "session" | "agent" | "teacher" | "class" | "learner") | null;
  project?: string | null;
  type?: string | null;
  key?: string | null;
  importance?: number | null;
  session?: string | null;
  speaker?: string | null;
  at?: string | null;
  meta?: {
    [k: string]: unknown;
  };
}
/** What became of it; `duplicate` and `recalled` name the memory that was there already. */
export interface MemoryAdded {
  id: string | null;
  status: "stored" | "duplicate" | "recalled";
  reason: string | null;
}
/** Which agent wrote a memory. */
export interface MemoryAgent {
  id: string | null;
  role: string | null;
  tool: string | null;
}
/** Memories came, changed or went; at most a hundred are named, documents by their path. */
export interface MemoryChanged {
  type: "memory:changed";
  payload: {
    ids: string[];
    action: "added" | "edited" | "forgotten" | "document" | "document_deleted";
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** The version of the document that is deleted. */
export interface MemoryDelete {
  path: string;
  base: string;
}
/** The document that was deleted; its texts stay in the log. */
export interface MemoryDeleted {
  path: string;
}
/** A memory document with its text. */
export interface MemoryDocument {
  path: string;
  scope: "teacher" | "class";
  classId: string | null;
  version: string;
  lines: number;
  promptLines: number;
  writtenBy: string;
  updatedAt: string;
  text: string;
}
/** A better text; the old one stays in the log. */
export interface MemoryEdit {
  id: string;
  text: string;
}
/** A memory document in a list; `promptLines` is how many of its lines a prompt shows. */
export interface MemoryFile {
  path: string;
  scope: "teacher" | "class";
  classId: string | null;
  version: string;
  lines: number;
  promptLines: number;
  writtenBy: string;
  updatedAt: string;
}
/** What to forget: these, or all of an owner, or all before a moment, or both. */
export interface MemoryForget {
  /** @maxItems 10000 */
  ids?: string[];
  owner?: string | null;
  before?: string | null;
  reason?: string;
  dryRun?: boolean;
}
/** A memory to forget, and why. */
export interface MemoryForgetOne {
  id: string;
  reason?: string;
}
/** What goes, and how many lines lost their words: 0 for a plan that was not carried out. */
export interface MemoryForgotten {
  going: MemoryGoing[];
  refused: string[];
  missing: string[];
  lines: number;
  remains: string[];
}
/** One memory that goes, or would go. */
export interface MemoryGoing {
  id: string;
  type: string;
  at: string;
  shown: string;
  why: string;
}
/** The answer to a search, the best first; `vectors`: whether meaning was compared too. */
export interface MemoryFound {
  results: MemoryResult[];
  tookMs: number;
  leftOut: number;
  vectors: boolean;
}
/** A memory that was found: its score from 0 to 1, and what that is made of. */
export interface MemoryResult {
  id: string;
  text: string;
  type: string;
  scope: "global" | "project" | "session" | "agent" | "teacher" | "class" | "learner";
  owner: string;
  project: string | null;
  session: string | null;
  speaker: string | null;
  at: string;
  importance: number;
  meta: unknown;
  supersededBy: string | null;
  score: number;
  why: {
    [k: string]: number;
  };
  tokens: number;
}
/** One memory. */
export interface MemoryId {
  id: string;
}
/** JSON lines as they come, each its own memory. */
export interface MemoryImport {
  lines: string;
}
/** How many lines of an import were taken in, and what was wrong with the others. */
export interface MemoryImported {
  added: number;
  problems: MemoryProblem[];
}
/** A line of an import that was not taken in. */
export interface MemoryProblem {
  line: number;
  message: string;
}
/** One memory, as lists show it. */
export interface MemoryItem {
  id: string;
  text: string;
  type: string;
  scope: "global" | "project" | "session" | "agent" | "teacher" | "class" | "learner";
  owner: string;
  project: string | null;
  session: string | null;
  speaker: string | null;
  at: string;
  importance: number;
  meta: unknown;
  supersededBy: string | null;
}
/** Where a memory stands in its log: number, hash, and the hash of the line before it. */
export interface MemoryLine {
  seq: number;
  hash: string | null;
  prev: string | null;
}
/** A log, its last number, and how far the index has read it. */
export interface MemoryLog {
  path: string;
  lastSeq: number;
  indexed: number;
}
/** How many of the newest, and of which. */
export interface MemoryNewest {
  limit?: number;
  scope?: ("global" | "project" | "session" | "agent" | "teacher" | "class" | "learner") | null;
  project?: string | null;
}
/** Tasks with memories in the prompt against tasks without, since a moment. */
export interface MemoryOutcomes {
  since: string;
  withMemory: MemoryTasks;
  withoutMemory: MemoryTasks;
  successLift: number;
  verdict: "better" | "worse" | "unclear";
  reason: string;
}
/** How tasks ended: their number, the share that ended well, and means of what they took. */
export interface MemoryTasks {
  tasks: number;
  successRate: number;
  retries: number;
  corrections: number;
  toolCalls: number;
}
/** What is there, as far as one reader may see it. */
export interface MemoryOverview {
  totals: MemoryTotals;
  logs: MemoryLog[];
  index: string;
  embedder: string | null;
  backends: string[];
  cycle: MemoryPhase[];
  outcomes: MemoryOutcomes;
}
/** Numbers of memories that hold now; `superseded` are kept for the history only. */
export interface MemoryTotals {
  memories: number;
  superseded: number;
  scopes: {
    [k: string]: number;
  };
  types: {
    [k: string]: number;
  };
  tiers: {
    [k: string]: number;
  };
  projects: {
    [k: string]: number;
  };
}
/** One phase of the cycle: how many events it wrote, and when the last. */
export interface MemoryPhase {
  phase: "record" | "organise" | "recall" | "improve";
  events: number;
  last: string | null;
  types: {
    [k: string]: number;
  };
}
/** One memory document. */
export interface MemoryPath {
  path: string;
}
/** What holds now, and every step so far, the newest last. */
export interface MemoryPolicies {
  current: MemoryPolicyNow[];
  history: MemoryPolicyStep[];
}
/** The policy that holds for a role and a scope, `*` for any. */
export interface MemoryPolicyNow {
  role: string;
  scope: string;
  version: number;
  stage: string;
  reason: string;
  policy: RetrievalPolicy;
}
/** What retrieval is told. */
export interface RetrievalPolicy {
  weights: PolicyWeights;
  minScore: number;
  budget: {
    [k: string]: number;
  };
  k: {
    [k: string]: number;
  };
}
/** How much each signal counts; always in this order, the first most. */
export interface PolicyWeights {
  relevance: number;
  importance: number;
  recency: number;
  access: number;
}
/** One step of one version of a policy, with the numbers it was decided by. */
export interface MemoryPolicyStep {
  at: string;
  role: string;
  scope: string;
  version: number;
  stage: "experiment" | "validate" | "production" | "rolled_back" | "retired";
  reason: string;
  policy: RetrievalPolicy;
  metrics: {
    [k: string]: unknown;
  };
}
/** When a memory was put into a prompt, for which question, and for whom. */
export interface MemoryRecall {
  at: string;
  query: string;
  reader: string | null;
  session: string | null;
}
/** The newest memories, the latest first; `total` is how many there are like these. */
export interface MemoryRecent {
  memories: MemoryItem[];
  total: number;
}
/** The same in a session, or through what was superseded too. */
export interface MemorySearch {
  query: string;
  k?: number | null;
  budgetTokens?: number | null;
  scope?: ("global" | "project" | "session" | "agent" | "teacher" | "class" | "learner") | null;
  project?: string | null;
  session?: string | null;
  history?: boolean;
}
/** One memory with where it comes from and what became of it; `later` has the newest last. */
export interface MemoryShown {
  id: string;
  text: string;
  type: string;
  scope: "global" | "project" | "session" | "agent" | "teacher" | "class" | "learner";
  owner: string;
  project: string | null;
  session: string | null;
  speaker: string | null;
  at: string;
  importance: number;
  meta: unknown;
  supersededBy: string | null;
  key: string | null;
  task: string | null;
  outcome: string | null;
  acl: string[];
  evidence: string[];
  agent: MemoryAgent;
  sessionId: string | null;
  traceId: string | null;
  payload: {
    [k: string]: unknown;
  };
  line: MemoryLine;
  earlier: MemoryVersion[];
  later: MemoryVersion[];
  recalls: MemoryRecall[];
  mine: boolean;
}
/** A memory that was replaced, or that replaced another. */
export interface MemoryVersion {
  id: string;
  text: string;
  at: string;
}
/** What happened in this memory, and what came of it. */
export interface MemoryStats {
  events: number;
  types: {
    [k: string]: number;
  };
  cycle: MemoryPhase[];
  cycleComplete: boolean;
  outcomes: MemoryOutcomes;
  policiesInProduction: number;
  index: {
    [k: string]: number;
  };
}
/** A text, and the version it was made from; empty for a new document. */
export interface MemoryWrite {
  path: string;
  text: string;
  base?: string;
}
/** A document after a save: `merged` when someone else had changed it meanwhile. */
export interface MemoryWritten {
  path: string;
  scope: "teacher" | "class";
  classId: string | null;
  version: string;
  lines: number;
  promptLines: number;
  writtenBy: string;
  updatedAt: string;
  text: string;
  changed: boolean;
  merged: boolean;
  conflicts: number;
}
/** How it went in one modality over all concepts. */
export interface ModalityReport {
  modality:
    | "worksheet"
    | "conversation"
    | "code"
    | "long_form"
    | "image_review"
    | "flashcard"
    | "repl"
    | "audio"
    | "collaborative";
  attempts: number;
  average: number;
}
/** Another name for oneself. */
export interface MyChange {
  name: string;
}
/** Another password, and the one of now. */
export interface MyPassword {
  current?: string;
  new: string;
}
/** One sign-in, to be ended. */
export interface MySignInEnd {
  id: string;
}
/** Everything that one is signed in with. */
export interface MySignIns {
  signIns: MySignIn[];
}
/** A course by its name. */
export interface NamedCourse {
  learner?: string | null;
  name: string;
}
/** A course to begin. */
export interface NewCourse {
  name: string;
  /** A kind of course, or the name of one to copy. */
  template?: string;
  title?: string | null;
}
/** A token for a program, with a label to know it by. */
export interface NewToken {
  label: string;
  days?: number;
}
/** Something that waits for the person; another `id` means there is something new about it. */
export interface Notice {
  id: string;
  kind: "question" | "reviews" | "coaching" | "proposal" | "shadow" | "blocked";
  door: "plan" | "study" | "coach" | "guard";
  /** What it is about. */
  title: string;
  /** What is asked, in its own words. */
  detail: string;
  count: number;
  since: string | null;
  /** The page of the web app where something can be done about it. */
  link: string;
}
/** Where nobody could look, and why. */
export interface NoticeProblem {
  source: "questions" | "reviews" | "coaching" | "guards" | "orchestra";
  message: string;
  hint: string | null;
}
/** Everything that waits, questions first, then the newest first. */
export interface Notices {
  notices: Notice[];
  problems: NoticeProblem[];
}
/** What a nudge is about. */
export interface NudgeContext {
  current_file: string | null;
  expected_file: string | null;
  time_in_file: string | null;
  phase_description: string | null;
}
/** The observer thinks that a word would help. */
export interface ObserverNudge {
  type: "observer:nudge";
  payload: {
    signal: string;
    confidence: number;
    context: NudgeContext;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** Whether the observer watches, and whether it may speak. */
export interface ObserverStatus {
  type: "observer:status";
  payload: {
    active: boolean;
    muted: boolean;
    lastEvaluation: string | null;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** The whole orchestra at a glance. */
export interface OrchestraBoard {
  project: string;
  goal: string;
  begun: boolean;
  running: boolean;
  phase: string;
  /** Why nothing happens now, for the person. */
  waits: string;
  features: OrchestraFeature[];
  next: OrchestraNext | null;
  runs: OrchestraRun[];
  vetoes: OrchestraVetoes;
}
/** A feature and how far it is; `step` says what happens with it now. */
export interface OrchestraFeature {
  id: string;
  title: string;
  state: "pending" | "coding" | "testing" | "closed" | "blocked";
  attempts: number;
  step: string;
  agent: string;
  since: string | null;
  reason: string;
}
/** What the table of the orchestra says comes next. */
export interface OrchestraNext {
  state: string;
  action: string;
  agent: string;
  feature: string;
  sentence: string;
}
/** One run of an agent; `returned` is what it told, shortened as the conductor reads it. */
export interface OrchestraRun {
  id: string;
  feature: string;
  agent: string;
  runner: string;
  attempt: number;
  started: string | null;
  ended: string | null;
  outcome: string;
  returned: string;
  vetoed: boolean;
}
/** How often the judge looked at a change, and said no. */
export interface OrchestraVetoes {
  judged: number;
  vetoed: number;
}
/** One line of the log: who was asked for what, what has to hold, and what became of it. */
export interface OrchestraHandoff {
  key: string;
  at: string;
  event: "sent" | "received" | "refused" | "returned" | "failed";
  agent: string;
  task: string;
  feature: string;
  previousState: string;
  nextAgent: string;
  files: string[];
  artifacts: string[];
  precondition: string;
  postcondition: string;
  rollback: string;
  criteria: {
    [k: string]: unknown;
  };
  timeoutS: number | null;
  said: string;
}
/** Handoffs, the newest first. */
export interface OrchestraHandoffs {
  handoffs: OrchestraHandoff[];
  total: number;
}
/** Which handoffs. */
export interface OrchestraHandoffsRequest {
  feature?: string | null;
  limit?: number;
}
/** A new passcode; where there is one already, with the old one. */
export interface PasscodeChange {
  version: string;
  old?: string | null;
  new: string;
}
/** The passcode, to be no longer asked for. */
export interface PasscodeRemoval {
  version: string;
  old: string;
}
/** Accounts by id; `next` is where the next page begins. */
export interface PeoplePage {
  people: AccountPerson[];
  next: string | null;
}
/** Which accounts: those that hold some words, a page at a time. */
export interface PeopleRequest {
  after?: string;
  words?: string;
  limit?: number;
}
/** What changes about an account; what is left out stays. */
export interface PersonChange {
  name?: string | null;
  email?: string | null;
  /** A developer or admin of the tenant `local` gets a shell on the server. */
  roles?: string[] | null;
  state?: ("active" | "disabled") | null;
  id: string;
}
/** One account. */
export interface PersonId {
  id: string;
}
/** The account, and the password that was made up for it. */
export interface PersonMade {
  person: AccountPerson;
  password: string | null;
}
/** An account to be made; without a password one is made up and told once. */
export interface PersonNew {
  id: string;
  name?: string;
  email?: string | null;
  /** A developer or admin of the tenant `local` gets a shell on the server. */
  roles?: string[];
  password?: string | null;
}
/** Another password for somebody; without one it is made up. */
export interface PersonPassword {
  id: string;
  password?: string | null;
}
/** The stored hints of a phase. */
export interface PhaseHints {
  fileHints: FileHint[];
  lineHints: LineHint[];
}
/** The answer to a gate; `reply` has the form of the interaction. */
export interface PlanAnswer {
  run: string;
  gate: string;
  revision: number;
  reply: {
    [k: string]: unknown;
  };
}
/** A command to run, in a new session unless one is given. */
export interface PlanAsk {
  command: string;
  input: string;
  classId?: string | null;
  session?: string | null;
  provider?: string | null;
  model?: string | null;
  memory?: boolean;
}
/** What to ask where a run began; without `input` the same again. */
export interface PlanBranch {
  run: string;
  input?: string | null;
}
/** A class of the workspace, as pickers show it. */
export interface PlanClass {
  id: string;
  year: string | null;
  subject: string | null;
  level: string | null;
  minutes: number | null;
}
/** A command of a plugin that a teacher may run. */
export interface PlanCommand {
  name: string;
  plugin: string;
  fullName: string;
  description: string;
  /** Whether it is answered without a model too. */
  local: boolean;
}
/** What becomes of a proposal. */
export interface PlanDecide {
  key: string;
  decision: "confirmed" | "edited" | "dismissed";
  text?: string | null;
}
/** Which file is to go, of that version if one is given. */
export interface PlanDelete {
  path: string;
  version?: string | null;
}
/** A piece of an answer while it is written; a later attempt of the same step starts over. */
export interface PlanDelta {
  type: "plan:delta";
  payload: {
    run: string;
    step: string;
    attempt: number;
    start: number;
    text: string;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** One pointer of a lesson into the curriculum, and whether it holds. */
export interface PlanEvidence {
  code: string;
  file: string;
  /** Missing when the lesson names no lines. */
  start: number | null;
  end: number | null;
  quote: string;
  /** Where it stands in the lesson. */
  line: number;
  edition: string | null;
  grade: string | null;
  valid: boolean;
  reason: string | null;
  /** False for rows that nobody has checked against the official text. */
  verified: boolean;
}
/** Which lesson in which form. */
export interface PlanExport {
  path: string;
  to: "docx" | "pdf" | "md" | "slides" | "worksheet" | "qti" | "ics";
}
/** A file of the workspace, as the tree shows it. */
export interface PlanFile {
  path: string;
  kind: "identity" | "profile" | "class" | "curriculum" | "lesson" | "other";
  size: number;
  version: string;
  /** False for what no editor can open, as a PDF. */
  text: boolean;
}
/** A file of the workspace was written or removed. */
export interface PlanFileChanged {
  type: "plan:file";
  payload: {
    path: string;
    action: "written" | "deleted";
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** A question of a run with its answer, if there is one. */
export interface PlanGate {
  run: string;
  gate: string;
  revision: number;
  /** Which hook asks; else `permission`, `lost` or `unknown`, for what the loop itself asks. */
  hook: string;
  interaction: {
    [k: string]: unknown;
  };
  reply: {
    [k: string]: unknown;
  } | null;
  openedAt: string;
  answeredAt: string | null;
}
/** A saved lesson: its text, sections, and the state of its evidence. */
export interface PlanLesson {
  path: string;
  title: string;
  classId: string | null;
  text: string;
  version: string;
  source: string | null;
  sections: PlanSection[];
  evidence: PlanEvidence[];
  faults: PlanProblem[];
}
/** A section of a lesson. */
export interface PlanSection {
  id: string;
  title: string;
  text: string;
}
/** What is wrong with a file, and where if that is known. */
export interface PlanProblem {
  path: string;
  line: number | null;
  message: string;
}
/** A saved lesson, as lists show it. */
export interface PlanLessonItem {
  path: string;
  title: string;
  classId: string | null;
  date: string | null;
}
/** Some lines of a file with what is around them. */
export interface PlanLines {
  path: string;
  /** The number of the first line in `lines`. */
  first: number;
  start: number;
  end: number;
  lines: string[];
}
/** Which lines of a file. */
export interface PlanLinesRequest {
  path: string;
  start: number;
  end: number;
}
/** The session that another one branched off from. */
export interface PlanOrigin {
  id: string;
  title: string | null;
}
/** What the page needs first. */
export interface PlanOverview {
  commands: PlanCommand[];
  classes: PlanClass[];
  problems: PlanProblem[];
  provider: string;
  /** Whether runs are answered without a model. */
  local: boolean;
  /** Gates that wait for this person. */
  waiting: number;
}
/** Which file of the workspace. */
export interface PlanPath {
  path: string;
}
/** A run, and the session to read it in. */
export interface PlanPlace {
  session: string;
  run: string;
}
/** One run of a session; `reason` says why it failed or was interrupted. */
export interface PlanRun {
  id: string;
  /** Another one when it was said before the session branched off. */
  session: string;
  number: number;
  prompt: string;
  state: "running" | "waiting" | "ended" | "interrupted";
  status: string | null;
  reason: string | null;
  output: string | null;
  source: string;
  turns: number;
  costUsd: number | null;
  /** The path of the lesson that it saved. */
  lesson: string | null;
  createdAt: string;
  said: PlanSaid[];
  writing: PlanWriting | null;
  gates: PlanGate[];
}
/** Something that was said: by a person, or by an agent with the tools it used. */
export interface PlanSaid {
  role: "person" | "agent";
  text: string;
  tools: PlanToolCall[];
}
/** A tool that an agent used. */
export interface PlanToolCall {
  name: string;
  input: {
    [k: string]: unknown;
  };
  result: string;
  failed: boolean;
}
/** What is being written at this moment; `plan:delta` goes on from here. */
export interface PlanWriting {
  step: string;
  attempt: number;
  text: string;
}
/** A run goes on, waits for a person, was interrupted (`reason` says why), or has ended. */
export interface PlanRunChanged {
  type: "plan:run";
  payload: {
    session: string;
    run: string;
    state: "running" | "waiting" | "ended" | "interrupted";
    status: string | null;
    reason: string | null;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** Which run. */
export interface PlanRunRequest {
  run: string;
}
/** Which sessions: words that were said in them, a class, a plugin. */
export interface PlanSearch {
  query?: string;
  class?: string | null;
  plugin?: string | null;
  limit?: number;
}
/** A session as lists show it, and where its last run stands. */
export interface PlanSession {
  id: string;
  title: string | null;
  command: string | null;
  classId: string | null;
  state: "running" | "waiting" | "ended" | "interrupted";
  status: string | null;
  startedAt: string;
  updatedAt: string;
  branchOf: PlanOrigin | null;
}
/** Which session, and which of its runs: from a place on, or the last ones. */
export interface PlanSessionRequest {
  id: string;
  from?: number | null;
  limit?: number;
}
/** Sessions, newest first or best match first. */
export interface PlanSessions {
  sessions: PlanSession[];
}
/** A run that was started. */
export interface PlanStarted {
  session: string;
  run: string;
}
/** A tool or a check of a run started or ended. */
export interface PlanStep {
  type: "plan:step";
  payload: {
    run: string;
    step: string;
    name: string;
    state: "started" | "ended" | "failed";
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** A file with its text and what is wrong with it; `version` goes back with a change. */
export interface PlanText {
  path: string;
  kind: "identity" | "profile" | "class" | "curriculum" | "lesson" | "other";
  text: string;
  version: string;
  problems: PlanProblem[];
}
/** A session with some of its runs; those before it branched off are counted as its own. */
export interface PlanTranscript {
  session: PlanSession;
  total: number;
  /** How many runs come before these. */
  first: number;
  runs: PlanRun[];
  /** For each run that was said instead of others, all of them, oldest first. */
  branches: {
    [k: string]: PlanPlace[];
  };
}
/** A new text for a file; without `version` the file must not exist yet. */
export interface PlanWrite {
  path: string;
  text: string;
  version?: string | null;
}
/** A kata, what may make it harder at the level reached so far, and what opens later. */
export interface PracticeKataLoad {
  type: "practice:kata_load";
  payload: {
    kata: Kata;
    constraints: Constraint[];
    locked: LockedConstraint[];
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** A handed-in solution was reviewed. */
export interface PracticeSolutionReview {
  type: "practice:solution_review";
  payload: {
    kataId: string;
    review: string;
    level: number;
    passed: boolean;
    constraintsUnlocked: Constraint[];
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** Who answers model requests. */
export interface Provider {
  name: string;
  ready: boolean;
  message: string;
}
/** Where to come back to from the provider of identities, and whose people are asked for. */
export interface ProviderRequest {
  back?: string;
  tenant?: string;
}
/** What the provider of identities sends a browser back with. */
export interface ProviderReturn {
  state?: string;
  code?: string;
}
/** Whether everything the server depends on answers. */
export interface Ready {
  status: "ok" | "unavailable";
  dependencies: {
    [k: string]: string;
  };
}
/** A restart: with the project it has, with the sample project, or with one's own again. */
export interface RestartRequest {
  project?: "keep" | "sample" | "own";
}
/** What a resumed session brings back. */
export interface RestoredState {
  sessionId: string;
  issueContext: IssueContext | null;
  phases: PhaseInfo[];
  hints: PhaseHints;
  openFiles: string[];
  hintLevel: string;
}
/** What was planned to be remembered, what was when it was asked for, and what would be now. */
export interface Retention {
  planned: number;
  measured: number | null;
  unaided: number | null;
  reviews: number;
  now: number | null;
}
/** Nothing could be reviewed. */
export interface ReviewError {
  type: "review:error";
  payload: {
    kataId: string | null;
    error: string;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** What is good and what is missing; `kataId` is null for work in a phase. */
export interface ReviewResponse {
  type: "review:response";
  payload: {
    kataId: string | null;
    correct: boolean;
    feedback: string;
    level: number;
    passed: boolean;
    followUp: FollowUp | null;
    dreyfusSignal: "advancing" | "stable" | "struggling";
    unlockedConstraints: Constraint[];
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** Which runs: those of a door, in a state, that hold all words, before the run `before`. */
export interface RunSearch {
  query?: string;
  door?: string | null;
  status?: ("running" | "waiting" | "success" | "failed") | null;
  before?: string | null;
  limit?: number;
}
/** A course that comes with Paige. */
export interface SampleCourse {
  name: string;
  title: string;
}
/** Hits of one kind, best first; `more` says that there are others. */
export interface SearchGroup {
  kind:
    | "session"
    | "lesson"
    | "file"
    | "course"
    | "concept"
    | "coaching"
    | "gap"
    | "kata"
    | "memory"
    | "document"
    | "guard"
    | "decision"
    | "trace";
  door: "plan" | "study" | "coach" | "guard" | "memory";
  hits: SearchHit[];
  more: boolean;
}
/** Something that was found. */
export interface SearchHit {
  id: string;
  title: TextPart[];
  snippet: TextPart[];
  /** What it is a part of. */
  within: string;
  /** Where it is from, in words. */
  origin: string;
  /** Why it was found. */
  why: string;
  /** From 0 to 1; it compares hits of all kinds. */
  score: number;
  at: string | null;
  /** The page of the web app that shows it. */
  link: string;
}
/** A piece of a text; `hit` says that it is one of the words. */
export interface TextPart {
  text: string;
  hit?: boolean;
}
/** Something that could not be searched, and why. */
export interface SearchProblem {
  source:
    | "plan_sessions"
    | "workspace"
    | "courses"
    | "coaching"
    | "memories"
    | "documents"
    | "guards"
    | "decisions"
    | "traces";
  message: string;
  hint: string | null;
}
/** Words, all of which must be there, and how many hits of each kind. */
export interface SearchRequest {
  q?: string;
  limit?: number;
}
/** What was found behind all doors, the best kind first. */
export interface SearchResults {
  groups: SearchGroup[];
  problems: SearchProblem[];
}
/** A session has begun. */
export interface SessionStarted {
  type: "session:started";
  payload: {
    sessionId: string;
    issueContext: IssueContext | null;
    phases: PhaseInfo[];
    hintLevel: string;
    openFiles: string[];
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** An earlier session goes on. */
export interface SessionResumed {
  type: "session:resumed";
  payload: {
    restoredState: RestoredState;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** A session is over. */
export interface SessionEnded {
  type: "session:ended";
  payload: {
    summary: SessionSummary;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** A session that has ended. */
export interface SessionSummary {
  sessionId: string;
  status: "active" | "completed" | "abandoned";
  issueNumber: number | null;
  issueTitle: string | null;
  durationMs: number;
  phasesCompleted: number;
  phasesTotal: number;
}
/** What was learnt from a session. */
export interface SessionCompleted {
  type: "session:completed";
  payload: {
    sessionId: string;
    knowledgeGaps: number;
    kataSpecs: number;
    dreyfusUpdates: number;
    memoriesStored: number;
    note?: string;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** The terminal is there; what it showed last follows as output. */
export interface TerminalOpened {
  type: "terminal:ready";
  payload: {
    cols: number;
    rows: number;
    shell: string;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** What the terminal shows. */
export interface TerminalOutput {
  type: "terminal:output";
  payload: {
    output: string;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** The shell has ended. */
export interface TerminalExit {
  type: "terminal:exit";
  payload: {
    code: number | null;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** Something changed for a learner: a session moved on, a result was undone, a file was written. */
export interface StudyChanged {
  type: "study:changed";
  payload: {
    course: string | null;
    session: string | null;
    learner: string | null;
    step: number | null;
  };
  /** Highest number of the event stream sent so far. */
  seq: number;
  /** Whether the frame is an event of the stream. */
  durable: boolean;
  timestamp: number;
  /** Joins an answer to its question. */
  id?: string;
}
/** Whether a passcode is needed, whether it was given, and whether this is the demo. */
export interface Session {
  required: boolean;
  signedIn: boolean;
  csrf: string | null;
  demo: boolean;
}
/** Who asks whether they are signed in. */
export interface SessionRequest {}
/** A setting as the files have it; of a secret, `value` is only its end. */
export interface SettingEntry {
  key: string;
  variable: string;
  kind:
    | "text"
    | "secret"
    | "path"
    | "port"
    | "address"
    | "origins"
    | "flag"
    | "words"
    | "choice"
    | "amount"
    | "prices";
  meaning: string;
  choices: string[];
  value: string;
  isSet: boolean;
  origin: ("environment" | "dotenv" | "project" | "person") | "default";
  place: string;
  editable: boolean;
  waiting: boolean;
}
/** Settings to be written into the person's own file; null removes one. */
export interface SettingsChange {
  version: string;
  values: {
    [k: string]: string | null;
  };
}
/** What to ask a model with; what is left out is as it is set. */
export interface SettingsCheck {
  provider?: ("anthropic" | "openai" | "openai-compatible" | "local") | null;
  key?: string | null;
  baseUrl?: string | null;
  model?: string | null;
  tier?: "haiku" | "sonnet";
}
/** What happened when a model was asked one tiny question. */
export interface SettingsChecked {
  outcome:
    | "works"
    | "local"
    | "no_key"
    | "wrong_key"
    | "no_network"
    | "timeout"
    | "rate_limit"
    | "no_credit"
    | "model_unknown"
    | "not_a_model"
    | "failed";
  message: string;
  hint: string | null;
  provider: string;
  model: string;
  latencyMs: number | null;
  costUsd: number | null;
}
/** What is kept on this machine, and how many bytes the disk has left. */
export interface SettingsData {
  kept: KeptFile[];
  free: number;
}
/** Whether a passcode is set in the files, and whether this server asks for one now. */
export interface SettingsPasscode {
  isSet: boolean;
  inForce: boolean;
  waiting: boolean;
  origin: ("environment" | "dotenv" | "project" | "person") | "default";
  place: string;
  editable: boolean;
  removable: boolean;
}
/** Who asks for the settings. */
export interface SettingsRequest {}
/** The server ends, and starts again at the same address; `boot` is the one that ends. */
export interface SettingsRestart {
  boot: string;
}
/** What there is of the sample; `mixed`: the workspace never was the sample's. */
export interface SettingsSample {
  files: string[];
  allFiles: number;
  changed: string[];
  mixed: boolean;
  courses: SampleCourse[];
  project: string;
  projectThere: boolean;
  projectChanged: string[];
  projectInUse: boolean;
}
/** The settings that a page may change, where they come from, and what waits for a restart. */
export interface SettingsSeen {
  entries: SettingEntry[];
  passcode: SettingsPasscode;
  file: string;
  version: string;
  exposed: boolean;
  provider: "anthropic" | "openai" | "openai-compatible" | "local";
  defaults: {
    [k: string]: {
      [k: string]: string;
    };
  };
  known: {
    [k: string]: string[];
  };
  /** Who answers now. */
  running: "anthropic" | "openai" | "openai-compatible" | "local";
  /** Whoever asks now may also write. */
  mayChange: boolean;
  canRestart: boolean;
  /** Another one after every start. */
  boot: string;
  firstRun: boolean;
}
/** What is set up, without secrets. */
export interface Setup {
  version: string;
  provider: Provider;
  database: DatabaseInfo;
  project: string | null;
  dataDir: string;
  passcode: boolean;
  doors: DoorStatus[];
  checks: SetupCheck[];
}
/** One check of doctor. */
export interface SetupCheck {
  name: string;
  status: "ok" | "warn" | "fail";
  message: string;
  fix: string | null;
}
/** A passcode, to be signed in. */
export interface SignIn {
  passcode: string;
}
/** How many sign-ins were ended. */
export interface SignInsEnded {
  ended: number;
}
/** The same for whoever saw a step: it is meant for that one. */
export interface StudyAct {
  learner?: string | null;
  course: string;
  step: number;
  act: "answer" | "hint" | "give_up" | "skip" | "stop" | "instead";
  text?: string;
  question?: string;
  parts?: {
    [k: string]: string;
  };
  path?: string;
  fileText?: string | null;
  fileVersion?: string | null;
  rating?: (1 | 2 | 3 | 4) | null;
  done?: boolean;
  final?: boolean;
  sure?: boolean;
  seconds?: number | null;
  modality?:
    | (
        | "worksheet"
        | "conversation"
        | "code"
        | "long_form"
        | "image_review"
        | "flashcard"
        | "repl"
        | "audio"
        | "collaborative"
      )
    | null;
}
/** How the questions after lessons went. */
export interface StudyChecks {
  right: number;
  asked: number;
}
/** A concept of a course, and how well it is known. */
export interface StudyConcept {
  id: string;
  title: string;
  unit: string;
  type: string;
  /** Where the course wants to take it. */
  bloom: "remember" | "understand" | "apply" | "analyze" | "evaluate" | "create";
  reached: "remember" | "understand" | "apply" | "analyze" | "evaluate" | "create";
  description: string;
  prerequisites: string[];
  confusedWith: string[];
  status: "new" | "learning" | "review" | "mastered" | "relearning";
  mastery: number;
  recall: number | null;
  due: string | null;
  ready: boolean;
  attempts: number;
  items: number;
  /** How many layers of prerequisites are below it. */
  layer: number;
}
/** How often an error came up. */
export interface StudyCount {
  type: string;
  count: number;
}
/** A course: what it says about itself, its concepts, and what is wrong in its files. */
export interface StudyCourse {
  name: string;
  title: string;
  description: string;
  domain: "language" | "technical" | "conceptual" | "interview";
  shipped: boolean;
  begun: boolean;
  folder: string;
  minutes: number;
  sourceLanguage: string | null;
  targetLanguage: string | null;
  codeLanguage: string;
  /** Of modalities, where the course has some. */
  weights: {
    [k: string]: number;
  };
  units: string[];
  vocabulary: number;
  items: number;
  due: number;
  exam: string | null;
  concepts: StudyConcept[];
  openSession: StudyOpenSession | null;
  problems: StudyProblem[];
}
/** A session that somebody can go on with. */
export interface StudyOpenSession {
  session: string;
  kind: "study" | "review" | "quiz";
  step: number;
  stage: "teach" | "check" | "ready" | "exercise" | "over";
  started: string;
  moved: string;
  minutes: number;
  minutesLeft: number;
  /** Of the concept it is at. */
  title: string;
  /** Of the exercise that is being done. */
  modality:
    | (
        | "worksheet"
        | "conversation"
        | "code"
        | "long_form"
        | "image_review"
        | "flashcard"
        | "repl"
        | "audio"
        | "collaborative"
      )
    | null;
  /** How many things of the plan are behind. */
  done: number;
  of: number;
  /** Left so long ago that a new one begins instead. */
  stale: boolean;
}
/** Something wrong with a file: where, what, and what to do. */
export interface StudyProblem {
  file: string;
  line: number;
  message: string;
  fix: string;
}
/** A course in numbers, and how far the learner is. */
export interface StudyCourseSummary {
  name: string;
  title: string;
  description: string;
  domain: "language" | "technical" | "conceptual" | "interview";
  concepts: number;
  items: number;
  vocabulary: number;
  shipped: boolean;
  begun: boolean;
  due: number;
  /** How many concepts could be begun. */
  ready: number;
  mastered: number;
  /** How long a session is. */
  minutes: number;
  exam: string | null;
  openSession: StudyOpenSession | null;
  problems: StudyProblem[];
}
/** What the profile says about one course. */
export interface StudyCourseWish {
  name: string;
  title: string;
  exam: string | null;
}
/** What was done on a day. */
export interface StudyDay {
  day: string;
  exercises: number;
  minutes: number;
}
/** One thing that a text is judged by. `weight` is its share of the whole. */
export interface StudyDimension {
  name: string;
  description: string;
  weight: number;
}
/** An exercise of the session that is finished. `share` is from 0 to 1. */
export interface StudyDone {
  exerciseId: string;
  /** Of the record, so that it can be undone. */
  changeId: string;
  concept: string;
  type: "new" | "review" | "assess";
  modality:
    | "worksheet"
    | "conversation"
    | "code"
    | "long_form"
    | "image_review"
    | "flashcard"
    | "repl"
    | "audio"
    | "collaborative";
  bloom: "remember" | "understand" | "apply" | "analyze" | "evaluate" | "create";
  share: number;
  rating: 1 | 2 | 3 | 4;
  hintsUsed: number;
  answerShown: boolean;
  seconds: number;
  due: string | null;
  mastered: boolean;
}
/** One thing that went wrong. */
export interface StudyError {
  question: string;
  errorType: string | null;
  expected: string | null;
  actual: string | null;
  detail: string;
}
/** A kind of error: how often it came up, what it is, and what helps against it. */
export interface StudyErrorPattern {
  type: string;
  count: number;
  says: string | null;
  practise: string | null;
}
/** The exercise that is being done, without its answers; `body` is markdown to show. */
export interface StudyExercise {
  id: string;
  modality:
    | "worksheet"
    | "conversation"
    | "code"
    | "long_form"
    | "image_review"
    | "flashcard"
    | "repl"
    | "audio"
    | "collaborative";
  why: string[];
  /** Another kind that is offered. */
  offer:
    | (
        | "worksheet"
        | "conversation"
        | "code"
        | "long_form"
        | "image_review"
        | "flashcard"
        | "repl"
        | "audio"
        | "collaborative"
      )
    | null;
  /** Other kinds that may be asked for now. */
  instead: (
    | "worksheet"
    | "conversation"
    | "code"
    | "long_form"
    | "image_review"
    | "flashcard"
    | "repl"
    | "audio"
    | "collaborative"
  )[];
  title: string;
  body: string;
  answeredBy: "text" | "choice" | "file" | "folder" | "image" | "entry" | "recall" | "voice";
  /** The id of the question that is being asked, where they come one by one. */
  asking: string | null;
  /** Of that question, from 1. */
  number: number;
  /** How many questions the whole exercise has. */
  count: number;
  questions: StudyQuestion[];
  minutes: number;
  file: string | null;
  /** Files to edit; the address `session/file` gives and takes their text. */
  open: string[];
  run: string | null;
  pauses: boolean;
  optional: boolean;
  howToContinue: string | null;
  /** Of code, or of what is read out. */
  language: string;
  minWords: number;
  /** What a text has to address. */
  points: string[];
  rubric: StudyDimension[];
  /** What a photo is looked at for. */
  criteria: string[];
  partner: ("pupil" | "pair") | null;
  /** How often the question being asked was tried. */
  attempts: number;
  hintsUsed: number;
  uploads: StudyUpload[];
}
/** A question as a learner sees it, without its answer. */
export interface StudyQuestion {
  id: string;
  prompt: string;
  kind: string;
  choices: string[];
  /** Each wants an answer of its own. */
  parts: string[];
  context: string | null;
  /** Code that ran before the prompt. */
  starter: string | null;
  /** Path of the recording, when there is one. */
  audio: string | null;
}
/** A photo or a recording that was uploaded for the exercise. */
export interface StudyUpload {
  path: string;
  name: string;
  bytes: number;
}
/** A file of the open exercise; `version` goes back with a change. */
export interface StudyFile {
  path: string;
  text: string;
  version: string;
  /** Tests are shown, and not for editing. */
  editable: boolean;
}
/** What an import did. */
export interface StudyImported {
  course: StudyCourseSummary;
  added: number;
  there: number;
  reviewed: number;
  /** Items that read otherwise in the file; they stayed. */
  differing: string[];
  leftOut: string[];
  remarks: string[];
}
/** What of the plan is being done, and why. */
export interface StudyItem {
  number: number;
  of: number;
  type: "new" | "review" | "assess";
  concept: string;
  title: string;
  bloom: "remember" | "understand" | "apply" | "analyze" | "evaluate" | "create";
  minutes: number;
  reason: string;
  /** Whether it is recall before anything is taught. */
  opening: boolean;
}
/** What comes after this session: how much is due when, and what could be begun. */
export interface StudyPreview {
  nextDue: string | null;
  dueTomorrow: number;
  dueThisWeek: number;
  nextNew: string[];
}
/** How somebody likes to study. `problems` say why usual values stand in for the file's. */
export interface StudyProfile {
  learner: string | null;
  file: string;
  sessionMinutes: number;
  explanationStyle: string;
  preferred: (
    | "worksheet"
    | "conversation"
    | "code"
    | "long_form"
    | "image_review"
    | "flashcard"
    | "repl"
    | "audio"
    | "collaborative"
  )[];
  avoided: (
    | "worksheet"
    | "conversation"
    | "code"
    | "long_form"
    | "image_review"
    | "flashcard"
    | "repl"
    | "audio"
    | "collaborative"
  )[];
  goesBest:
    | (
        | "worksheet"
        | "conversation"
        | "code"
        | "long_form"
        | "image_review"
        | "flashcard"
        | "repl"
        | "audio"
        | "collaborative"
      )
    | null;
  goesWorst:
    | (
        | "worksheet"
        | "conversation"
        | "code"
        | "long_form"
        | "image_review"
        | "flashcard"
        | "repl"
        | "audio"
        | "collaborative"
      )
    | null;
  usedMost:
    | (
        | "worksheet"
        | "conversation"
        | "code"
        | "long_form"
        | "image_review"
        | "flashcard"
        | "repl"
        | "audio"
        | "collaborative"
      )
    | null;
  retention: number;
  /** Seven shares, Monday first; 1 is an ordinary day. */
  easyDays: number[];
  balance: boolean;
  zone: string;
  /** Empty where the learner is in no class. */
  classId: string;
  courses: StudyCourseWish[];
  problems: StudyProblem[];
}
/** What should be otherwise in a profile; what is left out stays. */
export interface StudyProfileChange {
  learner?: string | null;
  sessionMinutes?: number | null;
  explanationStyle?: ("examples_first" | "explanation_first") | null;
  /** The whole list. */
  preferred?:
    | (
        | "worksheet"
        | "conversation"
        | "code"
        | "long_form"
        | "image_review"
        | "flashcard"
        | "repl"
        | "audio"
        | "collaborative"
      )[]
    | null;
  /** The whole list. */
  avoided?:
    | (
        | "worksheet"
        | "conversation"
        | "code"
        | "long_form"
        | "image_review"
        | "flashcard"
        | "repl"
        | "audio"
        | "collaborative"
      )[]
    | null;
  retention?: number | null;
  easyDays?: [number, number, number, number, number, number, number] | null;
  balance?: boolean | null;
  zone?: string | null;
  /** Empty for no class. */
  classId?: string | null;
  /** Days by course, nothing for no exam. */
  exams?: {
    [k: string]: string | null;
  } | null;
}
/** What a quiz is about: these concepts, a unit, or nothing: what was begun; at most so many. */
export interface StudyQuiz {
  /** @maxItems 500 */
  concepts?: string[];
  unit?: string;
  count?: number | null;
}
/** The share that is remembered on a day if nothing is reviewed. */
export interface StudyRecall {
  day: string;
  share: number;
}
/** How far somebody is in a course. */
export interface StudyReport {
  course: string;
  title: string;
  today: string;
  concepts: ConceptReport[];
  /** By status. */
  counts: {
    [k: string]: number;
  };
  due: string[];
  nextNew: string[];
  retention: Retention;
  recall: StudyRecall[];
  forecast: ForecastDay[];
  /** Days with exercises, oldest first. */
  calendar: StudyDay[];
  modalities: ModalityReport[];
  errors: StudyErrorPattern[];
  problems: StudyProblem[];
  begun: boolean;
}
/** What came of the exercise before. */
export interface StudyResult {
  exerciseId: string;
  conceptId: string;
  modality:
    | "worksheet"
    | "conversation"
    | "code"
    | "long_form"
    | "image_review"
    | "flashcard"
    | "repl"
    | "audio"
    | "collaborative";
  score: StudyScore;
  fsrsRating: 1 | 2 | 3 | 4;
  message: string;
  errors: StudyError[];
  strengths: string[];
  improvements: string[];
  answers: StudyVerdict[];
  tests: StudyTest[];
  hintsUsed: number;
  answerShown: boolean;
  gradable: boolean;
  remarks: string[];
  /** `local`, or the name of a model. */
  source: string;
}
/** Points. `percentage` is a share from 0 to 1. */
export interface StudyScore {
  correct: number;
  total: number;
  percentage: number;
}
/** What one question came to. */
export interface StudyVerdict {
  question: string;
  prompt: string;
  expected: string | null;
  actual: string | null;
  verdict: "correct" | "partial" | "incorrect" | "unanswered";
  score: number;
  feedback: string;
}
/** What one test of a code exercise came to. */
export interface StudyTest {
  name: string;
  status: "passed" | "failed" | "error" | "skipped" | "timeout";
  description: string;
  message: string;
  output: string;
}
/** What the tests say about the code as it is; nothing was handed in. */
export interface StudyRun {
  passed: number;
  total: number;
  output: string;
  tests: StudyTest[];
}
/** The same in a course that is named. */
export interface StudyStart {
  kind?: "study" | "review" | "quiz";
  minutes?: number | null;
  ahead?: boolean;
  prefer?:
    | (
        | "worksheet"
        | "conversation"
        | "code"
        | "long_form"
        | "image_review"
        | "flashcard"
        | "repl"
        | "audio"
        | "collaborative"
      )
    | null;
  anew?: boolean;
  quiz?: StudyQuiz | null;
  learner?: string | null;
  course: string;
}
/** The step a session is at; `stage` is `nothing` when none is open or nothing is to do. */
export interface StudyStep {
  session: string | null;
  course: string;
  courseTitle: string;
  kind: "study" | "review" | "quiz";
  /** It goes back with an answer. */
  step: number;
  stage: ("teach" | "check" | "ready" | "exercise" | "over") | "nothing";
  expects:
    | ("text" | "choice" | "file" | "folder" | "image" | "entry" | "recall" | "voice")
    | ("go_on" | "self_check" | "nothing");
  resumed: boolean;
  /** What to tell the person about what they did. */
  says: string[];
  /** For somebody who has been stuck for a while. */
  advice: string | null;
  minutes: number;
  minutesLeft: number;
  item: StudyItem | null;
  /** Parts of markdown, in the order this learner likes. */
  lesson: string[] | null;
  /** The check after a lesson. */
  question: string | null;
  exercise: StudyExercise | null;
  result: StudyResult | null;
  summary: StudySummary | null;
  next: StudyPreview | null;
  /** Titles of the concepts of the course, by id. */
  concepts: {
    [k: string]: string;
  };
  /** The folder that paths are relative to. */
  root: string;
  problems: StudyProblem[];
}
/** What a session came to. `share` is of everything that was measured. */
export interface StudySummary {
  session: string;
  course: string;
  kind: "study" | "review" | "quiz";
  minutes: number;
  plannedMinutes: number;
  exercises: StudyDone[];
  share: number | null;
  unaided: number;
  checks: StudyChecks;
  mastered: string[];
  skipped: string[];
  dropped: string[];
  modalities: {
    [k: string]: number;
  };
  errors: StudyCount[];
  next: StudyPreview | null;
  says: string[];
}
/** How many runs of one's own code were stopped. */
export interface StudyStopped {
  stopped: number;
}
/** What a new course may begin as. */
export interface StudyTemplate {
  name: string;
  title: string;
  description: string;
}
/** What the page needs first: courses, what is due, the last two weeks. */
export interface StudyToday {
  today: string;
  courses: StudyCourseSummary[];
  due: number;
  /** Days in a row with an exercise, today or yesterday the last. */
  streak: number;
  /** The last fourteen, oldest first. */
  days: StudyDay[];
  templates: StudyTemplate[];
  provider: string;
  /** Whether exercises are made and marked by rules. */
  local: boolean;
  /** Whether prompts can be read out. */
  speaks: boolean;
  /** Whether recordings can be written down. */
  hears: boolean;
  /** Where courses and files of learners are. */
  folder: string;
  problems: StudyProblem[];
}
/** The result that was taken back. */
export interface StudyUndone {
  changeId: string;
  exerciseId: string;
  concept: string;
  title: string;
  modality:
    | (
        | "worksheet"
        | "conversation"
        | "code"
        | "long_form"
        | "image_review"
        | "flashcard"
        | "repl"
        | "audio"
        | "collaborative"
      )
    | null;
  recorded: string;
}
/** A part of a question, and what a person said to it. */
export interface TraceAnswer {
  question: string;
  answer: string;
}
/** What one hook said. */
export interface TraceDecided {
  hook: string;
  outcome: string;
  text: string;
}
/** One run with everything in it that took time. */
export interface TraceDetail {
  run: TraceRun;
  prompt: string;
  output: string | null;
  startedUs: number;
  spans: TraceSpans;
  gates: TraceGate[];
}
/** One run as lists show it; `costUsd` is null where a price is not known. */
export interface TraceRun {
  id: string;
  session: string;
  number: number;
  door: string;
  title: string;
  agent: string;
  purpose: string;
  source: string;
  state: "running" | "waiting" | "ended" | "interrupted";
  status: string | null;
  reason: string | null;
  turns: number;
  costUsd: number | null;
  createdAt: string;
  updatedAt: string;
}
/** Every span of a run as columns of equal length, the run itself first. */
export interface TraceSpans {
  steps: string[];
  parents: number[];
  kinds: string[];
  names: string[];
  failed: boolean[];
  starts: number[];
  lengths: number[];
  tokensIn: number[];
  tokensOut: number[];
  costs: (number | null)[];
  notes: string[];
}
/** A question to a person: what could be answered, and what was; `auto` means by nobody. */
export interface TraceGate {
  step: string;
  title: string;
  text: string;
  options: string[];
  answers: TraceAnswer[];
  auto: boolean;
  openedAt: string;
  answeredAt: string | null;
}
/** One line of a journal; `body` is JSON, `leftOut` characters of it were not sent. */
export interface TraceEntry {
  seq: number;
  step: string;
  kind: "intent" | "result";
  body: string;
  leftOut: number;
}
/** Which line of a journal. */
export interface TraceEntryRequest {
  id: string;
  seq: number;
}
/** Some lines of a journal in their order. */
export interface TraceJournal {
  entries: TraceEntry[];
  total: number;
}
/** Which lines of a journal: those behind the number `after`. */
export interface TraceJournalRequest {
  id: string;
  after?: number;
  limit?: number;
}
/** One thing that happened in a run: what was read, said, called, asked or decided. */
export interface TraceMoment {
  kind: "model" | "tool" | "hook" | "gate" | "subagent" | "handoff" | "failed" | "fallback" | "end";
  step: string;
  name: string;
  pending: boolean;
  failed: boolean;
  read: TracePassage[];
  thought: string;
  said: TracePassage | null;
  called: TraceToolAsked[];
  decided: TraceDecided[];
  stopReason: string;
  tokensIn: number | null;
  tokensOut: number | null;
  costUsd: number | null;
  number: number;
  at: string | null;
  lengthUs: number | null;
  gate: TraceGate | null;
}
/** Something that was read or answered, and who it is from; `left_out` characters are cut. */
export interface TracePassage {
  who: "system" | "person" | "model" | "history" | "tool" | "hook" | "loop";
  name: string;
  text: string;
  failed: boolean;
  leftOut: number;
}
/** A tool that a model asked for; the input is JSON as people read it. */
export interface TraceToolAsked {
  call: string;
  name: string;
  input: string;
}
/** Some moments of a run in their order; `first` is the number of the first one. */
export interface TraceMoments {
  moments: TraceMoment[];
  first: number;
  total: number;
}
/** Which moments of a run: from the number `first`, counted from 0, or from a step on. */
export interface TraceMomentsRequest {
  id: string;
  first?: number;
  step?: string | null;
  limit?: number;
}
/** Which run. */
export interface TraceRequest {
  id: string;
}
/** Runs, newest first; `next` is the `before` of the next page. `doors` can be chosen from. */
export interface TraceRuns {
  runs: TraceRun[];
  next: string | null;
  doors: string[];
}
/** One span with everything that is known of it. */
export interface TraceSpan {
  step: string;
  kind: string;
  name: string;
  failed: boolean;
  startedAt: string;
  lengthUs: number;
  attributes: {
    [k: string]: unknown;
  };
}
/** Which span of a run; without a step the run itself. */
export interface TraceSpanRequest {
  id: string;
  step?: string;
}
/** The course whose last result is taken back; `change` is that result, if it was seen. */
export interface UndoRequest {
  learner?: string | null;
  course: string;
  change?: string | null;
}
/** A photo or a recording for the step that was seen. */
export interface UploadRequest {
  learner?: string | null;
  course: string;
  step: number;
  name: string;
  data: string;
}
