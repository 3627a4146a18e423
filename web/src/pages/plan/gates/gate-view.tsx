/** A question of a run: a form as long as it waits, then what was answered. */

import { type ReactNode, useRef } from "react";

import { ApiError } from "../../../api/errors";
import { planStrings } from "../../../strings-plan";
import { notifyError } from "../../../toasts/toasts";
import { FormError } from "../../../ui/form-error";
import type { PlanGate, PlanRun } from "../../../wire/generated";
import { useAnswer } from "../actions";
import { gatePart } from "../chat/find/find";
import { awaitNext, useLanding } from "../chat/focus";
import { Answered } from "./answered";
import { AlternativesForm } from "./alternatives-form";
import { ChoicesForm } from "./choices-form";
import { draftKey, useGateDrafts } from "./gate-drafts";
import { type Interaction, readInteraction, readReply, type Reply } from "./interaction";
import { QuestionsForm } from "./questions-form";
import { readAlternatives } from "./reading";
import { ScaleForm } from "./scale-form";
import { SectionsForm } from "./sections-form";
import { TextForm } from "./text-form";

const text = planStrings.gates;

export const ADJUDICATION = "teacher-adjudication";
const CONFIDENCE = "confidence";

interface GateViewProps {
  run: PlanRun;
  gate: PlanGate;
}

export function GateView({ run, gate }: GateViewProps): ReactNode {
  const interaction = readInteraction(gate.interaction);
  if (interaction === null) return <p role="alert">{text.outdated}</p>;
  if (gate.reply !== null) return <Answered part={gatePart(gate)} interaction={interaction} reply={readReply(gate.reply)} />;
  if (run.state === "ended") return null;
  return <OpenGate run={run} gate={gate} interaction={interaction} />;
}

export interface FormProps {
  /** Under which the answer so far is kept. */
  draftKey: string;
  isSending: boolean;
  onReply: (reply: Reply) => void;
}

function OpenGate({ run, gate, interaction }: GateViewProps & { interaction: Interaction }): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useLanding(heading, "question");
  const answer = useAnswer(gate);
  const key = draftKey(gate);
  const id = `plan-gate-${key}`;
  const form: FormProps = {
    draftKey: key,
    isSending: answer.isPending || answer.isSuccess,
    onReply: (reply) => {
      awaitNext();
      answer.mutate(reply, {
        onSuccess: () => {
          useGateDrafts.getState().drop(key);
        },
        onError: (error) => {
          // The question disappears with the answer that somebody else gave.
          if (error instanceof ApiError && error.status === 409) notifyError(text.late, error);
        },
      });
    },
  };
  return (
    <section
      data-open-gate
      aria-labelledby={id}
      className="scroll-mt-4 rounded-xl border border-l-4 border-line border-l-spine bg-card px-5 py-4 max-lg:scroll-mt-32"
    >
      <h3 id={id} ref={heading} tabIndex={-1} className="text-xl outline-none">
        {interaction.title}
      </h3>
      <GateForm run={run} gate={gate} interaction={interaction} form={form} />
      {answer.isError && <FormError id={`${id}-error`} error={answer.error} />}
    </section>
  );
}

interface GateFormProps {
  run: PlanRun;
  gate: PlanGate;
  interaction: Interaction;
  form: FormProps;
}

function GateForm({ run, gate, interaction, form }: GateFormProps): ReactNode {
  switch (interaction.kind) {
    case "questions":
      return <QuestionsForm questions={interaction} said={run.said} {...form} />;
    case "free_text":
      return <TextForm wanted={interaction} {...form} />;
    case "sections":
      return <SectionsForm sections={interaction} gate={gate} gates={run.gates} {...form} />;
    case "choices": {
      if (gate.hook === CONFIDENCE) return <ScaleForm choices={interaction} {...form} />;
      const texts = readAlternatives(interaction.text);
      if (texts.length > 1) return <AlternativesForm choices={interaction} texts={texts} {...form} />;
      return <ChoicesForm choices={interaction} {...form} />;
    }
  }
}
