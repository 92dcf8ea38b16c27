/** Told what becomes of commands that are to be appended; for measuring. */
export interface IntakeWatch {
  appending(command: string, version: number): void;
  /** `bytes`: of the payload as it came; `ms`: until the record was durable. */
  appended(command: string, version: number, bytes: number, ms: number): void;
  notAppended(command: string, version: number): void;
}

/** Injection token of an IntakeWatch, or of undefined where nobody measures. */
export const INTAKE_WATCH = Symbol('IntakeWatch');
