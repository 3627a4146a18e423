/** The page for an address that leads nowhere. */

import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";

import { Page } from "../shell/page";
import { strings } from "../strings";
import { buttonClass } from "../ui/button";
import { Marked } from "../ui/marked";

export function NotFoundPage(): ReactNode {
  const [path] = useLocation();
  return (
    <Page title={strings.notFound.heading} lead={<Marked text={strings.notFound.lead(path)} />}>
      <Link href="/" className={`mt-8 ${buttonClass("primary")}`}>
        {strings.notFound.home}
      </Link>
    </Page>
  );
}
