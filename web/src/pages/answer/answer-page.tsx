/** Where somebody with a code answers a worksheet. */

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, type SyntheticEvent, useState } from "react";
import { useLocation } from "wouter";

import { Page } from "../../layout/page";
import { useServices } from "../../services";
import { answerStrings as text } from "../../strings-answer";
import { Button } from "../../ui/button";
import { QueryError } from "../../ui/error-panel";
import { TextField } from "../../ui/field";
import { Loading, Skeleton } from "../../ui/skeleton";
import { Sheet } from "./sheet";

export function AnswerPage({ token }: { token: string }): ReactNode {
  return token === "" ? <CodeForm /> : <Opened token={token} />;
}

function Opened({ token }: { token: string }): ReactNode {
  const { answer } = useServices().api;
  const sheet = useQuery({
    queryKey: ["answer", token],
    queryFn: () => answer.read(token),
    // What somebody has typed must not be replaced while they type.
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  if (sheet.data !== undefined) return <Sheet key={token} token={token} first={sheet.data} />;
  return (
    <Page title={text.title}>
      {sheet.isError ? (
        <>
          <QueryError title={text.failed} query={sheet} />
          <CodeForm isSmall />
        </>
      ) : (
        <Loading label={text.loading}>
          <Skeleton className="mt-6 h-96" />
        </Loading>
      )}
    </Page>
  );
}

function CodeForm({ isSmall = false }: { isSmall?: boolean }): ReactNode {
  const [, go] = useLocation();
  const [code, setCode] = useState("");
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (code.trim() !== "") go(`/answer/${encodeURIComponent(code.trim())}`);
  };
  const form = (
    <form onSubmit={submit} className="mt-8 flex flex-col gap-4">
      <TextField label={text.code.label} hint={text.code.hint} value={code} onChange={setCode} required autoCapitalize="off" maxLength={40} />
      <Button type="submit">{text.code.open}</Button>
    </form>
  );
  if (isSmall) return form;
  return (
    <Page title={text.code.heading} lead={text.code.lead}>
      {form}
    </Page>
  );
}
