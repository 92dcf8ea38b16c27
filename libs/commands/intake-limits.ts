import { defaultLimits, type Limits } from '#limits';

/** The limits for commands. A class, so that it can be injected. */
export class IntakeLimits {
  constructor(
    /** Largest payload in bytes after decompression. */
    readonly maxPayloadBytes: number,
    /** Limits on documents that the service reads before it accepts them, such as agents' reports. */
    readonly documents: Limits = defaultLimits,
  ) {}
}
