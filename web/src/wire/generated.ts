// Generated from schema.json by `npm run types`. Do not edit.

/**
 * Everything a client may send.
 */
export type ClientFrame = ConnectionHello;
/**
 * Everything the server may send.
 */
export type ServerFrame = ConnectionInit | ConnectionError | ConnectionResync | ConnectionHeartbeat;

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
