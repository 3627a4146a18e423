/** Starting a session from another page: plan it, then show it. */

import { useLocation } from "wouter";

import { useStart } from "../../../api/study-cache";
import { coursePath } from "../../../routes";
import { studyStrings } from "../../../strings-study";
import { notifyError } from "../../../toasts/toasts";

export function useBegin(course: string): { begin: () => void; isStarting: boolean } {
  const start = useStart();
  const [, navigate] = useLocation();
  return {
    isStarting: start.isPending,
    begin: () => {
      if (start.isPending) return;
      start.mutate(
        { course },
        {
          onSuccess: () => {
            navigate(coursePath("session", course));
          },
          onError: (error) => {
            notifyError(studyStrings.today.startFailed, error);
          },
        },
      );
    },
  };
}
