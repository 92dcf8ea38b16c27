import { defaultLimits, type Limits } from '#limits';

/** The limits of the command side. A class, so that it can be injected. */
export class IntakeLimits {
  constructor(
    /** Bytes of a payload, inflated. */
    readonly maxPayloadBytes: number,
    /** Limits on documents that the service reads before it accepts them: agents' reports. */
    readonly documents: Limits = defaultLimits,
  ) {}
}
