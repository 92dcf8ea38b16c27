import type { Limits } from '#limits';

/** The limits of the installation. A class, so that it can be injected. */
export class ImportLimits {
  constructor(readonly values: Limits) {}
}
