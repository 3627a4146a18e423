/** What the app asks about settings. Secrets are only ever sent, never read. */

import type {
  PasscodeChange,
  PasscodeRemoval,
  RestartRequest,
  SettingsChange,
  SettingsCheck,
  SettingsChecked,
  SettingsData,
  SettingsRestart,
  SettingsSample,
  SettingsSeen,
} from "../../wire/generated";
import { type HttpPorts, request } from "../../wire/http";

export interface SettingsApi {
  read(): Promise<SettingsSeen>;
  change(asked: SettingsChange): Promise<SettingsSeen>;
  check(asked: SettingsCheck): Promise<SettingsChecked>;
  changePasscode(asked: PasscodeChange): Promise<SettingsSeen>;
  removePasscode(asked: PasscodeRemoval): Promise<SettingsSeen>;
  restart(asked: RestartRequest): Promise<SettingsRestart>;
  data(): Promise<SettingsData>;
  sample(): Promise<SettingsSample>;
  addSample(): Promise<SettingsSample>;
  removeSample(): Promise<SettingsSample>;
}

export function createSettingsApi(ports: HttpPorts): SettingsApi {
  const root = "/api/settings";
  return {
    read: () => request(ports, "GET", root),
    change: (asked) => request(ports, "PATCH", root, asked),
    check: (asked) => request(ports, "POST", `${root}/check`, asked),
    changePasscode: (asked) => request(ports, "PUT", `${root}/passcode`, asked),
    removePasscode: (asked) => request(ports, "DELETE", `${root}/passcode`, asked),
    restart: (asked) => request(ports, "POST", `${root}/restart`, asked),
    data: () => request(ports, "GET", `${root}/data`),
    sample: () => request(ports, "GET", `${root}/sample`),
    addSample: () => request(ports, "POST", `${root}/sample`),
    removeSample: () => request(ports, "DELETE", `${root}/sample`),
  };
}
