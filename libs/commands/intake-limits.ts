import { defaultLimits, type Limits } from '#limits';

/** A class, so that NestJS can inject the limits. */
export class IntakeLimits {
  constructor(
    readonly maxPayloadBytes: number,
    /** Limits on documents that the service reads before it accepts them, such as agents' reports. */
    readonly documents: Limits = defaultLimits,
  ) {}
}
