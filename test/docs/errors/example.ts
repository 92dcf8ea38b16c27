import { type FaultCode, isFault } from '#fault';

/** An error that a test has caused. */
export interface Example {
  readonly code: FaultCode;
  /** The request or the action that caused it. */
  readonly given: string;
  /** The status of the answer; absent if the error was thrown. */
  readonly status?: number;
  readonly text: string;
}

/** Runs `work`, which must throw a fault with this code, and returns its text. */
export async function refusal(code: FaultCode, given: string, work: () => unknown): Promise<Example> {
  try {
    await work();
  } catch (error) {
    if (!isFault(error)) throw error;
    if (error.code !== code) throw new Error(`${given}: ${error.code} in place of ${code}: ${error.message}`);
    const text = error.hint === undefined ? error.message : `${error.message}\n${error.hint}`;
    return { code, given, text };
  }
  throw new Error(`${given}: no fault in place of ${code}`);
}
