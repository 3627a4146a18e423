/**
 * Keeps what this window knows of the coach in step with the server. It begins when a page of the coach
 * is opened first and goes on from then, whichever page is shown.
 */

import type { Services } from "../../../services";
import type { Connection, FrameOf, FrameType } from "../../../wire/driver";
import { markOf, takeDiskChange, useDrafts, useFiles } from "./files";
import { useHints } from "./hints";
import { activePhase, ids, takeRefusal, useCoachSession, wantedLine } from "./session";
import { useDashboard, useKata, useLink, useQuestions } from "./stores";

const followed = new WeakSet<Connection>();

export function followCoach(services: Services): void {
  const { connection } = services;
  if (followed.has(connection)) return;
  followed.add(connection);
  followSessions(connection);
  followFiles(services);
  followHints(connection);
  followAnswers(connection);
  followDashboard(connection);
  services.connectionState.subscribe((state, before) => {
    if (state.name === "open" && before.name !== "open") useLink.getState().connected();
  });
}

function on<T extends FrameType>(
  connection: Connection,
  type: T,
  handler: (payload: FrameOf<T>["payload"], id: string | undefined) => void,
): void {
  connection.subscribe(type, (frame) => {
    // The payload belongs to the type, which the compiler cannot see through the generic name.
    handler(frame.payload as FrameOf<T>["payload"], frame.id);
  });
}

function followSessions(connection: Connection): void {
  const session = useCoachSession;
  on(connection, "session:started", ({ sessionId, issueContext, phases, hintLevel }) => {
    useLink.setState({ isFresh: true });
    session.getState().begin({ id: sessionId, issue: issueContext, phases, startedAt: new Date().toISOString() });
    useHints.getState().reset();
    if (hintLevel !== "none") useHints.getState().takeLevel(hintLevel);
  });
  on(connection, "session:resumed", ({ restoredState }) => {
    useLink.setState({ isFresh: true });
    const { sessionId, issueContext, phases } = restoredState;
    session.getState().begin({ id: sessionId, issue: issueContext, phases });
    const phase = activePhase(phases);
    if (phase !== null) useHints.getState().takeLevel(phase.hintLevel);
  });
  on(connection, "session:ended", ({ summary }) => {
    session.getState().takeEnd(summary);
  });
  on(connection, "session:completed", (learnt) => {
    session.getState().takeLearnt(learnt);
  });
  on(connection, "coaching:issue_context", (issue) => {
    session.setState({ issue });
  });
  on(connection, "coaching:plan_ready", (plan) => {
    session.getState().takePlan(plan);
    const first = activePhase(plan.phases);
    if (first !== null) useHints.getState().takeLevel(first.hintLevel);
  });
  on(connection, "coaching:phase_update", (update) => {
    session.getState().takePhase(update);
    if (update.status === "active") useHints.getState().takeLevel(update.hintLevel);
  });
  on(connection, "coaching:message", ({ message, type, anchor }) => {
    session.getState().say(message, type, anchor ?? null);
  });
  on(connection, "observer:status", ({ active, muted }) => {
    session.setState({ observer: { active, muted } });
  });
  on(connection, "observer:nudge", (nudge) => {
    session.setState({ nudge });
  });
}

function followFiles(services: Services): void {
  const { connection } = services;
  const files = useFiles;
  on(connection, "fs:tree", (tree) => {
    files.getState().takeTree(tree);
  });
  on(connection, "fs:tree_update", (update) => {
    files.getState().takeUpdate(update);
    if (update.action === "change" || update.action === "add") void takeDiskChange(services, update.path);
  });
  on(connection, "fs:content", (content, id) => {
    const isAsked = id === ids.open(content.path) || files.getState().opening === content.path;
    if (!isAsked && !(content.path in files.getState().files)) return;
    files.getState().takeContent(content, false);
    if (isAsked) files.getState().show(content.path, wantedLine(content.path));
  });
  on(connection, "editor:open_file", (content) => {
    files.getState().takeContent(content, true);
    files.getState().show(content.path);
  });
  on(connection, "fs:save_ack", ({ path }) => {
    const saving = files.getState().files[path]?.saving;
    // Another window saved it: the disk says what.
    if (saving === undefined || saving === null) return void takeDiskChange(services, path);
    files.getState().changeFile(path, { saved: saving, saving: null, error: null });
    useDrafts.getState().saved(path, saving, markOf(saving));
  });
  on(connection, "fs:save_error", ({ path, error }) => {
    files.getState().changeFile(path, { saving: null, error });
  });
}

function followHints(connection: Connection): void {
  const hints = useHints;
  on(connection, "editor:highlight_lines", ({ path, ...decoration }) => {
    hints.getState().addDecoration(path, decoration);
  });
  on(connection, "editor:decorations", ({ path, decorations }) => {
    hints.getState().setDecorations(path, decorations);
  });
  on(connection, "editor:clear_highlights", ({ path }) => {
    hints.getState().clearDecorations(path ?? null);
  });
  on(connection, "editor:clear_decorations", ({ path }) => {
    hints.getState().clearDecorations(path ?? null);
  });
  on(connection, "explorer:hint_files", (found) => {
    hints.getState().addFileHints(found.hints);
  });
  on(connection, "explorer:clear_hints", () => {
    hints.getState().clearFileHints();
  });
}

function followAnswers(connection: Connection): void {
  on(connection, "explain:response", (answer) => {
    useQuestions.setState({ explanation: { state: "answered", answer } });
  });
  on(connection, "explain:error", ({ error }) => {
    useQuestions.setState({ explanation: { state: "failed", message: error, hint: null } });
  });
  on(connection, "review:response", (answer) => {
    if (answer.kataId === null) useQuestions.setState({ review: { state: "answered", answer } });
    else useKata.getState().takeReview(answer);
  });
  on(connection, "review:error", ({ kataId, error }) => {
    const failed = { state: "failed", message: error, hint: null } as const;
    if (kataId === null) useQuestions.setState({ review: failed });
    else if (kataId === useKata.getState().id) useKata.setState({ submitted: failed });
  });
  on(connection, "practice:kata_load", (kata) => {
    if (kata.kata.id === useKata.getState().id) useKata.setState({ loaded: { state: "answered", answer: kata } });
  });
}

function followDashboard(connection: Connection): void {
  on(connection, "dashboard:state", (state) => {
    useDashboard.getState().takeState(state);
  });
  on(connection, "dashboard:dreyfus", (skills) => {
    useDashboard.setState({ skills });
  });
  on(connection, "dashboard:issues", ({ issues }) => {
    useDashboard.setState({ issues: { state: "answered", answer: issues } });
  });
  on(connection, "dashboard:issues_error", ({ error }) => {
    useDashboard.setState({ issues: { state: "failed", message: error, hint: null } });
  });
  on(connection, "dashboard:materials", ({ recommendations }) => {
    useDashboard.setState({ materials: { state: "answered", answer: recommendations } });
  });
  on(connection, "dashboard:materials_error", ({ error }) => {
    useDashboard.setState({ materials: { state: "failed", message: error, hint: null } });
  });
  on(connection, "connection:error", ({ message, context }, id) => {
    if (id !== undefined) takeRefusal(id, message, context);
  });
}
