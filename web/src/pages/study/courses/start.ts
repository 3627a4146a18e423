/** Begins a session, and goes to it. */

import { useLocation } from "wouter";

import { useStart } from "../../../api/study-cache";
import { coursePath } from "../../../routes";
import { coursesStrings } from "../../../strings-study-courses";
import { notifyError } from "../../../toasts/toasts";
import type { StudyStart } from "../../../wire/generated";

export type Wish = Omit<StudyStart, "course">;

export function useBeginSession(course: string): { begin: (wish: Wish) => void; isStarting: boolean } {
  const start = useStart();
  const [, go] = useLocation();
  return {
    isStarting: start.isPending,
    begin: (wish) => {
      if (start.isPending) return;
      start.mutate(
        { ...wish, course },
        {
          onSuccess: () => {
            go(coursePath("session", course));
          },
          onError: (error) => {
            notifyError(coursesStrings.start.failed, error);
          },
        },
      );
    },
  };
}
