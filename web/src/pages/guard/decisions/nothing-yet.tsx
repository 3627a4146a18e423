/** Before any agent is guarded: what happens here, and how it begins. */

import type { ReactNode } from "react";

import { useHosts } from "../../../hosts/hooks";
import { guardStrings } from "../../../strings-guard";
import { Button } from "../../../ui/button";
import { Teaching } from "../../../ui/teaching";
import { useAddress } from "../address";

const text = guardStrings.empty;

export function NothingYet(): ReactNode {
  const { go } = useAddress();
  const hosts = useHosts();
  const isInstalled = hosts.data?.hosts.some(({ levels }) => levels.length > 0) === true;
  return (
    <Teaching words={isInstalled ? { title: text.installed, lead: text.installedHint } : text} className="">
      <div className="mt-5 flex flex-wrap gap-2">
        {!isInstalled && (
          <Button
            onClick={() => {
              go({ tab: "hosts" });
            }}
          >
            {text.toHosts}
          </Button>
        )}
        <Button
          look="quiet"
          onClick={() => {
            go({ tab: "explain" });
          }}
        >
          {text.toExplain}
        </Button>
      </div>
    </Teaching>
  );
}
