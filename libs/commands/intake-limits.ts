import { defaultLimits, type Limits } from '#limits';

/** How much the command side takes. A class, so that it can be injected. */
export class IntakeLimits {
  constructor(
    /** Bytes of a payload, inflated, above which it is refused with 413, if large ones are refused at all. */
    readonly maxCommandBytes: number,
    readonly rejectLarge: boolean,
    /** What the documents may have that are read before they are accepted: agents' reports. */
    readonly documents: Limits = defaultLimits,
  ) {}

  /** Bytes that a payload may have whatever the settings say: what fits in one text value of the runtime and a row. */
  static readonly hardMaxBytes = 256_000_000;

  /** Bound for inflating and for reading a body. */
  get maxPayloadBytes(): number {
    return this.rejectLarge ? this.maxCommandBytes : IntakeLimits.hardMaxBytes;
  }
}
