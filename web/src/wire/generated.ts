// Generated from schema.json by `npm run types`. Do not edit.

/**
 * Everything a client may send.
 */
export type ClientFrame = ConnectionHello;
/**
 * Everything the server may send.
 */
export type ServerFrame =
  ConnectionInit | ConnectionError | ConnectionResync | ConnectionHeartbeat | MemoryChanged;

/**
 * Every shape on the wire, by name.
 */
export interface Wire {
  Check: Check;
  ClientFrame: ClientFrame;
  ConnectionError: ConnectionError;
  ConnectionHeartbeat: ConnectionHeartbeat;
  ConnectionHello: ConnectionHello;
  ConnectionInit: ConnectionInit;
  ConnectionResync: ConnectionResync;
  DatabaseInfo: DatabaseInfo;
  Door: Door;
  ErrorBody: ErrorBody;
  ErrorDetail: ErrorDetail;
  Health: Health;
  MemoryAdd: MemoryAdd;
  MemoryAdded: MemoryAdded;
  MemoryAgent: MemoryAgent;
  MemoryChanged: MemoryChanged;
  MemoryDelete: MemoryDelete;
  MemoryDeleted: MemoryDeleted;
  MemoryDocument: MemoryDocument;
  MemoryEdit: MemoryEdit;
  MemoryFile: MemoryFile;
  MemoryForget: MemoryForget;
  MemoryForgetOne: MemoryForgetOne;
  MemoryForgotten: MemoryForgotten;
  MemoryFound: MemoryFound;
  MemoryGoing: MemoryGoing;
  MemoryImported: MemoryImported;
  MemoryItem: MemoryItem;
  MemoryLine: MemoryLine;
  MemoryLog: MemoryLog;
  MemoryOutcomes: MemoryOutcomes;
  MemoryOverview: MemoryOverview;
  MemoryPhase: MemoryPhase;
  MemoryPolicies: MemoryPolicies;
  MemoryPolicy: MemoryPolicy;
  MemoryPolicyNow: MemoryPolicyNow;
  MemoryPolicyStep: MemoryPolicyStep;
  MemoryProblem: MemoryProblem;
  MemoryRecall: MemoryRecall;
  MemoryRecent: MemoryRecent;
  MemoryResult: MemoryResult;
  MemorySearch: MemorySearch;
  MemoryShown: MemoryShown;
  MemoryStats: MemoryStats;
  MemoryTasks: MemoryTasks;
  MemoryTotals: MemoryTotals;
  MemoryVersion: MemoryVersion;
  MemoryWeights: MemoryWeights;
  MemoryWrite: MemoryWrite;
  MemoryWritten: MemoryWritten;
  Provider: Provider;
  Ready: Ready;
  ServerFrame: ServerFrame;
  Session: Session;
  Setup: Setup;
  SignIn: SignIn;
  WindowSize: WindowSize;
}
/**
 * One check of doctor.
 */
export interface Check {
  name: string;
  status: "ok" | "warn" | "fail";
  message: string;
  fix: string | null;
}
/**
 * A client introduces itself, and says the last event it has seen.
 */
export interface ConnectionHello {
  type: "connection:hello";
  payload: {
    version: string;
    platform: string;
    windowSize: WindowSize;
    lastEventId?: number | null;
  };
  timestamp?: number;
  /**
   * Joins an answer to its question.
   */
  id?: string;
}
/**
 * Size of the client's window.
 */
export interface WindowSize {
  width: number;
  height: number;
}
/**
 * Something a client sent could not be used.
 */
export interface ConnectionError {
  type: "connection:error";
  payload: {
    code: string;
    message: string;
    context: {
      [k: string]: unknown;
    } | null;
  };
  /**
   * Highest number of the event stream sent so far.
   */
  seq: number;
  /**
   * Whether the frame is an event of the stream.
   */
  durable: boolean;
  timestamp: number;
  /**
   * Joins an answer to its question.
   */
  id?: string;
}
/**
 * The server lives; sent so that a browser notices when it does not.
 */
export interface ConnectionHeartbeat {
  type: "connection:heartbeat";
  payload: {};
  /**
   * Highest number of the event stream sent so far.
   */
  seq: number;
  /**
   * Whether the frame is an event of the stream.
   */
  durable: boolean;
  timestamp: number;
  /**
   * Joins an answer to its question.
   */
  id?: string;
}
/**
 * The answer to hello.
 */
export interface ConnectionInit {
  type: "connection:init";
  payload: {
    sessionId: string | null;
    capabilities: string[];
    featureFlags: {
      [k: string]: boolean;
    };
  };
  /**
   * Highest number of the event stream sent so far.
   */
  seq: number;
  /**
   * Whether the frame is an event of the stream.
   */
  durable: boolean;
  timestamp: number;
  /**
   * Joins an answer to its question.
   */
  id?: string;
}
/**
 * What the client missed is no longer kept; it should read everything again.
 */
export interface ConnectionResync {
  type: "connection:resync";
  payload: {
    oldest: number;
    latest: number;
  };
  /**
   * Highest number of the event stream sent so far.
   */
  seq: number;
  /**
   * Whether the frame is an event of the stream.
   */
  durable: boolean;
  timestamp: number;
  /**
   * Joins an answer to its question.
   */
  id?: string;
}
/**
 * Where the data is.
 */
export interface DatabaseInfo {
  engine: "sqlite" | "postgresql";
  location: string;
  schema: string;
}
/**
 * One of the four ways into Paige, and how far it is.
 */
export interface Door {
  id: "plan" | "study" | "coach" | "guard";
  title: string;
  audience: string;
  summary: string;
  works: string[];
  next: string[];
}
/**
 * The body of every error answer.
 */
export interface ErrorBody {
  error: ErrorDetail;
}
/**
 * What happened and what to do.
 */
export interface ErrorDetail {
  code: string;
  message: string;
  hint: string | null;
}
/**
 * The server lives.
 */
export interface Health {
  status: "ok";
  uptime: number;
}
/**
 * Something to remember; `key` says what a fact states, so that a later one replaces it.
 */
export interface MemoryAdd {
  text: string;
  scope?: ("global" | "project" | "session" | "agent" | "teacher" | "class" | "learner") | null;
  project?: string | null;
  session?: string | null;
  speaker?: string | null;
  type?: string | null;
  at?: string | null;
  importance?: number | null;
  key?: string | null;
  meta?: {
    [k: string]: unknown;
  };
}
/**
 * What became of it; `duplicate` and `recalled` name the memory that was there already.
 */
export interface MemoryAdded {
  id: string | null;
  status: "stored" | "duplicate" | "recalled";
  reason: string | null;
}
/**
 * Which agent wrote a memory.
 */
export interface MemoryAgent {
  id: string | null;
  role: string | null;
  tool: string | null;
}
/**
 * Memories came, changed or went; at most a hundred are named, documents by their path.
 */
export interface MemoryChanged {
  type: "memory:changed";
  payload: {
    ids: string[];
    action: "added" | "edited" | "forgotten" | "document" | "document_deleted";
  };
  /**
   * Highest number of the event stream sent so far.
   */
  seq: number;
  /**
   * Whether the frame is an event of the stream.
   */
  durable: boolean;
  timestamp: number;
  /**
   * Joins an answer to its question.
   */
  id?: string;
}
/**
 * The version of the document that is deleted.
 */
export interface MemoryDelete {
  base: string;
}
/**
 * The document that was deleted; its texts stay in the log.
 */
export interface MemoryDeleted {
  path: string;
}
/**
 * A memory document with its text.
 */
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
/**
 * A better text; the old one stays in the log.
 */
export interface MemoryEdit {
  text: string;
}
/**
 * A memory document in a list; `promptLines` is how many of its lines a prompt shows.
 */
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
/**
 * What to forget: these, or all of an owner, or all before a moment, or both.
 */
export interface MemoryForget {
  /**
   * @maxItems 10000
   */
  ids?: string[];
  owner?: string | null;
  before?: string | null;
  reason?: string;
  dryRun?: boolean;
}
/**
 * Why a memory is forgotten.
 */
export interface MemoryForgetOne {
  reason?: string;
}
/**
 * What goes, and how many lines lost their words: 0 for a plan that was not carried out.
 */
export interface MemoryForgotten {
  going: MemoryGoing[];
  refused: string[];
  missing: string[];
  lines: number;
}
/**
 * One memory that goes, or would go.
 */
export interface MemoryGoing {
  id: string;
  type: string;
  at: string;
  shown: string;
  why: string;
}
/**
 * The answer to a search, the best first; `vectors`: whether meaning was compared too.
 */
export interface MemoryFound {
  results: MemoryResult[];
  tookMs: number;
  leftOut: number;
  vectors: boolean;
}
/**
 * A memory that was found: its score from 0 to 1, and what that is made of.
 */
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
/**
 * How many lines of an import were taken in, and what was wrong with the others.
 */
export interface MemoryImported {
  added: number;
  problems: MemoryProblem[];
}
/**
 * A line of an import that was not taken in.
 */
export interface MemoryProblem {
  line: number;
  message: string;
}
/**
 * One memory, as lists show it.
 */
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
/**
 * Where a memory stands in its log: number, hash, and the hash of the line before it.
 */
export interface MemoryLine {
  seq: number;
  hash: string | null;
  prev: string | null;
}
/**
 * A log, its last number, and how far the index has read it.
 */
export interface MemoryLog {
  path: string;
  lastSeq: number;
  indexed: number;
}
/**
 * Tasks with memories in the prompt against tasks without, since a moment.
 */
export interface MemoryOutcomes {
  since: string;
  withMemory: MemoryTasks;
  withoutMemory: MemoryTasks;
  successLift: number;
  verdict: "better" | "worse" | "unclear";
  reason: string;
}
/**
 * How tasks ended: their number, the share that ended well, and means of what they took.
 */
export interface MemoryTasks {
  tasks: number;
  successRate: number;
  retries: number;
  corrections: number;
  toolCalls: number;
}
/**
 * The memory at a glance.
 */
export interface MemoryOverview {
  totals: MemoryTotals;
  logs: MemoryLog[];
  index: string;
  embedder: string | null;
  backends: string[];
  cycle: MemoryPhase[];
  outcomes: MemoryOutcomes;
}
/**
 * How many memories hold now and may be seen, by what they have in common.
 */
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
/**
 * One phase of the cycle: how many events it wrote, and when the last.
 */
export interface MemoryPhase {
  phase: "record" | "organise" | "recall" | "improve";
  events: number;
  last: string | null;
  types: {
    [k: string]: number;
  };
}
/**
 * What holds now, and every step so far, the newest last.
 */
export interface MemoryPolicies {
  current: MemoryPolicyNow[];
  history: MemoryPolicyStep[];
}
/**
 * The policy that holds for a role and a scope, `*` for any.
 */
export interface MemoryPolicyNow {
  role: string;
  scope: string;
  version: number;
  stage: string;
  reason: string;
  policy: MemoryPolicy;
}
/**
 * What retrieval is told: weights, the least score, tokens by class, memories by scope.
 */
export interface MemoryPolicy {
  weights: MemoryWeights;
  minScore: number;
  budget: {
    [k: string]: number;
  };
  k: {
    [k: string]: number;
  };
}
/**
 * How much each signal counts.
 */
export interface MemoryWeights {
  relevance: number;
  importance: number;
  recency: number;
  access: number;
}
/**
 * One step of one version of a policy, with the numbers it was decided by.
 */
export interface MemoryPolicyStep {
  at: string;
  role: string;
  scope: string;
  version: number;
  stage: string;
  reason: string;
  policy: MemoryPolicy;
  metrics: {
    [k: string]: unknown;
  };
}
/**
 * When a memory was put into a prompt, for which question, and for whom.
 */
export interface MemoryRecall {
  at: string;
  query: string;
  reader: string | null;
  session: string | null;
}
/**
 * The newest memories, the latest first; `total` is how many there are like these.
 */
export interface MemoryRecent {
  memories: MemoryItem[];
  total: number;
}
/**
 * A question to the memory; what is left out does not narrow it.
 */
export interface MemorySearch {
  query: string;
  k?: number | null;
  budgetTokens?: number | null;
  scope?: ("global" | "project" | "session" | "agent" | "teacher" | "class" | "learner") | null;
  project?: string | null;
  session?: string | null;
  history?: boolean;
}
/**
 * One memory with where it comes from and what became of it; `later` has the newest last.
 */
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
/**
 * A memory that was replaced, or that replaced another.
 */
export interface MemoryVersion {
  id: string;
  text: string;
  at: string;
}
/**
 * What happened in this memory, and what came of it.
 */
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
/**
 * A text, and the version it was made from; empty for a new document.
 */
export interface MemoryWrite {
  text: string;
  base?: string;
}
/**
 * A document after a save: `merged` when someone else had changed it meanwhile.
 */
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
/**
 * Who answers model requests.
 */
export interface Provider {
  name: string;
  ready: boolean;
  message: string;
}
/**
 * Whether everything the server depends on answers.
 */
export interface Ready {
  status: "ok" | "unavailable";
  dependencies: {
    [k: string]: string;
  };
}
/**
 * Whether a passcode is needed, and whether it was given.
 */
export interface Session {
  required: boolean;
  signedIn: boolean;
  csrf: string | null;
}
/**
 * What is set up.
 */
export interface Setup {
  version: string;
  provider: Provider;
  database: DatabaseInfo;
  project: string | null;
  dataDir: string;
  passcode: boolean;
  doors: Door[];
  checks: Check[];
}
/**
 * A passcode, to be signed in.
 */
export interface SignIn {
  passcode: string;
}
