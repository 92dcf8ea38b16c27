/** Parses the text of a setting. */
export interface SettingForm<Value = unknown> {
  /** Returns the value, or undefined if the text is not valid. */
  readonly read: (text: string) => Value | undefined;
  /** Describes valid values, after "expected …". */
  readonly expects: string;
  /** Values for completion in shells. */
  readonly choices?: readonly string[];
  /** Shells complete file names. */
  readonly isPath?: true;
}

/** One setting. */
export interface SettingEntry<Value = unknown> extends SettingForm<Value> {
  /** The environment variable, which is also a key of the settings file. */
  readonly key: string;
  /** The text of the default. */
  readonly fallback?: string;
  readonly meaning: string;
  /** `url`: shown without its password. `whole`: never shown. */
  readonly secret?: 'url' | 'whole';
}

/** Settings by their names in the program. */
export type SettingEntries = Readonly<Record<string, SettingEntry>>;
