export interface SettingForm<Value = unknown> {
  readonly read: (text: string) => Value | undefined;
  /** Text that follows the word "expected" in the message about an invalid value. */
  readonly expects: string;
  /** The allowed values, which shells offer as completions. Absent if other values are allowed, too. */
  readonly choices?: readonly string[];
  /** True if the value is a path, so that shells complete file names. */
  readonly isPath?: true;
}

export interface SettingEntry<Value = unknown> extends SettingForm<Value> {
  /** Name of the environment variable, which is also the key in the settings file. */
  readonly key: string;
  readonly fallback?: string;
  readonly meaning: string;
  /** `url` means that the value is shown without its password. `whole` means that the value is never shown. */
  readonly secret?: 'url' | 'whole';
}

export type SettingEntries = Readonly<Record<string, SettingEntry>>;
