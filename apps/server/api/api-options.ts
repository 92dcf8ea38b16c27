import type { ApiContext } from '#openapi';

/** Settings that affect the description of the interface. */
export type ApiOptions = Omit<ApiContext, 'examples'>;

/** Injection token of ApiOptions. */
export const API_OPTIONS = Symbol('ApiOptions');
