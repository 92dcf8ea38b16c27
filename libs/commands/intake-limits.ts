import { defaultLimits, type Limits } from '#limits';

/** Limits on commands. This is a class, so that NestJS can inject it. */
export class IntakeLimits {
  constructor(
    readonly maxPayloadBytes: number,
    /** Limits on documents that the service reads before it accepts them, such as agents' reports. */
    readonly documents: Limits = defaultLimits,
  ) {}
}
