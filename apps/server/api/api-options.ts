import type { ApiContext } from '#openapi';

/** What the description of the interface depends on, besides the routes. */
export type ApiOptions = Omit<ApiContext, 'examples'>;

/** Injection token of ApiOptions. */
export const API_OPTIONS = Symbol('ApiOptions');
