import type { SettingName } from './settings';

/** One setting: how it is spelled, read and shown. */
export interface SettingEntry {
  readonly name: SettingName;
  /** Environment variable, also accepted as a key of the file. */
  readonly key: string;
  /** The text that holds when nobody says otherwise; undefined: none. */
  readonly fallback?: string;
  /** What a good value is, completing "expected …". */
  readonly expects: string;
  readonly meaning: string;
  /** The values that shells complete. */
  readonly choices?: readonly string[];
  /** Shells complete names of files and folders. */
  readonly isPath?: true;
  /** The typed value, or undefined where the text is not one. */
  readonly read: (text: string) => unknown;
  readonly show?: (value: never) => string;
  /** `url`: shown without its password. `whole`: not shown. */
  readonly secret?: 'url' | 'whole';
}
